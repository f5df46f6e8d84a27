//! The nimbers of rows and the period that they prove.

use zeroxor::grundy::GrundyTable;
use zeroxor::grundy::segment::{Period, Sequence, SparseSpace};

use crate::period_status::PeriodReport;
use crate::row_game::RowGame;

/// The nimbers of rows up to a length.
pub(crate) struct Rows {
    game: RowGame,
    to: u64,
    values: Sequence,
    /// The least period that the values prove, if it is requested and they prove one.
    period: Option<Period>,
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is requested. If the
    /// period is known, computes only the values that prove it, or only those up to the end of the first period if it
    /// is not requested.
    pub(crate) fn compute(game: RowGame, to: u64, with_period: bool) -> Self {
        let computed = Self::computed(game, to, with_period);
        let values = match (game, game.window()) {
            (RowGame::Window(window), _) | (RowGame::Code(_), Some(window)) => {
                Sequence::up_to(window, computed).repeating()
            }
            (RowGame::Code(code), None) => Sequence::of_code(code, computed),
        };
        let period = if with_period { values.proven_period() } else { None };
        Self { game, to, values, period }
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
    pub(crate) fn values(&self) -> &[u32] {
        self.values.values()
    }

    pub(crate) fn period_report(&self) -> PeriodReport {
        PeriodReport { game: self.game, to: self.to, period: self.period }
    }

    /// Describes the rare values of the sparse space, if the values were found by one: their number, the last heap
    /// with a rare value, and the rule that makes a value rare.
    pub(crate) fn rare_values(&self) -> Option<String> {
        let SparseSpace { mask, exchanged, rares, last } = self.values.space()?;
        let last = if rares == 0 { String::new() } else { format!(", the last at n = {last}") };
        let by_place = if exchanged.is_some() { ", and by the place" } else { "" };
        Some(format!("{rares}{last} (mask {mask:#b}{by_place})"))
    }

    pub(crate) fn into_table(self) -> Box<dyn GrundyTable> {
        self.values.into_table()
    }
}
