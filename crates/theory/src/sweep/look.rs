//! A look at a game: at the values that are within the bounds, by the cheapest way.

use zeroxor::grundy::TooLarge;

use super::bounds::Bounds;
use super::findings::{Findings, Status};
use super::game::SweepGame;
use super::{long_look, subtraction_look, table_look};
use crate::row_game::RowGame;

/// A first table has so many values: few periods are found later, and it shows how many values are rare.
const FIRST_LOOK: u64 = 64_000;

/// Looks at a game within these bounds. The cost is counted, not timed, so the same is found each time.
pub(super) fn look_at(game: &SweepGame, bounds: &Bounds) -> Findings {
    let found = match game {
        SweepGame::Row(game) => look_at_rows(*game, bounds),
        SweepGame::Subtract(takes) => subtraction_look::find(takes, bounds),
    };
    found.unwrap_or_else(|error| Findings::none(&error))
}

/// By tables, as long as they cost less than to find the values one after the other, where few are rare.
///
/// # Errors
///
/// If not even the first values are within the bounds.
fn look_at_rows(game: RowGame, bounds: &Bounds) -> Result<Findings, TooLarge> {
    let first = table_look::find(game, &Bounds { to: bounds.to.min(FIRST_LOOK), ..*bounds })?;
    if first.status == Status::Solved || first.n == bounds.to {
        return Ok(first);
    }
    let one_by_one = first.rares.map_or(u64::MAX, |rares| long_look::cost(bounds.to, rares, first.largest));
    let cheaper = Bounds { steps: bounds.steps.min(one_by_one), ..*bounds };
    let found = table_look::find(game, &cheaper)?;
    if found.status != Status::Stopped {
        return Ok(found);
    }
    match long_look::find(game, bounds, &found) {
        Some(farther) => Ok(farther),
        None if cheaper.steps < bounds.steps => table_look::find(game, bounds),
        None => Ok(found),
    }
}
