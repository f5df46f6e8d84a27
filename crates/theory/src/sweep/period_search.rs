//! The search for the period of a game, within bounds on its cost. It uses tables of all values, each larger than the
//! previous one. If the tables of a game cost too much, it computes the values one after another.

use zeroxor::GameSpec;
use zeroxor::grundy::segment::{Period, SparseSpace};
use zeroxor::grundy::{Budget, TableError, TooLarge, ValueKind, subtraction_period, table};
use zeroxor::rules::{Clause, Heap, PileGame, Window};

use super::family::SweepGame;
use super::findings::{Bounds, FEW_RARES, Findings, Status, stream_cost};
use crate::certificate::Certificate;
use crate::period_status::ProvenPeriod;
use crate::row_game::RowGame;
use crate::row_stream::RowStream;
use crate::rows::Rows;

/// Minimum reach of a longer search that is worth its cost, as a percentage of the largest known heap.
const MIN_REACH_PERCENT: u64 = 130;

/// The largest heap of the first search in tables: few periods are found later, and the values suffice to estimate the
/// number of rare values.
const FIRST_SEARCH: u64 = 64_000;

/// Searches for the period of a game within these bounds. The cost is counted, not timed, so every run has the same
/// findings.
pub(super) fn search(game: &SweepGame, bounds: &Bounds) -> Findings {
    let found = match game {
        SweepGame::Row(game) => search_in_stages(*game, bounds),
        SweepGame::Subtract(takes) => search_subtraction_set(takes, bounds),
    };
    found.unwrap_or_else(|error| Findings::none(&error))
}

/// Searches up to the largest heap that the bounds allow for a game of this kind. The search has stages, because only a
/// search shows whether the values are in a sparse space, and how many of them are rare.
///
/// # Errors
///
/// If not even the first values are within the bounds.
fn search_in_stages(game: RowGame, bounds: &Bounds) -> Result<Findings, TooLarge> {
    let up_to = |to: u64| search_rows(game, &Bounds { to, ..*bounds });
    let mut found = up_to(bounds.dense_to.unwrap_or(bounds.to))?;
    for (to, too_many) in [(bounds.to, u64::MAX), (bounds.few_rares_to.unwrap_or(bounds.to), FEW_RARES)] {
        if found.status == Status::Open && found.n < to && found.rares.is_some_and(|rares| rares < too_many) {
            let farther = up_to(to)?;
            found = if farther.n > found.n || farther.status == Status::Solved {
                farther
            } else {
                Findings { status: Status::Stopped, stopped_by: farther.stopped_by, ..found }
            };
        }
    }
    Ok(found)
}

/// Searches in tables as long as they cost less than computing the values one after another, and then in a stream of
/// values. A stream is cheap if few values are rare.
///
/// # Errors
///
/// If not even the first values are within the bounds.
fn search_rows(game: RowGame, bounds: &Bounds) -> Result<Findings, TooLarge> {
    let first = find_in_tables(game, &Bounds { to: bounds.to.min(FIRST_SEARCH), ..*bounds })?;
    if first.status == Status::Solved || first.n == bounds.to {
        return Ok(first);
    }
    let one_by_one = first.rares.map_or(u64::MAX, |rares| stream_cost(bounds.to, rares, first.largest));
    let cheaper = Bounds { steps: bounds.steps.min(one_by_one), ..*bounds };
    let found = find_in_tables(game, &cheaper)?;
    if found.status != Status::Stopped {
        return Ok(found);
    }
    match find_in_stream(game, bounds, &found) {
        Some(farther) => Ok(farther),
        None if cheaper.steps < bounds.steps => find_in_tables(game, bounds),
        None => Ok(found),
    }
}

/// The size of the first table of a search.
const SHORTEST_TABLE: u64 = 1000;

/// The ratio of the sizes of successive tables. Most periods are found early, and all shorter tables together cost
/// little compared with the last one.
const TABLE_GROWTH: u64 = 8;

/// Returns the findings from the values up to the largest heap that the bounds allow, or up to a heap that proves a
/// period.
///
/// # Errors
///
/// If not even the shortest table is within the bounds.
fn find_in_tables(game: RowGame, bounds: &Bounds) -> Result<Findings, TooLarge> {
    let mut budget = bounds.budget();
    // Keep no table: the next table may need all the memory.
    let mut search =
        |n| compute_rows(game, n, &mut budget, bounds).map(|rows| findings_of_rows(game, bounds, &rows));
    let mut n = SHORTEST_TABLE.min(bounds.to);
    let mut found = search(n)?;
    while n < bounds.to && found.status != Status::Solved {
        let next = n.saturating_mul(TABLE_GROWTH).min(bounds.to);
        match search(next) {
            Ok(farther) => (found, n) = (farther, next),
            Err(error) => {
                let shorter = shorter(next, &error).filter(|&shorter| shorter > n * MIN_REACH_PERCENT / 100);
                let found = shorter.and_then(|n| search(n).ok()).unwrap_or(found);
                let stopped_by = (found.status != Status::Solved).then(|| error.to_string());
                return Ok(Findings { stopped_by, ..found });
            }
        }
    }
    Ok(found)
}

/// Computes the rows up to `n`, and takes their steps from the budget. Their memory is not taken from the budget,
/// because it is free again once the rows are dropped.
fn compute_rows(game: RowGame, n: u64, budget: &mut Budget, bounds: &Bounds) -> Result<Rows, TooLarge> {
    let mut spent = Budget::new(budget.steps(), bounds.memory.into()).refusing_late();
    let rows = Rows::within(game, n, true, &mut spent, &mut |_| ());
    *budget = Budget::new(spent.steps(), bounds.memory.into());
    // Report the original limit: the shorter tables have used some of the steps.
    rows.map_err(|error| match error.unit {
        "steps" => TooLarge { limit: bounds.steps.into(), ..error },
        _ => error,
    })
}

/// Returns a size that is likely to be within the budget, given the error for the size `n`: bytes grow with `n`, and
/// steps grow at most with its square.
fn shorter(n: u64, error: &TooLarge) -> Option<u64> {
    let part = |n: u128| u64::try_from(n * error.left * 9 / 10 / error.asked.max(1)).ok();
    match error.unit {
        "bytes" => part(n.into()),
        "steps" => part(u128::from(n) * u128::from(n)).map(u64::isqrt),
        _ => None,
    }
}

/// Returns the findings from these rows.
fn findings_of_rows(game: RowGame, bounds: &Bounds, rows: &Rows) -> Findings {
    let (certificate, proven) = (Certificate::of(rows), rows.proven_period());
    let n = match rows.period {
        Some(period) => u64::try_from(period.values_needed(game.move_bounds()) - 1).unwrap_or(u64::MAX),
        None => rows.len().saturating_sub(1),
    };
    let (mut rares, mut last, mut largest, mut largest_at) = (0, 0, 0, 0);
    for (at, value) in (0..=n).zip(rows.values()) {
        if rows.space().is_some_and(|space| space.is_rare(at, value.into())) {
            (rares, last) = (rares + 1, at);
        }
        if value > largest {
            (largest, largest_at) = (value, at);
        }
    }
    let found = Findings {
        sha256: certificate.map(Certificate::into_sha256),
        least_period_not_excluded: (proven.is_none() && !game.never_repeats())
            .then(|| rows.least_period_not_excluded() as u64),
        ..Findings::of_values(Status::of(proven.is_some(), n, bounds.to), n, largest.into(), largest_at)
    };
    let space = rows.space().map(|space| SparseSpace { rares, last, ..space });
    found.with_period(proven).with_space(space)
}

/// The memory that a search in a stream needs, in bytes.
const STREAM_MEMORY: u64 = 64 << 20;

/// Returns the findings from the values of a game up to the largest heap that the bounds allow, or up to a heap that
/// proves a period. `known` are the findings from a table. Returns `None` if the values are in no sparse space, or do
/// not reach far beyond the known values.
fn find_in_stream(game: RowGame, bounds: &Bounds, known: &Findings) -> Option<Findings> {
    let enough = (known.n * MIN_REACH_PERCENT / 100).min(bounds.to);
    let is_worth_it = |rares| stream_cost(enough, rares, known.largest) <= bounds.steps;
    if bounds.memory < STREAM_MEMORY || !known.rares.is_none_or(is_worth_it) {
        return None;
    }
    let mut rows = RowStream::unbounded(game).ok()??;
    if !is_worth_it(rows.known_space()?.rares) {
        return None;
    }
    let (mut remaining, mut too_large) = (bounds.steps, None);
    while rows.len() <= bounds.to && rows.period().is_none() && rows.stopped.is_none() {
        let (before, missing) = (rows.len(), bounds.to + 1 - rows.len());
        let (rares, largest) = (rows.known_space()?.rares, rows.totals.largest.max(known.largest));
        if remaining < stream_cost(RowStream::STEP.min(missing), rares, largest) {
            too_large = Some(too_many_steps(game, bounds, stream_cost(missing, rares, largest), remaining));
            break;
        }
        rows.next(bounds.to, &mut || false).ok()?;
        remaining = remaining.saturating_sub(stream_cost(rows.len() - before, rares, largest));
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
    let (status, totals) = (Status::of(period.is_some(), n, bounds.to), &rows.totals);
    let found = Findings {
        sha256,
        least_period_not_excluded: period.is_none().then(|| rows.least_period_not_excluded() as u64),
        stopped_by: rows.stopped.as_ref().map(ToString::to_string).or(too_large),
        ..Findings::of_values(status, n, totals.largest, totals.largest_at)
    };
    let proven = period.map(|period| ProvenPeriod { period, saltus: None });
    Some(found.with_period(proven).with_space(Some(rows.sparse_space()?)))
}

fn too_many_steps(game: RowGame, bounds: &Bounds, asked: u64, left: u64) -> String {
    let what = format!("computing the values of {game} up to {} one after another", bounds.to);
    let (asked, left, limit) = (asked.into(), left.into(), bounds.steps.into());
    TooLarge { what, asked, left, limit, unit: "steps" }.to_string()
}

/// Returns the findings from the values of a subtraction set, up to the last value that proves the period. A period
/// always exists.
///
/// # Errors
///
/// If the period is not found within the bounds.
fn search_subtraction_set(takes: &[u64], bounds: &Bounds) -> Result<Findings, TooLarge> {
    let mut budget = bounds.budget();
    let windows: Vec<Window> = takes.iter().filter_map(|&take| Window::new(take, take)).collect();
    let (start, length) = subtraction_period(&windows, &mut budget)?;
    let [start, length] = [start, length].map(|number| u64::try_from(number).unwrap_or(u64::MAX));
    let longest = takes.last().copied().unwrap_or(0);
    let n = start.saturating_add(length).saturating_add(longest) - 1;
    let values = values_to(takes, n, &mut budget)?;
    let largest = values.iter().max().copied().unwrap_or(0);
    let largest_at = (0..).zip(&values).find(|&(_, &value)| value == largest).map_or(0, |(at, _)| at);
    let proven = ProvenPeriod { period: Period { start, length }, saltus: None };
    Ok(Findings::of_values(Status::Solved, n, largest, largest_at).with_period(Some(proven)))
}

/// Returns the values of the piles up to `n` under a subtraction set.
fn values_to(takes: &[u64], n: u64, budget: &mut Budget) -> Result<Vec<u64>, TooLarge> {
    let game = GameSpec::Piles { game: PileGame::Subtract, piles: vec![1], clauses: Clause::taking(takes) };
    let values = table(&game, Heap::of(n), ValueKind::Nimber, budget, &mut |_| ());
    let values = values.map_err(|error| match error {
        TableError::TooLarge(error) => error,
        error => unreachable!("a subtraction set has a table: {error}"),
    })?;
    Ok((0..=n).map(|size| values.nimber(Heap::of(size)).0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds =
        Bounds { to: 40_000, dense_to: None, few_rares_to: None, steps: u64::MAX, memory: 1 << 30 };

    /// Returns the findings from a short table.
    fn first(game: RowGame, to: u64) -> Findings {
        find_in_tables(game, &Bounds { to, ..BOUNDS }).unwrap()
    }

    /// Checks for some games that the search in a stream has the same findings as the search in tables.
    #[test]
    fn streams_and_tables_find_the_same() {
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
            let Some(found) = find_in_stream(rules, &BOUNDS, &first(rules, 100)) else {
                assert_eq!(game, "segment 3 8", "it has no sparse space");
                continue;
            };
            let expected = find_in_tables(rules, &BOUNDS).unwrap();
            assert_eq!(found, expected, "{game}");
        }
    }

    /// Checks a game in which the rule for rare values alternates from heap to heap.
    #[test]
    fn rare_values_by_place() {
        let Some(SweepGame::Row(rules)) = SweepGame::read("octal 0.104") else { panic!() };
        let found = find_in_stream(rules, &BOUNDS, &first(rules, 100)).unwrap();
        assert_eq!(
            (found.rares, found.last_rare, found.mask, found.is_by_place),
            (Some(20), Some(284), Some(23), true)
        );
        assert_eq!(found, find_in_tables(rules, &BOUNDS).unwrap());
    }

    /// Checks that the findings name the exceeded cost, and that a stream is not started if it would exceed the bounds.
    #[test]
    fn bounds_on_the_cost() {
        let Some(SweepGame::Row(rules)) = SweepGame::read("octal 0.6") else { panic!() };
        let bounds = Bounds { to: 1_000_000, steps: 1_000_000_000, ..BOUNDS };
        let known = first(rules, 1000);
        let found = find_in_stream(rules, &bounds, &known).unwrap();
        assert_eq!(found.status, Status::Stopped);
        assert!((100_000..200_000).contains(&found.n), "{}", found.n);
        let why = found.stopped_by.as_deref().unwrap();
        assert!(
            why.starts_with("computing the values of octal 0.6 up to 1000000 one after another needs "),
            "{why}"
        );
        assert_eq!(find_in_stream(rules, &bounds, &found), None, "it would reach no farther");
        let far_too_many = Findings { rares: Some(1_000_000), ..known.clone() };
        assert_eq!(find_in_stream(rules, &bounds, &far_too_many), None);
        assert_eq!(find_in_stream(rules, &Bounds { memory: 1 << 20, ..bounds }, &known), None);
    }

    /// Checks that the kind of a game decides how far it is searched, and that the findings of an earlier stage stay if
    /// a later stage is stopped.
    #[test]
    fn depths_of_kinds_of_games() {
        let bounds = Bounds { to: 4000, dense_to: Some(2000), few_rares_to: Some(20_000), ..BOUNDS };
        let found = |game: &str, bounds: &Bounds| search(&SweepGame::read(game).unwrap(), bounds);
        for (game, n, status) in [
            ("octal 0.6", 2000, Status::Open),
            ("octal 0.774", 4000, Status::Open),
            ("octal 0.174", 20_000, Status::Open),
            ("octal 0.156", 7658, Status::Solved),
            ("octal 0.05", 7, Status::Solved),
        ] {
            let found = found(game, &bounds);
            assert_eq!((found.n, found.status), (n, status), "{game}");
        }
        assert_eq!(found("octal 0.174", &Bounds { few_rares_to: None, ..bounds }).n, 4000);
        assert_eq!(found("octal 0.6", &Bounds { dense_to: None, ..bounds }).n, 4000);
        let mut stopped = 0;
        for steps in (24..27).flat_map(|power| [4, 5, 6, 7].map(|quarters| quarters << (power - 2))) {
            let bounds = Bounds { to: 1_000_000, dense_to: Some(80_000), steps, ..BOUNDS };
            let dense = found("octal 0.774", &Bounds { to: 80_000, dense_to: None, ..bounds });
            let farther = found("octal 0.774", &bounds);
            assert!(farther.n >= dense.n && farther.status == Status::Stopped, "{steps}: {farther:?}");
            assert!(farther.stopped_by.is_some(), "{steps}");
            stopped += u64::from(dense.status == Status::Open && farther.n == dense.n);
        }
        assert!(stopped > 0, "no later stage is stopped at once");
    }
}
