//! The command line: one file for each subcommand, with its arguments and what it does.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::settings::{self, Settings};

pub(crate) mod arena;
pub(crate) mod arena_host;
pub(crate) mod atlas;
mod bot;
mod bot_argument;
pub(crate) mod complete;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod corpus;
mod corpus_options;
pub(crate) mod count;
mod defaults;
pub(crate) mod demo;
pub(crate) mod export;
mod family_options;
mod force_option;
mod header_words;
pub(crate) mod hostile;
pub(crate) mod interact;
#[cfg(target_os = "linux")]
pub(crate) mod launch;
pub(crate) mod league_match;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod match_options;
pub(crate) mod merge;
pub(crate) mod mistyped;
pub(crate) mod new;
pub(crate) mod octal;
mod own_command;
pub(crate) mod page_options;
pub(crate) mod play;
pub(crate) mod protocol;
pub(crate) mod replay;
pub(crate) mod run;
mod run_options;
pub(crate) mod selftest;
mod shard_options;
pub(crate) mod single_game;
pub(crate) mod solve;
mod stderr_options;
pub(crate) mod stress;
pub(crate) mod sweep;
pub(crate) mod table;
pub(crate) mod test;
pub(crate) mod tester;
pub(crate) mod web;
pub(crate) mod worker;

/// A local judge for impartial subtraction games: it referees any bot, in any language, that plays by the protocol
/// of AtCoder ABC278 G over stdin and stdout, and reports what went wrong and why.
///
/// Without a command it plays a short demonstration.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Examples:
  judge                                          a demonstration
  judge run 2000 3 3 -- python3 my_bot.py        a game against your bot
  judge lint -- python3 my_bot.py                does it follow the protocol?
  judge protocol                                 the protocol, in full
  judge new python my_bot                        a bot to begin with
  judge help run                                 the help of one command

Exit codes, unless the help of a command says more:
  0  success
  1  a bot did not win, or a check failed
  2  wrong usage, or the judge could not continue"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,

    /// Read these settings, instead of those of judge.toml here or in a directory above
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Cli {
    /// The settings of `judge.toml`, if the command uses them.
    ///
    /// # Errors
    ///
    /// If it cannot be read or has an error.
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        let is_read = Command::properties(self.command.as_ref()).reads_settings;
        let file = match &self.config {
            _ if !is_read => None,
            Some(file) => Some(file.clone()),
            None => settings::find()?,
        };
        let settings = file.map_or_else(|| Ok(Settings::without_file()), settings::read)?;
        Ok(Settings { is_given: self.config.is_some(), ..settings })
    }

    /// These arguments, read with the defaults of these settings.
    ///
    /// # Errors
    ///
    /// If an option does not exist, or its value is not possible.
    pub(crate) fn with_defaults(self, args: &[OsString], settings: &Settings) -> anyhow::Result<Self> {
        if settings.file.is_none() {
            return Ok(self);
        }
        let judge = defaults::with_defaults(Self::command(), settings)?;
        Ok(Self::from_arg_matches(&judge.try_get_matches_from(args)?)?)
    }
}

/// A subcommand with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::RunArgs),
    Interact(interact::InteractArgs),
    Test(test::TestArgs),
    Tester(tester::TesterArgs),
    Export(export::ExportArgs),
    Stress(stress::StressArgs),
    Arena(arena::ArenaArgs),
    Match(league_match::LeagueMatchArgs),
    Merge(merge::MergeArgs),
    Replay(replay::ReplayArgs),
    Play(play::PlayArgs),
    Web(web::WebArgs),
    Solve(solve::SolveArgs),
    Count(count::CountArgs),
    Table(table::TableArgs),
    Octal(octal::OctalArgs),
    Sweep(sweep::SweepArgs),
    Atlas(atlas::AtlasArgs),
    /// The bundled bot: plays the contestant's side of one conversation on stdin and stdout
    #[command(hide = true)]
    Bot,
    Lint(lint::LintArgs),
    Selftest(selftest::SelftestArgs),
    Config(config::ConfigArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Protocol(protocol::ProtocolArgs),
    New(new::NewArgs),
    Corpus(corpus::CorpusArgs),
    #[command(hide = true)]
    Hostile(hostile::HostileArgs),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Launch(launch::LaunchArgs),
    /// Runs one bot of judge arena
    #[command(hide = true)]
    ArenaHost(arena_host::ArenaHostArgs),
    /// Plays the games that another judge sends
    #[command(hide = true)]
    Worker(worker::WorkerArgs),
}

/// What the program does for a command besides running it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(crate) struct CommandProperties {
    /// Whether a supervisor process watches this command, in case the judge is killed or runs out of memory. That is
    /// so if the command starts bots or a harness reads its exit code.
    #[cfg(target_os = "linux")]
    pub(crate) is_supervised: bool,
    /// Whether the command reads `judge.toml`.
    pub(crate) reads_settings: bool,
    /// Whether this process is a bot or will become one.
    pub(crate) is_bot: bool,
    /// Whether the command judges nothing and only prints, so that its reader may close the output early.
    pub(crate) is_listing: bool,
}

impl CommandProperties {
    const NONE: Self = Self {
        #[cfg(target_os = "linux")]
        is_supervised: false,
        reads_settings: false,
        is_bot: false,
        is_listing: false,
    };
    const SUPERVISED: Self = Self {
        #[cfg(target_os = "linux")]
        is_supervised: true,
        ..Self::NONE
    };
    const STARTS_BOTS: Self = Self { reads_settings: true, ..Self::SUPERVISED };
    const LISTING: Self = Self { is_listing: true, ..Self::NONE };
    const BOT: Self = Self { is_bot: true, ..Self::LISTING };
}

impl Command {
    /// The properties of a command; `None` is the demonstration. No arm is a wildcard, so a new command has to be added.
    pub(crate) fn properties(command: Option<&Self>) -> CommandProperties {
        let Some(command) = command else { return CommandProperties::SUPERVISED };
        match command {
            Self::Run(_)
            | Self::Test(_)
            | Self::Tester(_)
            | Self::Stress(_)
            | Self::Match(_)
            | Self::Lint(_) => CommandProperties::STARTS_BOTS,
            Self::Arena(args) if args.rate.is_empty() => CommandProperties::STARTS_BOTS,
            Self::Replay(args) if args.against => CommandProperties::STARTS_BOTS,
            Self::Interact(_) | Self::Selftest(_) => CommandProperties::SUPERVISED,
            Self::Arena(_) | Self::Config(_) => {
                CommandProperties { reads_settings: true, ..CommandProperties::LISTING }
            }
            // A certificate is checked, not listed.
            Self::Table(args) if args.verify.is_some() => CommandProperties::NONE,
            Self::Table(_)
            | Self::Solve(_)
            | Self::Count(_)
            | Self::Octal(_)
            | Self::Atlas(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Protocol(_)
            | Self::New(_)
            | Self::Corpus(_)
            | Self::Play(_) => CommandProperties::LISTING,
            Self::Bot | Self::Hostile(_) => CommandProperties::BOT,
            #[cfg(target_os = "linux")]
            Self::Launch(_) => CommandProperties::BOT,
            Self::Replay(_)
            | Self::Export(_)
            | Self::Merge(_)
            | Self::Web(_)
            | Self::Sweep(_)
            | Self::ArenaHost(_)
            | Self::Worker(_) => CommandProperties::NONE,
        }
    }
}
