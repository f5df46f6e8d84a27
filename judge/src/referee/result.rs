//! The result of a game.

use std::time::Duration;

use zeroxor::{Move, Side};

use super::answer_times::AnswerTimes;
use super::config::MatchConfig;
use super::decide::{decide, excused, is_doubtful};
use super::end_cause::EndCause;
use super::event::Usage;
use super::explain::explain;
use super::explanation::Explanation;
use super::game_state::{GameState, Timing};
use super::setup::GameSetup;
use super::stderr_excerpt::StderrExcerpt;
use super::verdict::Verdict;

/// The result of a game.
#[derive(Debug)]
pub(crate) struct GameResult {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) explanation: Explanation,
    /// The verdict under the strict profile of a game that is won only under the contest profile.
    pub(crate) excused: Option<Verdict>,
    /// Whether a game with this result is played again alone, because its time is in doubt.
    pub(crate) doubtful: bool,
    /// Whether the opponent had no move left, whatever else happened then.
    pub(crate) has_won: bool,
    /// The bot's side; `None` if it never named one.
    pub(crate) side: Option<Side>,
    /// The moves of both sides.
    pub(crate) moves: Vec<Move>,
    /// The beginning of the bot's line that was refused, or that it printed after the end; empty if there is none.
    pub(crate) last_line: Vec<u8>,
    /// The time from the first line to the end of the process.
    pub(crate) wall: Duration,
    pub(crate) timing: Timing,
    /// How long the judge waited for each answer of the bot: its side and its moves.
    pub(crate) answer_times: AnswerTimes,
    pub(crate) used: Usage,
    /// The beginning and the end of what the bot wrote to stderr.
    pub(crate) stderr: StderrExcerpt,
}

impl GameResult {
    /// The result of a game of this set-up that took this time.
    pub(crate) fn new(state: &GameState, game: &GameSetup, config: &MatchConfig, wall: Duration) -> Self {
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

/// The bot's line that was refused, or that it printed when it had won.
fn last_line(state: &GameState) -> &[u8] {
    match state.end_cause() {
        Some(EndCause::Won) => state.extra().split(|&byte| byte == b'\n').next().unwrap_or_default(),
        _ => state.refused_line(),
    }
}
