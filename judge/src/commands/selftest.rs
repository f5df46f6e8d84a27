//! `judge selftest`: the table of the hostile bots.

use std::io::Write;
use std::process::ExitCode;
use std::thread;

use anstyle::{AnsiColor, Style};

use crate::cli::selftest::SelftestArgs;
use crate::escape::printable;
use crate::player::tree;
use crate::sandbox;
use crate::selftest::{Finding, Trial, bots, play_all};
use crate::verdict::Profile;

/// How many of the processes that were left running are listed.
const SHOWN: usize = 10;

pub(crate) fn selftest(args: &SelftestArgs) -> anyhow::Result<ExitCode> {
    // What a judge leaves behind becomes a child of this one.
    tree::adopt()?;
    let mut out = anstream::stdout();
    let sandbox = sandbox::check();
    writeln!(out, "{:<24} {:<64} {:<13} {:<13} {:>6}", "bot", "what it does", "expected", "got", "time")?;
    let (mut games, mut passed) = (0_usize, 0_usize);
    play_all(trials(args, sandbox.is_ok()), jobs(args), |finding| {
        games += 1;
        passed += usize::from(finding.trouble().is_none());
        Ok(row(&mut out, finding)?)
    })?;
    if let Err(reason) = sandbox {
        writeln!(out, "not played: what needs a sandbox: {}", printable(&format!("{reason:#}")))?;
    }
    let left = tree::leftovers();
    tree::end_orphans();
    for process in left.iter().take(SHOWN) {
        writeln!(out, "left running: {}", printable(process))?;
    }
    writeln!(out, "{passed} of {games} games as expected, {} left running", counted(left.len()))?;
    Ok(if passed == games && left.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn counted(processes: usize) -> String {
    match processes {
        0 => "nothing".to_owned(),
        1 => "1 process".to_owned(),
        many => format!("{many} processes"),
    }
}

/// The games of the bots that are asked for and can be played here.
fn trials(args: &SelftestArgs, has_sandbox: bool) -> Vec<Trial> {
    let mut trials = Vec::new();
    for bot in bots::all() {
        let is_wanted = args.names.is_empty() || args.names.iter().any(|name| name == bot.name);
        if is_wanted && (has_sandbox || !bot.sandboxed) {
            let trial = |(profile, expected)| Trial { bot: bot.clone(), profile, expected };
            trials.extend(bot.verdicts().into_iter().map(trial));
        }
    }
    trials
}

/// Most games wait for a limit, not for a processor.
fn jobs(args: &SelftestArgs) -> usize {
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    args.jobs.map_or_else(|| 2 * processors(), usize::from)
}

fn row(out: &mut impl Write, finding: &Finding) -> std::io::Result<()> {
    let Finding { trial, got, took } = finding;
    let trouble = finding.trouble();
    let profile = if trial.profile == Profile::Strict { " (strict)" } else { "" };
    let style = match trouble {
        None => Style::new(),
        Some(_) => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
    };
    let got = got.as_ref().map_or_else(|_| "-".to_owned(), |told| told.verdict.to_string());
    writeln!(
        out,
        "{:<24} {:<64} {:<13} {style}{got:<13}{style:#} {:>4.1} s",
        trial.bot.name,
        format!("{}{profile}", trial.bot.does),
        trial.expected,
        took.as_secs_f64()
    )?;
    if let Some(trouble) = trouble {
        let trouble = printable(&trouble);
        writeln!(out, "    {trouble}\n    again: judge selftest {}", trial.bot.name)?;
    }
    out.flush()
}
