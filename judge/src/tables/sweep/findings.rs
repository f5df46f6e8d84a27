//! What is found of one game: its period, its rare values, and how far it was looked at.

use serde::{Deserialize, Serialize};
use zeroxor::GameSpec;
use zeroxor::grundy::segment::{Period, SparseSpace};
use zeroxor::grundy::{Budget, TableError, TooLarge, ValueKind, subtraction_period, table};
use zeroxor::rules::Heap;

use super::bounds::Bounds;
use super::deepening::longest;
use super::game::SweepGame;
use super::long_look;
use crate::tables::certificate::Certificate;
use crate::tables::row_game::RowGame;
use crate::tables::rows::Rows;

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Its period is proven.
    Solved,
    /// No period shows up to the largest heap that was asked for.
    Open,
    /// No period shows, and the bounds on its cost ended it before that heap.
    Stopped,
}

/// A first table has so many values: few periods are found later, and it shows how many values are rare.
const FIRST_LOOK: u64 = 1 << 16;

/// What is found of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Findings {
    pub(crate) status: Status,
    /// The largest heap whose value is known, of a solved game the last that the proof of its period takes.
    pub(crate) n: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) period: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pre_period: Option<u64>,
    /// The hash of the values that prove the period, as a certificate has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<String>,
    /// How many values up to n are rare, and the last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rares: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_rare: Option<u64>,
    /// A value is rare if the number of its bits under the mask is even.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mask: Option<u64>,
    /// Whether it is so at every second heap, and at the others if that number is odd.
    #[serde(default, rename = "by_place", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_by_place: bool,
    /// The largest value, and the first heap that has it.
    pub(crate) largest: u64,
    pub(crate) largest_at: u64,
    /// Of a game without a period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) least_period_not_excluded: Option<u64>,
    /// What the next values would have cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stopped_by: Option<String>,
}

impl Findings {
    /// Looks at a game within these bounds. The cost is counted, not timed, so the same is found each time.
    ///
    /// # Errors
    ///
    /// If not even the first values are within the bounds.
    pub(crate) fn of(game: &SweepGame, bounds: &Bounds) -> Result<Self, TooLarge> {
        match game {
            SweepGame::Row(game) => Self::of_rows(*game, bounds),
            SweepGame::Subtract(takes) => Self::of_subtraction(takes, bounds),
        }
    }

    /// By tables, as long as they cost less than to find the values one after the other, where few are rare.
    fn of_rows(game: RowGame, bounds: &Bounds) -> Result<Self, TooLarge> {
        let first = Self::of_table(game, &Bounds { to: bounds.to.min(FIRST_LOOK), ..*bounds })?;
        if first.status == Status::Solved || first.n == bounds.to {
            return Ok(first);
        }
        let one_by_one =
            first.rares.map_or(u64::MAX, |rares| long_look::cost(bounds.to, rares, first.largest));
        let cheaper = Bounds { steps: bounds.steps.min(one_by_one), ..*bounds };
        let found = Self::of_table(game, &cheaper)?;
        if found.status != Status::Stopped {
            return Ok(found);
        }
        match long_look::find(game, bounds, &found) {
            Some(farther) => Ok(farther),
            None if cheaper.steps < bounds.steps => Self::of_table(game, bounds),
            None => Ok(found),
        }
    }

    /// What a table of all values shows.
    pub(super) fn of_table(game: RowGame, bounds: &Bounds) -> Result<Self, TooLarge> {
        let (rows, stopped) = longest(game, bounds)?;
        Ok(Self::of_values(game, bounds, &rows, stopped))
    }

    /// What these rows show.
    fn of_values(game: RowGame, bounds: &Bounds, rows: &Rows, stopped: Option<TooLarge>) -> Self {
        let certificate = Certificate::of(rows);
        let n = match rows.period {
            Some(period) => u64::try_from(period.values_needed(game.longest()) - 1).unwrap_or(u64::MAX),
            None => rows.len().saturating_sub(1),
        };
        let (space, is_by_place) = (rows.space(), rows.is_by_place());
        let is_rare = |value: u32| {
            space.is_some_and(|SparseSpace { mask, .. }| {
                (u64::from(value) & mask).count_ones().is_multiple_of(2)
            })
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
        let status = match (rows.period, n < bounds.to) {
            (Some(_), _) => Status::Solved,
            (None, false) => Status::Open,
            (None, true) => Status::Stopped,
        };
        Self {
            status,
            n,
            period: rows.period.map(|period| period.length),
            pre_period: rows.period.map(|period| period.start),
            sha256: certificate.map(Certificate::into_sha256),
            rares: space.map(|_| rares),
            last_rare: space.map(|_| last_rare),
            mask: space.map(|space| space.mask),
            is_by_place,
            largest: largest.into(),
            largest_at,
            least_period_not_excluded: rows.period.is_none().then(|| rows.least_period_not_excluded() as u64),
            stopped_by: stopped.map(|error| error.to_string()),
        }
    }

    /// A subtraction set repeats always.
    fn of_subtraction(takes: &[u64], bounds: &Bounds) -> Result<Self, TooLarge> {
        let mut budget = bounds.budget();
        let (start, length) = subtraction_period(takes, &mut budget)?;
        let [start, length] = [start, length].map(|number| u64::try_from(number).unwrap_or(u64::MAX));
        let longest = takes.last().copied().unwrap_or(0);
        let n = start.saturating_add(length).saturating_add(longest) - 1;
        let values = subtraction_values(takes, n, &mut budget)?;
        let largest = values.iter().max().copied().unwrap_or(0);
        let largest_at = (0..).zip(&values).find(|&(_, &value)| value == largest).map_or(0, |(at, _)| at);
        Ok(Self {
            status: Status::Solved,
            n,
            period: Some(length),
            pre_period: Some(start),
            sha256: None,
            rares: None,
            last_rare: None,
            mask: None,
            is_by_place: false,
            largest,
            largest_at,
            least_period_not_excluded: None,
            stopped_by: None,
        })
    }

    /// The period that was proven.
    pub(crate) fn proven(&self) -> Option<Period> {
        Some(Period { start: self.pre_period?, length: self.period? })
    }
}

/// The values of the piles up to `n` under a subtraction set.
fn subtraction_values(takes: &[u64], n: u64, budget: &mut Budget) -> Result<Vec<u64>, TooLarge> {
    let game = GameSpec::Subtract { piles: vec![1], takes: takes.to_vec() };
    let values = table(&game, Heap::of(n), ValueKind::Nimber, budget, &mut |_| ());
    let values = values.map_err(|error| match error {
        TableError::TooLarge(error) => error,
        error => unreachable!("a subtraction set has a table: {error}"),
    })?;
    Ok((0..=n).map(|size| values.nimber(Heap::of(size)).0).collect())
}
