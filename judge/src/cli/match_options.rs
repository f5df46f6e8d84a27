//! The options of every command that plays games against a bot.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use crate::referee::config::MatchConfig;
use crate::referee::limits::{DEFAULT_LIMITS, Limits, LimitsBy, default_wall};
use crate::referee::verdict::Profile;

/// The options for a bot's limits and for how it is judged.
#[derive(Clone, Debug, Args)]
pub(crate) struct MatchOptions {
    /// How many seconds of CPU the bot and all processes that it starts may use in a game, all together
    #[arg(long, default_value = "2", value_name = "SECONDS", value_parser = seconds)]
    time_limit: Duration,

    /// How many seconds the judge waits for the bot's lines, all together [default: twice the
    /// time limit and one second]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    wall_limit: Option<Duration>,

    /// How many seconds the bot may print nothing and use almost no CPU time while its line is expected [default: the
    /// time limit]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    idle_limit: Option<Duration>,

    /// How many MiB of memory the bot and all processes that it starts may use, all together
    #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    memory_limit: u64,

    /// How many processes and threads the bot may have at a time, all together
    #[arg(long, default_value_t = DEFAULT_LIMITS.processes, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 22))]
    processes: u64,

    /// How the bot's limits are enforced (Linux); the report of each game says which way was used
    #[arg(long, value_enum, default_value_t = LimitsBy::Auto, value_name = "WAY")]
    limits: LimitsBy,

    /// How many seconds the bot may take to end when the game is over
    #[arg(long, default_value = "1", value_name = "SECONDS", value_parser = seconds)]
    grace: Duration,

    /// How a bot's behaviour after the end of a game that it won is judged
    #[arg(long, value_enum, default_value_t = Profile::Strict, value_name = "NAME")]
    profile: Profile,

    /// Play all games with one process of the bot, which must know "games T". A new process is started after a game
    /// whose end the bot may not know
    #[arg(long)]
    session: bool,

    /// Allow the bot only to read and compute (Linux): it cannot write files, use the network or gain privileges
    #[arg(long)]
    sandbox: bool,
}

impl MatchOptions {
    /// The configuration of games against the bot of this command.
    pub(crate) fn config(&self, bot: &[OsString]) -> MatchConfig {
        let Self { profile, limits: limits_by, session, sandbox, .. } = *self;
        MatchConfig { profile, limits: self.limits(), limits_by, session, sandbox, bot: bot.to_vec() }
    }

    fn limits(&self) -> Limits {
        let wall = self.wall_limit.unwrap_or_else(|| default_wall(self.time_limit));
        Limits {
            cpu: self.time_limit,
            wall,
            idle: self.idle_limit.unwrap_or_else(|| self.time_limit.min(wall)),
            memory: self.memory_limit << 20,
            processes: self.processes,
            grace: self.grace,
        }
    }
}

/// Parses a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let limit = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit
        .filter(|limit| (Duration::from_millis(1)..=Duration::from_secs(86400)).contains(limit))
        .ok_or_else(|| "expected a number of seconds from 0.001 to 86400".to_owned())
}
