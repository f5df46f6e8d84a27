//! Transcripts: games as JSON lines, one game after another. A game is a line with its set-up, a line for each event,
//! and a line with its result.

use std::io;
use std::time::Duration;

use runner::config::MatchConfig;
use runner::event::{RecordedEvent, Usage};
use runner::limits::HeldBy;
use runner::nanos;
use serde::{Deserialize, Serialize};

use crate::conversation::verdict::{Class, Verdict};
use crate::referee::game::result::GameResult;
use crate::referee::game::setup::GameSetup;
use crate::report::transcript_file::VERSION;

pub(crate) mod read;
pub(crate) mod writer;

/// A log that stores the set-up of each game, its events as they happen, and its result.
pub(crate) trait GameLog {
    /// Begins a game.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    fn begin(&mut self, _setup: &SetupLine) -> anyhow::Result<()> {
        Ok(())
    }

    /// Stores an event.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()>;

    /// Ends a game.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    fn end(&mut self, _result: &ResultLine) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Two logs of the same games.
impl<A: GameLog, B: GameLog> GameLog for (A, B) {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.0.begin(setup)?;
        self.1.begin(setup)
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        self.0.write(entry)?;
        self.1.write(entry)
    }

    fn end(&mut self, result: &ResultLine) -> anyhow::Result<()> {
        self.0.end(result)?;
        self.1.end(result)
    }
}

/// An optional log; `None` stores nothing.
impl<L: GameLog> GameLog for Option<L> {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.as_mut().map_or(Ok(()), |log| log.begin(setup))
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        self.as_mut().map_or(Ok(()), |log| log.write(entry))
    }

    fn end(&mut self, result: &ResultLine) -> anyhow::Result<()> {
        self.as_mut().map_or(Ok(()), |log| log.end(result))
    }
}

/// A log that stores nothing.
impl GameLog for () {
    fn write(&mut self, _entry: &RecordedEvent) -> io::Result<()> {
        Ok(())
    }
}

/// The first line of a game: all that is needed to play the game again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SetupLine {
    /// The version of the format.
    pub(crate) transcript: u32,
    /// The judge's version.
    pub(crate) judge: String,
    #[serde(flatten)]
    pub(crate) game: GameSetup,
    #[serde(flatten)]
    pub(crate) config: MatchConfig,
    /// How the bot's limits were enforced; `None` if the judge did not start the bot.
    pub(crate) held_by: Option<HeldBy>,
}

impl SetupLine {
    /// Makes the first line of a game that this judge plays.
    pub(crate) fn new(game: GameSetup, config: MatchConfig, held_by: Option<HeldBy>) -> Self {
        Self { transcript: VERSION, judge: env!("CARGO_PKG_VERSION").to_owned(), game, config, held_by }
    }

    /// Returns the command that plays this game again, quoted for a shell; `None` if a word of it is not UTF-8.
    pub(crate) fn command(&self) -> Option<String> {
        self.config.run_command(&self.game.to_string())
    }
}

/// The last line of a game: the part of its result that is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ResultLine {
    pub(crate) verdict: Verdict,
    pub(crate) class: Class,
    pub(crate) reason: String,
    pub(crate) side: Option<String>,
    pub(crate) moves: usize,
    #[serde(rename = "wall_ns", with = "nanos")]
    pub(crate) wall: Duration,
    /// How long the judge waited for the bot's lines.
    #[serde(rename = "waited_ns", with = "nanos")]
    pub(crate) waited: Duration,
    #[serde(flatten)]
    pub(crate) used: Usage,
}

impl From<&GameResult> for ResultLine {
    fn from(result: &GameResult) -> Self {
        Self {
            verdict: result.ruling.verdict,
            class: result.ruling.class,
            reason: result.ruling.reason.clone(),
            side: result.side.map(|side| side.to_string()),
            moves: result.moves.len(),
            wall: result.wall,
            waited: result.timing.waited,
            used: result.used,
        }
    }
}
