//! The search for the period of a game, in the values that are within the bounds, by the cheapest way.

use zeroxor::GameSpec;
use zeroxor::grundy::{Budget, TableError, TooLarge, ValueKind, subtraction_period, table};
use zeroxor::rules::{Heap, PileGame};

use super::family::SweepGame;
use super::findings::{Bounds, Findings, Status};
use super::{stream_search, table_search};
use crate::row_game::RowGame;

/// The size of the first table: few periods are found later, and it is enough to estimate the number of rare values.
const FIRST_TABLE: u64 = 64_000;

/// Searches for the period of a game within these bounds. The cost is counted, not timed, so the same is found each time.
pub(super) fn search(game: &SweepGame, bounds: &Bounds) -> Findings {
    let found = match game {
        SweepGame::Row(game) => search_rows(*game, bounds),
        SweepGame::Subtract(takes) => search_subtraction_set(takes, bounds),
    };
    found.unwrap_or_else(|error| Findings::none(&error))
}

/// Searches by tables as long as they cost less than to find the values one after the other, which is cheap if few are rare.
///
/// # Errors
///
/// If not even the first values are within the bounds.
fn search_rows(game: RowGame, bounds: &Bounds) -> Result<Findings, TooLarge> {
    let first = table_search::find(game, &Bounds { to: bounds.to.min(FIRST_TABLE), ..*bounds })?;
    if first.status == Status::Solved || first.n == bounds.to {
        return Ok(first);
    }
    let one_by_one =
        first.rares.map_or(u64::MAX, |rares| stream_search::cost(bounds.to, rares, first.largest));
    let cheaper = Bounds { steps: bounds.steps.min(one_by_one), ..*bounds };
    let found = table_search::find(game, &cheaper)?;
    if found.status != Status::Stopped {
        return Ok(found);
    }
    match stream_search::find(game, bounds, &found) {
        Some(farther) => Ok(farther),
        None if cheaper.steps < bounds.steps => table_search::find(game, bounds),
        None => Ok(found),
    }
}

/// The findings from the values of a subtraction set, up to the last that proves the period: there always is one.
///
/// # Errors
///
/// If the period is not found within the bounds.
fn search_subtraction_set(takes: &[u64], bounds: &Bounds) -> Result<Findings, TooLarge> {
    let mut budget = bounds.budget();
    let (start, length) = subtraction_period(takes, &mut budget)?;
    let [start, length] = [start, length].map(|number| u64::try_from(number).unwrap_or(u64::MAX));
    let longest = takes.last().copied().unwrap_or(0);
    let n = start.saturating_add(length).saturating_add(longest) - 1;
    let values = values_to(takes, n, &mut budget)?;
    let largest = values.iter().max().copied().unwrap_or(0);
    let largest_at = (0..).zip(&values).find(|&(_, &value)| value == largest).map_or(0, |(at, _)| at);
    Ok(Findings {
        period: Some(length),
        pre_period: Some(start),
        ..Findings::of_values(Status::Solved, n, largest, largest_at)
    })
}

/// The values of the piles up to `n` under a subtraction set.
fn values_to(takes: &[u64], n: u64, budget: &mut Budget) -> Result<Vec<u64>, TooLarge> {
    let game = GameSpec::Piles { game: PileGame::Subtract, piles: vec![1], list: takes.to_vec() };
    let values = table(&game, Heap::of(n), ValueKind::Nimber, budget, &mut |_| ());
    let values = values.map_err(|error| match error {
        TableError::TooLarge(error) => error,
        error => unreachable!("a subtraction set has a table: {error}"),
    })?;
    Ok((0..=n).map(|size| values.nimber(Heap::of(size)).0).collect())
}
