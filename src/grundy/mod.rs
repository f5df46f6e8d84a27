//! Who wins: the Grundy values of heaps, by an engine for each game.
//!
//! A [`GrundyTable`] tells the values of one game's heaps up to a size. The engine that fits the rules and the size
//! computes it, within a [`Budget`]; rules that have no engine of their own get their values by the definition.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::rules::{self, Divisor, Euclid, Heap, HeapMove, Nim, Pile, Row, Rules, Square, Subtract};
use crate::spec::{GameSpec, SpecError};

mod budget;
pub(crate) mod cache;
mod cpu_time;
mod euclid;
mod generic;
mod nimber;
mod pile;
pub mod segment;

pub use budget::{Budget, TooLarge};
#[cfg(feature = "analysis")]
pub use euclid::winning_pairs;
pub use nimber::{Nimber, mex};
#[cfg(feature = "analysis")]
pub use pile::subtraction_period;

/// How much of a Grundy value is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// Whether it is zero: all that matters while there is only one heap. Any other value may stand for all
    /// that are not.
    Outcome,
    /// The value itself.
    Nimber,
}

/// The Grundy values of a game's heaps, up to the size it was made for; a larger heap is the caller's mistake and
/// panics.
pub trait GrundyTable: Send + Sync {
    /// The heap's Grundy value.
    fn nimber(&self, heap: Heap) -> Nimber;

    /// The P-positions among the heaps of less than so many, in ascending order: where they are few, in less time
    /// than to ask for each nimber.
    fn p_positions(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new((0..below).filter(|&size| self.nimber(Heap::of(size)) == Nimber::ZERO))
    }

    /// The moves that leave heaps whose nimbers XOR to `target`, as they are searched for: there is an item for
    /// each few nanoseconds, `None` while nothing is found. So a search may be given up after so many items.
    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_>;

    /// The moves that leave heaps whose nimbers XOR to `target`; each is found when it is asked for.
    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new(self.search(heap, target).flatten())
    }

    /// One of them, if there is one.
    fn move_to(&self, heap: Heap, target: Nimber) -> Option<HeapMove> {
        self.moves_to(heap, target).next()
    }

    /// How many there are; `None` if counting is out of reach.
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128>;

    /// About how many steps [`count_to`](Self::count_to) takes.
    fn count_cost(&self, heap: Heap) -> u128;

    /// How many there are, as far as it matters to compare lost moves, which asks for many counts: where there are
    /// very many they need not be told from more.
    fn replies_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        self.count_to(heap, target)
    }

    /// The best delaying move in this heap of a lost position; `None` if it has no move, or counting is out of
    /// reach. `elsewhere` tells how many replies win in the other heaps, by the XOR that a move leaves.
    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove>;
}

/// A move from a lost position. The first in order delays best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DelayMove {
    /// How many replies win.
    pub winning_replies: u128,
    /// By how much the move shortens the longest play in its heap.
    pub shortens: u64,
    /// The move.
    pub mv: HeapMove,
}

/// What computes the values of a game.
pub(crate) trait Engine {
    /// How much a table tells that is asked for this.
    fn value_kind(&self, _asked: ValueKind) -> ValueKind {
        ValueKind::Nimber
    }

    /// How many steps it takes to compare all moves of a heap, see [`GrundyTable::best_delaying_move`].
    fn comparison_cost(&self, heap: Heap) -> u128;

    /// The Grundy values of all heaps up to the size of `largest`; what they cost is taken from `budget`. From time
    /// to time `progress` is told up to which size they are known, if it takes long enough.
    ///
    /// # Errors
    ///
    /// If they cost more.
    fn table(
        &self,
        largest: Heap,
        kind: ValueKind,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn GrundyTable>, TooLarge>;
}

/// The engine for these rules.
pub(crate) fn engine(rules: &Arc<dyn Rules>) -> &dyn Engine {
    fn is<E: Engine + 'static>(rules: &dyn Any) -> Option<&dyn Engine> {
        rules.downcast_ref::<E>().map(|engine| engine as &dyn Engine)
    }

    let any: &dyn Any = rules.as_ref();
    is::<Row>(any)
        .or_else(|| is::<Pile<Square>>(any))
        .or_else(|| is::<Pile<Divisor>>(any))
        .or_else(|| is::<Pile<Subtract>>(any))
        .or_else(|| is::<Pile<Nim>>(any))
        .or_else(|| is::<Euclid>(any))
        .unwrap_or(rules)
}

/// The Grundy values of all heaps up to the size of `largest` under the rules of a game; its own sizes make no
/// difference. What they cost is taken from `budget`; from time to time `progress` is told up to which size they are
/// known, if it takes long enough.
///
/// # Errors
///
/// If the game is a sum or not valid, or the values cost more than the budget.
pub fn table(
    game: &GameSpec,
    largest: Heap,
    kind: ValueKind,
    budget: &mut Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<Box<dyn GrundyTable>, TableError> {
    let rules = rules::set_up(game).map_err(TableError::Spec)?.rules;
    engine(&rules).table(largest, kind, budget, progress).map_err(TableError::TooLarge)
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The game has no table.
    Spec(SpecError),
    /// It costs more than the budget.
    TooLarge(TooLarge),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Spec(error) => Some(error),
            Self::TooLarge(error) => Some(error),
        }
    }
}

/// The Grundy values of heaps of these sizes, under the rules of one game; its own sizes make no difference.
///
/// # Errors
///
/// If the game is a sum, its heaps are pairs, or the values cost more than [`Budget::GAME`].
///
/// ```
/// use zeroxor::Nimber;
///
/// let values = zeroxor::nimbers(&"subtract 1 take 2 5 9".parse()?, 0..=5)?;
/// assert_eq!(values, [0, 0, 1, 1, 0, 2].map(Nimber));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn nimbers(game: &GameSpec, sizes: RangeInclusive<u64>) -> Result<Vec<Nimber>, TableError> {
    if matches!(game, GameSpec::Euclid { .. }) {
        let expected = "a game whose heaps have one size".to_owned();
        return Err(TableError::Spec(SpecError::new(expected, game.to_string())));
    }
    let mut budget = Budget::GAME;
    let table = table(game, Heap::of(*sizes.end()), ValueKind::Nimber, &mut budget, &mut |_| ())?;
    Ok(sizes.map(|size| table.nimber(Heap::of(size))).collect())
}
