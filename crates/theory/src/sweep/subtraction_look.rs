//! A look at a subtraction set.

use zeroxor::GameSpec;
use zeroxor::grundy::{Budget, TableError, TooLarge, ValueKind, subtraction_period, table};
use zeroxor::rules::Heap;

use super::bounds::Bounds;
use super::findings::{Findings, Status};

/// What the values show up to the last that proves the period: there always is one.
///
/// # Errors
///
/// If the period is not found within the bounds.
pub(super) fn find(takes: &[u64], bounds: &Bounds) -> Result<Findings, TooLarge> {
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
    let game = GameSpec::Subtract { piles: vec![1], takes: takes.to_vec() };
    let values = table(&game, Heap::of(n), ValueKind::Nimber, budget, &mut |_| ());
    let values = values.map_err(|error| match error {
        TableError::TooLarge(error) => error,
        error => unreachable!("a subtraction set has a table: {error}"),
    })?;
    Ok((0..=n).map(|size| values.nimber(Heap::of(size)).0).collect())
}
