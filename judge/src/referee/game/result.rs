//! The result of a game.

use std::time::Duration;

use zeroxor::{Move, Side};

use crate::conversation::facts::Facts;
use crate::conversation::language::Language;
use crate::conversation::ruling::Ruling;
use crate::conversation::verdict::Verdict;
use crate::conversation::{Referee, rule};
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::exchange::EndCause;
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
    pub(crate) lines: u64,
    pub(crate) stderr: StderrExcerpt,
}

struct FinishedConversation<'a> {
    state: &'a GameState,
    game: &'a GameSetup,
    config: &'a MatchConfig,
}

impl Referee for FinishedConversation<'_> {
    fn facts(&self) -> Facts {
        self.state.facts(Language::of_command(&self.config.bot))
    }

    fn explain(&self, _: &Facts, mut ruling: Ruling) -> Ruling {
        if self.config.played_by.is_program() {
            return explain(ruling, self.state, self.game, self.config);
        }
        ruling.advice.clear();
        if ruling.verdict == Verdict::Interrupted {
            "the game was saved before its end".clone_into(&mut ruling.reason);
        }
        ruling
    }
}

impl GameResult {
    pub(crate) fn new(state: &GameState, game: &GameSetup, config: &MatchConfig, wall: Duration) -> Self {
        let conversation = FinishedConversation { state, game, config };
        let has_won = matches!(state.end_cause(), Some(EndCause::Won));
        let first_extra = || state.extra.split(|&byte| byte == b'\n').next().unwrap_or_default();
        Self {
            ruling: rule(&conversation),
            doubtful: conversation.facts().is_doubtful(),
            has_won,
            side: state.exchange.side,
            moves: state.exchange.moves.clone(),
            last_line: if has_won { first_extra() } else { &state.refused_line[..] }.to_vec(),
            wall,
            timing: state.timing,
            answer_times: state.answer_times.clone(),
            used: state.used,
            exit: state.exit,
            lines: state.io.received_lines,
            stderr: state.stderr.clone(),
        }
    }
}
