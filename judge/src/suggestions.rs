//! Suggestions for misspelt names, commands and options.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use itertools::Itertools;
use strsim::osa_distance;

use crate::units::parse_number;

/// Returns the name with the smallest edit distance to `word`, if the distance is at most a third of the name's
/// length.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().map(|name| (osa_distance(word, name), name)).min();
    near.filter(|(distance, name)| 3 * distance <= name.len()).map(|(_, name)| name)
}

/// Returns `; did you mean "NAME"?` with the name that is similar to `word`; empty if there is none.
pub(crate) fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

/// Returns the subcommands that the help of `command` lists.
pub(crate) fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

/// Improves the suggestions of a usage error. Without this function, clap would also suggest hidden commands and
/// unrelated words such as `--version`. A negative number looks like an option, so clap would suggest typing the number
/// after `--`.
///
/// `tip` gives the advice for a word that is not similar to any command.
pub(crate) fn suggest(
    mut error: Error,
    args: &[OsString],
    program: &Command,
    tip: impl Fn(&Command, &str) -> Option<String>,
) -> Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && error.kind() == ErrorKind::UnknownArgument
        && word.strip_prefix('-').and_then(parse_number).is_some()
    {
        let tip = StyledStr::from("negative numbers are not accepted");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        return error;
    }
    let version = ContextValue::String("--version".to_owned());
    if error.get(ContextKind::SuggestedArg) == Some(&version)
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && !word.starts_with("--v")
    {
        // In a command with few options, clap suggests `--version` even for an unrelated word.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    if error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::SuggestedArg).is_none()
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
        && let Some(tip) = option_of_siblings(program, args, word)
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
    // clap's list of tips, empty or not, would leave an empty line.
    error.remove(ContextKind::Suggested);
    let mut command = program;
    for arg in args.iter().skip(1).take_while(|arg| **arg != *word) {
        command = command.find_subcommand(arg).unwrap_or(command);
    }
    if let Some(name) = nearest(&word, visible(command).map(Command::get_name)) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(name.to_owned()));
    } else if let Some(tip) = tip(command, &word) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Returns a tip for an option that this command does not have but a sibling command has. For example, the commands of
/// `grundy table` for different games are siblings.
fn option_of_siblings(program: &Command, args: &[OsString], word: &str) -> Option<String> {
    let option = word.strip_prefix("--")?.split('=').next()?;
    let parent = args
        .get(1)
        .and_then(|name| program.find_subcommand(name))
        .filter(|parent| parent.has_subcommands())?;
    let has_option = |command: &&Command| {
        command.get_arguments().any(|arg| arg.get_long() == Some(option) && !arg.is_hide_set())
    };
    let names = visible(parent).filter(has_option).map(Command::get_name).collect_vec();
    let (last, others) = names.split_last()?;
    let and = if others.is_empty() { String::new() } else { format!("{} and ", others.iter().join(", ")) };
    Some(format!("'--{option}' is an option of {} {} {and}{last}", program.get_name(), parent.get_name()))
}
