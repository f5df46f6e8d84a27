//! `judge lint`: the check list, held against a bot.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;

use super::match_options::seconds;
use crate::escape::printable;
use crate::matches::lint::{Bench, CHECKS, Finding, Mark};
use crate::process::interrupt;
use crate::process::start::Start;
use crate::referee::config::Terms;
use crate::referee::limits::DEFAULT_LIMITS;
use crate::referee::limits::Limits;

/// Go through a check list: does a bot hold to the protocol, and if not, how to mend it
#[derive(Debug, Args)]
#[command(
    override_usage = "judge lint [OPTIONS] -- BOT ARGS...",
    after_help = "\
A check passes, FAILs, or leaves a note: a bot for the contest alone need not know assigned seats, several games in \
one conversation or the other games, nor exit with a certain code when its input ends.

Examples:
  judge lint -- python3 my_bot.py
  judge lint --json -- ./bot

Exit codes:
  0  no check failed
  1  one did
  2  wrong usage, or the bot could not be started"
)]
pub(crate) struct LintArgs {
    /// How many seconds of CPU the bot may use in a game, and how many the judge waits for its lines, all
    /// together
    #[arg(long, default_value = "2", value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Duration,

    /// Print one JSON object a check
    #[arg(long)]
    pub(crate) json: bool,

    /// The bot's command and its arguments
    #[arg(last = true, value_name = "BOT", required = true)]
    pub(crate) bot: Vec<OsString>,
}

/// The version of the JSON format.
const SCHEMA: u32 = 1;

pub(crate) fn lint(args: &LintArgs) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let time = args.time_limit;
    let limits = Limits { cpu: time, wall: time, idle: time, ..DEFAULT_LIMITS };
    let start = Start::new(&args.bot, &Terms { limits, ..Terms::default() })?;
    let bench = Bench { start, limits };
    let mut out = anstream::stdout();
    let mut marks = Vec::new();
    for (number, check) in (1..).zip(&CHECKS) {
        let finding = check.look(&bench)?;
        if interrupt::interrupted() {
            return Ok(ExitCode::from(2));
        }
        if args.json {
            json(&mut out, number, check.name, &finding)?;
        } else {
            console(&mut out, number, check.name, &finding)?;
        }
        marks.push(finding.mark);
        if marks == [Mark::Fail] {
            break;
        }
    }
    if !args.json {
        summary(&mut out, &marks)?;
    }
    Ok(if marks.contains(&Mark::Fail) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    number: usize,
    check: &'a str,
    #[serde(flatten)]
    finding: &'a Finding,
}

fn json(out: &mut impl Write, number: usize, check: &str, finding: &Finding) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Line { schema: SCHEMA, number, check, finding })?;
    writeln!(out)?;
    out.flush()
}

fn console(out: &mut impl Write, number: usize, check: &str, finding: &Finding) -> io::Result<()> {
    let (word, style) = match finding.mark {
        Mark::Pass => ("pass", Style::new().fg_color(Some(AnsiColor::Green.into()))),
        Mark::Fail => ("FAIL", Style::new().bold().fg_color(Some(AnsiColor::Red.into()))),
        Mark::Note => ("note", Style::new().fg_color(Some(AnsiColor::Yellow.into()))),
    };
    writeln!(out, "{number:>2} {style}{word}{style:#} {check}: {}", printable(&finding.found))?;
    if let Some(mend) = finding.mend {
        writeln!(out, "        {mend}")?;
    }
    out.flush()
}

fn summary(out: &mut impl Write, marks: &[Mark]) -> io::Result<()> {
    let count = |mark| marks.iter().filter(|&&other| other == mark).count();
    write!(out, "{} passed, {} failed, {} noted", count(Mark::Pass), count(Mark::Fail), count(Mark::Note))?;
    match CHECKS.len() - marks.len() {
        0 => writeln!(out),
        left => writeln!(out, "; {left} not tried, they need an answer to the header"),
    }
}
