//! The built-in opponents.

use std::cmp::Reverse;

use clap::ValueEnum;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use zeroxor::grundy::TooLarge;
use zeroxor::position::HeapClass;
use zeroxor::{IllegalMove, Move, Player, Position, Symmetry, symmetry};

/// How an opponent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Wins whenever it can; from a lost position any move
    Perfect,
    /// Any move, each as likely as the others
    Random,
    /// Takes the most
    Greedy,
    /// Takes the least
    Slow,
    /// Restores symmetry wherever one move can; else any move
    Mirror,
    /// Wins whenever it can; from a lost position the longest fight
    Stubborn,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Perfect => "perfect",
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Slow => "slow",
            Self::Mirror => "mirror",
            Self::Stubborn => "stubborn",
        }
    }
}

/// Moves `[place, take]`, one after the other.
pub(crate) type Line = Vec<[u64; 2]>;

/// An opponent before its game.
#[derive(Clone, Debug)]
pub(crate) struct Opponent {
    kind: Kind,
    seed: u64,
    /// The moves that it makes first.
    line: Line,
}

impl Opponent {
    /// The same seed plays the same game.
    pub(crate) fn new(kind: Kind, seed: u64, line: &Line) -> Self {
        Self { kind, seed, line: line.clone() }
    }

    /// Begins a game in this position.
    pub(crate) fn begin(self, start: &Position) -> OpponentInPlay {
        let mut player = Player::new(start.clone());
        if matches!(self.kind, Kind::Perfect | Kind::Stubborn) {
            // A start that it has won is held from the first move on; one out of reach is played all the same.
            let _ = player.winning_side();
        }
        let line = self.line.iter().rev().map(|&[place, take]| Move { place, take }).collect();
        OpponentInPlay { line, kind: self.kind, rng: ChaCha8Rng::seed_from_u64(self.seed), player }
    }
}

/// An opponent in one game.
pub(crate) struct OpponentInPlay {
    /// The moves that it makes first, the next one last.
    line: Vec<Move>,
    kind: Kind,
    rng: ChaCha8Rng,
    player: Player,
}

impl OpponentInPlay {
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
            Kind::Perfect => self.player.winning_move()?.or_else(|| self.any()),
            Kind::Stubborn => self.player.winning_move()?.or_else(|| self.player.delaying_move()),
            Kind::Random => self.any(),
            Kind::Mirror => match symmetry(position) {
                Symmetry::Reply(mv) => Some(mv),
                Symmetry::Cancelled | Symmetry::Unsettled(_) => self.any(),
            },
            Kind::Greedy => largest(position),
            Kind::Slow => smallest(position),
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
fn largest(table: &Position) -> Option<Move> {
    let lasts = table.live_classes().filter_map(|HeapClass { first: seat, .. }| {
        let last = seat.rules.move_count(seat.heap) - 1;
        seat.rules.nth_move(seat.heap, last).map(|take| seat.at(take))
    });
    lasts.min_by_key(|mv| (Reverse(mv.take), mv.place))
}

fn smallest(table: &Position) -> Option<Move> {
    let firsts = table.live_classes().filter_map(|HeapClass { first: seat, .. }| {
        seat.rules.nth_move(seat.heap, 0).map(|take| seat.at(take))
    });
    firsts.min_by_key(|mv| (mv.take, mv.place))
}
