//! What is printed when a run did not reach its end: how to continue it.

use super::{ArenaArgs, Played};
use common::escape::shell_word;
use common::program;
use common::program::print_error;
use common::record_file::RecordFile;
use common::shards::with_option;

/// Says how many games have been played, and how to continue.
pub(super) fn report_interruption(args: &ArenaArgs, games: u64, played: &Played, file: Option<&RecordFile>) {
    let count = format!("interrupted after {} of {games} games", played.games.len());
    match file.and_then(|file| resume_command(args, file)) {
        Some(command) => print_error(format_args!("{count}; to go on: {command}")),
        None => print_error(format_args!("{count}; with --record FILE such a run can be resumed")),
    }
}

/// Says how to continue after an error.
pub(super) fn report_failure(args: &ArenaArgs, file: Option<&RecordFile>) {
    if let Some(command) = file.and_then(|file| resume_command(args, file)) {
        print_error(format_args!("the run ended early; to go on: {command}"));
    }
}

/// The command that resumes this run; `None` if it is not UTF-8.
fn resume_command(args: &ArenaArgs, file: &RecordFile) -> Option<String> {
    if args.checkpoint.is_some() {
        return program::command_without(&[], &[]);
    }
    let path = shell_word(file.path().to_str()?).ok()?;
    let command = program::command_without(&["--record", "--resume"], &[])?;
    Some(with_option(&command, &format!("--resume {path}")))
}
