//! The result of a game for one of its two bots.

use anyhow::ensure;
use serde::{Deserialize, Serialize};

use crate::conversation::verdict::Verdict;
use crate::json::{check_ms, ms};
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::review::FinishedGame;

/// The result of a game for one of its two bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeatResult {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    /// Whether the bot's time is in doubt.
    pub(crate) doubtful: bool,
    pub(crate) has_named_side: bool,
    /// The number of moves made by both bots, as seen on this bot's side of the game.
    pub(crate) moves: usize,
    /// The longest wait for a line, in milliseconds.
    pub(crate) slowest_ms: Option<f64>,
    pub(crate) cpu_ms: Option<f64>,
    pub(crate) memory_kib: Option<u64>,
    /// The times that the judge waited for the bot's answers.
    pub(crate) answer_times: AnswerTimes,
    pub(crate) review: Option<ReviewFields>,
    /// The command that plays the game again with the same moves of the opponent, if the bot broke a rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<String>,
}

/// Upper bound on the number of moves of a game.
const MAX_MOVES: usize = 1 << 53;

impl SeatResult {
    /// Checks the numbers of a result that was read.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let Self { moves, slowest_ms, cpu_ms, answer_times, .. } = self;
        check_ms("slowest_ms", *slowest_ms)?;
        check_ms("cpu_ms", *cpu_ms)?;
        ensure!(*moves <= MAX_MOVES, "expected at most {MAX_MOVES} moves, got {moves}");
        // One answer for the side, one for each move, and one for a line that was not a move.
        let (answers, max_answers) = (answer_times.count(), *moves as u128 + 2);
        ensure!(
            answers <= max_answers,
            "expected at most {max_answers} answers in answer_times for {moves} moves, got {answers}"
        );
        Ok(())
    }
}

/// The part of a comparison with perfect play that the standings need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReviewFields {
    /// The side that wins the start.
    pub(crate) start_won_by: String,
    /// The plies of the bot's blunders.
    pub(crate) blunders: Vec<u64>,
    pub(crate) opponent_blunders: u64,
}

/// Returns whether a bot that ended a game with this verdict kept to the rules.
pub(crate) fn is_clean(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Won | Verdict::Lost | Verdict::Resigned)
}

impl From<&FinishedGame> for SeatResult {
    fn from(game: &FinishedGame) -> Self {
        let result = &game.result;
        let review = game.review.as_ref().and_then(|review| review.as_ref().ok());
        Self {
            verdict: result.ruling.verdict,
            reason: result.ruling.reason.clone(),
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
            again: if is_clean(result.ruling.verdict) { None } else { game.command() },
        }
    }
}
