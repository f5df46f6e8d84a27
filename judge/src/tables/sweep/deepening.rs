//! The values of a game to as large a heap as its bounds allow.

use zeroxor::grundy::{Budget, TooLarge};

use super::bounds::Bounds;
use crate::tables::row_game::RowGame;
use crate::tables::rows::Rows;

/// So many values are computed first.
const FIRST: u64 = 1000;

/// The next table has so many times as many. Most periods are found soon, and all the shorter tables together cost little
/// beside the last.
const GROWTH: u64 = 8;

/// Behind a table that costs too much a shorter one is tried, if it has so many per cent of the values that are known.
const WORTH: u64 = 130;

/// The rows of a game up to the largest length that the bounds allow, or up to one that proves a period; and what the
/// next ones would have cost.
///
/// # Errors
///
/// If not even the shortest table is within the bounds.
pub(super) fn longest(game: RowGame, bounds: &Bounds) -> Result<(Rows, Option<TooLarge>), TooLarge> {
    let mut budget = bounds.budget();
    let mut n = FIRST.min(bounds.to);
    let mut rows = compute(game, n, &mut budget, bounds)?;
    while n < bounds.to && rows.proven_period().is_none() {
        let next = n.saturating_mul(GROWTH).min(bounds.to);
        match compute(game, next, &mut budget, bounds) {
            Ok(longer) => (rows, n) = (longer, next),
            Err(error) => {
                let shorter = shorter(next, &error).filter(|&shorter| shorter > n * WORTH / 100);
                let longer = shorter.and_then(|n| compute(game, n, &mut budget, bounds).ok());
                return Ok((longer.unwrap_or(rows), Some(error)));
            }
        }
    }
    Ok((rows, None))
}

/// The rows up to `n`. Their steps are taken from the budget; memory is given back when they are dropped.
fn compute(game: RowGame, n: u64, budget: &mut Budget, bounds: &Bounds) -> Result<Rows, TooLarge> {
    let mut spent = Budget::new(budget.steps(), bounds.memory.into()).refusing_late();
    let rows = Rows::within(game, n, true, &mut spent, &mut |_| ());
    *budget = Budget::new(spent.steps(), bounds.memory.into());
    // The shorter tables have taken some steps before.
    rows.map_err(|error| match error.unit {
        "steps" => TooLarge { limit: bounds.steps.into(), ..error },
        _ => error,
    })
}

/// How far the values may go, where up to `n` they cost too much: bytes grow with n, and steps with its square at most.
fn shorter(n: u64, error: &TooLarge) -> Option<u64> {
    let part = |n: u128| u64::try_from(n * error.left * 9 / 10 / error.asked.max(1)).ok();
    match error.unit {
        "bytes" => part(n.into()),
        "steps" => part(u128::from(n) * u128::from(n)).map(u64::isqrt),
        _ => None,
    }
}
