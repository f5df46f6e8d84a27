//! `judge selftest`: tests the judge with hostile bots.

use std::io::Write;
use std::process::ExitCode;
use std::thread;

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use clap::Args;
use common::escape::printable;
use common::suggestions::did_you_mean;
use common::units::number_in;
use runner::config::Profile;
use runner::{descendants, sandbox};

use super::complete;
use super::subcommand::{Program, Subcommand};
use crate::matches::selftest::{Trial, TrialResult, action, bots, play_all};

/// Test the judge with hostile bots, each with an expected verdict
#[derive(Debug, Args)]
#[command(
    override_usage = "judge selftest [NAMES] [OPTIONS]",
    after_help = "\
Each bot plays a game with \"judge run\". A game may take its wall limit plus one second, or twice \
its wall limit plus one second if it is expected to reach that limit. After all games, no process that a bot \
started may still run.

Examples:
  judge selftest
  judge selftest memory-hog never-reads

Exit codes:
  0  every verdict is as expected, and nothing was left running
  1  something is not as expected
  2  wrong usage, or the judge could not start itself"
)]
pub(crate) struct SelftestArgs {
    /// Only these bots
    #[arg(add = complete::hostile_bot(), value_name = "NAMES", value_parser = parse_name)]
    pub(crate) names: Vec<String>,

    /// How many games to play at a time [default: twice the processors]
    #[arg(short, long, value_name = "J", value_parser = number_in(1..=256_u16))]
    pub(crate) jobs: Option<u16>,
}

fn parse_name(name: &str) -> Result<String, String> {
    let is_known = bots::all().iter().any(|bot| bot.name == name);
    is_known.then(|| name.to_owned()).ok_or_else(|| {
        let names = bots::all();
        let meant = did_you_mean(name, names.iter().map(|bot| bot.name));
        format!(
            "expected the name of a hostile bot{meant}; \"judge selftest\" without names plays and shows them all"
        )
    })
}

/// Maximum number of listed processes that bots left running.
const MAX_LISTED: usize = 10;

impl Subcommand for SelftestArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        // A process that a tested judge leaves running becomes a child of this process.
        descendants::become_subreaper()?;
        let mut out = anstream::stdout();
        let sandbox = sandbox::check();
        writeln!(out, "{:<24} {:<64} {:<13} {:<13} {:>6}", "bot", "what it does", "expected", "got", "time")?;
        let (mut games, mut passed) = (0_usize, 0_usize);
        play_all(trials(self, sandbox.is_ok()), jobs(self), |result| {
            games += 1;
            passed += usize::from(result.problem().is_none());
            Ok(write_row(&mut out, result)?)
        })?;
        if let Err(reason) = sandbox {
            writeln!(out, "not played: the bots that need a sandbox: {}", printable(&format!("{reason:#}")))?;
        }
        let survivors = descendants::survivors();
        descendants::end_all();
        for process in survivors.iter().take(MAX_LISTED) {
            writeln!(out, "left running: {}", printable(process))?;
        }
        writeln!(out, "{passed} of {games} games as expected, {} left running", processes(survivors.len()))?;
        Ok(if passed == games && survivors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn processes(processes: usize) -> String {
    match processes {
        0 => "nothing".to_owned(),
        1 => "1 process".to_owned(),
        many => format!("{many} processes"),
    }
}

/// Returns the games of the chosen bots that can be played on this system.
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

/// Returns the number of games to play at a time. The default is twice the number of processors, because most games
/// wait for a limit.
fn jobs(args: &SelftestArgs) -> usize {
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    args.jobs.map_or_else(|| 2 * processors(), usize::from)
}

fn write_row(out: &mut impl Write, result: &TrialResult) -> std::io::Result<()> {
    let TrialResult { trial, got, took } = result;
    let problem = result.problem();
    let profile = if trial.profile == Profile::Contest { " (contest)" } else { "" };
    let style = match problem {
        None => Style::new(),
        Some(_) => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
    };
    let got = got.as_ref().map_or_else(|_| "-".to_owned(), |game| game.verdict.to_string());
    writeln!(
        out,
        "{:<24} {:<64} {:<13} {style}{got:<13}{style:#} {:>4.1} s",
        trial.bot.name,
        format!("{}{profile}", trial.bot.description),
        trial.expected,
        took.as_secs_f64()
    )?;
    if let Some(problem) = problem {
        let problem = printable(&problem);
        writeln!(out, "    {problem}\n    again: judge selftest {}", trial.bot.name)?;
    }
    out.flush()
}

/// One of the hostile bots of the self-test
#[derive(Debug, Args)]
pub(crate) struct HostileArgs {
    name: String,
}

impl Subcommand for HostileArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        let actions = bots::actions(&self.name)
            .with_context(|| format!("expected the name of a hostile bot, got {:?}", self.name))?;
        action::perform(&actions)
    }
}
