//! Shell completions for the words of a header or of a bot's command, and for the names of hostile bots. The shell runs
//! the judge to get the completions.

use std::ffi::{OsStr, OsString};

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use common::generated::starting_with;
use itertools::Itertools;
use zeroxor::GameKind;
use zeroxor::rules::PileGame;

use crate::matches::selftest;
use crate::settings;
use crate::settings::Settings;

/// The environment variable that a shell sets to ask for completions.
pub(crate) const VARIABLE: &str = "JUDGE_COMPLETE";

/// Words of headers that are neither numbers nor names of games.
pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
    let clauses =
        PileGame::ALL.iter().flat_map(|game| game.keywords()).map(|keyword| keyword.word()).unique();
    ["misere", "+", "seat", "first", "second"].into_iter().chain(clauses)
}

/// Words of headers that begin with `current`.
fn header_words(current: &OsStr) -> Vec<CompletionCandidate> {
    starting_with(current, GameKind::all().map(GameKind::name).chain(keywords()))
}

/// Completes words of a header.
pub(super) fn header() -> ArgValueCompleter {
    ArgValueCompleter::new(header_words)
}

/// Completes words of a header, the source of a bot, or the words of a bot's command after "--".
pub(super) fn header_or_bot() -> ArgValueCompleter {
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
pub(super) fn bot() -> ArgValueCompleter {
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

/// Completes the names of the hostile bots of the self-test.
pub(super) fn hostile_bot() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        starting_with(current, selftest::bots::all().iter().map(|bot| bot.name))
    })
}
