//! The report for a program: a JSON line for each game, and one for the summary of several games.

use std::io::Write;

use runner::limits::HeldBy;
use serde::{Deserialize, Serialize};
use zeroxor::Move;

use crate::SCHEMA;
use crate::conversation::verdict::{Class, Verdict};
use crate::json::ms;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::review::{Blunder, Review, WrongSide};
use crate::referee::game::setup::OpponentKind;
use crate::report::Reporter;
use crate::report::summary::{Summary, SummaryLine};

/// A reporter that writes JSON for a program.
pub(crate) struct Json<W> {
    out: W,
    summary: Summary,
}

impl<W: Write> Json<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, summary: Summary::default() }
    }

    /// Writes and flushes a line, so that a killed judge leaves only complete lines.
    fn write(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(value)?;
        text.push(b'\n');
        self.out.write_all(&text)?;
        self.out.flush()?;
        Ok(())
    }
}

/// The JSON line of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameLine {
    schema: u32,
    /// The name of the bot, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bot_name: Option<String>,
    bot: Vec<String>,
    pub(crate) game: String,
    pub(crate) opponent: OpponentKind,
    pub(crate) seed: u64,
    /// The bot's side; `null` if it never named one.
    side: Option<String>,
    pub(crate) verdict: Verdict,
    class: Class,
    pub(crate) reason: String,
    /// The evidence for a verdict other than `WON`; `advice` says what to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) why: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) advice: Vec<String>,
    /// The verdict that the strict profile would give, if only the contest profile counts the game as won.
    #[serde(default)]
    pub(crate) excused: Option<Verdict>,
    /// Whether the wall time was used up although the bot used far less CPU time. Such a game is repeated without other
    /// games at the same time, and only the second result is reported.
    #[serde(default)]
    pub(crate) doubtful: bool,
    moves: usize,
    /// The time from the header to the end of the process.
    wall_ms: f64,
    /// How long the judge waited for the bot's lines in total.
    waited_ms: f64,
    /// The number of the move for which the judge waited longest, or 0 for the choice of the side.
    slowest_ply: Option<u64>,
    pub(crate) slowest_ms: Option<f64>,
    /// The CPU time of the bot and of all processes that it started; `null` if the system does not report it.
    cpu_ms: Option<f64>,
    /// The peak memory of the bot and of all processes that it started; `null` if the system does not report it.
    memory_kib: Option<u64>,
    /// How the limits were enforced: `cgroup` or `proc`; `null` if the limits were not enforced.
    limits: Option<HeldBy>,
    /// The side that wins the start with perfect play. This field, `blunders` and `opponent_blunders` are `null` if the
    /// tables of nimbers would be too large, or if the bot never named its side.
    start_won_by: Option<String>,
    /// The bot's blunders.
    blunders: Option<Vec<BlunderFields>>,
    opponent_blunders: Option<u64>,
    /// Whether the bot resigned a position that it could have won.
    resigned_won: bool,
    /// The command that plays the game again, if the game was not won and the command is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<String>,
    /// What the bot wrote to stderr, in the report of a worker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) stderr: Vec<String>,
}

/// The JSON object of a blunder.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BlunderFields {
    /// The move's number, or 0 for the choice of the side.
    ply: u64,
    /// The side that was chosen, if that is the blunder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<String>,
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    mv: Option<[u64; 2]>,
    /// The nimber of the position after the move; `null` if only the outcome is known.
    nimber: Option<u64>,
    /// A move that would have kept the win.
    better: Option<[u64; 2]>,
}

fn pair(mv: Move) -> [u64; 2] {
    [mv.place, mv.take]
}

impl From<&WrongSide> for BlunderFields {
    fn from(wrong: &WrongSide) -> Self {
        let side = Some(wrong.chosen.to_string());
        Self { ply: 0, side, mv: None, nimber: None, better: wrong.better.map(pair) }
    }
}

impl From<&Blunder> for BlunderFields {
    fn from(blunder: &Blunder) -> Self {
        Self {
            ply: blunder.ply,
            side: None,
            mv: Some(pair(blunder.mv)),
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
            bot_name: setup.config.name.clone(),
            bot: setup.config.bot_words(),
            game: setup.game.header.to_string(),
            opponent: setup.game.opponent,
            seed: setup.game.seed,
            side: result.side.map(|side| side.to_string()),
            verdict: result.ruling.verdict,
            class: result.ruling.class,
            reason: result.ruling.reason.clone(),
            why: result.ruling.why.clone(),
            advice: result.ruling.advice.clone(),
            excused: result.ruling.excused(),
            doubtful: result.doubtful,
            moves: result.moves.len(),
            wall_ms: ms(result.wall),
            waited_ms: ms(result.timing.waited),
            slowest_ply: result.timing.slowest.map(|(ply, _)| ply),
            slowest_ms: result.timing.slowest.map(|(_, wait)| ms(wait)),
            cpu_ms: result.used.cpu.map(ms),
            memory_kib: result.used.memory.map(|bytes| bytes >> 10),
            limits: setup.held_by,
            start_won_by: review.map(|review| review.winner.to_string()),
            blunders: review.map(blunders),
            opponent_blunders: review.map(|review| review.opponent_blunders),
            resigned_won: game.has_resigned_a_won_position(),
            stderr: Vec::new(),
            again: if result.ruling.verdict == Verdict::Won { None } else { game.command() },
        }
    }
}

/// Returns the bot's blunders. The choice of the wrong side comes first.
fn blunders(review: &Review) -> Vec<BlunderFields> {
    let side = review.wrong_side.iter().map(BlunderFields::from);
    side.chain(review.blunders.iter().map(BlunderFields::from)).collect()
}

impl<W: Write> Reporter for Json<W> {
    fn game(&mut self, game: &FinishedGame) -> anyhow::Result<()> {
        self.summary.add(game);
        self.write(&GameLine::from(game))
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        if self.summary.games() < 2 {
            return Ok(());
        }
        let summary = std::mem::take(&mut self.summary);
        self.write(&SummaryLine::from(&summary))
    }
}
