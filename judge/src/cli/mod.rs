//! The command line: the subcommands, each with its arguments and its code, and the options of all commands.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser};
use itertools::Itertools;
use zeroxor::GameKind;

use crate::settings;
use crate::settings::Settings;
use crate::stdout::ColorOption;
use crate::units::parse_number;
pub(crate) use subcommand::Program;
use subcommand::{Properties, Subcommand};

pub(crate) mod about;
pub(crate) mod arena;
mod bot;
pub(crate) mod complete;
pub(crate) mod demo;
pub(crate) mod interact;
mod interactor_options;
#[cfg(target_os = "linux")]
pub(crate) mod launch;
pub(crate) mod lint;
pub(crate) mod match_options;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod run;
mod run_options;
mod shared_options;
pub(crate) mod stress;
mod subcommand;
pub(crate) mod test;
pub(crate) mod worker;

/// The range of the limit on a bot's processes.
pub(crate) const PROCESSES: RangeInclusive<u64> = 1..=1 << 22;

/// The options that every command has.
#[derive(Debug, Parser)]
#[command(
    name = "judge",
    about = "Run any bot in games or against the interactor of any problem, and learn why it fails",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Without a command the judge plays a short demonstration. Examples:
  judge run 20 1 2 -v -- python3 my_bot.py   a game against your bot
  judge run --interactor interactor.cpp -- bot.cpp   another problem
Exit codes: 0 success, 1 a bot or a check failed, 2 wrong usage"
)]
pub(crate) struct GlobalOptions {
    #[command(flatten)]
    pub(crate) color: ColorOption,

    /// Read the settings from this file, not from judge.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The declaration of a subcommand.
struct Declaration {
    name: &'static str,
    properties: Properties,
    /// Adds the subcommand's arguments and its help.
    augment: fn(clap::Command) -> clap::Command,
    /// Reads the subcommand's arguments.
    read: fn(&ArgMatches) -> Result<Box<dyn Subcommand>, clap::Error>,
}

impl Declaration {
    const fn of<A: Args + Subcommand + 'static>(name: &'static str, properties: Properties) -> Self {
        Self {
            name,
            properties,
            augment: A::augment_args,
            read: |matches| Ok(Box::new(A::from_arg_matches(matches)?)),
        }
    }

    fn command(&self) -> clap::Command {
        (self.augment)(clap::Command::new(self.name))
    }
}

/// The visible commands, in the groups and the order of the judge's help.
const GROUPS: &[(&str, &[Declaration])] = &[
    (
        "Your bot",
        &[
            Declaration::of::<run::RunArgs>("run", Properties::STARTS_BOTS),
            Declaration::of::<lint::LintArgs>("lint", Properties::STARTS_BOTS),
            Declaration::of::<stress::StressArgs>("stress", Properties::STARTS_BOTS),
            Declaration::of::<test::TestArgs>("test", Properties::STARTS_BOTS),
            Declaration::of::<new::NewArgs>("new", Properties::LISTING),
        ],
    ),
    ("Tournaments", &[Declaration::of::<arena::ArenaArgs>("arena", Properties::STARTS_BOTS)]),
    (
        "Look and play",
        &[
            Declaration::of::<play::PlayArgs>("play", Properties::LISTING),
            Declaration::of::<replay::ReplayArgs>("replay", Properties::NONE),
        ],
    ),
    ("Other judges", &[Declaration::of::<interact::InteractArgs>("interact", Properties::SUPERVISED)]),
    ("This program", &[Declaration::of::<about::CompletionsArgs>("completions", Properties::LISTING)]),
];

/// The commands that only the judge itself runs. Help and completions do not show them.
const HIDDEN: &[Declaration] = &[
    Declaration::of::<about::BotArgs>("bot", Properties::BOT),
    #[cfg(target_os = "linux")]
    Declaration::of::<launch::LaunchArgs>("launch", Properties::BOT),
    Declaration::of::<worker::ArenaHostArgs>("arena-host", Properties::NONE),
    Declaration::of::<worker::WorkerArgs>("worker", Properties::NONE),
];

fn declarations() -> impl Iterator<Item = &'static Declaration> {
    GROUPS.iter().flat_map(|(_, commands)| *commands).chain(HIDDEN)
}

/// Returns the command line of the judge, with its commands in groups.
pub(crate) fn command() -> clap::Command {
    let mut judge = GlobalOptions::command();
    let styles = judge.get_styles();
    let (heading, literal) = (*styles.get_header(), *styles.get_literal());
    let mut groups = String::new();
    for (order, (title, declarations)) in GROUPS.iter().enumerate() {
        groups += &format!("{heading}{title}:{heading:#}\n");
        for declaration in *declarations {
            let command = declaration.command().display_order(order);
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            groups += &format!("  {literal}{:<12}{literal:#}{about}\n", declaration.name);
            judge = judge.subcommand(command);
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n{heading}Options:{heading:#}\n{{options}}{{after-help}}"
    );
    let hidden = HIDDEN.iter().map(|declaration| declaration.command().hide(true));
    judge.subcommands(hidden).help_template(template)
}

/// The arguments of the program.
pub(crate) struct Cli {
    pub(crate) options: GlobalOptions,
    pub(crate) command: Box<dyn Subcommand>,
    pub(crate) properties: Properties,
    /// The names of the command's options that were typed, without dashes.
    pub(crate) typed: Vec<String>,
}

impl Cli {
    /// Parses `args`. The first argument is the program's name.
    pub(crate) fn read(args: &[OsString]) -> Result<Self, clap::Error> {
        let mut judge = command();
        let matches = judge.try_get_matches_from_mut(args)?;
        let typed = typed_options(&judge, &matches);
        let read = || {
            let subcommand = matches.subcommand().and_then(|(name, arguments)| {
                declarations().find(|declaration| declaration.name == name).map(|known| (known, arguments))
            });
            let (command, declared): (Box<dyn Subcommand>, _) = match subcommand {
                Some((declaration, arguments)) => ((declaration.read)(arguments)?, declaration.properties),
                None => (Box::new(demo::Demo), Properties::SUPERVISED),
            };
            let properties = command.properties(declared);
            Ok(Self { options: GlobalOptions::from_arg_matches(&matches)?, command, properties, typed })
        };
        read().map_err(|error: clap::Error| error.format(&mut judge))
    }

    /// Returns the settings in the file of `--config` or in `judge.toml`. If there is no file, or the command reads no
    /// settings, returns [`Settings::without_file`].
    pub(crate) fn settings(&self) -> anyhow::Result<Settings> {
        let given = &self.options.config;
        let file = match given {
            _ if !self.properties.reads_settings => None,
            Some(file) => Some(file.clone()),
            None => settings::find()?,
        };
        let settings = file.map_or_else(|| Ok(Settings::without_file()), settings::read)?;
        Ok(Settings { is_from_config_option: given.is_some(), ..settings })
    }
}

/// Returns the long names of the subcommand's options that were typed.
fn typed_options(judge: &clap::Command, matches: &ArgMatches) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else { return Vec::new() };
    let options = judge.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
    options
        .filter(|option| matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine))
        .filter_map(|option| option.get_long().map(str::to_owned))
        .collect()
}

/// The commands of the program grundy, for a tip.
const GRUNDY_COMMANDS: [&str; 6] = ["solve", "count", "table", "octal", "misere", "plot"];

/// Returns a tip for a word that is not a command of the judge and does not resemble one.
pub(crate) fn tip(command: &clap::Command, word: &str, args: &[OsString]) -> Option<String> {
    if command.get_name() != "judge" {
        return None;
    }
    let words = || args.iter().skip(1).map(|word| word.to_string_lossy()).join(" ");
    if GRUNDY_COMMANDS.contains(&word) {
        return Some(format!("to compute values, use the program grundy: 'grundy {}'", words()));
    }
    let is_header = parse_number(word).is_some() || GameKind::named(word).is_some();
    is_header.then(|| format!("to play a game, type 'judge run {}'", words()))
}
