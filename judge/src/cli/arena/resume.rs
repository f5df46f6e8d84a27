//! What is printed when a run did not reach its end: how to go on.

use std::path::Path;

use super::Played;
use crate::cli::typed_command::typed_words;
use crate::escape::{complain, shell_word};
use crate::matches::arena::plan::Plan;
use crate::report::record_file::RecordFile;

/// Says how many games have been played, and how to go on.
pub(super) fn report_interruption(plan: &Plan, played: &Played, file: Option<&RecordFile>) {
    let count = format!("interrupted after {} of {} games", played.games.len(), plan.games());
    match file.and_then(|file| resume_command(file.path())) {
        Some(command) => complain(format_args!("{count}; to go on: {command}")),
        None => complain(format_args!("{count}; with --record FILE such a run can be resumed")),
    }
}

/// Says how to go on after an error.
pub(super) fn report_failure(file: Option<&RecordFile>) {
    if let Some(command) = file.and_then(|file| resume_command(file.path())) {
        complain(format_args!("the run ended early; to go on: {command}"));
    }
}

/// The command that resumes this run; `None` if it is not UTF-8.
fn resume_command(path: &Path) -> Option<String> {
    let mut words = Vec::new();
    let mut args = typed_words()?.into_iter();
    while let Some(word) = args.next() {
        if matches!(word.as_str(), "--record" | "--resume") {
            args.next();
        } else if !word.starts_with("--record=") && !word.starts_with("--resume=") {
            words.push(shell_word(&word).ok()?);
        }
    }
    Some(format!("judge {} --resume {}", words.join(" "), shell_word(path.to_str()?).ok()?))
}
