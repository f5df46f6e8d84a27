//! Bots and headers on the command line: the command that starts a bot, and headers and bots as words.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use clap::Args;
use itertools::Itertools;
use runner::escape::shell_word;
use runner::program;
use runner::sources::{BuildOptions, language};
use zeroxor::GameKind;

use crate::cli::complete;
use crate::referee::game::setup::GameHeader;
use crate::settings::Settings;
use crate::text::shortened;
use crate::units::{parse_number, plain_numbers};

/// Resolves a name of `judge.toml`, and compiles a source. Returns `None` if the typed command itself starts the bot.
pub(crate) fn start_command(
    bot: &[OsString],
    build: &BuildOptions,
    settings: &Settings,
) -> anyhow::Result<Option<Vec<OsString>>> {
    let named = bot.split_first().and_then(|(name, args)| {
        // The words after the name are added to the command.
        Some([settings.bot(name.to_str()?)?, args].concat())
    });
    let command = named.as_deref().unwrap_or(bot);
    Ok(settings.builder(build).command(command)?.or(named))
}

/// Splits the words before "--" before the first source, unless the command `bot` follows "--".
pub(crate) fn split_words<'a>(
    words: &'a [OsString],
    bot: &'a [OsString],
    settings: &Settings,
) -> (&'a [OsString], &'a [OsString]) {
    let is_source = |word: &OsString| is_source_name(word, settings) && Path::new(word).is_file();
    match words.iter().position(is_source) {
        Some(at) if bot.is_empty() => words.split_at(at),
        _ => (words, bot),
    }
}

/// The bot of a command without a header.
#[derive(Debug, Args)]
pub(crate) struct BotArgs {
    /// The bot's source, such as bot.cpp, which is compiled, and its arguments
    #[arg(add = complete::bot(), value_name = "SOURCE")]
    source: Vec<OsString>,

    /// The bot's command and its arguments
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    bot: Vec<OsString>,
}

impl BotArgs {
    pub(crate) fn command(&self, name: &str, settings: &Settings) -> anyhow::Result<&[OsString]> {
        let (before, bot) = split_words(&self.source, &self.bot, settings);
        ensure!(
            before.is_empty() || self.bot.is_empty(),
            "expected nothing before \"--\", got {:?}: judge {name} chooses the games itself, from --family or judge.toml",
            shortened(&before.iter().map(|word| word.to_string_lossy()).join(" "))
        );
        ensure!(before.is_empty(), missing_dashes(name, &self.source, 0, settings));
        Ok(bot)
    }
}

/// Says what to type for a bot's command that begins with `words[at]` without "--", or that its source is missing.
pub(crate) fn missing_dashes(name: &str, words: &[OsString], at: usize, settings: &Settings) -> String {
    let (before, bot) = words.split_at(at);
    if let Some(source) = bot.first().filter(|word| is_source_name(word, settings))
        && !Path::new(source).is_file()
    {
        return format!("there is no source file {}", source.display());
    }
    let quoted = |words: &[OsString]| {
        let words = words.iter().map(|word| word.to_string_lossy());
        words.map(|word| format!(" {}", shell_word(&word).unwrap_or(word.into_owned()))).join("")
    };
    format!("expected \"--\" before the bot's command: judge {name}{} --{}", quoted(before), quoted(bot))
}

fn is_source_name(word: impl AsRef<Path>, settings: &Settings) -> bool {
    language::of(word.as_ref(), &settings.languages).is_some()
}

/// Parses `words` as a header, if there are any. If the word at an index is no part of a header but names a program,
/// `misplaced` of the index is the error.
pub(crate) fn read_header(
    words: &[OsString],
    settings: &Settings,
    misplaced: impl FnOnce(usize) -> String,
) -> anyhow::Result<Option<GameHeader>> {
    if words.is_empty() {
        return Ok(None);
    }
    let text = words.iter().map(|word| word.to_string_lossy()).join(" ");
    let header = plain_numbers(&text).parse::<GameHeader>();
    if header.is_err()
        && let Some(at) = words.iter().position(|word| is_program(&word.to_string_lossy(), settings))
    {
        bail!(misplaced(at));
    }
    header.map(Some).context("the header is malformed")
}

/// Returns whether a word is probably the name of a program, not a part of a header.
fn is_program(word: &str, settings: &Settings) -> bool {
    // A range such as 3..9, or 1..n/2, which contains a slash.
    let is_range = word.starts_with(|first: char| first.is_ascii_digit()) && word.contains("..");
    let is_of_header = is_range
        || parse_number(word).is_some()
        || complete::keywords().any(|keyword| keyword == word)
        || GameKind::named(word).is_some()
        || word.contains(' ');
    let is_path = word.contains('/') || Path::new(word).is_file();
    !is_of_header
        && (is_path
            || is_source_name(word, settings)
            || settings.bot(word).is_some()
            || program::find(OsStr::new(word)).is_ok())
}
