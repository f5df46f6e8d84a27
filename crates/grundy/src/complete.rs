//! Completions for the words of a header.

use std::ffi::OsStr;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use itertools::Itertools;
use zeroxor::GameKind;

pub(crate) fn header() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        starting_with(current, ["misere", "+"].into_iter().chain(rule_words()))
    })
}

/// Completes the rules of a game without sizes.
pub(crate) fn rules() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| starting_with(current, rule_words()))
}

/// The names of games, and the words of their clauses.
fn rule_words() -> impl Iterator<Item = &'static str> {
    let clauses = GameKind::all().flat_map(GameKind::keywords).copied();
    GameKind::all().map(GameKind::name).chain(clauses).unique()
}

fn starting_with(current: &OsStr, words: impl Iterator<Item = &'static str>) -> Vec<CompletionCandidate> {
    let Some(current) = current.to_str() else { return Vec::new() };
    words.filter(|word| word.starts_with(current)).map(CompletionCandidate::new).collect()
}
