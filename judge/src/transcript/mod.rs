//! Transcripts: games as JSON lines, an opening, its events byte by byte and its closing, one game after the other.

use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cli::conditions::DEFAULT_LIMITS;
use crate::conversation::Outcome;
use crate::event::{Entry, Usage};
use crate::limits::Limits;
use crate::nanos;
use crate::player::opponent::Kind;
use crate::verdict::{Profile, Verdict};

pub(crate) mod read;
pub(crate) mod write;

/// The format's version.
pub(crate) const VERSION: u32 = 1;

/// Keeps the events of a game as they happen.
pub(crate) trait Log {
    fn write(&mut self, entry: &Entry) -> io::Result<()>;
}

/// Nothing is kept.
impl Log for () {
    fn write(&mut self, _entry: &Entry) -> io::Result<()> {
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
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
    /// Whether one process plays several games.
    pub(crate) session: bool,
    pub(crate) sandbox: bool,
    /// The bot's command as it was typed, empty for the bundled bot.
    pub(crate) bot: Vec<String>,
}

impl Opening {
    /// The command that plays this game again, as a shell takes it.
    pub(crate) fn command(&self) -> String {
        let mut command =
            format!("judge run {} --opponent {} --seed {}", self.game, self.opponent.name(), self.seed);
        for (flag, limit, default) in [
            ("time", self.limits.cpu, DEFAULT_LIMITS.cpu),
            ("wall", self.limits.wall, self.limits.cpu),
            ("idle", self.limits.idle, self.limits.wall),
        ] {
            if limit != default {
                command += &format!(" --{flag}-limit {}", limit.as_secs_f64());
            }
        }
        if self.limits.memory != DEFAULT_LIMITS.memory {
            command += &format!(" --memory-limit {}", self.limits.memory >> 20);
        }
        if self.limits.grace != DEFAULT_LIMITS.grace {
            command += &format!(" --grace {}", self.limits.grace.as_secs_f64());
        }
        if self.profile == Profile::Strict {
            command += " --profile strict";
        }
        for (flag, is_set) in [(" --session", self.session), (" --sandbox", self.sandbox)] {
            command += if is_set { flag } else { "" };
        }
        if !self.bot.is_empty() {
            command += " --";
        }
        for word in &self.bot {
            // Only a NUL byte cannot be quoted, and no argument can hold one.
            command += &format!(" {}", shlex::try_quote(word).unwrap_or_default());
        }
        command
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
            waited: outcome.pace.waited,
            used: outcome.used,
        }
    }
}
