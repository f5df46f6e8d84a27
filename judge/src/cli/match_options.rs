//! The options for a bot's limits and for how its games are judged, and the `MatchConfig` that they give.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use runner::config::{MatchConfig, NO_STACK_LIMIT, Profile};
use runner::limits::{DEFAULT_LIMITS, Limits, LimitsBy, default_wall};
use runner::sources::BuildOptions;
use rustix::process::{Resource, getrlimit};

use crate::cli::PROCESSES;
use crate::cli::bot;
use crate::settings::{LimitDefaults, Settings};
use crate::units::{number_in, parse_memory_limit, parse_time_limit};

/// The options for a bot's limits.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitOptions {
    /// Limit on the total CPU time of the bot and all processes that it starts in a game, in seconds if there is no
    /// unit [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    time_limit: Option<Duration>,

    /// Limit on the total time that the judge waits for the bot's lines [default: twice the time limit and one second]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    wall_limit: Option<Duration>,

    /// How long the bot may print nothing and use almost no CPU time while its line is expected [default: the
    /// time limit]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    idle_limit: Option<Duration>,

    /// Limit on the total memory of the bot and all processes that it starts, in MiB if there is no unit [default:
    /// 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory_limit)]
    memory_limit: Option<u64>,

    /// Maximum number of processes and threads of the bot at a time [default: 64]
    #[arg(long, value_name = "N", value_parser = number_in(PROCESSES))]
    processes: Option<u64>,

    /// How the bot's limits are enforced (Linux); the report of each game says which way was used
    /// [default: auto]
    #[arg(long, value_enum, value_name = "WAY")]
    limits: Option<LimitsBy>,

    /// How long the bot may take to end when the game is over [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    grace: Option<Duration>,
}

impl LimitOptions {
    /// Returns the wall limit, if an option or `judge.toml` sets it.
    pub(crate) fn wall_limit(&self, defaults: &LimitDefaults) -> Option<Duration> {
        self.wall_limit.or(defaults.wall)
    }

    /// Returns the limits. `cpu` and `memory` (in bytes) are the defaults of these limits, and `idle` is an upper bound
    /// on the default idle limit.
    pub(crate) fn limits_or(
        &self,
        cpu: Duration,
        memory: u64,
        idle: Duration,
        defaults: &LimitDefaults,
    ) -> Limits {
        let limits = self.or(cpu, memory, defaults);
        Limits { idle: self.idle_limit.or(defaults.idle).unwrap_or(limits.idle.min(idle)), ..limits }
    }

    /// Returns the configuration of games with these limits. `bot` is the bot's command as typed.
    pub(crate) fn config(
        &self,
        bot: &[OsString],
        build: &BuildOptions,
        defaults: &LimitDefaults,
    ) -> MatchConfig {
        let limits = self.or(DEFAULT_LIMITS.cpu, DEFAULT_LIMITS.memory, defaults);
        // A bot inherits the stack limit of the judge.
        let stack = getrlimit(Resource::Stack).current.unwrap_or(NO_STACK_LIMIT);
        MatchConfig {
            limits,
            limits_by: self.limits.or(defaults.by).unwrap_or(LimitsBy::Auto),
            stack: Some(stack),
            bot: bot.to_vec(),
            build: build.clone(),
            ..MatchConfig::default()
        }
    }

    /// Returns the limits. `cpu` and `memory` (in bytes) are the defaults of these limits.
    fn or(&self, cpu: Duration, memory: u64, defaults: &LimitDefaults) -> Limits {
        let cpu = self.time_limit.or(defaults.time).unwrap_or(cpu);
        let wall = self.wall_limit(defaults).unwrap_or_else(|| default_wall(cpu));
        Limits {
            cpu,
            wall,
            idle: self.idle_limit.or(defaults.idle).unwrap_or_else(|| cpu.min(wall)),
            memory: self.memory_limit.or(defaults.memory).unwrap_or(memory),
            processes: self.processes.or(defaults.processes).unwrap_or(DEFAULT_LIMITS.processes),
            grace: self.grace.or(defaults.grace).unwrap_or(DEFAULT_LIMITS.grace),
        }
    }
}

/// Adds the command that starts the bot to `config`: looks up a name of `judge.toml`, and compiles a source.
pub(crate) fn with_started(
    config: MatchConfig,
    is_verbose: bool,
    settings: &Settings,
) -> anyhow::Result<MatchConfig> {
    let started = bot::start_command(&config.bot, &config.build, is_verbose, settings)?;
    let writes_all = settings.limits != LimitDefaults::default();
    Ok(MatchConfig { started, writes_all, settings_file: settings.config_option(), ..config })
}

/// The options for a bot's limits and for how it is judged.
#[derive(Clone, Debug, Args)]
pub(crate) struct MatchOptions {
    #[command(flatten)]
    limits: LimitOptions,

    /// How to judge a bot's behaviour after it has won or was accepted [default: strict; against an interactor, output
    /// that nobody reads is only noted]
    #[arg(long, value_enum, value_name = "NAME")]
    profile: Option<Profile>,

    /// Play all games with one process of the bot, which must know the line "games T". If the bot may not know that a
    /// game has ended, the next game gets a new process
    #[arg(long)]
    session: bool,

    /// Allow the bot only to read and compute (Linux): it cannot write files, open terminals, use the
    /// network or gain privileges
    #[arg(long)]
    sandbox: bool,

    #[command(flatten)]
    build: BuildOptions,
}

impl MatchOptions {
    pub(crate) fn limits(&self) -> &LimitOptions {
        &self.limits
    }

    /// Returns whether an option or `judge.toml` sets the time limit.
    pub(crate) fn has_time_limit(&self, defaults: &LimitDefaults) -> bool {
        self.limits.time_limit.or(defaults.time).is_some()
    }

    /// Returns the options for compiling sources.
    pub(crate) fn build(&self) -> &BuildOptions {
        &self.build
    }

    /// Returns the configuration of games against `bot`. Looks up a name of `judge.toml`, and compiles a source.
    pub(crate) fn config(
        &self,
        bot: &[OsString],
        is_verbose: bool,
        settings: &Settings,
    ) -> anyhow::Result<MatchConfig> {
        with_started(self.config_as_is(bot, &settings.limits), is_verbose, settings)
    }

    /// Returns the configuration of games against `bot`, with the bot's command as typed.
    pub(crate) fn config_as_is(&self, bot: &[OsString], defaults: &LimitDefaults) -> MatchConfig {
        let Self { profile, session, sandbox, .. } = *self;
        MatchConfig { profile, session, sandbox, ..self.limits.config(bot, &self.build, defaults) }
    }
}
