//! The result of a game.

use std::time::Duration;

use zeroxor::{Move, Side};

use crate::conversation::facts::Facts;
use crate::conversation::language::Language;
use crate::conversation::ruling::Ruling;
use crate::conversation::verdict::Verdict;
use crate::conversation::{Referee, rule};
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::end_cause::{BotEnd, EndCause};
use crate::referee::game::explain::Explanation;
use crate::referee::game::explain::explain;
use crate::referee::game::game_state::{GameState, Timing};
use crate::referee::game::setup::GameSetup;
use runner::config::MatchConfig;
use runner::event::{Exit, Usage};
use runner::stderr_excerpt::StderrExcerpt;

#[derive(Debug)]
pub(crate) struct GameResult {
    pub(crate) ruling: Ruling,
    /// Whether the time of the game is in doubt, so that the game should be repeated.
    pub(crate) doubtful: bool,
    /// Whether the game ended with [`EndCause::Won`], whatever the bot did afterwards.
    pub(crate) has_won: bool,
    /// The bot's side; `None` if the bot never named one.
    pub(crate) side: Option<Side>,
    /// The moves of both sides.
    pub(crate) moves: Vec<Move>,
    /// The beginning of the refused line, or the first line that the bot printed after it had won; empty if there
    /// is no such line.
    pub(crate) last_line: Vec<u8>,
    /// The time from the start of the game until the bot ended or was ready for the next game.
    pub(crate) wall: Duration,
    pub(crate) timing: Timing,
    /// How long the judge waited for each answer of the bot, its side or a move.
    pub(crate) answer_times: AnswerTimes,
    pub(crate) used: Usage,
    /// How the bot ended; `None` if the judge ended it, or it plays on.
    pub(crate) exit: Option<Exit>,
    /// How many lines the bot wrote.
    pub(crate) lines: u64,
    /// The beginning and the end of the bot's stderr.
    pub(crate) stderr: StderrExcerpt,
}

/// The conversation of a game that has ended.
struct FinishedConversation<'a> {
    state: &'a GameState,
    game: &'a GameSetup,
    config: &'a MatchConfig,
}

impl Referee for FinishedConversation<'_> {
    fn facts(&self) -> Facts {
        let of_bot = Language::of_command(&self.config.bot);
        Facts { languages: [of_bot, Language::default()], ..self.state.facts() }
    }

    fn explain(&self, _: &Facts, mut ruling: Ruling) -> Ruling {
        let Explanation { why, advice } = explain(self.state, ruling.verdict, self.game, self.config);
        ruling.why.extend(why);
        ruling.advice.extend(advice);
        if !self.config.played_by.is_program() {
            ruling.advice.clear();
            if ruling.verdict == Verdict::Interrupted {
                "the game was saved before its end".clone_into(&mut ruling.reason);
            }
        }
        ruling
    }
}

impl GameResult {
    /// Makes the result of a game. `wall` is its duration.
    pub(crate) fn new(state: &GameState, game: &GameSetup, config: &MatchConfig, wall: Duration) -> Self {
        let ruling = rule(&FinishedConversation { state, game, config });
        Self {
            ruling,
            doubtful: state.is_doubtful(),
            has_won: matches!(state.end_cause(), Some(EndCause::Won)),
            side: state.side(),
            moves: state.moves().to_vec(),
            last_line: last_line(state).to_vec(),
            wall,
            timing: state.timing(),
            answer_times: state.answer_times().clone(),
            used: state.used(),
            exit: match state.bot_end() {
                BotEnd::Exited(exit) => Some(exit),
                BotEnd::Killed | BotEnd::PlaysOn => None,
            },
            lines: state.io().received_lines,
            stderr: state.stderr().clone(),
        }
    }
}

/// Returns the refused line, or the first line that the bot printed after it had won.
fn last_line(state: &GameState) -> &[u8] {
    match state.end_cause() {
        Some(EndCause::Won) => state.extra().split(|&byte| byte == b'\n').next().unwrap_or_default(),
        _ => state.refused_line(),
    }
}
