//! The search for a period in tables of all values, each longer than the one before.

use zeroxor::grundy::segment::SparseSpace;
use zeroxor::grundy::{Budget, TooLarge};

use super::findings::{Bounds, Findings, Status, WORTH};
use crate::certificate::Certificate;
use crate::row_game::RowGame;
use crate::rows::Rows;

/// The size of the first table.
const FIRST: u64 = 1000;

/// The ratio of the sizes of a table and the one before. Most periods are found soon, and all the shorter tables together
/// cost little compared with the last.
const GROWTH: u64 = 8;

/// The findings from the values up to the largest heap that the bounds allow, or up to one that proves a period.
///
/// # Errors
///
/// If not even the shortest table is within the bounds.
pub(super) fn find(game: RowGame, bounds: &Bounds) -> Result<Findings, TooLarge> {
    let mut budget = bounds.budget();
    // No table is kept: the next one may take all the memory.
    let mut search = |n| compute(game, n, &mut budget, bounds).map(|rows| of_rows(game, bounds, &rows));
    let mut n = FIRST.min(bounds.to);
    let mut found = search(n)?;
    while n < bounds.to && found.status != Status::Solved {
        let next = n.saturating_mul(GROWTH).min(bounds.to);
        match search(next) {
            Ok(farther) => (found, n) = (farther, next),
            Err(error) => {
                let shorter = shorter(next, &error).filter(|&shorter| shorter > n * WORTH / 100);
                let found = shorter.and_then(|n| search(n).ok()).unwrap_or(found);
                let stopped_by = (found.status != Status::Solved).then(|| error.to_string());
                return Ok(Findings { stopped_by, ..found });
            }
        }
    }
    Ok(found)
}

/// The rows up to `n`. Their steps are taken from the budget; the memory is free again when they are dropped.
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

/// A size that is within the budget, given the error of `n`: bytes grow with n, and steps at most with its square.
fn shorter(n: u64, error: &TooLarge) -> Option<u64> {
    let part = |n: u128| u64::try_from(n * error.left * 9 / 10 / error.asked.max(1)).ok();
    match error.unit {
        "bytes" => part(n.into()),
        "steps" => part(u128::from(n) * u128::from(n)).map(u64::isqrt),
        _ => None,
    }
}

/// The findings from these rows.
fn of_rows(game: RowGame, bounds: &Bounds, rows: &Rows) -> Findings {
    let (certificate, proven) = (Certificate::of(rows), rows.proven_period());
    let n = match rows.period {
        Some(period) => u64::try_from(period.values_needed(game.move_bounds()) - 1).unwrap_or(u64::MAX),
        None => rows.len().saturating_sub(1),
    };
    let (space, is_by_place) = (rows.space(), rows.is_by_place());
    let is_rare = |value: u32| {
        space.is_some_and(|SparseSpace { mask, .. }| (u64::from(value) & mask).count_ones().is_multiple_of(2))
    };
    let (mut rares, mut last_rare, mut largest, mut largest_at) = (0, 0, 0, 0);
    for (at, value) in (0..=n).zip(rows.values()) {
        if is_rare(value) {
            (rares, last_rare) = (rares + 1, at);
        }
        if value > largest {
            (largest, largest_at) = (value, at);
        }
    }
    // Then the mask does not determine which are rare.
    if let Some(space) = space.filter(|_| is_by_place) {
        (rares, last_rare) = (space.rares, space.last);
    }
    Findings {
        status: Status::of(proven.is_some(), n, bounds.to),
        n,
        period: proven.map(|proven| proven.period.length),
        pre_period: proven.map(|proven| proven.period.start),
        saltus: proven.and_then(|proven| proven.saltus),
        sha256: certificate.map(Certificate::into_sha256),
        rares: space.map(|_| rares),
        last_rare: space.map(|_| last_rare),
        mask: space.map(|space| space.mask),
        is_by_place,
        largest: largest.into(),
        largest_at,
        least_period_not_excluded: (proven.is_none() && !game.never_repeats())
            .then(|| rows.least_period_not_excluded() as u64),
        stopped_by: None,
    }
}
