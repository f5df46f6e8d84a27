//! Bots and headers on the command line: the command that starts a bot, a bot with a name, and a header as words.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::{Context, bail};
use itertools::Itertools;
use runner::escape::shell_word;
use runner::interrupt;
use runner::program;
use runner::sources::{self, BuildOptions, language};
use zeroxor::GameKind;

use crate::cli::complete::keywords;
use crate::referee::game::setup::GameHeader;
use crate::settings::Settings;
use crate::units::{parse_number, plain_numbers};

/// Returns the command that starts the bot; `None` if that is the typed command `bot` itself. Replaces a name of
/// `judge.toml` by the command of that bot, and compiles a source.
pub(crate) fn start_command(
    bot: &[OsString],
    build: &BuildOptions,
    is_verbose: bool,
    settings: &Settings,
) -> anyhow::Result<Option<Vec<OsString>>> {
    interrupt::watch()?;
    let named = named(bot, settings);
    let command = named.as_deref().unwrap_or(bot);
    Ok(sources::command(command, &settings.languages, build, is_verbose)?.or(named))
}

/// Returns the command of a bot that begins with a name of `judge.toml`: the named command, and after it the words that
/// follow the name.
fn named(bot: &[OsString], settings: &Settings) -> Option<Vec<OsString>> {
    let (name, args) = bot.split_first()?;
    let command = settings.bot(name.to_str()?)?;
    Some([command, args].concat())
}

/// Returns the bot's command: `source` if it has words, or else `bot`, the words after `--`. The first word of `source`
/// must name an existing source file.
pub(crate) fn typed_command<'a>(
    name: &str,
    source: &'a [OsString],
    bot: &'a [OsString],
    settings: &Settings,
) -> anyhow::Result<&'a [OsString]> {
    match source.first() {
        None => Ok(bot),
        Some(word) if is_source(word, settings) => Ok(source),
        Some(_) => {
            let words: Vec<String> = source.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            bail!(missing_dashes(name, &[], &words, settings))
        }
    }
}

/// Returns the error message for a bot's command without `--` before it. The message says what to type. If the command
/// begins with the name of a source, which needs no `--`, the message says that there is no such file.
pub(crate) fn missing_dashes(name: &str, before: &[String], bot: &[String], settings: &Settings) -> String {
    if let Some(source) =
        bot.first().filter(|word| is_source_name(word, settings) && !Path::new(word).is_file())
    {
        return format!("there is no source file {source}");
    }
    let quoted = |words: &[String]| {
        let quote = |word: &String| shell_word(word).unwrap_or_else(|_| word.clone());
        words.iter().map(|word| format!(" {}", quote(word))).join("")
    };
    format!("expected \"--\" before the bot's command: judge {name}{} --{}", quoted(before), quoted(bot))
}

/// Returns whether a word names an existing source. Such a word needs no "--" before it.
pub(crate) fn is_source(word: impl AsRef<Path>, settings: &Settings) -> bool {
    is_source_name(&word, settings) && word.as_ref().is_file()
}

/// Returns whether a word ends like the name of a source, as in `bot.cpp`.
pub(crate) fn is_source_name(word: impl AsRef<Path>, settings: &Settings) -> bool {
    language::of(word.as_ref(), &settings.languages).is_some()
}

/// A bot with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BotArgument {
    pub(crate) name: String,
    /// The words of the bot's command; `None` if `judge.toml` has the command.
    command: Option<Vec<OsString>>,
}

impl BotArgument {
    /// Returns the words of the bot's command. If `judge.toml` has the command, the bot's name is the only word.
    pub(crate) fn command(&self, settings: &Settings) -> anyhow::Result<Vec<OsString>> {
        if let Some(command) = &self.command {
            return Ok(command.clone());
        }
        let name = &self.name;
        settings.bot(name).with_context(|| format!("{EXPECTED}; judge.toml has no bot {name}"))?;
        Ok(vec![name.into()])
    }
}

const EXPECTED: &str =
    "expected NAME=COMMAND, such as old=\"python3 bot.py\", or the name of a bot in judge.toml";

/// Parses `NAME=COMMAND` or a name. Splits the command into words as a shell does.
pub(crate) fn parse_named_bot(text: &str) -> Result<BotArgument, String> {
    let (name, command) = text.split_once('=').map_or((text, None), |(name, command)| (name, Some(command)));
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.+".contains(c));
    if !is_name {
        return Err(format!("{EXPECTED}; a name has letters, digits and \"-_.+\""));
    }
    let split =
        |command| shlex::split(command).ok_or_else(|| format!("{EXPECTED}: a quotation mark is not closed"));
    let words = command.map(split).transpose()?;
    if words.as_ref().is_some_and(Vec::is_empty) {
        return Err(format!("{EXPECTED}: there is no command"));
    }
    let command = words.map(|words| words.into_iter().map(OsString::from).collect());
    Ok(BotArgument { name: name.to_owned(), command })
}

/// Splits `words` into a header and a bot's command, which begins with the first source. If `bot` is not empty, `bot`
/// is the command and all `words` are the header.
pub(crate) fn split_words<'a>(
    words: &'a [String],
    bot: &'a [OsString],
    settings: &Settings,
) -> (&'a [String], Vec<OsString>) {
    match words.iter().position(|word| is_source(word, settings)) {
        Some(at) if bot.is_empty() => (&words[..at], words[at..].iter().map(OsString::from).collect()),
        _ => (words, bot.to_vec()),
    }
}

/// Parses `words` as a header; returns `None` if there are no words. If the words are not a header and one of them
/// names a program, the error says where to type `--`.
pub(crate) fn read_header(
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
        bail!(missing_dashes(name, &words[..at], &command, settings));
    }
    header.map(Some).context("the header is malformed")
}

/// Returns whether a word is probably the name of a program, not a part of a header.
fn is_program(word: &str, settings: &Settings) -> bool {
    // A range such as 3..9, or 1..n/2, which contains a slash.
    let is_range = word.starts_with(|first: char| first.is_ascii_digit()) && word.contains("..");
    let is_of_header = is_range
        || parse_number(word).is_some()
        || keywords().any(|keyword| keyword == word)
        || GameKind::named(word).is_some()
        || word.contains(' ');
    let is_path = word.contains('/') || Path::new(word).is_file();
    !is_of_header
        && (is_path
            || is_source_name(word, settings)
            || settings.bot(word).is_some()
            || program::find(OsStr::new(word)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_names_and_commands() {
        let bot = |name: &str, words: &[&str]| BotArgument {
            name: name.to_owned(),
            command: Some(words.iter().map(OsString::from).collect()),
        };
        assert_eq!(parse_named_bot("a"), Ok(BotArgument { name: "a".to_owned(), command: None }));
        assert_eq!(parse_named_bot("a=./bot"), Ok(bot("a", &["./bot"])));
        assert_eq!(parse_named_bot("a.2=X=1 'b c' d"), Ok(bot("a.2", &["X=1", "b c", "d"])));
        for (text, why) in [
            ("./bot", "expected NAME=COMMAND, such as old=\"python3 bot.py\""),
            ("=./bot", "letters"),
            ("a b=./bot", "letters"),
            ("a=", "there is no command"),
            ("a='b", "quotation mark"),
        ] {
            let error = parse_named_bot(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
