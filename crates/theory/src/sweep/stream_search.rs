//! The search for a period in values that come one after the other, for games whose tables cost too much.

use zeroxor::grundy::TooLarge;
use zeroxor::grundy::segment::SparseSpace;

use super::findings::{Bounds, Findings, Status, WORTH};
use crate::certificate::Certificate;
use crate::row_game::RowGame;
use crate::row_stream::RowStream;

/// The cost of a value for each rare heap and each nimber, and its fixed cost: about the nanoseconds of the games in
/// docs/performance.md.
const FOR_A_RARE: u64 = 4;
const FOR_A_NIMBER: u64 = 4;
const FOR_A_VALUE: u64 = 200;

/// The memory of a search.
const MEMORY: u64 = 64 << 20;

/// The findings from the values of a game up to the largest heap that the bounds allow, or up to one that proves a period.
/// `known` are those from a table. `None` if the values are in no sparse space, or do not reach far beyond the known ones.
pub(super) fn find(game: RowGame, bounds: &Bounds, known: &Findings) -> Option<Findings> {
    let enough = (known.n * WORTH / 100).min(bounds.to);
    let is_worth_it = |rares| cost(enough, rares, known.largest) <= bounds.steps;
    if bounds.memory < MEMORY || !known.rares.is_none_or(is_worth_it) {
        return None;
    }
    let mut rows = RowStream::unbounded(game).ok()??;
    if !is_worth_it(rows.known_space()?.0.rares) {
        return None;
    }
    let (mut left, mut too_large) = (bounds.steps, None);
    while rows.len() <= bounds.to && rows.period().is_none() && rows.stopped.is_none() {
        let (before, missing) = (rows.len(), bounds.to + 1 - rows.len());
        let (rares, largest) = (rows.known_space()?.0.rares, rows.totals.largest.max(known.largest));
        if left < cost(RowStream::STEP.min(missing), rares, largest) {
            too_large = Some(too_many_steps(game, bounds, cost(missing, rares, largest), left));
            break;
        }
        rows.next(bounds.to, &mut || false).ok()?;
        left = left.saturating_sub(cost(rows.len() - before, rares, largest));
    }
    let period = rows.period();
    let n = match period {
        Some(period) => u64::try_from(period.values_needed(game.move_bounds()) - 1).ok()?,
        None => rows.len().checked_sub(1)?,
    };
    if period.is_none() && n < enough {
        return None;
    }
    let sha256 = match period {
        Some(period) => Some(Certificate::of_unbounded(game, period, &mut |_| ()).ok()?.into_sha256()),
        None => None,
    };
    let (SparseSpace { mask, rares, last }, is_by_place) = rows.sparse_space()?;
    Some(Findings {
        status: Status::of(period.is_some(), n, bounds.to),
        n,
        period: period.map(|period| period.length),
        pre_period: period.map(|period| period.start),
        saltus: None,
        sha256,
        rares: Some(rares),
        last_rare: Some(last),
        mask: Some(mask),
        is_by_place,
        largest: rows.totals.largest,
        largest_at: rows.totals.largest_at,
        least_period_not_excluded: period.is_none().then(|| rows.least_period_not_excluded() as u64),
        stopped_by: rows.stopped.map(|stopped| stopped.to_string()).or(too_large),
    })
}

/// The cost of `values` values of a game with `rares` rare heaps and this largest nimber.
pub(super) fn cost(values: u64, rares: u64, largest: u64) -> u64 {
    values.saturating_mul(rares * FOR_A_RARE + largest * FOR_A_NIMBER + FOR_A_VALUE)
}

fn too_many_steps(game: RowGame, bounds: &Bounds, asked: u64, left: u64) -> String {
    let what = format!("to find the values of {game} up to {} one after the other", bounds.to);
    let (asked, left, limit) = (asked.into(), left.into(), bounds.steps.into());
    TooLarge { what, asked, left, limit, unit: "steps" }.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::{family::SweepGame, table_search};
    use super::*;

    const BOUNDS: Bounds = Bounds { to: 40_000, steps: u64::MAX, memory: 1 << 30 };

    /// The findings from a short table.
    fn first(game: RowGame, to: u64) -> Findings {
        table_search::find(game, &Bounds { to, ..BOUNDS }).unwrap()
    }

    /// Both searches find the same.
    #[test]
    fn as_a_table_finds() {
        for game in [
            "octal 0.6",
            "octal 0.16",
            "octal 0.156",
            "octal 0.45",
            "octal 4.344",
            "segment 1 3",
            "segment 3 8",
        ] {
            let Some(SweepGame::Row(rules)) = SweepGame::read(game) else { panic!("{game}") };
            let Some(found) = find(rules, &BOUNDS, &first(rules, 100)) else {
                assert_eq!(game, "segment 3 8", "it has no sparse space");
                continue;
            };
            let expected = table_search::find(rules, &BOUNDS).unwrap();
            assert_eq!(found, expected, "{game}");
        }
    }

    /// The rare values may change with the place.
    #[test]
    fn rare_values_by_place() {
        let Some(SweepGame::Row(rules)) = SweepGame::read("octal 0.104") else { panic!() };
        let found = find(rules, &BOUNDS, &first(rules, 100)).unwrap();
        assert_eq!(
            (found.rares, found.last_rare, found.mask, found.is_by_place),
            (Some(20), Some(284), Some(23), true)
        );
        assert_eq!(found, table_search::find(rules, &BOUNDS).unwrap());
    }

    /// The cost is counted, and the findings say what exceeded it.
    #[test]
    fn bounds_on_the_cost() {
        let Some(SweepGame::Row(rules)) = SweepGame::read("octal 0.6") else { panic!() };
        let bounds = Bounds { to: 1_000_000, steps: 1_000_000_000, ..BOUNDS };
        let known = first(rules, 1000);
        let found = find(rules, &bounds, &known).unwrap();
        assert_eq!(found.status, Status::Stopped);
        assert!((100_000..200_000).contains(&found.n), "{}", found.n);
        let why = found.stopped_by.as_deref().unwrap();
        assert!(
            why.starts_with("to find the values of octal 0.6 up to 1000000 one after the other takes "),
            "{why}"
        );
        assert_eq!(find(rules, &bounds, &found), None, "it would reach no farther");
        let far_too_many = Findings { rares: Some(1_000_000), ..known.clone() };
        assert_eq!(find(rules, &bounds, &far_too_many), None);
        assert_eq!(find(rules, &Bounds { memory: 1 << 20, ..bounds }, &known), None);
    }
}
