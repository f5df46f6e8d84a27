//! The defaults of options that `judge.toml` sets: they take the place of the judge's own, and what is typed goes first.

use anyhow::{anyhow, bail, ensure};
use clap::error::ErrorKind;
use clap::{Arg, Command};

use crate::settings::{OptionDefault, Settings};
use common::suggestions::did_you_mean;
use common::suggestions::visible;

/// The command line with the defaults of these settings. They are for the commands with the names `settable`.
///
/// # Errors
///
/// If an option does not exist, or its value is not possible.
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

/// The name of a command, if it has options that can be set.
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

/// Checks a value as if it were typed.
fn check_value(
    command: &Command,
    option: &Arg,
    default: &OptionDefault,
    settings: &Settings,
) -> anyhow::Result<()> {
    let place = settings.at(default.line);
    let takes_value = option.get_action().takes_values();
    let text = match &default.value {
        Some(_) if !takes_value => bail!("{place}: expected {} = true, it has no other value", default.key),
        None if takes_value => bail!("{place}: expected {} as a string or a number, got true", default.key),
        None => return Ok(()),
        Some(text) => text,
    };
    let typed = [command.get_name().to_owned(), format!("--{}={text}", default.option)];
    match command.clone().try_get_matches_from(typed) {
        // Other arguments may be missing here.
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
