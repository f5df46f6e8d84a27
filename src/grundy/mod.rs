//! Grundy values of heaps, computed by an engine for each game.
//!
//! A [`GrundyTable`] has the values of one game's heaps up to a size. The engine for the rules computes the table
//! within a [`Limit`]. Rules without an engine of their own use the definition of the values.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::rules::pile::subtract::{Share, Subtract};
use crate::rules::{Divisor, Euclid, FromSequence, Heap, HeapMove, Octal, Pile, Rules, Window};
use crate::spec::{GameSpec, SpecError};

pub(crate) mod cache;
mod euclid;
mod limit;
mod nimber;
mod pile;
mod rows;
pub mod segment;
mod tabulated;

pub use euclid::winning_pairs;
pub(crate) use limit::Cost;
pub use limit::{Limit, TooLarge};
pub use nimber::{Nimber, mex};
pub use pile::subtraction_period;
use segment::MoveBounds;

/// The kind of values in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// Whether the Grundy value is zero, which decides a position of a single heap. For a nonzero Grundy value, a table
    /// of outcomes may have any nonzero number.
    Outcome,
    /// The Grundy value.
    Nimber,
}

/// The Grundy values of a game's heaps, up to the size that the table was computed for.
///
/// # Panics
///
/// Methods may panic if a heap is larger than that size.
///
/// ```
/// use zeroxor::Nimber;
/// use zeroxor::grundy::{Limit, ValueKind, table};
/// use zeroxor::rules::Heap;
///
/// let game = "subtract 8 take 1 3 4".parse()?;
/// let table = table(&game, Heap::of(8), ValueKind::Nimber, &mut Limit::GAME.clone())?;
/// // The values are 0, 1, 0, 1, 2, 3, 2, 0, 1.
/// assert_eq!(table.nimber(Heap::of(8)), Nimber(1));
/// assert_eq!(table.move_to(Heap::of(8), Nimber::ZERO).map(|mv| mv.count), Some(1));
/// assert_eq!(table.count_to(Heap::of(8), Nimber(1)), Some(0));
/// // The moves that take 3 and 4 leave other values.
/// let searched = table.search(Heap::of(8), Nimber::ZERO).map(|found| found.map(|mv| mv.count));
/// assert_eq!(searched.collect::<Vec<_>>(), [Some(1), None, None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait GrundyTable: Send + Sync {
    /// Returns the Grundy value of `heap`.
    fn nimber(&self, heap: Heap) -> Nimber;

    /// Searches for moves that leave heaps whose nimbers XOR to `target`. Each item takes only a few nanoseconds, so
    /// the caller can stop the search at any time. An item is a move, or `None` if no move was found since the last
    /// item.
    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_>;

    /// Returns a move that leaves heaps whose nimbers XOR to `target`, if there is one.
    fn move_to(&self, heap: Heap, target: Nimber) -> Option<HeapMove> {
        self.search(heap, target).flatten().next()
    }

    /// Returns the number of moves that leave heaps whose nimbers XOR to `target`; `None` if counting them takes too
    /// long.
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.search(heap, target).flatten().count() as u128)
    }

    /// Estimates the number of steps of [`count_to`](Self::count_to); by default there are few.
    fn count_cost(&self, _heap: Heap) -> u128 {
        100
    }

    /// Returns the result of [`count_to`](Self::count_to); `None` also if it would take too long to call it often. Used
    /// to compare the moves from a lost position.
    fn replies_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        self.count_to(heap, target)
    }

    /// Returns the best delaying move in `heap`, one of the heaps of a lost position; `None` if `heap` has no move, or
    /// if counting takes too long. Given the XOR of the whole position after the move, `elsewhere` returns the number
    /// of winning replies in the other heaps.
    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove>;
}

/// A move from a lost position. The best delaying move is the minimum in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DelayMove {
    /// The number of replies that win.
    pub winning_replies: u128,
    /// The number of plies by which the move shortens the longest play in its heap; for some large heaps an estimate.
    pub shortens: u64,
    /// The move.
    pub mv: HeapMove,
}

/// An algorithm that computes the Grundy values of a game.
pub(crate) trait Engine {
    /// Returns the kind of values that a table has if values of the kind `_asked` are requested.
    fn value_kind(&self, _asked: ValueKind) -> ValueKind {
        ValueKind::Nimber
    }

    /// Returns the number of steps of [`GrundyTable::best_delaying_move`] for `heap`. `None`, the default, stands for the
    /// square of the number of moves: for each move, all moves of its followers are counted. Usually no follower has
    /// more moves than `heap`.
    fn comparison_cost(&self, _heap: Heap) -> Option<u128> {
        None
    }

    /// Returns the bounds of the moves, which the proof of a period needs; `None` if the theorem about periods does not
    /// apply: in Grundy's game, for instance, because the two heaps must differ, and for a code whose digits repeat,
    /// because moves take any number of cards.
    fn move_bounds(&self) -> Option<MoveBounds> {
        None
    }

    /// Returns the cost of a table of all heaps up to `largest`, by default nothing. It does not decrease with the size.
    fn cost(&self, _largest: Heap, _kind: ValueKind) -> Cost {
        Cost::default()
    }

    /// Computes a table of all heaps up to `largest`. Fails if the values of a subtraction set show no period among the
    /// values that may be computed.
    fn table(&self, largest: Heap, kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge>;
}

fn as_engine<E: Engine + 'static>(rules: &dyn Any) -> Option<&dyn Engine> {
    rules.downcast_ref::<E>().map(|engine| engine as &dyn Engine)
}

pub(crate) fn engine(rules: &Arc<dyn Rules>) -> &dyn Engine {
    let any: &dyn Any = rules.as_ref();
    if let Some(window) = any.downcast_ref::<Octal>().and_then(|octal| octal.window.as_ref()) {
        return window;
    }
    as_engine::<Window>(any)
        .or_else(|| as_engine::<Euclid>(any))
        .or_else(|| as_engine::<Pile<FromSequence>>(any))
        .or_else(|| as_engine::<Pile<Divisor>>(any))
        .or_else(|| as_engine::<Pile<Subtract>>(any))
        .or_else(|| as_engine::<Pile<Share>>(any))
        .or_else(|| as_engine::<Octal>(any))
        .unwrap_or(rules)
}

/// Computes the Grundy values of all heaps up to the size of `largest` under the rules of `game`. The sizes in `game`
/// are ignored. The cost is subtracted from `limit`.
///
/// # Errors
///
/// If the game is a sum, in misère play or not valid, if `largest` is larger than a heap may be, or if the values cost
/// more than `limit`.
///
/// ```
/// use zeroxor::Nimber;
/// use zeroxor::grundy::{Limit, ValueKind, table};
/// use zeroxor::rules::Heap;
///
/// let (game, largest) = ("subtract 1 take 2 5 9".parse()?, Heap::of(1_000_000_000_000));
/// let subtraction = table(&game, largest, ValueKind::Nimber, &mut Limit::GAME.clone())?;
/// // Only the first values are computed; all later ones follow from the period.
/// assert_eq!(subtraction.nimber(Heap::of(999_999_999_999)), Nimber(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn table(
    game: &GameSpec,
    largest: Heap,
    kind: ValueKind,
    limit: &mut Limit,
) -> Result<Box<dyn GrundyTable>, TableError> {
    if let Some(kind) = game.kind()
        && largest.size > kind.max_heap()
    {
        let expected = format!("heaps of {} of at most {}", kind.name(), kind.max_heap());
        return Err(TableError::Spec(SpecError::new(expected, largest.to_string())));
    }
    let (rules, _) = game.rules().map_err(TableError::Spec)?;
    let engine = engine(&rules);
    let kind = engine.value_kind(kind);
    let spent = limit.spend(engine, || rules.words(), largest, kind);
    spent.and_then(|()| engine.table(largest, kind)).map_err(TableError::TooLarge)
}

/// The reason why a table was not computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The game or the size is not valid, or the game has no such table.
    Spec(SpecError),
    /// The table costs more than the limit.
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

impl Error for TableError {}

/// Returns the Grundy values of the heaps of `sizes` under the rules of `game`. The sizes in `game` are ignored.
///
/// # Errors
///
/// If [`table`] returns an error with [`Limit::GAME`], or if the heaps of the game are pairs.
pub fn nimbers(game: &GameSpec, sizes: RangeInclusive<u64>) -> Result<Vec<Nimber>, TableError> {
    game.rules_of_sizes().map_err(TableError::Spec)?;
    let table = table(game, Heap::of(*sizes.end()), ValueKind::Nimber, &mut Limit::GAME.clone())?;
    Ok(sizes.map(|size| table.nimber(Heap::of(size))).collect())
}
