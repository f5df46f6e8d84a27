//! What the arena and its hosts send each other, as lines of JSON.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use zeroxor::Move;

use crate::matches::opponent::OpponentTurn;
use crate::referee::answer_times::AnswerTimes;
use crate::referee::finished_game::FinishedGame;
use crate::referee::setup::GameSetup;
use crate::referee::verdict::Verdict;

/// A game that a host is to play with its bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct HostedGame {
    /// The game's number in the run.
    pub(crate) index: u64,
    /// The set-up, with the seat of the host's bot.
    pub(crate) setup: GameSetup,
    /// The file for a transcript.
    pub(crate) transcript: Option<PathBuf>,
    /// Whether the transcript is kept if the bot broke no rule.
    pub(crate) keeps_clean: bool,
}

/// What a bot did when it was its turn, as its opponent is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PeerTurn {
    /// It took the second number at the place of the first.
    Move(u64, u64),
    NoMove,
    Forfeit(Verdict),
}

impl From<PeerTurn> for OpponentTurn {
    fn from(turn: PeerTurn) -> Self {
        match turn {
            PeerTurn::Move(place, take) => Self::Move(Move { place, take }),
            PeerTurn::NoMove => Self::NoMove,
            PeerTurn::Forfeit(verdict) => Self::Forfeit(verdict),
        }
    }
}

/// A line to a host.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToHost {
    Game(Box<HostedGame>),
    /// A turn of the other bot in the game of this number.
    Turn(u64, PeerTurn),
}

/// A line from a host.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FromHost {
    /// A turn of its bot.
    Turn(PeerTurn),
    /// The game is over.
    Result(Box<SeatResult>),
}

/// How a game went for one of its two bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeatResult {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    /// Whether the bot's time is in doubt.
    pub(crate) doubtful: bool,
    /// Whether the bot named its side.
    pub(crate) has_named_side: bool,
    /// How many moves had been made, by its host's count.
    pub(crate) moves: usize,
    /// The longest wait for a line, in milliseconds.
    pub(crate) slowest_ms: Option<f64>,
    pub(crate) cpu_ms: Option<f64>,
    pub(crate) memory_kib: Option<u64>,
    /// How long the judge waited for its answers.
    pub(crate) answer_times: AnswerTimes,
    pub(crate) review: Option<ReviewFields>,
    /// The command that plays the game again with the same moves of the opponent, if the bot broke a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<String>,
}

impl SeatResult {
    /// How many of the bot's moves gave a won position away, as far as that is known.
    pub(crate) fn blunders(&self) -> u64 {
        self.review.as_ref().map_or(0, |review| review.blunders.len() as u64)
    }
}

/// The comparison with perfect play, as far as it is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReviewFields {
    /// The side that wins the start.
    pub(crate) start_won_by: String,
    /// The plies of the bot's blunders.
    pub(crate) blunders: Vec<u64>,
    pub(crate) opponent_blunders: u64,
}

/// Whether a bot that ended a game with this verdict kept to the rules.
pub(crate) fn is_clean(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Won | Verdict::Lost | Verdict::Resigned)
}

impl From<&FinishedGame> for SeatResult {
    fn from(game: &FinishedGame) -> Self {
        let result = &game.result;
        let ms = |time: std::time::Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let review = game.review.as_ref().and_then(|review| review.as_ref().ok());
        Self {
            verdict: result.verdict,
            reason: result.reason.clone(),
            doubtful: result.doubtful,
            has_named_side: result.side.is_some(),
            moves: result.moves.len(),
            slowest_ms: result.timing.slowest.map(|(_, wait)| ms(wait)),
            cpu_ms: result.used.cpu.map(ms),
            memory_kib: result.used.memory.map(|bytes| bytes >> 10),
            answer_times: result.answer_times.clone(),
            review: review.map(|review| ReviewFields {
                start_won_by: review.winner.to_string(),
                blunders: review.blunders.iter().map(|blunder| blunder.ply).collect(),
                opponent_blunders: review.opponent_blunders,
            }),
            again: if is_clean(result.verdict) { None } else { game.command() },
        }
    }
}
