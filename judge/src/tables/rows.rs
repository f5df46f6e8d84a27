//! The nimbers of rows, and the period that they prove.

use std::time::{Duration, Instant};

use zeroxor::GameSpec;
use zeroxor::grundy::segment::{Period, Sequence, SparseSpace, Window, known_period};
use zeroxor::grundy::{Budget, ValueKind};

use super::heaps::Heaps;
use super::table::Table;
use crate::report::progress::Progress;

/// What the nimbers of rows may cost: 4 GiB, and as many steps as they take, for a bar shows how far they are.
const BUDGET: Budget = Budget::new(u128::MAX, 4 << 30);

/// The nimbers of a window's rows up to a length.
pub(crate) struct Rows {
    pub(super) window: Window,
    to: u64,
    pub(super) values: Sequence,
    time: Duration,
    /// Whether the period is wanted.
    with_period: bool,
    /// The least period that the values prove, if it is wanted and they prove one.
    pub(super) period: Option<Period>,
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is wanted. Where the
    /// period is known no more values are computed than it takes, or than prove it.
    ///
    /// # Errors
    ///
    /// If the values, or the proof of a period from them, take more memory than a table may.
    pub(crate) fn compute(window: Window, to: u64, with_period: bool) -> anyhow::Result<Self> {
        let mut budget = BUDGET;
        let computed = match known_period(window) {
            Some(period) if with_period => {
                to.min(u64::try_from(period.values_needed(window.r())).unwrap_or(u64::MAX))
            }
            None if with_period => to,
            _ => Sequence::computed(window, to),
        };
        if with_period {
            let what = || format!("the proof of a period from \"{}\" up to {to}", game(window));
            budget.allows(what, 0, Period::bytes(computed))?;
        }
        let progress = Progress::new(computed);
        let start = Instant::now();
        let values = Sequence::within(window, computed, &mut budget, &mut |n| progress.reach(n))?.repeating();
        let time = start.elapsed();
        let period = with_period.then(|| Period::proven(window.r(), values.values())).flatten();
        Ok(Self { window, to, values, time, with_period, period })
    }

    /// The table of these nimbers, with the sparse space and the period in its summary.
    ///
    /// # Errors
    ///
    /// If the window is no game.
    pub(crate) fn into_table(self) -> anyhow::Result<Table> {
        let Self { window, to, values, time, with_period, period } = self;
        let (l, r) = (window.l(), window.r());
        let space = values.space();
        let game = GameSpec::Segment { n: r, l, r };
        let mut table = Table::new(&game, Heaps::Sizes(to), ValueKind::Nimber, values.into_table(), time)?;
        if let Some(SparseSpace { mask, rares, last }) = space {
            table.note("rare values", format!("{rares}, the last at n = {last} (mask {mask:#b})"));
        }
        if with_period {
            let none = || format!("none up to {to}");
            table.note("period", period.map_or_else(none, |period| proof(window, period)));
        }
        Ok(table)
    }
}

/// The rules in the header's words, sizes left out.
pub(super) fn game(window: Window) -> String {
    format!("segment {} {}", window.l(), window.r())
}

/// A period in words, and what proves it.
pub(super) fn proof(window: Window, period: Period) -> String {
    let Period { start, length } = period;
    let checked = period.range(window.r()).map_or(String::new(), |range| format!(" to {}", range.end - 1));
    format!("{length} from n = {start} on, proven: g(n+{length}) = g(n) for n = {start}{checked}")
}
