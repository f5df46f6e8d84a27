//! The limits of a bot in one game.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::nanos;

/// Maximum length of a line of a bot, in bytes.
pub const LINE_LIMIT: usize = 4096;

/// Maximum output of a bot in one game, in bytes.
pub const OUTPUT_LIMIT: usize = 64 << 20;

/// Maximum number of lines that the judge reads before they are expected. More lines stay in the pipe.
pub const EARLY_LIMIT: usize = 1024;

/// Maximum number of bytes that a result keeps from the beginning of a bot's stderr, and from its end.
pub const STDERR_SHOWN: usize = 4 << 10;

/// Approximate number of bytes that a transcript records from the beginning of a bot's stderr, and from its end.
pub const STDERR_KEPT: usize = 64 << 10;

/// Maximum output of a program after its input has ended, in bytes. The judge then ends the program.
pub(crate) const MAX_OUTPUT: usize = 32 << 20;

/// Number of bytes kept from the beginning, and from the end, of what a bot writes to stderr while it ends.
pub(crate) const LATE_STDERR_KEPT: usize = 512 << 10;

/// The limits of a bot, shared by all processes that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    #[serde(rename = "cpu_ns", with = "nanos")]
    pub cpu: Duration,
    /// How long the judge waits for all lines of the bot together.
    #[serde(rename = "wall_ns", with = "nanos")]
    pub wall: Duration,
    /// How long the bot may print nothing and use almost no CPU time while its line is expected.
    #[serde(rename = "idle_ns", with = "nanos")]
    pub idle: Duration,
    /// Memory, in bytes.
    #[serde(rename = "memory_bytes")]
    pub memory: u64,
    /// Number of processes and threads at the same time.
    pub processes: u64,
    /// How long the bot may run after the end of the game.
    #[serde(rename = "grace_ns", with = "nanos")]
    pub grace: Duration,
}

/// The CPU time of the contest.
const DEFAULT_CPU: Duration = Duration::from_secs(2);

pub const DEFAULT_LIMITS: Limits = Limits {
    cpu: DEFAULT_CPU,
    wall: default_wall(DEFAULT_CPU),
    idle: DEFAULT_CPU,
    memory: 1024 << 20,
    processes: 64,
    grace: Duration::from_secs(1),
};

impl Default for Limits {
    fn default() -> Self {
        DEFAULT_LIMITS
    }
}

/// Returns the default wall limit for a limit on CPU time. The wall limit is larger, so that a bot that computes
/// reaches the limit on CPU time first, even on a busy machine.
pub const fn default_wall(cpu: Duration) -> Duration {
    cpu.saturating_mul(2).saturating_add(Duration::from_secs(1))
}

impl Limits {
    /// Returns the limits for the repetition of a game whose time is in doubt. The default wall limit is multiplied by
    /// four, so that the bot's CPU time or memory decides even on a busy machine. Another wall limit is kept.
    #[must_use]
    pub fn for_repeat(self) -> Self {
        let is_default = self.wall == default_wall(self.cpu);
        Self { wall: self.wall.saturating_mul(if is_default { 4 } else { 1 }), ..self }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitsBy {
    /// By a control group if the judge can make one, else by /proc
    #[default]
    Auto,
    /// By a control group, in which the kernel measures the bot; if none can be made, no game is played
    Cgroup,
    /// By reading /proc up to 50 times a second
    Proc,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeldBy {
    Cgroup,
    Proc,
}

impl fmt::Display for HeldBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_default_wall_limit_grows_for_a_repeated_game() {
        let limits = DEFAULT_LIMITS;
        assert_eq!(limits.for_repeat(), Limits { wall: Duration::from_secs(20), ..limits });
        let typed = Limits { wall: Duration::from_secs(1), ..limits };
        assert_eq!(typed.for_repeat(), typed);
    }
}
