//! Completions for the words of a header.

use std::ffi::OsStr;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use common::completions::starting_with;
use zeroxor::GameKind;

/// The words of headers that are neither numbers nor names of games.
pub const KEYWORDS: [&str; 6] = ["+", "ban", "take", "seat", "first", "second"];

/// Returns the words of headers that begin with `current`.
pub fn header_words(current: &OsStr) -> Vec<CompletionCandidate> {
    starting_with(current, GameKind::all().map(GameKind::name).chain(KEYWORDS))
}

/// Returns the completer for the words of a header.
pub(crate) fn header() -> ArgValueCompleter {
    ArgValueCompleter::new(header_words)
}
