//! Opponents of a bot: the trait, and the built-in opponents, whose moves the judge chooses itself.

use std::cmp::Reverse;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use zeroxor::grundy::TooLarge;
use zeroxor::position::HeapClass;
use zeroxor::{Move, Player, Position, symmetric_move};

use crate::conversation::verdict::Verdict;
use crate::referee::game::setup::{MoveLine, OpponentKind};

/// What the bot or the opponent did in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayerTurn {
    Move(Move),
    NoMove,
    /// The player's game has ended early with this verdict, for example because the player broke a rule.
    Forfeit(Verdict),
}

pub(crate) trait Opponent {
    /// Tells the opponent what the bot did.
    fn bot_played(&mut self, turn: PlayerTurn) -> anyhow::Result<()>;

    /// Makes the opponent's move, or returns why there is none; `None` if the opponent has not answered yet. Then the
    /// caller asks again later.
    fn play(&mut self) -> anyhow::Result<Option<PlayerTurn>>;
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
            OpponentKind::Mirror => symmetric_move(position).or_else(|| random_move(position, &mut self.rng)),
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
    fn bot_played(&mut self, turn: PlayerTurn) -> anyhow::Result<()> {
        if let PlayerTurn::Move(mv) = turn {
            self.player.opponent_played(mv)?;
        }
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<Option<PlayerTurn>> {
        if let Some(mv) = self.line.pop() {
            if self.player.play(mv).is_ok() {
                return Ok(Some(PlayerTurn::Move(mv)));
            }
            // Once a move of `line` is not legal, the rest is ignored.
            self.line.clear();
        }
        let chosen = self.choose()?.filter(|&mv| self.player.play(mv).is_ok());
        Ok(Some(chosen.map_or(PlayerTurn::NoMove, PlayerTurn::Move)))
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
