//! `judge stress`: a search for a game that a bot does not win.

use std::io::{self, Write};
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use itertools::Itertools;

use crate::cli::stress::StressArgs;
use crate::interrupt::{self, interrupted};
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::series::{Arena, Conditions};
use crate::stress::plan::Plan;
use crate::stress::record::{Report, Tally};
use crate::stress::shrink::{Shrinker, Shrunk};
use crate::stress::{Until, search};
use crate::verdict::Verdict;

/// How many games are played when nobody says how many or for how long.
const GAMES: u64 = 2000;

pub(crate) fn stress(args: &StressArgs) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    let started = Instant::now();
    let plan = Plan::new(args.family, args.max_n, args.seed);
    let mut tally = match &args.resume {
        Some(file) => Tally::resume(file, &plan)?,
        None => Tally::default(),
    };
    let resumed = tally.played.len();
    let conditions = args.conditions.conditions(&args.bot);
    let until = Until {
        games: args.games.or(Some(GAMES).filter(|_| args.time.is_none())),
        deadline: args.time.map(|time| started + time),
        keep_going: args.keep_going,
    };
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let progress = progress(&until, resumed as u64);
    search(&conditions, &plan, jobs, &until, &mut tally, |index, line, report, tally| {
        if args.json {
            print(&progress, &numbered(line, &format!("\"index\":{index}")))?;
        } else if args.keep_going && report.verdict != Verdict::Won {
            print(&progress, &failure(index, report))?;
        }
        progress.set_message(standing(tally));
        progress.inc(1);
        Ok(())
    })?;
    progress.finish_and_clear();
    if !args.keep_going {
        tally.end_at_first_failure();
    }
    let mut out = anstream::stdout();
    if !args.json {
        summary(&mut out, &tally, tally.played.len() - resumed, started.elapsed())?;
    }
    if interrupted() {
        return Ok(ExitCode::from(2));
    }
    let Some((first, verdict)) = tally.failures.iter().copied().min_by_key(|&(index, _)| index) else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut arena = Arena::new(Conditions { bot: conditions.bot, terms: conditions.terms }, u64::MAX, ())?;
    let shrunk = Shrinker::new(&mut arena, verdict).shrink(plan.game(first))?;
    if args.json {
        explain_json(&shrunk)?;
    } else {
        explain(&mut out, first, verdict, &shrunk)?;
    }
    Ok(ExitCode::FAILURE)
}

/// A bar on stderr, where that is a terminal.
fn progress(until: &Until, done: u64) -> ProgressBar {
    let bar = until.games.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = match until.games {
        Some(_) => "{wide_bar} {pos}/{len} games, {per_sec}, {msg}",
        None => "{spinner} {pos} games, {per_sec}, {msg}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = bar.with_style(style).with_message("no answer yet").with_position(done);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn standing(tally: &Tally) -> String {
    let slowest = tally.slowest.as_ref().map_or_else(String::new, |(ms, _)| format!("slowest {ms:.1} ms, "));
    format!("{slowest}{} not won", tally.failures.len())
}

fn failure(index: u64, Report { game, opponent, seed, verdict, reason, .. }: &Report) -> String {
    format!("game {index}: {verdict} {game} against {} (seed {seed}): {reason}", opponent.name())
}

/// A line at once, and none of the bar's.
fn print(progress: &ProgressBar, line: &str) -> anyhow::Result<()> {
    progress.suspend(|| {
        let mut out = anstream::stdout();
        writeln!(out, "{line}").and_then(|()| out.flush())
    })?;
    Ok(())
}

/// An object with one more field, in front of the others.
fn numbered(object: &str, field: &str) -> String {
    format!("{{{field},{}", object.strip_prefix('{').unwrap_or(object))
}

fn summary(out: &mut impl Write, tally: &Tally, played: usize, took: Duration) -> anyhow::Result<()> {
    let seconds = took.as_secs_f64();
    // Games beyond 2^32 take weeks.
    let rate = f64::from(u32::try_from(played).unwrap_or(u32::MAX)) / seconds.max(1e-3);
    let won = tally.played.len() - tally.failures.len();
    write!(
        out,
        "{won} of {} games won; {played} played in {seconds:.1} s, {rate:.0} a second",
        tally.played.len()
    )?;
    if let Some((ms, game)) = &tally.slowest {
        write!(out, "; the slowest answer took {ms:.1} ms, in {game}")?;
    }
    writeln!(out)?;
    if !tally.failures.is_empty() {
        let counts = tally.failures.iter().map(|(_, verdict)| verdict.to_string()).counts();
        let counts = counts.into_iter().sorted().map(|(verdict, count)| format!("{count} {verdict}"));
        writeln!(out, "not won: {}", counts.format(", "))?;
    }
    Ok(())
}

fn explain(out: &mut impl Write, first: u64, verdict: Verdict, shrunk: &Shrunk) -> anyhow::Result<()> {
    let Shrunk { record, runs, flaky } = shrunk;
    match flaky {
        None => writeln!(out, "\nThe smallest that was found, from game {first}, in {runs} games:\n")?,
        Some((checks, others)) => writeln!(
            out,
            "\nFLAKY: game {first} or what it was shrunk to, played {checks} times again, did not end in {verdict} {others} times:\n"
        )?,
    }
    out.flush()?;
    Console::new(anstream::stdout()).game(record)
}

fn explain_json(shrunk: &Shrunk) -> anyhow::Result<()> {
    let mut text = Vec::new();
    Json::new(&mut text).game(&shrunk.record)?;
    let text = String::from_utf8(text)?;
    let fields = format!("\"minimal\":true,\"runs\":{},\"flaky\":{}", shrunk.runs, shrunk.flaky.is_some());
    io::stdout().write_all(numbered(&text, &fields).as_bytes())?;
    Ok(())
}
