//! Completions for the words of a header.

use std::ffi::OsStr;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use common::generated::starting_with;
use itertools::Itertools;
use zeroxor::GameKind;
use zeroxor::rules::PileGame;

/// Returns the words of headers that are neither numbers nor names of games.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    let clauses =
        PileGame::ALL.iter().flat_map(|game| game.keywords()).map(|keyword| keyword.word()).unique();
    ["misere", "+", "seat", "first", "second"].into_iter().chain(clauses)
}

/// Returns the words of headers that begin with `current`.
pub fn header_words(current: &OsStr) -> Vec<CompletionCandidate> {
    starting_with(current, GameKind::all().map(GameKind::name).chain(keywords()))
}

/// Returns the completer for the words after the piles in a header of `game`.
pub(crate) fn keywords_of(game: PileGame) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        starting_with(current, game.keywords().iter().map(|keyword| keyword.word()))
    })
}

/// Returns the completer for the words of a header.
pub(crate) fn header() -> ArgValueCompleter {
    ArgValueCompleter::new(header_words)
}
