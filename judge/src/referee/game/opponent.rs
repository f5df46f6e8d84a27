//! Opponents of a bot: the trait, and the built-in opponents, whose moves the judge chooses itself.

use std::cmp::Reverse;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use zeroxor::grundy::TooLarge;
use zeroxor::position::HeapClass;
use zeroxor::{Move, Player, Position, Symmetry, symmetry};

use crate::conversation::verdict::Verdict;
use crate::referee::game::setup::{MoveLine, OpponentKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpponentTurn {
    Move(Move),
    NoMove,
    /// The opponent's game has ended early with this verdict, for example because the opponent broke a rule.
    Forfeit(Verdict),
    /// The opponent has not answered yet. The caller asks again later.
    Pending,
}

pub(crate) trait Opponent {
    fn bot_played(&mut self, mv: Move) -> anyhow::Result<()>;

    /// Makes the opponent's move, or returns why there is none.
    fn play(&mut self) -> anyhow::Result<OpponentTurn>;

    fn bot_has_no_move(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Called with the bot's verdict when the game ended early, for example because the bot broke a rule.
    fn bot_forfeited(&mut self, _verdict: Verdict) -> anyhow::Result<()> {
        Ok(())
    }
}

pub(crate) struct BuiltIn {
    kind: OpponentKind,
    rng: ChaCha8Rng,
    /// The moves that the opponent makes first, in reverse order.
    line: Vec<Move>,
    player: Player,
}

impl BuiltIn {
    /// Creates an opponent that makes the moves of `line` first. The same seed gives the same game.
    pub(crate) fn new(start: &Position, kind: OpponentKind, seed: u64, line: &MoveLine) -> Self {
        let mut player = Player::new(start.clone());
        if matches!(kind, OpponentKind::Perfect | OpponentKind::Stubborn) {
            // Let the player remember whether the start is won. It may be too large.
            let _ = player.winning_side();
        }
        let line = line.iter().rev().map(|&[place, take]| Move { place, take }).collect();
        Self { kind, rng: ChaCha8Rng::seed_from_u64(seed), line, player }
    }

    fn choose(&mut self) -> Result<Option<Move>, TooLarge> {
        let position = self.player.position();
        Ok(match self.kind {
            OpponentKind::Perfect => {
                let winning = self.player.winning_move()?;
                winning.or_else(|| random_move(self.player.position(), &mut self.rng))
            }
            OpponentKind::Stubborn => self.player.winning_move()?.or_else(|| self.player.delaying_move()),
            OpponentKind::Random => random_move(position, &mut self.rng),
            OpponentKind::Mirror => match symmetry(position) {
                Symmetry::Reply(mv) => Some(mv),
                Symmetry::Cancelled | Symmetry::Unsettled(_) => random_move(position, &mut self.rng),
            },
            // Among several moves, the one at the lowest place.
            OpponentKind::Greedy => {
                extreme_moves(position, true).min_by_key(|mv| (Reverse(mv.take), mv.place))
            }
            OpponentKind::Slow => extreme_moves(position, false).min_by_key(|mv| (mv.take, mv.place)),
            // Another program chooses the moves.
            OpponentKind::Bot => None,
        })
    }
}

impl Opponent for BuiltIn {
    fn bot_played(&mut self, mv: Move) -> anyhow::Result<()> {
        Ok(self.player.opponent_played(mv)?)
    }

    fn play(&mut self) -> anyhow::Result<OpponentTurn> {
        if let Some(mv) = self.line.pop() {
            if self.player.play(mv).is_ok() {
                return Ok(OpponentTurn::Move(mv));
            }
            // Once a move of `line` is not legal, the rest is ignored.
            self.line.clear();
        }
        let chosen = self.choose()?.filter(|&mv| self.player.play(mv).is_ok());
        Ok(chosen.map_or(OpponentTurn::NoMove, OpponentTurn::Move))
    }
}

/// Returns a random legal move, each with the same probability; `None` if there is no move.
pub(crate) fn random_move(position: &Position, rng: &mut ChaCha8Rng) -> Option<Move> {
    match position.move_count() {
        0 => None,
        count => position.nth_move(rng.random_range(0..count)),
    }
}

/// Returns the move of each heap that takes the most, or else the least, at the lowest place.
fn extreme_moves(position: &Position, is_largest: bool) -> impl Iterator<Item = Move> {
    position.live_classes().filter_map(move |HeapClass { first: heap, .. }| {
        // The last move of a heap takes the most cards or stones.
        let index = if is_largest { heap.rules.move_count(heap.heap) - 1 } else { 0 };
        heap.rules.nth_move(heap.heap, index).map(|take| heap.at(take))
    })
}
