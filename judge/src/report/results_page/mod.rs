//! The results of many games as a page: who won how often, the times, and the verdicts. It has no script.

mod charts;
mod html;

use std::time::Duration;

use crate::report::verdict_counts::VerdictCounts;
use common::json::ms;

/// What the games show of one bot, or of some of its games.
#[derive(Clone, Debug)]
pub(crate) struct ResultRow {
    pub(crate) name: String,
    pub(crate) games: u64,
    pub(crate) won: u64,
    pub(crate) times: Option<TimesMs>,
    pub(crate) verdicts: VerdictCounts,
    /// More about it, such as the first game in which it broke a rule.
    pub(crate) notes: Vec<String>,
}

/// Half, 95 and 99 per cent of some times do not exceed these, and the longest, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimesMs {
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl TimesMs {
    /// Of times in any order; `None` if there are none.
    pub(crate) fn of(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        // The least time that so many per cent do not exceed.
        let time =
            |per_cent: usize| times.get((times.len() * per_cent).div_ceil(100).checked_sub(1)?).copied();
        Some(Self { p50: time(50)?, p95: time(95)?, p99: time(99)?, max: time(100)? })
    }

    /// Of percentiles that are up to an eighth too long, and the longest time.
    pub(crate) fn within(percentile: impl Fn(u64) -> Option<Duration>, max: f64) -> Option<Self> {
        let time = |per_cent| percentile(per_cent).map(|time| ms(time).min(max));
        Some(Self { p50: time(50)?, p95: time(95)?, p99: time(99)?, max })
    }

    fn all(self) -> [f64; 4] {
        [self.p50, self.p95, self.p99, self.max]
    }
}

/// A number with the interval in which it is with 95 %. An end that is not known is `None`.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    pub(crate) name: String,
    /// `None` if only a bound is known.
    pub(crate) value: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    /// The number and its interval in words.
    pub(crate) text: String,
}

/// Estimates of the same kind, as one chart.
#[derive(Clone, Debug)]
pub(crate) struct Estimates {
    pub(crate) title: &'static str,
    pub(crate) axis: &'static str,
    /// What the axis shows at least.
    pub(crate) shown: (f64, f64),
    pub(crate) list: Vec<Estimate>,
}

/// The results of many games.
#[derive(Clone, Debug)]
pub(crate) struct ResultsPage {
    pub(crate) title: String,
    /// The command that made it.
    pub(crate) command: Option<String>,
    /// The heading of the names: a bot, or the opponent of one.
    pub(crate) what: &'static str,
    pub(crate) rows: Vec<ResultRow>,
    pub(crate) estimates: Vec<Estimates>,
    /// What the times are the times of.
    pub(crate) times: &'static str,
    /// All of these results as text.
    pub(crate) text: String,
}

impl ResultsPage {
    /// The page, which needs no other file.
    ///
    /// # Errors
    ///
    /// If a chart cannot be drawn.
    pub(crate) fn page(&self) -> anyhow::Result<String> {
        html::page(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_times() {
        assert_eq!(TimesMs::of(vec![]), None);
        let times = TimesMs::of((1..=100).rev().map(f64::from).collect()).unwrap();
        assert_eq!(format!("{:?}", times.all()), "[50.0, 95.0, 99.0, 100.0]");
        let long = TimesMs::within(|_| Some(Duration::from_millis(8)), 7.5).unwrap();
        assert_eq!(format!("{:?}", long.all()), "[7.5, 7.5, 7.5, 7.5]");
    }
}
