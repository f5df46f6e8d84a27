//! The bot's command as it is typed, and the command that starts the bot.

use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;
use itertools::Itertools;

use crate::settings::Settings;
use crate::sources;
use crate::sources::language;
use common::escape::shell_word;
use common::interrupt;
use referee::config::BuildOptions;

/// The command that starts the bot, if it is not the one that is typed: a name of `judge.toml` is replaced by its
/// command, and a source is compiled.
///
/// # Errors
///
/// If it cannot be compiled.
pub(super) fn started(
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

/// The command of a bot that begins with a name of `judge.toml`; what follows the name are more arguments.
fn named(bot: &[OsString], settings: &Settings) -> Option<Vec<OsString>> {
    let (name, args) = bot.split_first()?;
    let command = settings.bot(name.to_str()?)?;
    Some([command, args].concat())
}

/// The bot's command: the words after `--`, or a source and its arguments among the arguments of `judge NAME`.
///
/// # Errors
///
/// If these arguments do not begin with a source.
pub(super) fn chosen<'a>(
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
            bail!(misplaced(name, &[], &words, settings))
        }
    }
}

/// The error of a bot's command without `--` before it: what to type for `judge NAME`, or that the source, which needs
/// no `--`, does not exist.
pub(super) fn misplaced(name: &str, before: &[String], bot: &[String], settings: &Settings) -> String {
    if let Some(source) =
        bot.first().filter(|word| is_source_name(word, settings) && !Path::new(word).is_file())
    {
        return format!("there is no file {source}, which would be the bot's source");
    }
    let quoted = |words: &[String]| {
        let quote = |word: &String| shell_word(word).unwrap_or_else(|_| word.clone());
        words.iter().map(|word| format!(" {}", quote(word))).join("")
    };
    format!("expected \"--\" before the bot's command: judge {name}{} --{}", quoted(before), quoted(bot))
}

/// Whether a word names a source, so that "--" before it is not needed.
pub(super) fn is_source(word: impl AsRef<Path>, settings: &Settings) -> bool {
    is_source_name(&word, settings) && word.as_ref().is_file()
}

/// Whether a word ends as the name of a source does.
pub(super) fn is_source_name(word: impl AsRef<Path>, settings: &Settings) -> bool {
    language::of(word.as_ref(), &settings.languages).is_some()
}
