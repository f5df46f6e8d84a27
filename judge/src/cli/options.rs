//! Options that several commands share: a bot's limits and how it is judged, families of games, pages, and stderr.

use std::ffi::OsString;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use runner::limits::{Limits, LimitsBy, default_wall};
use runner::sandbox::Sandbox;
use runner::sources::BuildOptions;
use rustix::process::{Resource, getrlimit};

use crate::arena::entrant::{Entrant, EntrantProgram, built_in_bots};
use crate::cli::bot::start_command;
use crate::config::{LIMITS_OF_GAMES, MatchConfig, NO_STACK_LIMIT, Profile};
use crate::referee::game::setup::GameHeader;
use crate::settings::{GameSection, Settings};
use crate::trials::family::GameFamily;
use crate::units::{number_in, parse_memory_limit, parse_time_limit};

pub(crate) const MAX_PROCESSES: u64 = 1 << 22;

/// Maximum size of a row, a pile or a number in a random start by default: the contest's limit.
pub(crate) const MAX_N: u64 = 2000;

/// The options for a bot's limits. The section `[limits]` of `judge.toml` has the same limits.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct LimitOptions {
    /// Limit on the total CPU time of the bot and all processes that it starts in a game [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    pub(crate) time_limit: Option<Duration>,

    /// Limit on the total time that the judge waits for the bot's lines [default: twice the time limit and one second]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    pub(crate) wall_limit: Option<Duration>,

    /// How long the bot may neither print nor compute while its line is expected [default: the time limit, and with
    /// an interactor at most 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    pub(crate) idle_limit: Option<Duration>,

    /// Limit on the total memory of the bot and all processes that it starts [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory_limit)]
    pub(crate) memory_limit: Option<u64>,

    /// Maximum number of processes and threads of the bot at a time [default: 64]
    #[arg(long, value_name = "N", value_parser = number_in(1..=MAX_PROCESSES))]
    pub(crate) processes: Option<u64>,

    /// How the bot's limits are enforced (Linux) [default: auto]
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) limits: Option<LimitsBy>,

    /// How long the bot may take to end when the game is over [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    pub(crate) grace: Option<Duration>,
}

impl LimitOptions {
    /// Returns these limits, and those of `judge.toml` that no option sets.
    pub(crate) fn or(&self, settings: &Settings) -> Self {
        let file = &settings.limits;
        Self {
            time_limit: self.time_limit.or(file.time_limit),
            wall_limit: self.wall_limit.or(file.wall_limit),
            idle_limit: self.idle_limit.or(file.idle_limit),
            memory_limit: self.memory_limit.or(file.memory_limit),
            processes: self.processes.or(file.processes),
            limits: self.limits.or(file.limits),
            grace: self.grace.or(file.grace),
        }
    }

    /// `default` has the defaults of all limits but the wall limit, and bounds the default idle limit.
    pub(crate) fn limits(&self, default: &Limits) -> Limits {
        let cpu = self.time_limit.unwrap_or(default.cpu);
        let wall = self.wall_limit.unwrap_or_else(|| default_wall(cpu));
        Limits {
            cpu,
            wall,
            idle: self.idle_limit.unwrap_or_else(|| cpu.min(wall).min(default.idle)),
            memory: self.memory_limit.unwrap_or(default.memory),
            processes: self.processes.unwrap_or(default.processes),
            grace: self.grace.unwrap_or(default.grace),
        }
    }
}

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BotOptions {
    #[command(flatten)]
    pub(crate) limits: LimitOptions,

    /// How to judge a bot's behaviour after it has won or was accepted [default: strict; against an interactor, output
    /// that nobody reads is only noted]
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,

    /// Play all games with one process of the bot, which must know the line "games T"
    #[arg(long)]
    pub(crate) session: bool,

    /// Allow the bot only to read and compute (Linux): no writing, network, terminals or privileges; with =best, as far
    /// as this machine can refuse them
    #[arg(long, value_enum, value_name = "GUARDS", num_args = 0..=1, require_equals = true,
        default_value = "none", default_missing_value = "all", hide_default_value = true)]
    pub(crate) sandbox: Sandbox,

    /// Give each program in the sandbox new process numbers in each run, by a process namespace
    #[arg(long, requires = "sandbox")]
    pub(crate) fresh: bool,

    #[command(flatten)]
    pub(crate) build: BuildOptions,
}

impl BotOptions {
    /// Returns the configuration of `bot`, with its command as typed. `default` are the limits that nobody sets.
    pub(crate) fn config(&self, bot: &[OsString], settings: &Settings, default: &Limits) -> MatchConfig {
        let Self { profile, session, sandbox, fresh, .. } = *self;
        let given = self.limits.or(settings);
        // A bot inherits the stack limit of the judge.
        let stack = getrlimit(Resource::Stack).current.unwrap_or(NO_STACK_LIMIT);
        MatchConfig {
            profile,
            limits: given.limits(default),
            limits_by: given.limits.unwrap_or(LimitsBy::Auto),
            stack: Some(stack),
            session,
            sandbox,
            fresh,
            bot: bot.to_vec(),
            writes_all: settings.limits != LimitOptions::default(),
            settings_file: settings.config.as_ref().map(|file| file.to_string_lossy().into_owned()),
            build: self.build.clone(),
            ..MatchConfig::default()
        }
    }

    /// Returns the configuration of games against `bot`. Looks up a name of `judge.toml`, and compiles a source.
    pub(crate) fn start_config(&self, bot: &[OsString], settings: &Settings) -> anyhow::Result<MatchConfig> {
        let started = start_command(bot, &self.build, settings)?;
        Ok(MatchConfig { started, ..self.config(bot, settings, &LIMITS_OF_GAMES) })
    }

    /// Returns the configuration of games against a bot of `--bot`.
    pub(crate) fn entrant_config(&self, bot: &Entrant, settings: &Settings) -> anyhow::Result<MatchConfig> {
        let is_known = bot.program != EntrantProgram::Named || settings.bot(&bot.name).is_some();
        ensure!(
            is_known,
            "there is no bot {:?}: expected NAME=COMMAND, such as a='python3 a.py', a name in judge.toml, or a built-in \
             bot: {}",
            bot.name,
            built_in_bots()
        );
        self.start_config(&bot.command(), settings)
    }
}

pub(crate) fn jobs_or_processors(jobs: Option<u16>) -> u16 {
    let processors = || u16::try_from(available_parallelism().map_or(1, usize::from)).unwrap_or(u16::MAX);
    jobs.unwrap_or_else(processors)
}

#[derive(Clone, Debug, Args)]
pub(crate) struct FamilyOptions {
    /// The family of games from which starts are drawn; several, as in segment,nim, take turns
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    pub(crate) family: Vec<GameFamily>,
}

impl FamilyOptions {
    /// Returns the families: those of the option, or else those of `judge.toml`, where a header stands for its family.
    pub(crate) fn families(&self, settings: &Settings) -> Vec<GameFamily> {
        if !self.family.is_empty() {
            return self.family.clone();
        }
        let GameSection { header, families } = settings.game.clone().unwrap_or_default();
        let of_header = || header.map_or(GameFamily::SEGMENT, |header| GameFamily::of(header.game()));
        families.unwrap_or_else(|| vec![of_header()])
    }

    /// Returns the header of `judge.toml`, unless a family was typed.
    pub(crate) fn header(&self, settings: &Settings) -> Option<GameHeader> {
        settings.game.as_ref()?.header.clone().filter(|_| self.family.is_empty())
    }
}

#[derive(Clone, Debug, Args)]
pub(crate) struct StderrOptions {
    /// Show the bot's stderr for won games too
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_stderr: bool,

    /// Write the bot's stderr in each game to a file seed-S.txt in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) stderr: Option<PathBuf>,
}
