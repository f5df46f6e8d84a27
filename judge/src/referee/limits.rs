//! What a bot may use in one game.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::referee::nanos;

/// The longest line a bot may print, in bytes.
pub(crate) const LINE_LIMIT: usize = 4096;

/// The most a bot may print in one game, in bytes.
pub(crate) const OUTPUT_LIMIT: usize = 64 << 20;

/// How many lines a bot may be ahead before the judge reads no more until they are due.
pub(crate) const EARLY_LIMIT: usize = 1024;

/// How many of the lines that come after the end are kept.
pub(crate) const LATE_LIMIT: usize = 64;

/// How much of a bot's stderr is kept, in bytes.
pub(crate) const STDERR_KEPT: usize = 64 << 10;

/// Limits on the bot and on all that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limits {
    /// CPU time.
    #[serde(rename = "cpu_ns", with = "nanos")]
    pub(crate) cpu: Duration,
    /// How long the judge waits for its lines, all together.
    #[serde(rename = "wall_ns", with = "nanos")]
    pub(crate) wall: Duration,
    /// How long it may be silent while its line is due and it uses next to no CPU.
    #[serde(rename = "idle_ns", with = "nanos")]
    pub(crate) idle: Duration,
    /// Memory, in bytes.
    #[serde(rename = "memory_bytes")]
    pub(crate) memory: u64,
    /// Processes and threads at a time.
    pub(crate) processes: u64,
    /// How long it may take to end when the game is over.
    #[serde(rename = "grace_ns", with = "nanos")]
    pub(crate) grace: Duration,
}

/// What the contest gives a bot, and so the judge.
pub(crate) const DEFAULT_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(2),
    wall: Duration::from_secs(2),
    idle: Duration::from_secs(2),
    memory: 1024 << 20,
    processes: 64,
    grace: Duration::from_secs(1),
};

/// How a bot is to be held to its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LimitsBy {
    /// By a control group where one can be had, else by /proc
    Auto,
    /// By a control group of the bot's own, in which the kernel counts; without one no game is played
    Cgroup,
    /// By looks at /proc, 50 a second
    Proc,
}

/// How a bot was held to its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HeldBy {
    Cgroup,
    Proc,
}

impl fmt::Display for HeldBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cgroup => "cgroup",
            Self::Proc => "proc",
        })
    }
}
