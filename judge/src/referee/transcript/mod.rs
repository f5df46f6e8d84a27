//! Transcripts: games as JSON lines, an opening, its events byte by byte and its closing, one game after the
//! other.

use std::io;
use std::time::Duration;

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::escape::shell_word;
use crate::matches::game::Outcome;
use crate::matches::opponent::{Kind, Line};
use crate::referee::config::Terms;
use crate::referee::event::{RecordedEvent, Usage};
use crate::referee::limits::HeldBy;
use crate::referee::nanos;
use crate::referee::verdict::Verdict;

pub(crate) mod read;
pub(crate) mod weight;

/// The format's version.
pub(crate) const VERSION: u32 = 1;

/// Keeps the events of a game as they happen.
pub(crate) trait Log {
    /// A game begins.
    fn begin(&mut self, _opening: &Opening) -> anyhow::Result<()> {
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()>;

    /// It has ended.
    fn end(&mut self, _closing: &Closing) -> io::Result<()> {
        Ok(())
    }
}

/// What is kept only where it is asked for.
impl<L: Log> Log for Option<L> {
    fn begin(&mut self, opening: &Opening) -> anyhow::Result<()> {
        self.as_mut().map_or(Ok(()), |log| log.begin(opening))
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        self.as_mut().map_or(Ok(()), |log| log.write(entry))
    }

    fn end(&mut self, closing: &Closing) -> io::Result<()> {
        self.as_mut().map_or(Ok(()), |log| log.end(closing))
    }
}

/// Nothing is kept.
impl Log for () {
    fn write(&mut self, _entry: &RecordedEvent) -> io::Result<()> {
        Ok(())
    }
}

/// All that sets up a game, and would set it up again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Opening {
    /// The format's version.
    pub(crate) transcript: u32,
    /// The judge's version.
    pub(crate) judge: String,
    /// The header as the bot got it.
    pub(crate) game: String,
    pub(crate) opponent: Kind,
    pub(crate) seed: u64,
    /// The opponent's first moves, where they were set.
    pub(crate) line: Line,
    #[serde(flatten)]
    pub(crate) terms: Terms,
    /// How the bot was held to its limits; `None` if the judge had not started it.
    pub(crate) held_by: Option<HeldBy>,
    /// The bot's command as it was typed, with U+FFFD for what is not UTF-8; empty for the bundled bot.
    pub(crate) bot: Vec<String>,
}

impl Opening {
    /// The command that plays this game again, as a shell takes it; `None` if the bot's is not known byte by
    /// byte.
    pub(crate) fn command(&self) -> Option<String> {
        let Self { game, opponent, seed, line, .. } = self;
        let mut command = format!("judge run {game} --opponent {} --seed {seed}", opponent.name());
        if !line.is_empty() {
            command += &format!(
                " --line \"{}\"",
                line.iter().map(|[place, take]| format!("{place} {take}")).format(", ")
            );
        }
        for option in self.terms.options() {
            command += &format!(" {option}");
        }
        if !self.bot.is_empty() {
            command += " --";
        }
        for word in &self.bot {
            if word.contains(char::REPLACEMENT_CHARACTER) {
                return None;
            }
            // Only a NUL byte cannot be quoted, and no argument can hold one.
            command += &format!(" {}", shell_word(word).ok()?);
        }
        Some(command)
    }
}

/// What a game has come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Closing {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) side: Option<String>,
    pub(crate) moves: usize,
    #[serde(rename = "wall_ns", with = "nanos")]
    pub(crate) wall: Duration,
    /// How long the judge waited for the bot.
    #[serde(rename = "waited_ns", with = "nanos")]
    pub(crate) waited: Duration,
    #[serde(flatten)]
    pub(crate) used: Usage,
}

impl From<&Outcome> for Closing {
    fn from(outcome: &Outcome) -> Self {
        Self {
            verdict: outcome.verdict,
            reason: outcome.reason.clone(),
            side: outcome.side.map(|side| side.to_string()),
            moves: outcome.moves.len(),
            wall: outcome.wall,
            waited: outcome.timing.waited,
            used: outcome.used,
        }
    }
}
