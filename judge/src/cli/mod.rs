//! The command line: the commands, each with its arguments and its code, and the options of all commands.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use itertools::Itertools;
use runner::interrupt;
use zeroxor::GameKind;

use crate::demo;
use crate::settings::{self, Settings};
use crate::text::nearest;
use crate::units::parse_number;
pub(crate) use interactors::InteractorOptions;
pub(crate) use options::{BotOptions, LimitOptions, MAX_PROCESSES};
use run::report_uncompiled;
pub(crate) use run::uncompiled;
pub(crate) use subject::{Subject, SubjectOptions};

mod arena;
mod batch;
mod bot;
pub(crate) mod complete;
mod interact;
mod interactors;
mod lint;
mod new;
mod options;
mod play;
mod replay;
mod run;
mod stress;
mod subject;
mod test;

/// Run any bot in games or against the interactor of any problem, and learn why it fails
#[derive(Debug, Parser)]
#[command(
    name = "judge",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = "\
Without a command the judge plays a short demonstration. Examples:
  judge run 20 1 2 -v -- python3 my_bot.py   a game against your bot
  judge run --interactor interactor.cpp -- bot.cpp   another problem
Exit codes: 0 success, 1 a bot or a check failed, 2 wrong usage"
)]
pub(crate) struct Cli {
    /// When to use colours.
    #[arg(long, default_value_t = ColorChoice::Auto, value_name = "WHEN", value_enum, global = true, display_order = 1000)]
    color: ColorChoice,

    /// Read the settings from this file, not from judge.toml
    #[arg(long, global = true, value_name = "FILE", display_order = 1000)]
    config: Option<PathBuf>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::RunArgs>),
    Lint(Box<lint::LintArgs>),
    Stress(Box<stress::StressArgs>),
    Test(Box<test::TestArgs>),
    New(new::NewArgs),
    Arena(Box<arena::ArenaArgs>),
    Batch(batch::BatchArgs),
    Play(play::PlayArgs),
    Replay(Box<replay::ReplayArgs>),
    Interact(Box<interact::InteractArgs>),
    Completions(complete::CompletionsArgs),
}

impl Cli {
    pub(crate) fn read(args: &[OsString]) -> Result<Self, clap::Error> {
        Self::try_parse_from(args).map_err(|error| with_tip(error, args))
    }

    pub(crate) fn apply_color(&self) {
        let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if self.color != ColorChoice::Auto || is_refused {
            let has_colors = self.color == ColorChoice::Always;
            console::set_colors_enabled(has_colors);
            console::set_colors_enabled_stderr(has_colors);
        }
    }

    /// Returns whether the command judges nothing and only prints, so that its reader may close the output early.
    pub(crate) fn is_listing(&self) -> bool {
        match &self.command {
            Some(Command::New(_) | Command::Play(_) | Command::Completions(_)) => true,
            Some(Command::Arena(args)) => !args.rate.is_empty(),
            _ => false,
        }
    }

    /// Returns the settings of `--config` or `judge.toml`, for a command that starts bots: an interrupt ends them from now
    /// on. Commands that start no bot read no settings. `is_verbose` is the command's option `--verbose`.
    fn settings(&self, is_verbose: bool) -> anyhow::Result<Settings> {
        interrupt::watch()?;
        let file = match &self.config {
            Some(file) => Some(file.clone()),
            None => settings::find()?,
        };
        let settings = file.map_or_else(|| Ok(Settings::without_file()), settings::read)?;
        Ok(Settings { config: self.config.clone(), is_verbose, ..settings })
    }

    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            None => demo::run(),
            Some(Command::Run(args)) => {
                let result = args.run(&self.settings(args.options.verbose)?);
                result.or_else(|error| report_uncompiled(error, args.options.json))
            }
            Some(Command::Lint(args)) => args.run(&self.settings(args.verbose)?),
            Some(Command::Stress(args)) => args.run(&self.settings(args.verbose)?),
            Some(Command::Test(args)) => {
                let result = args.run(&self.settings(args.options.verbose)?);
                result.or_else(|error| report_uncompiled(error, args.options.json))
            }
            Some(Command::New(args)) => args.run(),
            Some(Command::Arena(args)) if !args.rate.is_empty() => args.rate(),
            Some(Command::Arena(args)) => args.run(&self.settings(false)?),
            Some(Command::Batch(args)) => args.run(&self.settings(false)?),
            Some(Command::Play(args)) => args.run(),
            Some(Command::Replay(args)) => args.run(|| self.settings(args.verbose)),
            Some(Command::Interact(args)) => Ok(args.run()),
            Some(Command::Completions(args)) => args.run(),
        }
    }
}

/// Adds a tip to the error for an unknown command: the program or the command that was meant.
fn with_tip(mut error: clap::Error, args: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let words = || args.iter().skip(1).map(|word| word.to_string_lossy()).join(" ");
    let judge = Cli::command();
    let tip = if ["solve", "count", "table", "octal", "misere", "plot"].contains(&word.as_str()) {
        format!("to compute values, use the program grundy: 'grundy {}'", words())
    } else if parse_number(word).is_some() || GameKind::named(word).is_some() {
        format!("to play a game, type 'judge run {}'", words())
    } else if let Some(name) = nearest(word, judge.get_subcommands().map(clap::Command::get_name)) {
        format!("a similar subcommand exists: '{name}'")
    } else {
        return error;
    };
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn commands_of_programs_need_not_be_utf8() {
        let options = "run --bot, arena --bot, run --interactor, run --checker, run --between, stress --generator, \
                       stress --validator";
        for options in options.split(", ") {
            let mut args: Vec<_> = format!("judge {options}").split(' ').map(OsString::from).collect();
            args.push(OsString::from_vec(b"a=./\xff".to_vec()));
            assert!(Cli::read(&args).is_ok(), "{options:?}");
        }
    }
}
