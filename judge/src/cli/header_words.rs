//! The header that is typed as words of the command line.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, bail};
use itertools::Itertools;
use zeroxor::GameSpec;

use crate::escape::shell_word;
use crate::process::program;
use crate::referee::setup::GameHeader;
use crate::units::{number, plain_numbers};

/// Reads the header that these words are; `None` if there are none.
///
/// # Errors
///
/// If it is malformed. If a bot's command stands among the words of `judge NAME`, the error says where to type it.
pub(super) fn read(name: &str, words: &[String]) -> anyhow::Result<Option<GameHeader>> {
    if words.is_empty() {
        return Ok(None);
    }
    let header = plain_numbers(&words.join(" ")).parse::<GameHeader>();
    if header.is_err()
        && let Some(at) = words.iter().position(|word| is_program(word))
    {
        let quoted = |words: &[String]| {
            let quote = |word: &String| shell_word(word).unwrap_or_else(|_| word.clone());
            words.iter().map(|word| format!(" {}", quote(word))).join("")
        };
        let (header, bot) = (quoted(&words[..at]), quoted(&words[at..]));
        bail!("expected \"--\" before the bot's command: judge {name}{header} --{bot}");
    }
    header.map(Some).context("the header is malformed")
}

/// The words of headers that are not numbers or names of games.
const KEYWORDS: [&str; 6] = ["+", "ban", "take", "seat", "first", "second"];

/// Whether a word is rather the name of a program than a part of a header.
fn is_program(word: &str) -> bool {
    let is_of_header = number(word).is_some()
        || KEYWORDS.contains(&word)
        || GameSpec::NAMES.contains(&word)
        || word.contains(' ');
    let is_path = word.contains('/') || Path::new(word).is_file();
    !is_of_header && (is_path || program::find(OsStr::new(word)).is_ok())
}
