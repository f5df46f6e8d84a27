//! The result of a game.

use std::time::Duration;

use zeroxor::{Move, Side};

use super::answer_times::AnswerTimes;
use super::config::MatchConfig;
use super::decide::{decide, excused, is_doubtful};
use super::end_cause::EndCause;
use super::explain::explain;
use super::game_state::{GameState, Timing};
use super::setup::GameSetup;
use super::verdict::Verdict;
use crate::explain::Explanation;
use runner::event::Usage;
use runner::stderr_excerpt::StderrExcerpt;

/// The result of a game.
#[derive(Debug)]
pub struct GameResult {
    pub verdict: Verdict,
    pub reason: String,
    pub explanation: Explanation,
    /// The verdict under the strict profile of a game that is won only under the contest profile.
    pub excused: Option<Verdict>,
    /// Whether a game with this result is repeated automatically, because its time is in doubt.
    pub doubtful: bool,
    /// Whether the opponent had no move left, whatever happened afterwards.
    pub has_won: bool,
    /// The bot's side; `None` if the bot never named one.
    pub side: Option<Side>,
    /// The moves of both sides.
    pub moves: Vec<Move>,
    /// The beginning of the bot's line that was refused, or that was printed after the end; empty if there is none.
    pub last_line: Vec<u8>,
    /// The time from the first line to the end of the process.
    pub wall: Duration,
    pub timing: Timing,
    /// How long the judge waited for each answer of the bot: its side and its moves.
    pub answer_times: AnswerTimes,
    pub used: Usage,
    /// The beginning and the end of the bot's stderr.
    pub stderr: StderrExcerpt,
}

impl GameResult {
    /// Makes the result of a game with this set-up and this wall time.
    pub fn new(state: &GameState, game: &GameSetup, config: &MatchConfig, wall: Duration) -> Self {
        let (verdict, mut reason) = decide(state);
        if !config.played_by.is_program() && verdict == Verdict::Interrupted {
            "the game was saved before its end".clone_into(&mut reason);
        }
        Self {
            verdict,
            reason,
            explanation: explain(state, verdict, game, config),
            excused: excused(state),
            doubtful: is_doubtful(state),
            has_won: matches!(state.end_cause(), Some(EndCause::Won)),
            side: state.side(),
            moves: state.moves().to_vec(),
            last_line: last_line(state).to_vec(),
            wall,
            timing: state.timing(),
            answer_times: state.answer_times().clone(),
            used: state.used(),
            stderr: state.stderr().clone(),
        }
    }
}

/// Returns the bot's line that was refused, or that it printed after it had won.
fn last_line(state: &GameState) -> &[u8] {
    match state.end_cause() {
        Some(EndCause::Won) => state.extra().split(|&byte| byte == b'\n').next().unwrap_or_default(),
        _ => state.refused_line(),
    }
}
