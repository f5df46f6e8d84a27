//! `judge config`: prints the settings that hold, and where each comes from.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Command};
use itertools::Itertools;

use super::subcommand::{Program, Properties, Subcommand};
use crate::settings::{LIMITS, OptionDefault, Settings};
use crate::sources::language::Language;
use common::output::Output;

/// Print the settings that hold, and where each comes from
///
/// The output is a judge.toml that has the same effect.
#[derive(Debug, Args)]
#[command(after_help = "\
judge.toml is looked for in the current directory and in those above it. Its sections: [bots], names for bots' \
commands; [limits]; [commands.run] and others, defaults of a command's options; [languages.NAME], how sources are \
compiled and run. What is typed goes first.

Examples:
  judge config
  judge config --config other.toml

Exit codes:
  0  the settings were printed
  2  wrong usage, or judge.toml cannot be read or has an error")]
pub(crate) struct ConfigArgs {}

impl Subcommand for ConfigArgs {
    fn properties(&self) -> Properties {
        Properties::LISTING_WITH_SETTINGS
    }

    fn run(&self, Program { settings, command_line }: &Program) -> anyhow::Result<ExitCode> {
        let mut text = match &settings.file {
            Some(file) => format!("# From {}, and the judge's defaults.\n", file.display()),
            None => {
                "# The judge's defaults: there is no judge.toml here or in a directory above.\n".to_owned()
            }
        };
        text += &bots(settings);
        text += &limits(&command_line(), settings);
        text += &commands(settings);
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

/// The limits of all commands that start bots, for which the judge has the same defaults.
fn limits(judge: &Command, settings: &Settings) -> String {
    let run = judge.find_subcommand("run");
    let lines = LIMITS.iter().map(|(key, option)| {
        let is_of_limits = |default: &&OptionDefault| default.key == format!("limits.{key}");
        let set = settings.defaults.iter().find(is_of_limits);
        let arg = run.and_then(|run| run.get_arguments().find(|arg| arg.get_long() == Some(option)));
        let own = arg.and_then(|arg| arg.get_default_values().first()).map(|value| value.to_string_lossy());
        match set.and_then(|set| set.value.as_deref().map(Cow::from)).or(own) {
            Some(value) => line(key, &quoted(&value), set.map(|set| set.line), settings),
            None => format!("# {key} follows from the others\n"),
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

/// A key with its value, and where it comes from if that is the file.
fn line(key: &str, value: &str, place: Option<usize>, settings: &Settings) -> String {
    let place = place.map_or_else(String::new, |line| format!("  # {}", settings.at(line)));
    format!("{key} = {value}{place}\n")
}

/// A string of TOML, whose escapes are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A key of TOML.
fn quoted_if_needed(key: &str) -> String {
    let is_bare = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_bare && !key.is_empty() { key.to_owned() } else { quoted(key) }
}
