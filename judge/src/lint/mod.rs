//! The checks of `judge lint`. A kind of program has a table of checks: [`bot`] for bots, [`interactor`] for interactors.
//! To add a check, add a row to the table and its function below.

pub(crate) mod bot;
pub(crate) mod interactor;

use std::collections::HashSet;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::ensure;
use console::style;
use itertools::Itertools;
use runner::escape::printable;
use runner::interrupt::interrupted;
use runner::message::print_error;
use serde::Serialize;

use crate::SCHEMA;
use crate::conversation::verdict::Ruling;
use crate::json::write_line;
use crate::text::shortened;

/// The name of a check, its subject, and the check itself.
pub(crate) struct Check<T>(&'static str, CheckSubject, fn(&T) -> anyhow::Result<Finding>);

/// The subject of a check. A failed check may explain failures of some later checks. Those later checks are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckSubject {
    /// A bot's small game, or an interactor's run with a right bot. A failure may explain all others.
    Game,
    /// The play of large games. A bot that is too slow for one large game is too slow for others.
    LargeGame,
    /// The end of a program, the way in which it reads its input, or a feature that not all programs need. A failure
    /// explains no other.
    Other,
}

/// A finding of a check, as a line of JSON has it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Finding {
    schema: u32,
    number: u64,
    check: &'static str,
    pub(crate) status: CheckStatus,
    pub(crate) found: String,
    pub(crate) why: Vec<String>,
    pub(crate) advice: Vec<String>,
    /// The last lines of the failed game, with the positions after these lines, if the check failed.
    pub(crate) game: Vec<String>,
    /// The command that repeats what the finding is about, if the check did not pass.
    pub(crate) again: Option<String>,
    /// The stderr of the program under test, if the check failed.
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
        Self { schema: SCHEMA, status, found, ..Self::default() }
    }

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
    pub(crate) only: Option<u64>,
    pub(crate) json: bool,
    /// Whether the text has each note, and not only the numbers of the checks with notes.
    pub(crate) shows_notes: bool,
}

/// Runs the checks of the program `name` in this order, and reports them, except those whose failure an earlier failure
/// would explain. Their numbers begin at 1. `again` returns the command that repeats the check with this number, for
/// findings without a command.
fn run_checks<T>(
    checks: &[Check<T>],
    (under_test, name): (&T, &str),
    again: impl Fn(u64) -> Option<String>,
    options: LintOptions,
) -> anyhow::Result<ExitCode> {
    let only = options.only;
    let count = checks.len() as u64;
    if let Some(only) = only {
        ensure!(only <= count, "--only: expected the number of a check from 1 to {count}, got {only}");
    }
    let (statuses, notes, printed) = Default::default();
    let mut report = LintReport { out: io::stdout(), options, statuses, notes, printed };
    let mut failed: Vec<CheckSubject> = Vec::new();
    let mut skipped = 0;
    for (number, &Check(check, subject, run)) in (1_u64..).zip(checks) {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        let is_large = subject == CheckSubject::LargeGame;
        if failed.contains(&CheckSubject::Game) || is_large && failed.contains(&subject) {
            skipped += 1;
            continue;
        }
        let mut finding = run(under_test)?;
        finding.again =
            finding.again.or_else(|| again(number)).filter(|_| finding.status != CheckStatus::Pass);
        if finding.status != CheckStatus::Fail {
            finding.stderr.clear();
        }
        if interrupted() {
            print_error(format_args!("interrupted, so not all checks were run"));
            return Ok(ExitCode::from(2));
        }
        (finding.number, finding.check) = (number, check);
        report.add(&finding)?;
        failed.extend(Some(subject).filter(|_| finding.status == CheckStatus::Fail));
    }
    report.end(name, skipped)?;
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// As a text, the report repeats neither evidence nor advice, so that the first screen shows the cause.
struct LintReport {
    out: io::Stdout,
    options: LintOptions,
    statuses: Vec<CheckStatus>,
    /// The numbers of the checks whose notes were left out.
    notes: Vec<u64>,
    printed: HashSet<String>,
}

impl LintReport {
    fn add(&mut self, finding: &Finding) -> io::Result<()> {
        self.statuses.push(finding.status);
        let LintOptions { only, json, shows_notes } = self.options;
        if json {
            return write_line(&mut self.out, finding);
        } else if finding.status == CheckStatus::Note && only.is_none() && !shows_notes {
            self.notes.push(finding.number);
            return Ok(());
        }
        let Self { out, printed, .. } = self;
        let status = match finding.status {
            CheckStatus::Pass => style("pass").green(),
            CheckStatus::Fail => style("FAIL").red().bold(),
            CheckStatus::Lost => style("lost").yellow().bold(),
            CheckStatus::Note => style("note").yellow(),
        };
        let Finding { number, check, found, .. } = finding;
        writeln!(out, "{number:>2} {status} {check}: {}", printable(found))?;
        let new = finding.why.iter().filter(|why| printed.insert((*why).clone()));
        let mut lines = new.map(|why| ("why", printable(why))).collect_vec();
        lines.extend(finding.advice.iter().map(|advice| {
            let is_new = printed.insert(advice.clone());
            ("what to do", if is_new { printable(advice) } else { "as above".to_owned() })
        }));
        lines.extend(finding.game.iter().map(|line| ("game", line.clone())));
        lines.extend(finding.stderr.iter().map(|line| ("stderr", line.clone())));
        lines.extend(finding.again.iter().map(|again| ("again", printable(again))));
        lines.iter().try_for_each(|(label, line)| writeln!(out, "        {label}: {line}"))?;
        out.flush()
    }

    /// Ends a text with a summary. `skipped` is the number of checks that earlier failures explain.
    fn end(mut self, name: &str, skipped: u64) -> io::Result<()> {
        if self.options.json {
            return Ok(());
        }
        let out = &mut self.out;
        if !self.notes.is_empty() {
            let numbers = self.notes.iter().join(", ");
            writeln!(out, "notes: {numbers} (not failures); judge lint -v shows them")?;
        }
        let count = |status| self.statuses.iter().filter(|&&other| other == status).count();
        let [passed, failed, lost, noted] =
            [CheckStatus::Pass, CheckStatus::Fail, CheckStatus::Lost, CheckStatus::Note].map(count);
        let name = printable(&shortened(name));
        let lost_games = if lost > 0 { format!("{lost} lost, ") } else { String::new() };
        write!(out, "{name}: {passed} passed, {failed} failed, {lost_games}{noted} noted")?;
        if skipped > 0 {
            write!(out, "; {skipped} not run, because the failures would make them fail too")?;
        }
        writeln!(out)?;
        if lost > 0 {
            let games = "judge run -v shows a game move by move, judge stress looks for the smallest";
            writeln!(out, "        what to do: {games}")?;
        }
        Ok(())
    }
}
