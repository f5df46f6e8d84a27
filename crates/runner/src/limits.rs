//! What a bot may use in one game.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::nanos;

/// The longest line a bot may print, in bytes.
pub const LINE_LIMIT: usize = 4096;

/// The most a bot may print in one game, in bytes.
pub const OUTPUT_LIMIT: usize = 64 << 20;

/// How many lines the judge reads before they are expected. More lines stay in the pipe.
pub const EARLY_LIMIT: usize = 1024;

/// How many of the lines that are received after the end of a game are kept.
pub(crate) const LATE_LIMIT: usize = 64;

/// How many bytes of the beginning and of the end of a bot's stderr a result keeps.
pub const STDERR_SHOWN: usize = 4 << 10;

/// How many bytes of the beginning, and of the end, are recorded in a transcript.
pub const STDERR_KEPT: usize = 64 << 10;

/// How many bytes of the beginning, and of the end, of what a bot writes to stderr while it ends are kept.
pub(crate) const LATE_STDERR_KEPT: usize = 512 << 10;

/// The limits of the bot and of all processes that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time.
    #[serde(rename = "cpu_ns", with = "nanos")]
    pub cpu: Duration,
    /// How long the judge waits for the bot's lines, all together.
    #[serde(rename = "wall_ns", with = "nanos")]
    pub wall: Duration,
    /// How long it may print nothing and use almost no CPU time while its line is expected.
    #[serde(rename = "idle_ns", with = "nanos")]
    pub idle: Duration,
    /// Memory, in bytes.
    #[serde(rename = "memory_bytes")]
    pub memory: u64,
    /// Processes and threads at a time.
    pub processes: u64,
    /// How long it may take to end when the game is over.
    #[serde(rename = "grace_ns", with = "nanos")]
    pub grace: Duration,
}

/// The CPU time of the contest.
const DEFAULT_CPU: Duration = Duration::from_secs(2);

/// The limits of the contest.
pub const DEFAULT_LIMITS: Limits = Limits {
    cpu: DEFAULT_CPU,
    wall: default_wall(DEFAULT_CPU),
    idle: DEFAULT_CPU,
    memory: 1024 << 20,
    processes: 64,
    grace: Duration::from_secs(1),
};

/// The wall limit that belongs to a limit on CPU time. It is larger, so that a bot that computes reaches the limit on
/// CPU time first, also on a busy machine.
pub const fn default_wall(cpu: Duration) -> Duration {
    cpu.saturating_mul(2).saturating_add(Duration::from_secs(1))
}

impl Limits {
    /// The limits of a game that is played again, because the bot got far less CPU than wall time: the default wall
    /// limit is four times as large, so that its CPU time or its memory decides although the machine is busy. An
    /// explicit wall limit is kept.
    #[must_use]
    pub fn for_repeat(self) -> Self {
        let is_default = self.wall == default_wall(self.cpu);
        Self { wall: self.wall.saturating_mul(if is_default { 4 } else { 1 }), ..self }
    }
}

/// The option that chooses how a bot's limits are enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitsBy {
    /// By a control group if the judge can make one, else by /proc
    Auto,
    /// By a control group of the bot's own, in which the kernel counts; no game is played without one
    Cgroup,
    /// By reading /proc 50 times a second
    Proc,
}

/// How a bot's limits were enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeldBy {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_game_may_wait_longer_for_a_processor() {
        let limits = DEFAULT_LIMITS;
        assert_eq!(limits.for_repeat(), Limits { wall: Duration::from_secs(20), ..limits });
        let typed = Limits { wall: Duration::from_secs(1), ..limits };
        assert_eq!(typed.for_repeat(), typed);
    }
}
