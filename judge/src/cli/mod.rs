//! The command line: one file for each subcommand, with its arguments and what it does.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use common::suggestions::visible;
use common::units::number;
use itertools::Itertools;
use zeroxor::GameKind;

use crate::settings;
use crate::settings::Settings;

pub(crate) mod about;
pub(crate) mod arena;
mod bot;
mod bot_argument;
pub(crate) mod complete;
pub(crate) mod config;
pub(crate) mod corpus;
mod defaults;
pub(crate) mod demo;
pub(crate) mod export;
mod header_words;
pub(crate) mod interact;
#[cfg(target_os = "linux")]
pub(crate) mod launch;
pub(crate) mod league_match;
pub(crate) mod lint;
pub(crate) mod match_options;
pub(crate) mod merge;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod run;
mod run_options;
pub(crate) mod selftest;
mod shared_options;
pub(crate) mod single_game;
pub(crate) mod stress;
pub(crate) mod test;
pub(crate) mod tester;
pub(crate) mod web;
pub(crate) mod worker;

/// A local judge for impartial subtraction games: it referees any bot and says what went wrong and why
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Without a command the judge plays a short demonstration. Examples:
  judge run 20 1 2 -v -- python3 my_bot.py   a game against your bot
Exit codes: 0 success, 1 a bot did not win or a check failed, 2 wrong usage"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,

    /// Read the settings from this file, not from judge.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The groups of commands in the help of the judge, by the display order of their commands.
const YOUR_BOT: usize = 1;
const TOURNAMENTS: usize = 2;
const LOOK_AND_PLAY: usize = 3;
const OTHER_JUDGES: usize = 4;
const THIS_PROGRAM: usize = 5;
const GROUPS: [(usize, &str); 5] = [
    (YOUR_BOT, "Your bot"),
    (TOURNAMENTS, "Tournaments"),
    (LOOK_AND_PLAY, "Look and play"),
    (OTHER_JUDGES, "Other judges"),
    (THIS_PROGRAM, "This program"),
];

/// The command line of the judge, with its commands in groups.
pub(crate) fn command() -> clap::Command {
    let judge = Cli::command();
    let styles = judge.get_styles();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut groups = String::new();
    for (group, title) in GROUPS {
        groups += &format!("{heading}{title}:{heading:#}\n");
        for command in visible(&judge).filter(|command| command.get_display_order() == group) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {literal}{:<12}{literal:#}{about}\n", command.get_name());
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n{heading}Options:{heading:#}\n{{options}}{{after-help}}"
    );
    judge.help_template(template)
}

impl Cli {
    /// Reads the arguments, the first the program's name.
    ///
    /// # Errors
    ///
    /// If they are no command line of the judge, or ask for help or the version.
    pub(crate) fn read(args: &[OsString]) -> Result<Self, clap::Error> {
        let mut command = command();
        let matches = command.try_get_matches_from_mut(args)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

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
        let judge = defaults::with_defaults(command(), settings)?;
        Ok(Self::from_arg_matches(&judge.try_get_matches_from(args)?)?)
    }
}

/// A subcommand with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(display_order = YOUR_BOT)]
    Run(run::RunArgs),
    #[command(display_order = OTHER_JUDGES)]
    Interact(interact::InteractArgs),
    #[command(display_order = YOUR_BOT)]
    Lint(lint::LintArgs),
    #[command(display_order = YOUR_BOT)]
    Stress(stress::StressArgs),
    #[command(display_order = YOUR_BOT)]
    Test(test::TestArgs),
    #[command(display_order = OTHER_JUDGES)]
    Tester(tester::TesterArgs),
    #[command(display_order = OTHER_JUDGES)]
    Export(export::ExportArgs),
    #[command(display_order = TOURNAMENTS)]
    Arena(arena::ArenaArgs),
    #[command(display_order = TOURNAMENTS)]
    Match(league_match::LeagueMatchArgs),
    #[command(display_order = TOURNAMENTS)]
    Merge(merge::MergeArgs),
    #[command(display_order = LOOK_AND_PLAY)]
    Play(play::PlayArgs),
    #[command(display_order = LOOK_AND_PLAY)]
    Replay(replay::ReplayArgs),
    #[command(display_order = LOOK_AND_PLAY)]
    Web(web::WebArgs),
    /// The bundled bot: plays the contestant's side of one conversation on stdin and stdout
    #[command(hide = true)]
    Bot,
    #[command(display_order = THIS_PROGRAM)]
    Selftest(selftest::SelftestArgs),
    #[command(display_order = THIS_PROGRAM)]
    Config(config::ConfigArgs),
    #[command(display_order = THIS_PROGRAM)]
    Completions(about::CompletionsArgs),
    #[command(display_order = THIS_PROGRAM)]
    Man(about::ManArgs),
    #[command(display_order = THIS_PROGRAM)]
    Protocol(about::ProtocolArgs),
    #[command(display_order = YOUR_BOT)]
    New(new::NewArgs),
    #[command(display_order = YOUR_BOT)]
    Corpus(corpus::CorpusArgs),
    #[command(hide = true)]
    Hostile(selftest::HostileArgs),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Launch(launch::LaunchArgs),
    /// Runs one bot of judge arena
    #[command(hide = true)]
    ArenaHost(worker::ArenaHostArgs),
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
            Self::Completions(_)
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
            | Self::ArenaHost(_)
            | Self::Worker(_) => CommandProperties::NONE,
        }
    }
}

/// What to say of a word that is no command of the judge, nor like one.
pub(crate) fn tip(command: &clap::Command, word: &str, args: &[OsString]) -> Option<String> {
    if command.get_name() != "judge" {
        return None;
    }
    let words = || args.iter().skip(1).map(|word| word.to_string_lossy()).join(" ");
    if theory::program::COMMANDS.contains(&word) {
        return Some(format!("values are computed by another program: 'grundy {}'", words()));
    }
    if word == "bundle" {
        return Some(
            "the bot as one file is submission/abc278_g.rs of the repository, made by 'cargo xtask submission'"
                .to_owned(),
        );
    }
    let is_header = number(word).is_some() || GameKind::named(word).is_some();
    is_header.then(|| format!("a game is played by 'judge run {}'", words()))
}
