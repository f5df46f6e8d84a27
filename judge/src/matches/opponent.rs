//! The built-in opponents.

use std::cmp::Reverse;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use zeroxor::grundy::TooLarge;
use zeroxor::position::HeapClass;
use zeroxor::{IllegalMove, Move, Player, Position, Symmetry, symmetry};

use crate::referee::setup::{MoveLine, OpponentKind};

/// An opponent in one game.
pub(crate) struct Opponent {
    kind: OpponentKind,
    rng: ChaCha8Rng,
    /// The moves that it makes first, the next one last.
    line: Vec<Move>,
    player: Player,
}

impl Opponent {
    /// An opponent that begins in this position, and makes the moves of `line` first. The same seed plays the
    /// same game.
    pub(crate) fn new(start: &Position, kind: OpponentKind, seed: u64, line: &MoveLine) -> Self {
        let mut player = Player::new(start.clone());
        if matches!(kind, OpponentKind::Perfect | OpponentKind::Stubborn) {
            // A start that it has won is held from the first move on; one out of reach is played all the same.
            let _ = player.winning_side();
        }
        let line = line.iter().rev().map(|&[place, take]| Move { place, take }).collect();
        Self { kind, rng: ChaCha8Rng::seed_from_u64(seed), line, player }
    }

    /// Makes the bot's move.
    pub(crate) fn bot_played(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.player.opponent_played(mv)
    }

    /// Makes its own move, `None` if it has none; an error if its strategy needs more than it may use. A line
    /// that the rules do not allow here is left for good.
    pub(crate) fn play(&mut self) -> Result<Option<Move>, TooLarge> {
        if let Some(mv) = self.line.pop() {
            if self.player.play(mv).is_ok() {
                return Ok(Some(mv));
            }
            self.line.clear();
        }
        let chosen = self.choose()?;
        Ok(chosen.filter(|&mv| self.player.play(mv).is_ok()))
    }

    fn choose(&mut self) -> Result<Option<Move>, TooLarge> {
        let position = self.player.position();
        Ok(match self.kind {
            OpponentKind::Perfect => self.player.winning_move()?.or_else(|| self.any()),
            OpponentKind::Stubborn => self.player.winning_move()?.or_else(|| self.player.delaying_move()),
            OpponentKind::Random => self.any(),
            OpponentKind::Mirror => match symmetry(position) {
                Symmetry::Reply(mv) => Some(mv),
                Symmetry::Cancelled | Symmetry::Unsettled(_) => self.any(),
            },
            OpponentKind::Greedy => largest(position),
            OpponentKind::Slow => smallest(position),
        })
    }

    fn any(&mut self) -> Option<Move> {
        let position = self.player.position();
        match position.move_count() {
            0 => None,
            count => position.nth_move(self.rng.random_range(0..count)),
        }
    }
}

/// A heap's moves are numbered by what they take: its last takes the most.
fn largest(position: &Position) -> Option<Move> {
    let lasts = position.live_classes().filter_map(|HeapClass { first: heap, .. }| {
        let last = heap.rules.move_count(heap.heap) - 1;
        heap.rules.nth_move(heap.heap, last).map(|take| heap.at(take))
    });
    lasts.min_by_key(|mv| (Reverse(mv.take), mv.place))
}

fn smallest(position: &Position) -> Option<Move> {
    let firsts = position.live_classes().filter_map(|HeapClass { first: heap, .. }| {
        heap.rules.nth_move(heap.heap, 0).map(|take| heap.at(take))
    });
    firsts.min_by_key(|mv| (mv.take, mv.place))
}
