//! The bots of a run: their names, their programs, and the check that a bot can take part.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use clap::ValueEnum;
use itertools::Itertools;
use zeroxor::{GameSpec, Side};

use crate::config::MatchConfig;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::text::shell_words;
use crate::trials::session::BotSession;

const BUNDLED: &str = "bundled";

const MAX_NAME_LENGTH: usize = 24;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entrant {
    pub(crate) name: String,
    pub(crate) program: EntrantProgram,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntrantProgram {
    Command(Vec<OsString>),
    /// The command that `judge.toml` defines under the bot's name.
    Named,
    Bundled,
    BuiltIn(OpponentKind),
}

impl Entrant {
    /// Returns the words of the command, or the name in `judge.toml`. Returns no words for a built-in bot.
    pub(crate) fn command(&self) -> Vec<OsString> {
        match &self.program {
            EntrantProgram::Command(words) => words.clone(),
            EntrantProgram::Named => vec![OsString::from(&self.name)],
            EntrantProgram::Bundled | EntrantProgram::BuiltIn(_) => Vec::new(),
        }
    }

    /// Parses `NAME=COMMAND` or a name. A command of one word may also name a built-in bot, and may have bytes that are
    /// not UTF-8.
    pub(crate) fn parse(text: OsString) -> Result<Self, String> {
        let text = text.into_vec();
        let mut parts = text.splitn(2, |&byte| byte == b'=');
        let name = String::from_utf8_lossy(parts.next().unwrap_or_default());
        let command = parts.next();
        let is_allowed = |symbol: char| symbol.is_ascii_alphanumeric() || matches!(symbol, '-' | '_' | '.');
        let has_length = (1..=MAX_NAME_LENGTH).contains(&name.len());
        if !has_length || !name.chars().all(is_allowed) || name.starts_with(['-', '.']) {
            return Err(match command {
                None => format!("expected NAME=COMMAND, as in a='python3 a.py', got {name:?}"),
                Some(_) => format!(
                    "expected a name of 1 to {MAX_NAME_LENGTH} letters, digits, \"-\", \"_\" and \".\" for a bot, got \
                     {name:?}"
                ),
            });
        }
        let Some(command) = command else {
            let program = built_in_bot(&name).unwrap_or(EntrantProgram::Named);
            return Ok(Self { name: name.into_owned(), program });
        };
        if built_in_bot(&name).is_some() {
            return Err(format!("\"{name}\" is the name of a built-in bot: choose another name"));
        }
        let words = shell_words(command).ok_or_else(|| {
            format!("the command of {name} has an unclosed quote, or a backslash at its end")
        })?;
        if words.is_empty() {
            return Err(format!("expected the command of {name} after \"=\""));
        }
        let built_in = words.iter().exactly_one().ok().and_then(|word| built_in_bot(word.to_str()?));
        Ok(Self { name: name.into_owned(), program: built_in.unwrap_or(EntrantProgram::Command(words)) })
    }
}

pub(crate) fn built_in_bots() -> String {
    format!(
        "{BUNDLED}, and in judge arena also {}",
        OpponentKind::value_variants().iter().map(|kind| kind.name()).join(", ")
    )
}

fn built_in_bot(name: &str) -> Option<EntrantProgram> {
    let built_in = || OpponentKind::from_str(name, false).ok().map(EntrantProgram::BuiltIn);
    if name == BUNDLED { Some(EntrantProgram::Bundled) } else { built_in() }
}

/// Returns why a bot cannot take part. A bot that names no side even without an assigned seat can, and loses.
pub(crate) fn missing_ability(
    entrant: &Entrant,
    config: &MatchConfig,
    start: &GameSpec,
) -> anyhow::Result<Option<String>> {
    if matches!(entrant.program, EntrantProgram::Bundled | EntrantProgram::BuiltIn(_)) {
        return Ok(None);
    }
    let play = |is_session: bool, side: Option<Side>| {
        let config = MatchConfig { session: is_session, ..config.clone() };
        let mut session = BotSession::new(&format!("the bot {}", entrant.name), config, 1)?;
        let header = GameHeader::new(start.clone(), side);
        session.play(GameSetup::new(header, OpponentKind::Perfect, 1), &mut ())
    };
    for side in [Side::Second, Side::First] {
        let FinishedGame { setup, result, .. } = play(false, Some(side))?;
        if result.side != Some(side) {
            let plays_without = play(false, None)?.result.side.is_some();
            return Ok(plays_without.then(|| {
                format!(
                    "the bot {} does not support assigned seats, which games between bots need: after \"{}\" \
                     it should print \"{side}\" ({}: {}); see \"seat\" in docs/protocol.md",
                    entrant.name, setup.game.header, result.ruling.verdict, result.ruling.reason
                )
            }));
        }
    }
    if !config.session {
        return Ok(None);
    }
    let FinishedGame { result, .. } = play(true, Some(Side::First))?;
    Ok((result.side != Some(Side::First)).then(|| {
        format!(
            "the bot {} does not support sessions: it should read the line \"games T\", and then play T \
             games, each after its header ({}: {}); omit --session, or see \"games\" in docs/protocol.md",
            entrant.name, result.ruling.verdict, result.ruling.reason
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_bots() {
        let parse = |text: &str| Entrant::parse(text.into());
        let bot = parse("a='python3 a.py' --seed=7").unwrap();
        assert_eq!(bot.name, "a");
        assert_eq!(bot.command(), ["python3 a.py", "--seed=7"]);
        let bot = Entrant::parse(OsString::from_vec(b"a=./\xff 1".to_vec())).unwrap();
        assert_eq!(bot.command(), [OsString::from_vec(b"./\xff".to_vec()), "1".into()]);
        assert_eq!(parse("bundled").unwrap().program, EntrantProgram::Bundled);
        assert_eq!(parse("perfect").unwrap().program, EntrantProgram::BuiltIn(OpponentKind::Perfect));
        assert_eq!(parse("mine").unwrap().program, EntrantProgram::Named);
        assert_eq!(parse("a=bundled").unwrap().program, EntrantProgram::Bundled);
        for (text, expected) in [
            ("", "expected NAME=COMMAND"),
            ("./a", "expected NAME=COMMAND"),
            ("=x", "expected a name"),
            ("a b=x", "expected a name"),
            ("../a=x", "expected a name"),
            ("a=", "expected the command of a"),
            ("a='x", "an unclosed quote"),
            ("perfect=x", "the name of a built-in bot"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
