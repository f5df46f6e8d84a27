//! The interactor that `judge lint` checks, with its runs against the right bot and against bots that misbehave.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::time::Duration;

use anyhow::{bail, ensure};
use runner::config::{MatchConfig, Profile};
use runner::limits::Limits;
use runner::relay::Side;

use crate::conversation::verdict::Verdict;
use crate::lint::interactor::CHECKS;
use crate::lint::{Check, LastStep, UnderTest};
use crate::referee::interactor::style::Style;
use crate::referee::interactor::trial::TrialResult;
use crate::report::transcript::MAX_RECORDED;
use crate::trials::problem::run::ProblemRun;
use crate::trials::problem::test::Test;

/// The interactor under test, with a right bot.
pub(crate) struct InteractorUnderTest {
    run: ProblemRun,
    pub(crate) style: Style,
    test: Test,
    /// The run of the right bot.
    with_bot: OnceCell<TrialResult>,
    /// The runs of bots that write malformed lines.
    with_garbage: OnceCell<Vec<Misbehaviour>>,
}

/// A run of a bot that misbehaves.
pub(crate) struct Misbehaviour {
    /// What the bot writes.
    pub(crate) what: String,
    pub(crate) result: TrialResult,
    /// The command that repeats the run.
    pub(crate) again: Option<String>,
}

/// What an interactor did with a bot that misbehaves.
pub(crate) enum Reaction {
    Rejected,
    Accepted,
    /// The interactor crashed, waits or reached a limit; the text says which.
    Failed(String),
}

/// The limit on the CPU time of a bot that misbehaves. No such bot needs this much time.
const BOT_CPU: Duration = Duration::from_secs(60);

/// The limit on the wall time of a bot that misbehaves. This time includes the time that the interactor needs to read
/// the output.
const BOT_WALL: Duration = Duration::from_secs(600);

impl InteractorUnderTest {
    /// Prepares the checks of the interactor of `run`. The bot of `run` must be right.
    ///
    /// # Errors
    ///
    /// If `run` does not have exactly one test, or the style of its interactor is unknown.
    pub(crate) fn new(run: ProblemRun) -> anyhow::Result<Self> {
        ensure!(run.interactor.is_some(), "expected an interactor to check: this problem has none");
        let style = run.style()?;
        let [test] = &run.tests[..] else {
            bail!("--input: expected one input to check the interactor, got {}", run.tests.len());
        };
        let test = Test { seed: 1, ..test.clone() };
        let (with_bot, with_garbage) = Default::default();
        Ok(Self { run, style, test, with_bot, with_garbage })
    }

    /// Returns whether the bot has several processes.
    pub(crate) fn has_several_processes(&self) -> bool {
        self.run.seats.count > 1
    }

    /// Returns the result of the right bot.
    pub(crate) fn with_bot(&self) -> anyhow::Result<&TrialResult> {
        if let Some(result) = self.with_bot.get() {
            return Ok(result);
        }
        let result = self.run.programs(self.style, MAX_RECORDED)?.run(&self.test.case(), false)?;
        Ok(self.with_bot.get_or_init(|| result))
    }

    /// Runs a bot that misbehaves. `what` describes what the bot writes.
    pub(crate) fn against(&self, what: &str, bot: &[&str]) -> anyhow::Result<Misbehaviour> {
        let bot: Vec<OsString> = bot.iter().map(OsString::from).collect();
        let misbehaving = MatchConfig { bot, started: None, ..self.run.bot.clone() };
        // The command that repeats the run has the limits and the profile of `self.run`.
        let repeatable = ProblemRun { bot: misbehaving.clone(), ..self.run.clone() };
        let limits = Limits { cpu: BOT_CPU, wall: BOT_WALL, ..misbehaving.limits };
        // With this profile, only the interactor's decision counts, and not how the bot ends.
        let config = MatchConfig { limits, profile: Some(Profile::Contest), ..misbehaving };
        let programs = ProblemRun { bot: config, ..self.run.clone() }.programs(self.style, MAX_RECORDED)?;
        let result = programs.run(&self.test.case(), false)?;
        Ok(Misbehaviour { what: what.to_owned(), result, again: repeatable.again(self.style, &self.test) })
    }

    /// Returns the first line of the right bot, as a pattern for malformed lines; `1` if the line is not suitable.
    pub(crate) fn first_line(&self) -> anyhow::Result<String> {
        /// Maximum length of a pattern, in bytes.
        const MAX_LENGTH: usize = 200;
        let output = self.with_bot()?.output(Side::Bot);
        let line = output.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let text = std::str::from_utf8(line).unwrap_or_default().trim();
        let is_pattern = !text.is_empty() && text.len() <= MAX_LENGTH && !text.chars().any(char::is_control);
        Ok(if is_pattern { text.to_owned() } else { "1".to_owned() })
    }

    /// Runs the bots that write malformed lines, unless they have been run.
    pub(crate) fn with_garbage(&self) -> anyhow::Result<&[Misbehaviour]> {
        if let Some(outcomes) = self.with_garbage.get() {
            return Ok(outcomes);
        }
        let line = self.first_line()?;
        let with_text = replace_numbers(&line, "abc");
        let huge = replace_numbers(&line, &"9".repeat(30));
        let long =
            format!("printf %s '{}'; head -c 1000000 /dev/zero | tr '\\000' 9; echo", quoted_start(&line));
        let print = ["printf", "%s\\n"];
        let mut cases: Vec<(&str, Vec<&str>)> = vec![
            ("an empty line", vec!["echo"]),
            ("words", vec!["echo", "not what is expected"]),
            ("a word in place of a number", [&print[..], &[&with_text]].concat()),
            ("a number of 30 digits", [&print[..], &[&huge]].concat()),
            ("random bytes", vec!["printf", RANDOM_BYTES]),
            ("NUL bytes", vec!["printf", "\\000\\000\\000\\000\\n"]),
            ("a line of 1 MB", vec!["sh", "-c", &long]),
        ];
        // If the right bot writes only one line, that line may be a complete answer even without a line end.
        if self.with_bot()?.bot_lines() > 1 {
            cases.push(("a line without an end", vec!["printf", "%s", &line]));
        }
        let mut outcomes = Vec::new();
        for (what, bot) in &cases {
            let outcome = self.against(what, bot)?;
            // The interactor did not end by itself. Stop here: another bot would probably bring it to the same limit,
            // which can take long.
            let is_last = outcome.result.interactor_exit.is_none();
            outcomes.push(outcome);
            if is_last {
                break;
            }
        }
        Ok(self.with_garbage.get_or_init(|| outcomes))
    }

    pub(crate) fn reaction(&self, result: &TrialResult) -> Reaction {
        let is_crash = result.interactor.stderr.shows_exception();
        match result.ruling.verdict {
            Verdict::Accepted => Reaction::Accepted,
            Verdict::Partial if result.ruling.score > Some(0.0) => Reaction::Accepted,
            Verdict::WrongAnswer if is_crash && self.style != Style::Icpc => Reaction::Failed(
                "the interactor ended with an exception, whose exit code only looks like a rejection"
                    .to_owned(),
            ),
            Verdict::JudgeError => Reaction::Failed(result.ruling.reason.clone()),
            _ => Reaction::Rejected,
        }
    }
}

impl UnderTest for InteractorUnderTest {
    const CHECKS: &'static [Check<Self>] = &CHECKS;

    fn name(&self) -> String {
        self.run.interactor.as_ref().map_or_else(String::new, |interactor| interactor.typed.clone())
    }

    /// Returns the run of the right bot. The findings about other bots name the runs of these bots.
    fn last_step(&self, _: u64) -> LastStep {
        LastStep { again: self.run.again(self.style, &self.test), stderr: Vec::new() }
    }
}

/// 16 bytes and then a newline, as a format of `printf`. The bytes contain control characters and invalid UTF-8.
const RANDOM_BYTES: &str =
    "\\303\\050\\001\\377\\033\\200\\076\\217\\005\\361\\244\\177\\313\\016\\252\\351\\n";

/// Replaces every number of a line by a word, or the whole line if it has no number.
fn replace_numbers(line: &str, word: &str) -> String {
    let mut replaced = String::new();
    let mut was_digit = false;
    for symbol in line.chars() {
        let is_digit = symbol.is_ascii_digit();
        if is_digit && !was_digit {
            replaced += word;
        } else if !is_digit {
            replaced.push(symbol);
        }
        was_digit = is_digit;
    }
    if line.contains(|symbol: char| symbol.is_ascii_digit()) { replaced } else { word.to_owned() }
}

/// Returns the text before the first digit of a line, escaped for use in single quotes of a shell.
fn quoted_start(line: &str) -> String {
    let start = line.split(|symbol: char| symbol.is_ascii_digit()).next().unwrap_or_default();
    start.replace('\'', "'\\''")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_replaced() {
        assert_eq!(replace_numbers("? 12 -345", "x"), "? x -x");
        assert_eq!(replace_numbers("7", "x"), "x");
        assert_eq!(replace_numbers("left", "x"), "x");
        assert_eq!(quoted_start("it's 1 2"), "it'\\''s ");
    }
}
