//! The options of commands whose runs can be divided among several judges.

use std::io::Write;
use std::str::FromStr;

use anyhow::{Context, ensure};
use clap::Args;

use super::RunLabel;
use super::job_script::{JobScript, Scheduler};
use super::shard::{MAX_SHARDS, Shard, shard_of_task};
use crate::units::number_in;

/// The heading of these options in the help.
pub const MORE_MACHINES: &str = "More than one machine";

/// The options that choose a shard of a run.
#[derive(Clone, Debug, Args)]
pub struct ShardOptions {
    /// Do only shard I of the N shards of this run, from 1; auto: the shard of this task of a Slurm array or, with
    /// --shards, of HyperQueue. All shards together are the whole run
    #[arg(long, value_name = "I/N", help_heading = MORE_MACHINES)]
    shard: Option<ChosenShard>,

    /// How many shards the run has, for --shard auto and --emit
    #[arg(long, value_name = "N", value_parser = number_in(1..=MAX_SHARDS), help_heading = MORE_MACHINES)]
    shards: Option<u64>,

    /// Do nothing, and print a script with which a scheduler does this run in shards: --shards N of them, with --jobs
    #[arg(long, value_enum, value_name = "SCHEDULER", requires = "shards", conflicts_with = "shard", help_heading = MORE_MACHINES)]
    emit: Option<Scheduler>,
}

/// A shard as it is typed.
#[derive(Clone, Copy, Debug)]
enum ChosenShard {
    Named(Shard),
    /// The shard of the scheduler's task that started this judge.
    Auto,
}

impl FromStr for ChosenShard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" { Ok(Self::Auto) } else { text.parse().map(Self::Named) }
    }
}

impl ShardOptions {
    /// The shard to be done; `None` if that is the whole run.
    ///
    /// # Errors
    ///
    /// If `--shard auto` is given and no scheduler has started this judge, or if `--shards` has no use.
    pub fn shard(&self) -> anyhow::Result<Option<Shard>> {
        ensure!(
            self.shards.is_none() || self.emit.is_some() || matches!(self.shard, Some(ChosenShard::Auto)),
            "--shards is the number of shards for --shard auto and --emit: add one of them, or use only --shard I/N"
        );
        match self.shard {
            None => Ok(None),
            Some(ChosenShard::Named(shard)) => Ok(Some(shard)),
            Some(ChosenShard::Auto) => shard_of_task(self.shards, |name| std::env::var(name).ok()).map(Some),
        }
    }

    /// Whether the run is done in shards, here or by a scheduler.
    pub fn are_wanted(&self) -> bool {
        self.shard.is_some() || self.emit.is_some()
    }

    /// Prints the script of `--emit` for a run; false if none is wanted.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or the command is not UTF-8.
    pub fn emit(&self, label: &RunLabel, jobs: Option<u16>) -> anyhow::Result<bool> {
        let (Some(scheduler), Some(shards)) = (self.emit, self.shards) else { return Ok(false) };
        let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
        let judge = judge.to_str().context("the path of the judge's program is not UTF-8")?;
        let command =
            label.command.as_deref().context("the command is not UTF-8, so no script can have it")?;
        let jobs = jobs.unwrap_or(1);
        let script = JobScript { scheduler, judge, label, command, shards, jobs };
        anstream::stdout().write_all(script.text().as_bytes())?;
        Ok(true)
    }
}
