//! The checks of `judge lint`. A kind of program has a table of checks: [`bot`] for bots, [`interactor`] for interactors.
//! To add a check, add a row to the table and its function below.

pub(crate) mod bot;
pub(crate) mod interactor;
mod report;

use std::process::ExitCode;

use anyhow::ensure;
use runner::interrupt::interrupted;
use serde::Serialize;

use crate::conversation::verdict::Ruling;
use crate::lint::report::LintReport;

pub(crate) struct Check<T> {
    name: &'static str,
    subject: CheckSubject,
    run: fn(&T) -> anyhow::Result<Finding>,
}

impl<T> Check<T> {
    const fn new(name: &'static str, subject: CheckSubject, run: fn(&T) -> anyhow::Result<Finding>) -> Self {
        Self { name, subject, run }
    }
}

/// A program that `judge lint` checks.
pub(crate) trait UnderTest: Sized + 'static {
    /// The checks, in the order in which they run. Their numbers begin at 1.
    const CHECKS: &'static [Check<Self>];

    fn name(&self) -> String;

    /// Returns the step that a finding of check `number` is about, unless the finding names another one.
    fn last_step(&self, number: u64) -> LastStep;
}

/// The last step of a check: the command that repeats it, and the stderr of the program under test.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastStep {
    pub(crate) again: Option<String>,
    pub(crate) stderr: Vec<String>,
}

/// The subject of a check. A failed check may explain failures of some later checks. Those later checks are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckSubject {
    /// A bot's play of a small game, or an interactor's run with a right bot. A failure here may explain the failure of
    /// any other check.
    Game,
    /// A bot's behaviour when the game is over, or an interactor's when the bot ends early. A program may handle each
    /// kind of end differently.
    End,
    /// The way in which the program reads its input.
    Input,
    /// The play of large games. A bot that is too slow for one large game is too slow for others.
    LargeGame,
    /// Features that a bot for the contest does not need, and the repeatability of an interactor's runs.
    Extra,
}

impl CheckSubject {
    /// Returns whether to skip a check of this subject after a failed check of the subject `failed`, because the check
    /// could only show the same fault.
    pub(crate) fn is_explained_by(self, failed: Self) -> bool {
        match failed {
            Self::Game => true,
            Self::LargeGame => self == failed,
            Self::End | Self::Input | Self::Extra => false,
        }
    }
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Finding {
    pub(crate) status: CheckStatus,
    /// What the check found, in one line.
    pub(crate) found: String,
    /// The evidence for the cause of a failure or a loss.
    pub(crate) why: Vec<String>,
    /// How to fix the bot, if the check failed.
    pub(crate) advice: Vec<String>,
    /// The last lines of the failed game, with the positions after these lines, if the check failed.
    pub(crate) game: Vec<String>,
    /// The command that repeats the last step, if the check did not pass.
    pub(crate) again: Option<String>,
    /// The lines of stderr to show, if the check failed.
    pub(crate) stderr: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckStatus {
    #[default]
    Pass,
    Fail,
    /// The bot follows the protocol, but lost a game.
    Lost,
    /// The check did not pass, but shows no fault: the bot lacks a feature that the contest does not need, or the
    /// behaviour could not be tested, for example because the bot makes no move.
    Note,
}

impl Finding {
    pub(crate) fn new(status: CheckStatus, found: String) -> Self {
        Self { status, found, ..Self::default() }
    }

    /// Returns the finding of a check that failed because of this ruling.
    pub(crate) fn ruled(ruling: &Ruling) -> Self {
        let Ruling { verdict, reason, why, advice, .. } = ruling.clone();
        Self { why, advice, ..Self::new(CheckStatus::Fail, format!("{verdict}, {reason}")) }
    }

    pub(crate) fn pass(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Pass, found.into())
    }

    pub(crate) fn note(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Note, found.into())
    }

    pub(crate) fn fail(found: impl Into<String>, advice: &str) -> Self {
        Self { advice: vec![advice.to_owned()], ..Self::new(CheckStatus::Fail, found.into()) }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LintOptions {
    /// The number of the only check to run.
    pub(crate) only: Option<u64>,
    pub(crate) json: bool,
    /// Whether the text has each note, and not only the numbers of the checks with notes.
    pub(crate) shows_notes: bool,
}

/// Runs the checks of a program and reports them. Skips each check whose failure an earlier failure would explain.
/// Fails if there is no check with the number `only`, a program cannot be started, or the report cannot be written.
pub(crate) fn lint<T: UnderTest>(under_test: &T, options: LintOptions) -> anyhow::Result<ExitCode> {
    let LintOptions { only, json, shows_notes } = options;
    let count = T::CHECKS.len() as u64;
    if let Some(only) = only {
        ensure!(only <= count, "--only: expected the number of a check from 1 to {count}, got {only}");
    }
    let mut report = LintReport::new(anstream::stdout(), json, shows_notes || only.is_some());
    let mut failed: Vec<CheckSubject> = Vec::new();
    let mut skipped = 0;
    for (number, check) in (1_u64..).zip(T::CHECKS) {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        if failed.iter().any(|&earlier| check.subject.is_explained_by(earlier)) {
            skipped += 1;
            continue;
        }
        let mut finding = (check.run)(under_test)?;
        let LastStep { again, stderr } = under_test.last_step(number);
        if finding.status != CheckStatus::Pass {
            finding.again = finding.again.or(again);
        }
        if finding.status == CheckStatus::Fail && finding.stderr.is_empty() {
            finding.stderr = stderr;
        }
        if interrupted() {
            return Ok(ExitCode::from(2));
        }
        report.add(number, check.name, &finding)?;
        failed.extend(Some(check.subject).filter(|_| finding.status == CheckStatus::Fail));
    }
    report.end(&under_test.name(), skipped)?;
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
