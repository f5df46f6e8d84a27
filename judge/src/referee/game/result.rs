//! The result of a game.

use std::time::Duration;

use runner::config::MatchConfig;
use zeroxor::{Move, Side};

use crate::conversation::decide::decide;
use crate::conversation::language::Language;
use crate::conversation::record::ProgramRecord;
use crate::conversation::verdict::Ruling;
use crate::referee::game::explain::explain;
use crate::referee::game::game_state::{GameState, Timing};
use crate::referee::game::setup::GameSetup;

#[derive(Debug)]
pub(crate) struct GameResult {
    pub(crate) ruling: Ruling,
    /// Whether the time of the game is in doubt, so that the game should be repeated.
    pub(crate) doubtful: bool,
    /// Whether the bot won by the moves, whatever it did afterwards.
    pub(crate) has_won: bool,
    /// The bot's side; `None` if the bot never named one.
    pub(crate) side: Option<Side>,
    pub(crate) moves: Vec<Move>,
    /// The beginning of the refused line, or the first line that the bot printed after it had won; may be empty.
    pub(crate) last_line: Vec<u8>,
    pub(crate) timing: Timing,
    pub(crate) bot: ProgramRecord,
}

impl GameResult {
    pub(crate) fn new(state: &GameState, game: &GameSetup, config: &MatchConfig, wall: Duration) -> Self {
        let facts = state.facts(Language::of_command(&config.bot));
        let has_won = state.has_won();
        let first_extra = || state.extra.split(|&byte| byte == b'\n').next().unwrap_or_default();
        Self {
            ruling: explain(decide(&facts), state, game, config),
            doubtful: facts.is_doubtful(),
            has_won,
            side: state.exchange.side,
            moves: state.exchange.moves.clone(),
            last_line: if has_won { first_extra() } else { &state.refused_line[..] }.to_vec(),
            timing: state.timing.clone(),
            bot: ProgramRecord { wall, ..state.bot.clone() },
        }
    }
}
