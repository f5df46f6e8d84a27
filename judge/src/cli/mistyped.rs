//! Commands and values that are typed wrong: what the usage error suggests.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};
use itertools::Itertools;
use zeroxor::GameSpec;

use super::Cli;
use crate::spelling::nearest;
use crate::units::number;

/// The commands below this one that its help lists.
pub(super) fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

/// A usage error of these arguments, with the visible command that was probably meant: clap would suggest hidden ones
/// as well.
///
/// A negative number looks like an option, and clap would suggest to type it behind "--".
pub(crate) fn suggest(mut error: Error, args: &[OsString]) -> Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && error.kind() == ErrorKind::UnknownArgument
        && word.strip_prefix('-').and_then(number).is_some()
    {
        let tip = StyledStr::from("no number is negative here");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        return error;
    }
    let version = ContextValue::String("--version".to_owned());
    if error.get(ContextKind::SuggestedArg) == Some(&version)
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && !word.starts_with("--v")
    {
        // Of a command that has few options it may be the one that is most like another command's.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    let judge = Cli::command();
    if error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::SuggestedArg).is_none()
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && let Some(tip) = option_of_others(&judge, args, word)
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let word = word.clone();
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    error.remove(ContextKind::SuggestedSubcommand);
    let mut command = &judge;
    for arg in args.iter().skip(1).take_while(|arg| **arg != *word) {
        command = command.find_subcommand(arg).unwrap_or(command);
    }
    let is_header = number(&word).is_some() || GameSpec::NAMES.contains(&word.as_str());
    if word == "bundle" && command.get_name() == judge.get_name() {
        let tip = StyledStr::from(
            "the bot as one file is submission/abc278_g.rs of the repository, made by 'cargo xtask submission'",
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    } else if let Some(name) = nearest(&word, visible(command).map(Command::get_name)) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(name.to_owned()));
    } else if word == "nim" && command.get_name() == "table" {
        let tip = StyledStr::from("there is no table of nim: the nimber of a pile is its size");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    } else if is_header && command.get_name() == judge.get_name() {
        let words = args.iter().skip(1).map(|word| word.to_string_lossy()).join(" ");
        let tip = StyledStr::from(format!("a game is played by 'judge run {words}'"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// Where an option that a command does not have is one of others beside it, as of other games of `judge table`: which.
fn option_of_others(judge: &Command, args: &[OsString], word: &str) -> Option<String> {
    let option = word.strip_prefix("--")?.split('=').next()?;
    let parent =
        args.get(1).and_then(|name| judge.find_subcommand(name)).filter(|parent| parent.has_subcommands())?;
    let has_option = |command: &&Command| {
        command.get_arguments().any(|arg| arg.get_long() == Some(option) && !arg.is_hide_set())
    };
    let names = visible(parent).filter(has_option).map(Command::get_name).collect_vec();
    let (last, others) = names.split_last()?;
    let and = if others.is_empty() { String::new() } else { format!("{} and ", others.iter().join(", ")) };
    Some(format!("'--{option}' is an option of judge {} {and}{last}", parent.get_name()))
}
