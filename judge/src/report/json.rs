//! One JSON object a game, a line each, flushed.

use std::io::Write;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use zeroxor::Move;

use super::Reporter;
use crate::referee::finished_game::FinishedGame;
use crate::referee::limits::HeldBy;
use crate::referee::review::Blunder;
use crate::referee::setup::OpponentKind;
use crate::referee::verdict::Verdict;

/// The format's version.
const SCHEMA: u32 = 1;

pub(crate) struct Json<W> {
    out: W,
}

impl<W: Write> Json<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out }
    }
}

/// The line of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameLine {
    schema: u32,
    pub(crate) game: String,
    pub(crate) opponent: OpponentKind,
    pub(crate) seed: u64,
    /// `null` if the bot never named one.
    side: Option<String>,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    moves: usize,
    /// From the header to the end of the process.
    wall_ms: f64,
    /// How long the judge waited for the bot's lines, and for which one longest: a move, or 0 for the side.
    waited_ms: f64,
    slowest_ply: Option<u64>,
    pub(crate) slowest_ms: Option<f64>,
    /// What the bot and all that it started used, as far as the system tells.
    cpu_ms: Option<f64>,
    memory_kib: Option<u64>,
    /// How the limits were held: `cgroup` or `proc`, `null` if they were not.
    limits: Option<HeldBy>,
    /// Who wins the start. Like all that follows `null` if the tables of nimbers would be too large, or the bot
    /// never named its side.
    start_won_by: Option<String>,
    /// The bot's moves that let a won position go.
    blunders: Option<Vec<BlunderFields>>,
    opponent_blunders: Option<u64>,
    /// Whether the bot resigned a position that it could have won.
    resigned_won: bool,
    /// The command that plays the game again, of one that was not won, if it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct BlunderFields {
    ply: u64,
    #[serde(rename = "move")]
    mv: [u64; 2],
    /// The nimber it left; `null` where only the outcome is known.
    nimber: Option<u64>,
    /// A move that would have kept the win.
    better: Option<[u64; 2]>,
}

impl From<&Blunder> for BlunderFields {
    fn from(blunder: &Blunder) -> Self {
        let pair = |mv: Move| [mv.place, mv.take];
        Self {
            ply: blunder.ply,
            mv: pair(blunder.mv),
            nimber: blunder.nimber.map(|nimber| nimber.0),
            better: blunder.better.map(pair),
        }
    }
}

impl From<&FinishedGame> for GameLine {
    fn from(game: &FinishedGame) -> Self {
        let FinishedGame { setup, result, review } = game;
        let review = review.as_ref().and_then(|review| review.as_ref().ok());
        Self {
            schema: SCHEMA,
            game: setup.game.header.to_string(),
            opponent: setup.game.opponent,
            seed: setup.game.seed,
            side: result.side.map(|side| side.to_string()),
            verdict: result.verdict,
            reason: result.reason.clone(),
            moves: result.moves.len(),
            wall_ms: ms(result.wall),
            waited_ms: ms(result.timing.waited),
            slowest_ply: result.timing.slowest.map(|(ply, _)| ply),
            slowest_ms: result.timing.slowest.map(|(_, wait)| ms(wait)),
            cpu_ms: result.used.cpu.map(ms),
            memory_kib: result.used.memory.map(|bytes| bytes >> 10),
            limits: setup.held_by,
            start_won_by: review.map(|review| review.winner.to_string()),
            blunders: review.map(|review| review.blunders.iter().map(BlunderFields::from).collect()),
            opponent_blunders: review.map(|review| review.opponent_blunders),
            resigned_won: game.has_resigned_won(),
            again: if result.verdict == Verdict::Won { None } else { setup.command() },
        }
    }
}

/// Milliseconds, to the microsecond.
fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

impl<W: Write> Reporter for Json<W> {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let line = GameLine::from(game);
        // Written at once: a killed judge leaves whole lines.
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.out.write_all(&text)?;
        self.out.flush()?;
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}
