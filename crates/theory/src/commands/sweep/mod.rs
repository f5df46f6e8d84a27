//! `grundy sweep`: searches for the period of every game of a family.

mod args;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::ensure;

pub(crate) use args::SweepArgs;

use crate::sweep::{Status, SweepPlan, SweepRecord, run};
use common::interrupt;
use common::program;
use common::program::print_error;
use common::progress::GamesProgress;
use common::record_file::{RecordFile, read_records};
use common::shards::UNFINISHED;
use common::shards::shard::Shard;

pub(crate) fn sweep(args: &SweepArgs) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    interrupt::watch()?;
    let (family, bounds) = args.family.family()?;
    let options = args.family.options();
    let mut plan = SweepPlan::new(family, bounds);
    plan.label.command = program::command_of_run();
    // With --skip-solved, the total is unknown: some results are in other files.
    plan.label.total = Some(plan.games()).filter(|_| options.skip_solved.is_empty());
    let plan = Arc::new(plan);
    let (mut done, mut counts) = (BTreeSet::new(), Counts::default());
    let mut file = match &options.output {
        Some(path) => Some(RecordFile::create_or_resume(path, |record: SweepRecord| {
            let (run, index) =
                record.origin.map_or(("none".to_owned(), 0), |origin| (origin.run, origin.index));
            ensure!(
                run == plan.id(),
                "the line belongs to another sweep or to other limits (run {run}, expected {}): use another --output",
                plan.id()
            );
            counts.add(record.found.status);
            done.insert(index);
            Ok(())
        })?),
        None => None,
    };
    let solved = solved_games(&options.skip_solved)?;
    let shard = options.shards.shard()?.unwrap_or(Shard::WHOLE);
    let is_solved = |index| plan.class(index).is_some_and(|class| solved.contains(&class.game.to_string()));
    let is_wanted = |&index: &u64| shard.has(index) && !is_solved(index);
    let rest: Vec<u64> = (0..plan.games()).filter(is_wanted).filter(|index| !done.contains(index)).collect();
    let jobs = options.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    // Lines of other shards in the file also count.
    let earlier = done.len() as u64;
    let total = earlier + rest.len() as u64;
    let progress = GamesProgress::new(Some(total), earlier);
    let is_complete = run(&plan, rest, jobs, |record| {
        let line = serde_json::to_string(&record)?;
        match &mut file {
            Some(file) => file.add(&line)?,
            None => progress.print(&line)?,
        }
        counts.add(record.found.status);
        progress.update(counts.all(), counts.text());
        Ok(())
    })?;
    drop(progress);
    if file.is_some() {
        writeln!(
            io::stdout(),
            "{} of {total} games: {}; {:.1} s",
            counts.all(),
            counts.text(),
            started.elapsed().as_secs_f64()
        )?;
    }
    Ok(if is_complete {
        ExitCode::from(u8::from(counts.stopped > 0))
    } else {
        print_error(match file {
            Some(_) => "interrupted; the same command continues",
            None => "interrupted; with --output FILE a sweep can be continued",
        });
        ExitCode::from(UNFINISHED)
    })
}

/// Reads the games that the sweeps in these files have solved.
fn solved_games(files: &[PathBuf]) -> anyhow::Result<BTreeSet<String>> {
    let mut solved = BTreeSet::new();
    for path in files {
        read_records(path, |record: SweepRecord| {
            if record.found.status == Status::Solved {
                solved.insert(record.game);
            }
            Ok(())
        })?;
    }
    Ok(solved)
}

/// Number of games of each status.
#[derive(Default)]
struct Counts {
    solved: u64,
    open: u64,
    stopped: u64,
}

impl Counts {
    fn add(&mut self, status: Status) {
        match status {
            Status::Solved => self.solved += 1,
            Status::Open => self.open += 1,
            Status::Stopped => self.stopped += 1,
        }
    }

    fn all(&self) -> u64 {
        self.solved + self.open + self.stopped
    }

    fn text(&self) -> String {
        let Self { solved, open, stopped } = self;
        format!("{solved} solved, {open} open, {stopped} stopped by their limits")
    }
}
