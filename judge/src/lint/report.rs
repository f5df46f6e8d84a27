//! The report of `judge lint`: a text for a person, or a line of JSON for each check.

use std::collections::HashSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use itertools::Itertools;
use runner::escape::printable;
use serde::Serialize;

use crate::SCHEMA;
use crate::lint::{CheckStatus, Finding};
use crate::text::shortened;

#[derive(Serialize)]
struct CheckLine<'a> {
    schema: u32,
    number: u64,
    check: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

const LOST: &str =
    "        what to do: judge run -v shows a game move by move, judge stress looks for the smallest";

/// The report of the checks. As a text, it repeats neither evidence nor advice, so that the first screen shows the
/// cause.
pub(crate) struct LintReport<W> {
    out: W,
    json: bool,
    shows_notes: bool,
    statuses: Vec<CheckStatus>,
    /// The numbers of the checks whose notes were left out.
    notes: Vec<u64>,
    /// The evidence and the advice that were already printed.
    printed: HashSet<String>,
}

impl<W: Write> LintReport<W> {
    pub(crate) fn new(out: W, json: bool, shows_notes: bool) -> Self {
        let (statuses, notes, printed) = Default::default();
        Self { out, json, shows_notes, statuses, notes, printed }
    }

    pub(crate) fn add(&mut self, number: u64, check: &str, finding: &Finding) -> io::Result<()> {
        self.statuses.push(finding.status);
        if self.json {
            serde_json::to_writer(&mut self.out, &CheckLine { schema: SCHEMA, number, check, finding })?;
            writeln!(self.out)?;
        } else if finding.status == CheckStatus::Note && !self.shows_notes {
            self.notes.push(number);
        } else {
            self.write(number, check, finding)?;
        }
        self.out.flush()
    }

    fn write(&mut self, number: u64, check: &str, finding: &Finding) -> io::Result<()> {
        let Self { out, printed, .. } = self;
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        let (word, style) = match finding.status {
            CheckStatus::Pass => ("pass", color(AnsiColor::Green)),
            CheckStatus::Fail => ("FAIL", color(AnsiColor::Red).bold()),
            CheckStatus::Lost => ("lost", color(AnsiColor::Yellow).bold()),
            CheckStatus::Note => ("note", color(AnsiColor::Yellow)),
        };
        writeln!(out, "{number:>2} {style}{word}{style:#} {check}: {}", printable(&finding.found))?;
        for why in &finding.why {
            if printed.insert(why.clone()) {
                writeln!(out, "        why: {}", printable(why))?;
            }
        }
        for advice in &finding.advice {
            let shown = if printed.insert(advice.clone()) { advice } else { "as above" };
            writeln!(out, "        what to do: {}", printable(shown))?;
        }
        for line in &finding.game {
            writeln!(out, "        game: {line}")?;
        }
        for line in &finding.stderr {
            writeln!(out, "        stderr: {line}")?;
        }
        if let Some(again) = &finding.again {
            writeln!(out, "        again: {}", printable(again))?;
        }
        Ok(())
    }

    /// Ends a text with a summary. `name` is the name of the program, and `skipped` the number of checks that earlier
    /// failures explain.
    pub(crate) fn end(mut self, name: &str, skipped: u64) -> io::Result<()> {
        if self.json {
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
            writeln!(out, "{LOST}")?;
        }
        Ok(())
    }
}
