//! The options of commands whose runs can be divided among several processes.

use std::str::FromStr;

use anyhow::ensure;
use clap::Args;

use crate::shards::shard::{MAX_SHARDS, Shard, shard_of_task};
use crate::units::number_in;

/// The heading of these options in the help.
pub const MORE_MACHINES: &str = "More than one machine";

/// The options that choose a shard of a run.
#[derive(Clone, Debug, Args)]
pub struct ShardOptions {
    /// Run only shard I of N, counted from 1; auto: take I and N from the Slurm array task, or
    /// I from the HyperQueue task and N from --shards. All shards together are the whole run
    #[arg(long, value_name = "I/N", help_heading = MORE_MACHINES)]
    shard: Option<ChosenShard>,

    /// Number of shards of the run, for --shard auto
    #[arg(long, value_name = "N", value_parser = number_in(1..=MAX_SHARDS), help_heading = MORE_MACHINES)]
    shards: Option<u64>,
}

/// The value of `--shard`.
#[derive(Clone, Copy, Debug)]
enum ChosenShard {
    Named(Shard),
    /// The shard of the scheduler's task in which this program runs.
    Auto,
}

impl FromStr for ChosenShard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" { Ok(Self::Auto) } else { text.parse().map(Self::Named) }
    }
}

impl ShardOptions {
    /// Returns the shard to compute; `None` for the whole run.
    ///
    /// # Errors
    ///
    /// If `--shard auto` is used and the scheduler's task does not give a shard, or if `--shards` has no effect.
    pub fn shard(&self) -> anyhow::Result<Option<Shard>> {
        ensure!(
            self.shards.is_none() || matches!(self.shard, Some(ChosenShard::Auto)),
            "--shards needs --shard auto: add --shard auto, or use --shard I/N without --shards"
        );
        match self.shard {
            None => Ok(None),
            Some(ChosenShard::Named(shard)) => Ok(Some(shard)),
            Some(ChosenShard::Auto) => shard_of_task(self.shards, |name| std::env::var(name).ok()).map(Some),
        }
    }

    /// Checks whether `--shard` is given.
    pub fn is_given(&self) -> bool {
        self.shard.is_some()
    }
}
