//! Shell completions for the words of a header or of a bot's command. The shell runs the judge to get them.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};

use anyhow::Context;
use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use itertools::Itertools;
use zeroxor::GameKind;
use zeroxor::rules::PileGame;

use crate::settings;
use crate::settings::Settings;
use crate::suggestions::visible;

/// The environment variable that a shell sets to ask for completions.
const VARIABLE: &str = "JUDGE_COMPLETE";

/// Prints completions and returns true if a shell started this process to complete arguments.
///
/// # Errors
///
/// If the completions cannot be written.
pub(crate) fn answer() -> Result<bool, clap::Error> {
    let here = std::env::current_dir().ok();
    let env = CompleteEnv::with_factory(without_hidden).var(VARIABLE).bin("judge").completer("judge");
    env.try_complete(std::env::args_os(), here.as_deref())
}

/// The command line without its hidden commands, which clap would offer if no other command fits.
fn without_hidden() -> Command {
    let judge = crate::cli::command();
    Command::new("judge").args(judge.get_arguments()).subcommands(visible(&judge).cloned())
}

/// Prints the script that makes a shell complete the arguments of the judge.
///
/// # Errors
///
/// If the script cannot be written.
pub(crate) fn print_script(shell: Shell) -> anyhow::Result<()> {
    let shells = Shells::builtins();
    let shell = shell.to_possible_value().context("expected the name of a shell")?;
    let shell = shells.completer(shell.get_name()).context("expected a known shell")?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "judge", "judge", "judge", &mut script)?;
    io::stdout().write_all(&script)?;
    Ok(())
}

/// Words of headers that are neither numbers nor names of games.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    let clauses =
        PileGame::ALL.iter().flat_map(|game| game.keywords()).map(|keyword| keyword.word()).unique();
    ["misere", "+", "seat", "first", "second"].into_iter().chain(clauses)
}

/// Words of headers that begin with `current`.
fn header_words(current: &OsStr) -> Vec<CompletionCandidate> {
    starting_with(current, GameKind::all().map(GameKind::name).chain(keywords()))
}

fn starting_with<'a>(current: &OsStr, names: impl IntoIterator<Item = &'a str>) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    let names = names.into_iter().filter(|name| name.starts_with(current));
    names.map(CompletionCandidate::new).collect()
}

/// Completes words of a header.
pub(crate) fn header() -> ArgValueCompleter {
    ArgValueCompleter::new(header_words)
}

/// Completes words of a header, the source of a bot, or the words of a bot's command after "--".
pub(crate) fn header_or_bot() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        // The completion engine counts the words after "--" as part of the first argument.
        if is_after_dashes() {
            return bots(current);
        }
        let mut candidates = header_words(current);
        if !current.is_empty() {
            candidates.extend(PathCompleter::any().complete(current));
        }
        candidates
    })
}

/// Completes the words of a bot's command with the names of the bots in `judge.toml`, and with files.
pub(crate) fn bot() -> ArgValueCompleter {
    ArgValueCompleter::new(bots)
}

fn bots(current: &OsStr) -> Vec<CompletionCandidate> {
    let settings = settings::find().ok().flatten().and_then(|file| settings::read(file).ok());
    let settings = settings.unwrap_or_else(Settings::without_file);
    let mut candidates = starting_with(current, settings.bots.keys().map(String::as_str));
    candidates.extend(PathCompleter::any().complete(current));
    candidates
}

/// Returns whether the word to complete, which is the last one, comes after a typed "--". The shell adds a "--" before
/// all words, so this function looks for two.
fn is_after_dashes() -> bool {
    let words: Vec<OsString> = std::env::args_os().collect();
    words.iter().rev().skip(1).filter(|word| **word == *"--").count() > 1
}
