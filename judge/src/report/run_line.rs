//! The result of a run, as reports show it and as a JSON line.

use std::time::Duration;

use itertools::Itertools;
use runner::escape::shell_word;
use runner::event::Exit;
use runner::limits::HeldBy;
use runner::stderr_excerpt::shown_lines;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::conversation::ruling::Note;
use crate::conversation::verdict::{Class, Verdict};
use crate::json::ms;
use crate::referee::interactor::trial::{SHOWN_FOLDER, TrialResult};
use crate::text::counted;
use crate::trials::problem::test::Test;
use crate::units::{in_mib, in_ms};

/// The result of a run. The same line is the run's JSON, the last line of its transcript, and the source of its report.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunLine {
    schema: u32,
    /// The name of the submission, if the bot is a submission of a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    submission: Option<String>,
    /// The name of the test of a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
    /// The input's file; `null` without an input.
    input: Option<String>,
    pub(crate) seed: u64,
    pub(crate) verdict: Verdict,
    class: Class,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// How often the bot was started, if more than once.
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<u32>,
    pub(crate) reason: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) why: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) advice: Vec<String>,
    /// How many lines the bot wrote.
    lines: u64,
    wall_ms: f64,
    cpu_ms: Option<f64>,
    memory_kib: Option<u64>,
    limits: Option<HeldBy>,
    pub(crate) interactor: InteractorLine,
    /// The command that repeats this run; `null` if it is not UTF-8.
    pub(crate) command: Option<String>,
    pub(crate) stderr: Vec<String>,
}

/// The part of a run's result that is about the interactor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct InteractorLine {
    pub(crate) command: Vec<String>,
    /// How the interactor ended; `null` if the judge ended it.
    exit: Option<Exit>,
    lines: u64,
    cpu_ms: Option<f64>,
    memory_kib: Option<u64>,
    pub(crate) stderr: Vec<String>,
}

impl InteractorLine {
    /// Returns the command for a shell. The shell creates the folder for the interactor's files.
    pub(crate) fn shell_command(&self) -> String {
        let quoted = |word: &String| match word.strip_prefix(SHOWN_FOLDER) {
            Some(file @ ("/" | "/output")) => format!("\"$(mktemp -d){file}\""),
            _ => shell_word(word).unwrap_or_else(|_| word.clone()),
        };
        self.command.iter().map(quoted).join(" ")
    }
}

impl RunLine {
    /// Creates the line of a run. `again` is the command that repeats the run, if all words of the command are UTF-8.
    pub(crate) fn of(test: &Test, result: &TrialResult, again: Option<String>) -> Self {
        let TrialResult { ruling, wall, bot, interactor, held_by, .. } = result;
        let text = |word: &std::ffi::OsString| word.to_string_lossy().into_owned();
        Self {
            schema: SCHEMA,
            submission: None,
            test: test.typed_input.as_ref().map(|_| test.name.clone()),
            input: test.shown_input().map(|input| input.to_string_lossy().into_owned()),
            seed: test.seed,
            verdict: ruling.verdict,
            class: ruling.class,
            notes: ruling.notes.clone(),
            score: ruling.score,
            passes: Some(result.passes).filter(|passes| *passes > 1),
            reason: ruling.reason.clone(),
            why: ruling.why.clone(),
            advice: ruling.advice.clone(),
            lines: bot.lines,
            wall_ms: ms(*wall),
            cpu_ms: bot.used.cpu.map(ms),
            memory_kib: bot.used.memory.map(|bytes| bytes >> 10),
            limits: *held_by,
            interactor: InteractorLine {
                command: result.interactor_command.iter().map(text).collect(),
                exit: result.interactor_exit,
                lines: interactor.lines,
                cpu_ms: interactor.used.cpu.map(ms),
                memory_kib: interactor.used.memory.map(|bytes| bytes >> 10),
                stderr: shown_lines(&interactor.stderr),
            },
            command: again,
            stderr: shown_lines(&bot.stderr),
        }
    }

    /// Returns this line with the name of the submission.
    pub(crate) fn of_submission(self, name: &str) -> Self {
        Self { submission: Some(name.to_owned()), ..self }
    }

    /// Returns the name of the test, with the seed unless it is 1.
    pub(crate) fn name(&self) -> String {
        let test = self.test.as_ref().or(self.input.as_ref()).map_or("without input", String::as_str);
        if self.seed == 1 { test.to_owned() } else { format!("{test} (seed {})", self.seed) }
    }

    /// Returns the figures of the run: its lines and time, and what the bot and the interactor used.
    pub(crate) fn statistics(&self) -> String {
        // The line may come from a damaged transcript, so its times may be invalid.
        let time = |ms: f64| in_ms(Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default());
        let lines = counted(self.lines, "line");
        let mut parts = vec![format!("{lines} of the bot in {}", time(self.wall_ms))];
        parts.extend(self.cpu_ms.map(|cpu| format!("CPU {}", time(cpu))));
        parts.extend(self.memory_kib.map(|kib| in_mib(kib.saturating_mul(1 << 10))));
        parts.extend(self.interactor.cpu_ms.map(|cpu| format!("CPU of the interactor {}", time(cpu))));
        parts.extend(self.limits.map(|by| format!("limits by {by}")));
        parts.join("; ")
    }
}
