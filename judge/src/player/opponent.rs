//! The built-in opponents.

use std::cmp::Reverse;

use clap::ValueEnum;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};
use zeroxor::games::TooLarge;
use zeroxor::{Kind as HeapKind, Move, Strategy, Symmetry, Table, symmetry};

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

/// An opponent in one game.
pub(crate) struct Opponent {
    /// The moves that it makes first, the next one last.
    line: Vec<Move>,
    kind: Kind,
    rng: ChaCha8Rng,
    strategy: Strategy,
}

impl Opponent {
    /// The same seed plays the same game.
    pub(crate) fn new(kind: Kind, seed: u64, line: &Line) -> Self {
        let line = line.iter().rev().map(|&[place, take]| Move { place, take }).collect();
        Self { line, kind, rng: ChaCha8Rng::seed_from_u64(seed), strategy: Strategy::default() }
    }

    /// Its move, `None` if it has none; an error if its strategy needs more than it may use. A line that the
    /// rules do not allow here is left for good.
    pub(crate) fn choose(&mut self, table: &Table) -> Result<Option<Move>, TooLarge> {
        if let Some(mv) = self.line.pop() {
            if table.clone().play(mv).is_ok() {
                return Ok(Some(mv));
            }
            self.line.clear();
        }
        Ok(match self.kind {
            Kind::Perfect => self.strategy.winning_move(table)?.or_else(|| self.any(table)),
            Kind::Stubborn => self.strategy.reply(table)?,
            Kind::Random => self.any(table),
            Kind::Mirror => match symmetry(table) {
                Symmetry::Reply(mv) => Some(mv),
                Symmetry::Cancelled | Symmetry::Unsettled(_) => self.any(table),
            },
            Kind::Greedy => largest(table),
            Kind::Slow => smallest(table),
        })
    }

    fn any(&mut self, table: &Table) -> Option<Move> {
        match table.move_count() {
            0 => None,
            count => table.nth_move(self.rng.random_range(0..count)),
        }
    }
}

/// A heap's moves are numbered by what they take: its last takes the most.
fn largest(table: &Table) -> Option<Move> {
    let lasts = table.live_kinds().filter_map(|HeapKind { seat, .. }| {
        let last = seat.rules.move_count(seat.heap) - 1;
        seat.rules.nth_move(seat.heap, last).map(|take| seat.at(take))
    });
    lasts.min_by_key(|mv| (Reverse(mv.take), mv.place))
}

fn smallest(table: &Table) -> Option<Move> {
    let firsts = table
        .live_kinds()
        .filter_map(|HeapKind { seat, .. }| seat.rules.nth_move(seat.heap, 0).map(|take| seat.at(take)));
    firsts.min_by_key(|mv| (mv.take, mv.place))
}
