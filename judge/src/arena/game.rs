//! A game between two bots. The judge referees each side as a separate game in which the other bot is the opponent, so
//! each bot has its own clocks, limits and verdict.

use std::cell::RefCell;
use std::collections::VecDeque;

use anyhow::ensure;
use zeroxor::Move;

use crate::arena::worker_bot::WorkerBot;
use crate::conversation::verdict::Verdict;
use crate::referee::game::game_runner::GameRunner;
use crate::referee::game::opponent::{Opponent, OpponentTurn};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::transcript::GameLog;

/// Plays a game between two bots, First and Second, each with its set-up and its log. Returns the game of each.
pub(crate) fn play(
    [first, second]: [&mut WorkerBot; 2],
    [first_setup, second_setup]: [GameSetup; 2],
    [first_log, second_log]: [&mut dyn GameLog; 2],
) -> anyhow::Result<[FinishedGame; 2]> {
    // Start both bots at the same time.
    first.begin_start()?;
    second.begin_start()?;
    let (of_first, of_second) = (Turns::default(), Turns::default());
    let (mut spectator, mut other_spectator) = ((), ());
    let [(first_game, first_plays_on), (second_game, second_plays_on)] = {
        let peer = Box::new(Peer { own: &of_first, other: &of_second });
        let (setup, bot, start) = first.begin_game(first_setup)?;
        let mut first = GameRunner::against(setup, bot, peer, &mut spectator, first_log)?;
        let peer = Box::new(Peer { own: &of_second, other: &of_first });
        let (setup, bot, second_start) = second.begin_game(second_setup)?;
        let mut second = GameRunner::against(setup, bot, peer, &mut other_spectator, second_log)?;
        // Begin the second side and read its first line before the first side begins, so that the judge reads each
        // bot's line without delay.
        second.begin(second_start)?;
        second.advance()?;
        first.begin(start)?;
        while [first.advance()?, second.advance()?] != [true; 2] {
            let has_turn = !of_first.borrow().is_empty() || !of_second.borrow().is_empty();
            ensure!(has_turn, "each side of the game waits for the other");
        }
        [first.finish()?, second.finish()?]
    };
    first.end_game(first_plays_on);
    second.end_game(second_plays_on);
    Ok([first_game, second_game])
}

/// The turns of a bot that have not been sent to its opponent yet.
type Turns = RefCell<VecDeque<OpponentTurn>>;

/// The opponent of a bot: the bot on the other side of the game.
struct Peer<'a> {
    /// The turns of the bot, which the `Peer` of its opponent takes.
    own: &'a Turns,
    /// The turns of the bot's opponent.
    other: &'a Turns,
}

impl Peer<'_> {
    fn add(&self, turn: OpponentTurn) {
        self.own.borrow_mut().push_back(turn);
    }
}

impl Opponent for Peer<'_> {
    fn bot_played(&mut self, mv: Move) -> anyhow::Result<()> {
        self.add(OpponentTurn::Move(mv));
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<OpponentTurn> {
        Ok(self.other.borrow_mut().pop_front().unwrap_or(OpponentTurn::Pending))
    }

    fn bot_has_no_move(&mut self) -> anyhow::Result<()> {
        self.add(OpponentTurn::NoMove);
        Ok(())
    }

    fn bot_forfeited(&mut self, verdict: Verdict) -> anyhow::Result<()> {
        self.add(OpponentTurn::Forfeit(verdict));
        Ok(())
    }
}
