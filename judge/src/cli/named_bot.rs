//! A bot with a name, as it is typed: `NAME=COMMAND`.

use std::ffi::OsString;

/// A bot with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedBot {
    pub(crate) name: String,
    /// The words of its command.
    pub(crate) command: Vec<OsString>,
}

/// Parses `NAME=COMMAND`. The command is split into words as by a shell.
pub(super) fn parse(text: &str) -> Result<NamedBot, String> {
    const EXPECTED: &str = "expected NAME=COMMAND, as in old=\"python3 bot.py\"";
    let (name, command) = text.split_once('=').ok_or(EXPECTED)?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.+".contains(c));
    if !is_name {
        return Err(format!("{EXPECTED}, with a name of letters, digits and \"-_.+\""));
    }
    let words = shlex::split(command).ok_or_else(|| format!("{EXPECTED}: a quotation mark is not closed"))?;
    if words.is_empty() {
        return Err(format!("{EXPECTED}: there is no command"));
    }
    Ok(NamedBot { name: name.to_owned(), command: words.into_iter().map(OsString::from).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_commands() {
        let bot = |name: &str, words: &[&str]| NamedBot {
            name: name.to_owned(),
            command: words.iter().map(OsString::from).collect(),
        };
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
