//! Two bots that are each other's opponents.

use std::cell::RefCell;
use std::collections::VecDeque;

use zeroxor::Move;

use crate::matches::opponent::{Opponent, OpponentTurn};
use referee::verdict::Verdict;

/// What a bot did in its turns, until its opponent's side of the game has taken it.
#[derive(Debug, Default)]
pub(super) struct Turns(RefCell<VecDeque<OpponentTurn>>);

impl Turns {
    pub(super) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    fn add(&self, turn: OpponentTurn) {
        self.0.borrow_mut().push_back(turn);
    }
}

/// The opponent of a bot: the bot on the other side of the game.
#[derive(Debug)]
pub(super) struct Peer<'a> {
    /// The turns of the bot, for its opponent.
    pub(super) own: &'a Turns,
    /// The turns of its opponent.
    pub(super) other: &'a Turns,
}

impl Opponent for Peer<'_> {
    fn bot_played(&mut self, mv: Move) -> anyhow::Result<()> {
        self.own.add(OpponentTurn::Move(mv));
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<OpponentTurn> {
        Ok(self.other.0.borrow_mut().pop_front().unwrap_or(OpponentTurn::Pending))
    }

    fn bot_has_no_move(&mut self) -> anyhow::Result<()> {
        self.own.add(OpponentTurn::NoMove);
        Ok(())
    }

    fn bot_forfeited(&mut self, verdict: Verdict) -> anyhow::Result<()> {
        self.own.add(OpponentTurn::Forfeit(verdict));
        Ok(())
    }
}
