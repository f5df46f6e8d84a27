//! `judge stress`: a search for a game that a bot does not win.

use std::fmt;
use std::io::Write;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::cli::stress::StressArgs;
use crate::interrupt;
use crate::player::tree;
use crate::series::{Arena, Conditions};
use crate::stress::plan::Plan;
use crate::stress::record::{Setting, Tally};
use crate::stress::shrink::Shrinker;
use crate::stress::summary::{self, Played};
use crate::stress::{Until, ensure_uninterrupted, search};
use crate::tabulate::redraw_steadily;
use crate::verdict::Verdict;

/// How many games are played when nobody says how many or for how long.
const GAMES: u64 = 2000;

pub(crate) fn stress(args: &StressArgs) -> anyhow::Result<ExitCode> {
    interrupt::watch()?;
    // Before the first judge at work is started: a second Ctrl-C ends all that descend from this one.
    tree::adopt()?;
    let started = Instant::now();
    let plan = Plan::new(args.family, args.max_n, args.seed);
    let conditions = args.conditions.conditions(&args.bot);
    let setting = Setting::from(&conditions);
    let mut tally = match &args.resume {
        Some(file) => Tally::resume(file, &plan, &setting)?,
        None => Tally::default(),
    };
    let mut out = anstream::stdout();
    if args.json && tally.is_torn {
        // The line that was cut off stays one of its own.
        writeln!(out)?;
    }
    let played = play(args, &plan, &conditions, &setting, started, &mut tally)?;
    if !args.keep_going {
        tally.end_at_first_failure();
    }
    if !args.json {
        summary::summary(&mut out, &tally, played, started.elapsed())?;
    }
    shrink(args, &plan, conditions, &setting, &tally, &mut out)
}

/// Plays the games that the tally lacks; how many there were.
fn play(
    args: &StressArgs,
    plan: &Plan,
    conditions: &Conditions,
    setting: &Setting,
    started: Instant,
    tally: &mut Tally,
) -> anyhow::Result<u32> {
    let until = Until {
        games: args.games.or(Some(GAMES).filter(|_| args.time.is_none())),
        deadline: args.time.map(|time| started + time),
        keep_going: args.keep_going,
    };
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let progress = progress(&until, tally.played.len() as u64);
    let mut played = 0_u32;
    search(conditions, plan, jobs, &until, tally, |index, line, report, tally| {
        // 2^32 games take weeks.
        played = played.saturating_add(1);
        if args.json {
            print(&progress, &summary::extended(&Played { index, setting }, line)?)?;
        } else if args.keep_going && report.verdict != Verdict::Won {
            print(&progress, &summary::failure(index, report))?;
        }
        progress.set_message(summary::standing(tally));
        progress.inc(1);
        Ok(())
    })?;
    progress.finish_and_clear();
    Ok(played)
}

/// Shrinks the first failure, if there is one, and tells what came of it.
fn shrink(
    args: &StressArgs,
    plan: &Plan,
    conditions: Conditions,
    setting: &Setting,
    tally: &Tally,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let Some((first, report)) = &tally.first else {
        ensure_uninterrupted()?;
        return Ok(ExitCode::SUCCESS);
    };
    if args.json && tally.shrunk.contains(first) {
        // The file to resume from tells it.
        ensure_uninterrupted()?;
        return Ok(ExitCode::FAILURE);
    }
    let mut arena = Arena::new(conditions, u64::MAX, ())?;
    let shrunk = Shrinker::new(&mut arena, report.verdict).shrink(plan.game(*first));
    if shrunk.is_err() && !args.json {
        summary::evidence(out, *first, report)?;
    }
    if args.json {
        summary::explain_json(out, *first, report, &shrunk?, setting)?;
    } else {
        summary::explain(out, *first, report, &shrunk?)?;
    }
    Ok(ExitCode::FAILURE)
}

/// A bar on stderr, where that is a terminal.
fn progress(until: &Until, done: u64) -> ProgressBar {
    let bar = until.games.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = match until.games {
        Some(_) => "{wide_bar} {pos}/{len} games, {rate} a second, {msg}",
        None => "{spinner} {pos} games, {rate} a second, {msg}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // Nobody reads fractions of a game.
    let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{:.0}", state.per_sec());
    };
    let style = style.with_key("rate", rate);
    let bar = bar.with_style(style).with_message("no answer yet").with_position(done);
    redraw_steadily(&bar);
    bar
}

/// A line at once, and none of the bar's.
fn print(progress: &ProgressBar, line: &str) -> anyhow::Result<()> {
    progress.suspend(|| {
        let mut out = anstream::stdout();
        writeln!(out, "{line}").and_then(|()| out.flush())
    })?;
    Ok(())
}
