//! A look at a game by a table of all its values.

use zeroxor::grundy::TooLarge;
use zeroxor::grundy::segment::SparseSpace;

use super::bounds::Bounds;
use super::deepening::longest;
use super::findings::{Findings, Status};
use crate::tables::certificate::Certificate;
use crate::tables::row_game::RowGame;
use crate::tables::rows::Rows;

/// What a table of all values shows.
///
/// # Errors
///
/// If not even the first values are within the bounds.
pub(super) fn find(game: RowGame, bounds: &Bounds) -> Result<Findings, TooLarge> {
    let (rows, stopped) = longest(game, bounds)?;
    Ok(of_rows(game, bounds, &rows, stopped))
}

/// What these rows show.
fn of_rows(game: RowGame, bounds: &Bounds, rows: &Rows, stopped: Option<TooLarge>) -> Findings {
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
    // There the mask alone does not tell which are rare.
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
        stopped_by: stopped.map(|error| error.to_string()),
    }
}
