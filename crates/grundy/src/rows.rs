//! The nimbers of rows and the period that they prove.

use itertools::Either;
use zeroxor::grundy::octal::CodeSequence;
use zeroxor::grundy::segment::{Period, Sequence, SparseSpace};
use zeroxor::grundy::{Budget, GrundyTable, TooLarge};

use crate::period_status::PeriodReport;
use crate::row_game::RowGame;

/// The budget of the nimbers of rows: at most 4 GiB, and any number of steps.
const BUDGET: Budget = Budget::new(u128::MAX, 4 << 30);

/// The nimbers of rows up to a length.
pub(crate) struct Rows {
    game: RowGame,
    to: u64,
    values: Values,
    /// The least period that the values prove, if it is requested and they prove one.
    period: Option<Period>,
}

/// The nimbers, as the engine returns them.
enum Values {
    Window(Sequence),
    Code(CodeSequence),
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is requested. If the
    /// period is known, computes only the values that prove it, or only those up to the end of the first period if it
    /// is not requested.
    ///
    /// # Errors
    ///
    /// If the values, or the proof of a period from them, need more memory than a table may use.
    pub(crate) fn compute(game: RowGame, to: u64, with_period: bool) -> Result<Self, TooLarge> {
        let (budget, progress) = (&mut BUDGET.clone(), &mut |_| ());
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
        let period = match &values {
            _ if !with_period => None,
            Values::Window(values) => Period::proven(game.move_bounds(), values.values()),
            Values::Code(values) => values.proven_period(),
        };
        Ok(Self { game, to, values, period })
    }

    /// The length up to which values are computed.
    fn computed(game: RowGame, to: u64, with_period: bool) -> u64 {
        match game.known_period() {
            Some(period) if with_period => {
                to.min(u64::try_from(period.values_needed(game.move_bounds())).unwrap_or(u64::MAX))
            }
            None if with_period => to,
            _ => game.window().map_or(to, |window| Sequence::computed(window, to)),
        }
    }

    /// The computed values, from heap 0 on.
    pub(crate) fn values(&self) -> impl ExactSizeIterator<Item = u32> {
        match &self.values {
            Values::Window(values) => Either::Left(values.values().iter().copied()),
            Values::Code(values) => Either::Right(values.values().iter().copied().map(u32::from)),
        }
    }

    /// The report on the period from these values.
    pub(crate) fn period_report(&self) -> PeriodReport {
        let growth = match &self.values {
            Values::Code(values) if self.period.is_none() => values.arithmetic_period(),
            Values::Code(_) | Values::Window(_) => None,
        };
        let computed = self.values().len() as u64;
        PeriodReport { game: self.game, to: self.to, computed, period: self.period, growth }
    }

    /// Describes the rare values of the sparse space, if the values were found by one: their number, the last heap
    /// with a rare value, and the rule that makes a value rare.
    pub(crate) fn rare_values(&self) -> Option<String> {
        let space = match &self.values {
            Values::Window(values) => values.space(),
            Values::Code(values) => values.space(),
        };
        let SparseSpace { mask, exchanged, rares, last } = space?;
        let last = if rares == 0 { String::new() } else { format!(", the last at n = {last}") };
        let by_place = if exchanged.is_some() { ", and by the place" } else { "" };
        Some(format!("{rares}{last} (mask {mask:#b}{by_place})"))
    }

    pub(crate) fn into_table(self) -> Box<dyn GrundyTable> {
        match self.values {
            Values::Window(values) => values.into_table(),
            Values::Code(values) => values.into_table(),
        }
    }
}
