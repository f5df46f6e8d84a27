//! `judge lint`: checks whether a bot follows the protocol, or whether an interactor copes with any bot.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use anyhow::ensure;
use clap::Args;
use itertools::Itertools;
use runner::config::MatchConfig;
use runner::escape::printable;
use runner::interrupt;
use runner::limits::{DEFAULT_LIMITS, Limits};
use runner::sources::BuildOptions;
use serde::Serialize;

use crate::SCHEMA;
use crate::cli::bot::{BotArgs, start_command};
use crate::cli::interactors::{InteractorOptions, Purpose};
use crate::cli::options::LimitOptions;
use crate::lint::bot::{BotUnderTest, CHECKS};
use crate::lint::finding::{CheckStatus, Finding, Subject, UnderTest};
use crate::lint::interactor::InteractorUnderTest;
use crate::settings::Settings;
use crate::text::shortened;
use crate::trials::problem::run::DEFAULT_IDLE;
use crate::units::number_in;

/// Check whether a bot follows the protocol, or an interactor copes with bots
#[derive(Debug, Args)]
#[command(mut_arg("bot", |bot| bot.required_unless_present("source")), after_help = "\
A note is not a failure. Most notes are about features that a bot for the contest does not need. With --interactor the \
interactor is checked with a bot that is right, on one input; the judge adds bots that are wrong.

Examples:
  judge lint -- python3 my_bot.py
  judge lint bot.cpp                 a source is compiled first
  judge lint --interactor interactor.py --input tests/1.in -- right.py

Exit codes:
  0  no check failed
  1  a check failed
  2  wrong usage, or a program could not be started")]
pub(crate) struct LintArgs {
    #[command(flatten)]
    limits: LimitOptions,

    /// Run only the check with this number
    #[arg(long, value_name = "K", value_parser = number_in(1..=CHECKS.len() as u64))]
    only: Option<u64>,

    /// Print one JSON object for each check
    #[arg(long)]
    json: bool,

    /// Print the command that compiles a source, and each note
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    build: BuildOptions,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The input on which the interactor is checked
    #[arg(long, value_name = "FILE", help_heading = "Interactors")]
    input: Vec<PathBuf>,

    #[command(flatten)]
    bot: BotArgs,
}

impl LintArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        interrupt::watch()?;
        let bot = self.bot.command("lint", settings)?;
        let started = start_command(bot, &self.build, self.verbose, settings)?;
        let mut config = MatchConfig { started, ..self.limits.config(bot, &self.build, settings) };
        let purpose = Purpose {
            names_problem: self.interactor.interactor.is_some(),
            has_problem_options: self.interactor != InteractorOptions::default() || !self.input.is_empty(),
            has_game_options: false,
        };
        let Some(problem) = purpose.problem(settings, self.verbose, 1)? else {
            return self.check(&BotUnderTest::new(config)?, false);
        };
        let Limits { cpu, memory, .. } = DEFAULT_LIMITS;
        config.limits = self.limits.or(settings).limits(cpu, memory, DEFAULT_IDLE);
        let inputs = problem.inputs(&self.input);
        let mut run = self.interactor.interactor_run(&inputs, (config, None), problem)?;
        if self.input.is_empty() {
            // Without `--input`, the tests are all inputs that judge.toml names. The checks use only one.
            run.tests.truncate(1);
        }
        self.check(&InteractorUnderTest::new(run)?, true)
    }

    /// Runs the checks and reports them.
    fn check(&self, under_test: &dyn UnderTest, shows_notes: bool) -> anyhow::Result<ExitCode> {
        let checks = under_test.checks();
        let count = checks.len() as u64;
        if let Some(only) = self.only {
            ensure!(only <= count, "--only: expected the number of a check from 1 to {count}, got {only}");
        }
        let mut out = anstream::stdout();
        let shows_notes = shows_notes || self.verbose || self.only.is_some();
        let mut text = LintText { shows_notes, ..LintText::default() };
        let mut ran: Vec<(Subject, CheckStatus)> = Vec::new();
        for (number, &(check, subject)) in (1_u64..).zip(&checks) {
            let is_other = self.only.is_some_and(|only| only != number);
            let is_explained = ran
                .iter()
                .any(|&(earlier, status)| status == CheckStatus::Fail && subject.is_explained_by(earlier));
            if is_other || is_explained {
                continue;
            }
            let finding = under_test.run(number)?;
            if interrupt::interrupted() {
                return Ok(ExitCode::from(2));
            }
            if self.json {
                write_json(&mut out, number, check, &finding)?;
            } else {
                text.write(&mut out, number, check, &finding)?;
            }
            ran.push((subject, finding.status));
        }
        let statuses: Vec<CheckStatus> = ran.into_iter().map(|(_, status)| status).collect();
        if !self.json {
            text.write_notes(&mut out)?;
            let not_run = if self.only.is_some() { 0 } else { checks.len() - statuses.len() };
            write_summary(&mut out, &under_test.name(), &statuses, not_run)?;
            if statuses.contains(&CheckStatus::Lost) {
                writeln!(out, "{LOST}")?;
            }
        }
        Ok(if statuses.contains(&CheckStatus::Fail) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// The JSON object of a check.
#[derive(Serialize)]
struct CheckLine<'a> {
    schema: u32,
    number: u64,
    check: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

fn write_json(out: &mut impl Write, number: u64, check: &str, finding: &Finding) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &CheckLine { schema: SCHEMA, number, check, finding })?;
    writeln!(out)?;
    out.flush()
}

/// The advice after games that were lost.
const LOST: &str =
    "        what to do: judge run -v shows a game move by move, judge stress looks for the smallest";

/// The report for a person. It repeats neither evidence nor advice, so that the first screen shows the cause.
#[derive(Default)]
struct LintText {
    /// Whether each note is written when it is found.
    shows_notes: bool,
    /// The numbers of the checks whose notes were left out.
    notes: Vec<u64>,
    /// The evidence and the advice that were already printed.
    printed: HashSet<String>,
}

impl LintText {
    fn write(&mut self, out: &mut impl Write, number: u64, check: &str, finding: &Finding) -> io::Result<()> {
        if finding.status == CheckStatus::Note && !self.shows_notes {
            self.notes.push(number);
            return Ok(());
        }
        let (word, style) = match finding.status {
            CheckStatus::Pass => ("pass", Style::new().fg_color(Some(AnsiColor::Green.into()))),
            CheckStatus::Fail => ("FAIL", Style::new().bold().fg_color(Some(AnsiColor::Red.into()))),
            CheckStatus::Lost => ("lost", Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()))),
            CheckStatus::Note => ("note", Style::new().fg_color(Some(AnsiColor::Yellow.into()))),
        };
        writeln!(out, "{number:>2} {style}{word}{style:#} {check}: {}", printable(&finding.found))?;
        for why in &finding.why {
            if self.printed.insert(why.clone()) {
                writeln!(out, "        why: {}", printable(why))?;
            }
        }
        for advice in &finding.advice {
            let is_new = self.printed.insert(advice.clone());
            let shown = if is_new { advice } else { "as above" };
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
        out.flush()
    }

    /// Writes the numbers of the checks whose notes were left out.
    fn write_notes(&self, out: &mut impl Write) -> io::Result<()> {
        if self.notes.is_empty() {
            return Ok(());
        }
        let numbers = self.notes.iter().join(", ");
        writeln!(out, "notes: {numbers} (not failures); judge lint -v shows them")
    }
}

fn write_summary(
    out: &mut impl Write,
    name: &str,
    statuses: &[CheckStatus],
    not_run: usize,
) -> io::Result<()> {
    let count = |status| statuses.iter().filter(|&&other| other == status).count();
    let failed = count(CheckStatus::Fail);
    let lost = Some(count(CheckStatus::Lost)).filter(|&lost| lost > 0);
    write!(
        out,
        "{}: {} passed, {failed} failed, {}{} noted",
        printable(&shortened(name)),
        count(CheckStatus::Pass),
        lost.map_or_else(String::new, |lost| format!("{lost} lost, ")),
        count(CheckStatus::Note)
    )?;
    if not_run > 0 && failed > 0 {
        write!(out, "; {not_run} not run, because the failures would make them fail too")?;
    }
    writeln!(out)
}
