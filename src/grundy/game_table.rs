//! The Grundy values of a game given by its specification.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

use super::{GrundyTable, Limit, Nimber, TooLarge, ValueKind, engine};
use crate::rules::Heap;
use crate::spec::{GameSpec, SpecError};

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
