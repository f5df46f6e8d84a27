//! `judge lint`: the check list, held against a bot.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::cli::lint::LintArgs;
use crate::escape::printable;
use crate::interrupt;
use crate::limits::DEFAULT_LIMITS;
use crate::limits::Limits;
use crate::lint::{Bench, CHECKS, Finding, Mark};
use crate::player::start::Start;
use crate::terms::Terms;

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
