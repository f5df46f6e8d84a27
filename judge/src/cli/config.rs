//! `judge config`: prints the settings in force, and the source of each. Also replaces the defaults of options by those
//! of `judge.toml`. Options on the command line have priority.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{anyhow, bail, ensure};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command};
use itertools::Itertools;

use super::subcommand::{Program, Subcommand};
use crate::settings::{LIMIT_KEYS, OptionDefault, PROBLEM_KEYS, ProblemEntry, STYLE, Settings};
use common::output::Output;
use common::suggestions::{did_you_mean, visible};
use runner::sources::language::Language;

/// Print the settings in force, and the source of each
///
/// The output is a judge.toml that has the same effect.
#[derive(Debug, Args)]
#[command(after_help = "\
judge.toml is searched for in the current directory and its parents. Its sections: [bots], names for bots' \
commands; [limits]; [commands.run] and others, defaults of a command's options; [problem], the interactor of another \
problem; [languages.NAME], how sources are compiled and run. Options on the command line override it.

Examples:
  judge config
  judge config --config other.toml

Exit codes:
  0  the settings were printed
  2  wrong usage, or judge.toml cannot be read or has an error")]
pub(crate) struct ConfigArgs {}

impl Subcommand for ConfigArgs {
    fn run(&self, Program { settings, command_line, .. }: &Program) -> anyhow::Result<ExitCode> {
        let mut text = match &settings.file {
            Some(file) => format!("# From {}, and the judge's defaults.\n", file.display()),
            None => {
                "# The judge's defaults: there is no judge.toml here or in a directory above.\n".to_owned()
            }
        };
        text += &bots(settings);
        text += &limits(&command_line(), settings);
        text += &commands(settings);
        text += &problem(settings);
        for language in &settings.languages {
            text += &self::language(language, settings);
        }
        Output::stdout().write(|out| out.write_all(text.as_bytes()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn bots(settings: &Settings) -> String {
    if settings.bots.is_empty() {
        return String::new();
    }
    let bots = settings.bots.iter().map(|(name, bot)| {
        let words = bot.command.iter().map(|word: &OsString| quoted(&word.to_string_lossy()));
        line(&quoted_if_needed(name), &format!("[{}]", words.format(", ")), Some(bot.line), settings)
    });
    format!("\n[bots]\n{}", bots.format(""))
}

/// Returns the section `[limits]`. Takes the judge's defaults from `judge run`, because all commands that start bots
/// have the same defaults.
fn limits(judge: &Command, settings: &Settings) -> String {
    let run = judge.find_subcommand("run");
    let lines = LIMIT_KEYS.iter().map(|(key, option)| {
        let is_of_limits = |default: &&OptionDefault| default.key == format!("limits.{key}");
        let set = settings.defaults.iter().find(is_of_limits);
        let arg = run.and_then(|run| run.get_arguments().find(|arg| arg.get_long() == Some(option)));
        let own = arg.and_then(|arg| arg.get_default_values().first()).map(|value| value.to_string_lossy());
        match set.and_then(|set| set.value.as_deref().map(Cow::from)).or(own) {
            Some(value) => line(key, &quoted(&value), set.map(|set| set.line), settings),
            None => format!("# {key} is derived from the other limits\n"),
        }
    });
    format!("\n[limits]\n{}", lines.format(""))
}

fn commands(settings: &Settings) -> String {
    let mut text = String::new();
    let of_command = |default: &&OptionDefault| default.command.clone();
    for (command, defaults) in &settings.defaults.iter().chunk_by(of_command) {
        let Some(command) = command else { continue };
        text += &format!("\n[commands.{command}]\n");
        for default in defaults {
            let value = default.value.as_ref().map_or_else(|| "true".to_owned(), |value| quoted(value));
            text += &line(&default.option, &value, Some(default.line), settings);
        }
    }
    text
}

fn problem(settings: &Settings) -> String {
    let Some(problem) = &settings.problem else { return String::new() };
    let lines = PROBLEM_KEYS.iter().filter_map(|key| {
        let ProblemEntry { words, line } = problem.entry(key)?;
        let mut words = words.iter().map(|word| quoted(word));
        let value = match *key {
            STYLE => words.join(""),
            _ => format!("[{}]", words.join(", ")),
        };
        Some(self::line(key, &value, Some(*line), settings))
    });
    format!("\n[problem]\n{}", lines.format(""))
}

fn language(language: &Language, settings: &Settings) -> String {
    let Language { name, extensions, compile, flags, run } = language;
    let mut text = format!("\n[languages.{}]\n", quoted_if_needed(name));
    for (key, words) in [("extensions", extensions), ("compile", compile), ("flags", flags), ("run", run)] {
        let words = words.iter().map(|word| quoted(word));
        let place = settings.language_lines.get(&format!("{name}.{key}")).copied();
        text += &line(key, &format!("[{}]", words.format(", ")), place, settings);
    }
    text
}

/// Returns the line of a key with its value. If `judge.toml` sets the key, a comment names its line there.
fn line(key: &str, value: &str, place: Option<usize>, settings: &Settings) -> String {
    let place = place.map_or_else(String::new, |line| format!("  # {}", settings.at(line)));
    format!("{key} = {value}{place}\n")
}

/// Quotes a string for TOML, which has the same escapes as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a key of TOML, quoted if necessary.
fn quoted_if_needed(key: &str) -> String {
    let is_bare = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_bare && !key.is_empty() { key.to_owned() } else { quoted(key) }
}

/// Returns the command line `judge` with the defaults of `settings`. Only the commands named in `settable` get
/// defaults.
pub(crate) fn with_defaults(
    mut judge: Command,
    settings: &Settings,
    settable: &[&str],
) -> anyhow::Result<Command> {
    for default in &settings.defaults {
        let commands = match &default.command {
            Some(name) => std::slice::from_ref(checked_command(&judge, settable, name, default, settings)?),
            None => settable,
        };
        for name in commands {
            let Some(command) = judge.find_subcommand(name) else { continue };
            let Some(option) = option(command, default) else {
                ensure!(default.command.is_none(), unknown_option(command, default, settings));
                continue;
            };
            check_value(command, option, default, settings)?;
            let id = option.get_id().clone();
            let value = default.value.clone().unwrap_or_else(|| "true".to_owned());
            judge = judge
                .mut_subcommand(name, |command| command.mut_arg(id, |option| option.default_value(value)));
        }
    }
    Ok(judge)
}

/// Checks that the options of the command `name` can be set, and returns `name`.
fn checked_command<'a>(
    judge: &Command,
    settable: &'a [&'a str],
    name: &str,
    default: &OptionDefault,
    settings: &Settings,
) -> anyhow::Result<&'a &'a str> {
    if let Some(known) = settable.iter().find(|known| **known == name) {
        return Ok(known);
    }
    let place = settings.at(default.line);
    let meant = did_you_mean(name, settable.iter().copied());
    let all = settable.join(", ");
    if visible(judge).any(|command| command.get_name() == name) {
        bail!("{place}: the options of {name} cannot be set here, only those of {all}");
    }
    bail!("{place}: [commands] has no {name:?}{meant} (expected {all})")
}

fn option<'a>(command: &'a Command, default: &OptionDefault) -> Option<&'a Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(&*default.option))
}

fn unknown_option(command: &Command, default: &OptionDefault, settings: &Settings) -> anyhow::Error {
    let name = command.get_name();
    let known = command.get_arguments().filter_map(Arg::get_long);
    let meant = did_you_mean(&default.option, known);
    anyhow!("{}: judge {name} has no option {:?}{meant}", settings.at(default.line), default.option)
}

/// Checks a value as if it were typed on the command line.
fn check_value(
    command: &Command,
    option: &Arg,
    default: &OptionDefault,
    settings: &Settings,
) -> anyhow::Result<()> {
    let place = settings.at(default.line);
    let takes_value = option.get_action().takes_values();
    let text = match &default.value {
        Some(_) if !takes_value => {
            bail!("{place}: expected {} = true: the option takes no value", default.key)
        }
        None if takes_value => bail!("{place}: expected {} as a string or a number, got true", default.key),
        None => return Ok(()),
        Some(text) => text,
    };
    let typed = [command.get_name().to_owned(), format!("--{}={text}", default.option)];
    match command.clone().try_get_matches_from(typed) {
        // Other required arguments may be missing here, so only errors about the value count.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) => {
            let message = error.to_string();
            let message =
                message.split("\n\nFor more").next().unwrap_or_default().trim_start_matches("error: ");
            let message: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            bail!("{place}: {}", message.join(" "))
        }
        _ => Ok(()),
    }
}
