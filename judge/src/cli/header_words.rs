//! The header that is typed as words of the command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::{Context, bail};
use zeroxor::GameKind;

use super::bot;
use crate::settings::Settings;
use common::units::{number, plain_numbers};
use referee::setup::GameHeader;
use runner::program;
use theory::complete::KEYWORDS;

/// Divides words into those of a header and those of a bot's command, which begins with a source.
pub(super) fn split<'a>(
    words: &'a [String],
    bot: &'a [OsString],
    settings: &Settings,
) -> (&'a [String], Vec<OsString>) {
    match words.iter().position(|word| bot::is_source(word, settings)) {
        Some(at) if bot.is_empty() => (&words[..at], words[at..].iter().map(OsString::from).collect()),
        _ => (words, bot.to_vec()),
    }
}

/// Reads the header that these words are, before the words of a bot's command; `None` if there are none.
///
/// # Errors
///
/// If it is malformed. If a bot's command stands among the words of `judge NAME`, the error says where to type it.
pub(super) fn read(
    name: &str,
    words: &[String],
    bot: &[OsString],
    settings: &Settings,
) -> anyhow::Result<Option<GameHeader>> {
    if words.is_empty() {
        return Ok(None);
    }
    let header = plain_numbers(&words.join(" ")).parse::<GameHeader>();
    if header.is_err()
        && let Some(at) = words.iter().position(|word| is_program(word, settings))
    {
        let bot = bot.iter().map(|word| word.to_string_lossy().into_owned());
        let command: Vec<String> = words[at..].iter().cloned().chain(bot).collect();
        bail!(bot::misplaced(name, &words[..at], &command, settings));
    }
    header.map(Some).context("the header is malformed")
}

/// Whether a word is rather the name of a program than a part of a header.
fn is_program(word: &str, settings: &Settings) -> bool {
    let is_of_header = number(word).is_some()
        || KEYWORDS.contains(&word)
        || GameKind::named(word).is_some()
        || word.contains(' ');
    let is_path = word.contains('/') || Path::new(word).is_file();
    !is_of_header
        && (is_path
            || bot::is_source_name(word, settings)
            || settings.bot(word).is_some()
            || program::find(OsStr::new(word)).is_ok())
}
