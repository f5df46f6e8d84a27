//! The nimbers of rows and the period that they prove.

use std::iter;
use std::time::Duration;

use itertools::Either;
use zeroxor::Nimber;
use zeroxor::grundy::octal::CodeSequence;
use zeroxor::grundy::segment::{Period, Sequence, SparseSpace};
use zeroxor::grundy::{Budget, GrundyTable, TooLarge, ValueKind};

use super::excluded::least_not_excluded;
use super::heaps::Heaps;
use super::period_status::{PeriodReport, PeriodStatus, ProvenPeriod};
use super::row_game::RowGame;
use super::table::Table;
use super::value::ValueStructure;
use common::progress::Progress;

/// The budget of the nimbers of rows: at most 4 GiB, and any number of steps, because a bar shows the progress.
pub(super) const BUDGET: Budget = Budget::new(u128::MAX, 4 << 30);

/// The nimbers of rows up to a length.
pub struct Rows {
    pub(super) game: RowGame,
    pub(super) to: u64,
    values: Values,
    /// Whether the period is requested.
    with_period: bool,
    /// The least period that the values prove, if it is requested and they prove one.
    pub period: Option<Period>,
}

/// The nimbers, as the engine returns them.
enum Values {
    Window(Sequence),
    Code(CodeSequence),
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is requested. If the
    /// period is known, computes only the values that prove it, or only those up to the end of the first period if it
    /// is not requested. On a terminal a bar shows the progress.
    ///
    /// # Errors
    ///
    /// If the values, or the proof of a period from them, need more memory than a table may use.
    pub fn compute(game: RowGame, to: u64, with_period: bool) -> anyhow::Result<Self> {
        let progress = Progress::new(Self::computed(game, to, with_period));
        Ok(Self::within(game, to, with_period, &mut BUDGET.clone(), &mut |n| progress.reach(n))?)
    }

    /// Like [`compute`](Self::compute), but takes the cost from a budget. `progress` is regularly called with the
    /// length up to which the values are known.
    ///
    /// # Errors
    ///
    /// If the cost exceeds the budget.
    pub fn within(
        game: RowGame,
        to: u64,
        with_period: bool,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, TooLarge> {
        let computed = Self::computed(game, to, with_period);
        if with_period {
            let what = || format!("the proof of a period from \"{game}\" up to {to}");
            budget.allows(what, 0, Period::bytes(computed))?;
        }
        let values = match (game, game.window()) {
            (RowGame::Window(window), _) | (RowGame::Code(_), Some(window)) => {
                Values::Window(Sequence::within(window, computed, budget, progress)?.repeating())
            }
            (RowGame::Code(code), None) => {
                Values::Code(CodeSequence::repeating(code, computed, budget, progress)?)
            }
        };
        let period = with_period.then(|| values.proven_period(game)).flatten();
        Ok(Self { game, to, values, with_period, period })
    }

    /// Returns the length up to which values are computed.
    fn computed(game: RowGame, to: u64, with_period: bool) -> u64 {
        match game.known_period() {
            Some(period) if with_period => {
                to.min(u64::try_from(period.values_needed(game.move_bounds())).unwrap_or(u64::MAX))
            }
            None if with_period => to,
            _ => game.window().map_or(to, |window| Sequence::computed(window, to)),
        }
    }

    /// Returns the nimber of a heap of at most `to` cards: a computed value, or a value that follows from the period.
    pub(super) fn nimber(&self, n: u64) -> Nimber {
        match &self.values {
            Values::Window(values) => values.nimber(n),
            Values::Code(values) => values.nimber(n),
        }
    }

    /// Returns the nimbers of the heaps of `from` and more cards. For a window this needs no division for each nimber,
    /// unlike [`nimber`](Self::nimber).
    pub(super) fn nimbers_from(&self, from: u64) -> impl Iterator<Item = Nimber> + Clone {
        let Values::Window(values) = &self.values else {
            return Either::Left((from..).map(|n| self.nimber(n)));
        };
        let (start, end) = values
            .period()
            .map_or((u64::MAX, u64::MAX), |Period { start, length }| (start, start.saturating_add(length)));
        let mut next = if from < start { from } else { start + (from - start) % (end - start).max(1) };
        Either::Right(iter::from_fn(move || {
            let value = *values.values().get(usize::try_from(next).ok()?)?;
            next = if next + 1 == end { start } else { next + 1 };
            Some(Nimber(value.into()))
        }))
    }

    /// Returns the first `count` values; `None` if fewer were computed.
    pub(super) fn first_values(&self, count: u128) -> Option<impl Iterator<Item = Nimber>> {
        let count = usize::try_from(count).ok().filter(|&count| count <= self.values.len())?;
        Some(self.values().take(count).map(|value| Nimber(value.into())))
    }

    /// Returns the computed values, from heap 0 on.
    pub(super) fn values(&self) -> impl Iterator<Item = u32> {
        match &self.values {
            Values::Window(values) => Either::Left(values.values().iter().copied()),
            Values::Code(values) => Either::Right(values.values().iter().copied().map(u32::from)),
        }
    }

    /// Returns the number of computed values.
    pub(super) fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Returns the least number that the values do not exclude as a period.
    pub(crate) fn least_period_not_excluded(&self) -> usize {
        least_not_excluded(self.game, self.values())
    }

    /// Returns the proven period, arithmetic or not, if it is requested and the values prove one.
    pub(crate) fn proven_period(&self) -> Option<ProvenPeriod> {
        self.period_report().proven().filter(|_| self.with_period)
    }

    /// Returns the status of the period, from these values or from another source.
    pub fn period_status(&self) -> PeriodStatus {
        self.period_report().status()
    }

    /// Returns the report on the period from these values.
    pub(crate) fn period_report(&self) -> PeriodReport {
        let growth = match &self.values {
            Values::Code(values) if self.period.is_none() => values.arithmetic_period(),
            Values::Code(_) | Values::Window(_) => None,
        };
        PeriodReport { game: self.game, to: self.to, computed: self.len(), period: self.period, growth }
    }

    /// Returns the sparse space that was used to find the values, if there was one.
    pub fn space(&self) -> Option<SparseSpace> {
        match &self.values {
            Values::Window(values) => values.space(),
            Values::Code(values) => values.space(),
        }
    }

    /// Converts the nimbers into a table, with the structure that plots mark.
    ///
    /// # Errors
    ///
    /// If the rules define no valid game.
    pub(crate) fn into_table(self) -> anyhow::Result<Table> {
        let structure =
            ValueStructure { is_period_wanted: self.with_period, period: self.period, space: self.space() };
        let (spec, heaps, values) = (self.game.spec(), Heaps::Sizes(self.to), self.values.into_table());
        let mut table = Table::new(&spec, heaps, ValueKind::Nimber, values, Duration::ZERO)?;
        table.structure = structure;
        Ok(table)
    }
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Window(values) => values.values().len(),
            Self::Code(values) => values.values().len(),
        }
    }

    fn proven_period(&self, game: RowGame) -> Option<Period> {
        match self {
            Self::Window(values) => Period::proven(game.move_bounds(), values.values()),
            Self::Code(values) => values.proven_period(),
        }
    }

    fn into_table(self) -> Box<dyn GrundyTable> {
        match self {
            Self::Window(values) => values.into_table(),
            Self::Code(values) => values.into_table(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that `nimbers_from` and `nimber` agree, for heaps before and after the start of a period.
    #[test]
    fn nimbers_from_any_heap() {
        for game in ["segment 1 2", "segment 3 3", "octal 0.137", "octal 0.28", "octal 0.8"] {
            let rows = Rows::compute(RowGame::read(game).unwrap(), 1000, false).unwrap();
            for from in [0, 1, 70, 83, 84, 500, 1000] {
                let nimbers = (from..=1000).zip(rows.nimbers_from(from));
                assert_eq!(nimbers.clone().count() as u64, 1001 - from, "{game} from {from}");
                for (n, nimber) in nimbers {
                    assert_eq!(nimber, rows.nimber(n), "{game} {n}");
                }
            }
        }
    }
}
