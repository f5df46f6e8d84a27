//! A bot with a name, as it is typed: `NAME=COMMAND`, or the name of a bot of `judge.toml`.

use std::ffi::OsString;

use anyhow::Context;

use crate::settings::Settings;

/// A bot with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BotArgument {
    pub(crate) name: String,
    /// The words of its command; `None` for that of `judge.toml`.
    command: Option<Vec<OsString>>,
}

impl BotArgument {
    /// The words of its command. The name of a bot of `judge.toml` is one.
    ///
    /// # Errors
    ///
    /// If `judge.toml` has no bot with this name.
    pub(super) fn command(&self, settings: &Settings) -> anyhow::Result<Vec<OsString>> {
        if let Some(command) = &self.command {
            return Ok(command.clone());
        }
        let name = &self.name;
        settings.bot(name).with_context(|| format!("{EXPECTED}; judge.toml has no bot {name}"))?;
        Ok(vec![name.into()])
    }
}

const EXPECTED: &str =
    "expected NAME=COMMAND, as in old=\"python3 bot.py\", or the name of a bot of judge.toml";

/// Parses `NAME=COMMAND` or a name. The command is split into words as by a shell.
pub(super) fn parse(text: &str) -> Result<BotArgument, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_commands() {
        let bot = |name: &str, words: &[&str]| BotArgument {
            name: name.to_owned(),
            command: Some(words.iter().map(OsString::from).collect()),
        };
        assert_eq!(parse("a"), Ok(BotArgument { name: "a".to_owned(), command: None }));
        assert_eq!(parse("a=./bot"), Ok(bot("a", &["./bot"])));
        assert_eq!(parse("a.2=X=1 'b c' d"), Ok(bot("a.2", &["X=1", "b c", "d"])));
        for (text, why) in [
            ("./bot", "expected NAME=COMMAND, as in old=\"python3 bot.py\""),
            ("=./bot", "letters"),
            ("a b=./bot", "letters"),
            ("a=", "there is no command"),
            ("a='b", "quotation mark"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
