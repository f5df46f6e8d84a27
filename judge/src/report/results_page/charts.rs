//! The charts of the results.

use super::{Estimates, ResultRow};
use common::charts::{CATEGORIES, RowChart, RowMark, Scale};
use common::escape::printable;
use referee::verdict::Verdict;

/// The most rows of a chart: the tables have all.
pub(super) const MAX_ROWS: usize = 40;

/// The estimates with their intervals.
pub(super) fn intervals(estimates: &Estimates) -> RowChart {
    let shown = &estimates.list[..estimates.list.len().min(MAX_ROWS)];
    let known = shown.iter().flat_map(|estimate| [estimate.low, estimate.high, estimate.value]);
    let known = known.flatten().filter(|end| end.is_finite());
    let (first, last) =
        known.fold(estimates.shown, |(first, last), end| (f64::min(first, end), f64::max(last, end)));
    let mut marks = Vec::new();
    for (row, estimate) in shown.iter().enumerate() {
        // An open end is drawn to the border.
        let (low, high) = (estimate.low.unwrap_or(first), estimate.high.unwrap_or(last));
        if estimate.low.is_some() || estimate.high.is_some() {
            marks.push(RowMark::Interval { row, from: low, to: high });
        }
        marks.extend(estimate.value.map(|at| RowMark::Dot { row, at, colour: 0 }));
    }
    RowChart {
        title: estimates.title.to_owned(),
        axis: estimates.axis,
        scale: Scale::Linear,
        names: shown.iter().map(|estimate| printable(&estimate.name)).collect(),
        marks,
        legend: Vec::new(),
        shown: estimates.shown,
    }
}

/// The percentiles of the times and the longest, with a logarithmic axis.
pub(super) fn times(title: &str, rows: &[ResultRow]) -> RowChart {
    const LEGEND: [&str; 4] = ["p50", "p95", "p99", "max"];
    /// Times are known to a microsecond.
    const LEAST: f64 = 0.001;
    let shown = &rows[..rows.len().min(MAX_ROWS)];
    let mut marks = Vec::new();
    for (row, times) in shown.iter().enumerate().filter_map(|(row, result)| Some((row, result.times?))) {
        let all = times.all().map(|time| time.max(LEAST).log10());
        marks.push(RowMark::Interval { row, from: all[0], to: all[3] });
        marks.extend((0..).zip(all).map(|(colour, at)| RowMark::Dot { row, at, colour }));
    }
    RowChart {
        title: title.to_owned(),
        axis: "milliseconds",
        scale: Scale::Logarithmic,
        names: names(shown),
        marks,
        legend: LEGEND.map(str::to_owned).to_vec(),
        shown: (f64::INFINITY, f64::NEG_INFINITY),
    }
}

/// How many games of each row have each verdict.
pub(super) fn verdicts(rows: &[ResultRow]) -> RowChart {
    let shown = &rows[..rows.len().min(MAX_ROWS)];
    let total = |verdict: Verdict| shown.iter().map(|row| row.verdicts.count(verdict)).sum::<u64>();
    let mut others: Vec<Verdict> = shown.iter().flat_map(|row| row.verdicts.verdicts()).collect();
    others.sort_by_key(|&verdict| (verdict != Verdict::Won, std::cmp::Reverse(total(verdict)), verdict));
    others.dedup();
    // The last colour is for all that are left.
    let named = if others.len() > CATEGORIES.len() { CATEGORIES.len() - 1 } else { others.len() };
    let mut legend: Vec<String> = others[..named].iter().map(Verdict::to_string).collect();
    if named < others.len() {
        legend.push("others".to_owned());
    }
    let mut marks = Vec::new();
    for (row, result) in shown.iter().enumerate() {
        let mut from = 0.0;
        for (place, &verdict) in others.iter().enumerate() {
            let count = u32::try_from(result.verdicts.count(verdict)).unwrap_or(u32::MAX);
            let to = from + f64::from(count);
            if to > from {
                marks.push(RowMark::Bar { row, from, to, colour: place.min(named) });
            }
            from = to;
        }
    }
    RowChart {
        title: "Verdicts".to_owned(),
        axis: "games",
        scale: Scale::Linear,
        names: names(shown),
        marks,
        legend,
        shown: (0.0, 1.0),
    }
}

fn names(rows: &[ResultRow]) -> Vec<String> {
    rows.iter().map(|row| printable(&row.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Estimate, TimesMs};
    use super::*;

    fn row(name: &str, verdicts: &[Verdict], times: Option<TimesMs>) -> ResultRow {
        ResultRow {
            name: name.to_owned(),
            games: verdicts.len() as u64,
            won: 0,
            times,
            verdicts: verdicts.iter().copied().collect(),
            notes: Vec::new(),
        }
    }

    /// Each verdict begins where the one before ends; won games come first.
    #[test]
    fn verdicts_are_stacked() {
        let rows =
            [row("a", &[Verdict::Lost, Verdict::Won, Verdict::Won], None), row("b", &[Verdict::Lost], None)];
        let chart = verdicts(&rows);
        assert_eq!(chart.legend, ["WON", "LOST"]);
        let bar = |row, from, to, colour| RowMark::Bar { row, from, to, colour };
        assert_eq!(chart.marks, [bar(0, 0.0, 2.0, 0), bar(0, 2.0, 3.0, 1), bar(1, 0.0, 1.0, 1)]);
    }

    /// Times are drawn by their logarithms, and those that are too short to be measured as a microsecond.
    #[test]
    fn times_are_logarithms() {
        let all = TimesMs { p50: 0.0, p95: 1.0, p99: 10.0, max: 100.0 };
        let chart = times("", &[row("a", &[], None), row("b", &[], Some(all))]);
        let dot = |at, colour| RowMark::Dot { row: 1, at, colour };
        let interval = RowMark::Interval { row: 1, from: -3.0, to: 2.0 };
        assert_eq!(chart.marks, [interval, dot(-3.0, 0), dot(0.0, 1), dot(1.0, 2), dot(2.0, 3)]);
    }

    /// An end that is not known is at the border of the chart.
    #[test]
    fn open_intervals_reach_the_border() {
        let estimate =
            |value, low, high| Estimate { name: String::new(), value, low, high, text: String::new() };
        let list = vec![
            estimate(Some(5.0), Some(3.0), Some(7.0)),
            estimate(None, Some(20.0), None),
            estimate(None, None, Some(-20.0)),
            estimate(None, None, None),
        ];
        let chart = intervals(&Estimates { title: "", axis: "", shown: (-10.0, 10.0), list });
        let interval = |row, from, to| RowMark::Interval { row, from, to };
        let dot = RowMark::Dot { row: 0, at: 5.0, colour: 0 };
        assert_eq!(
            chart.marks,
            [interval(0, 3.0, 7.0), dot, interval(1, 20.0, 20.0), interval(2, -20.0, -20.0)]
        );
        let wide = Estimates {
            title: "",
            axis: "",
            shown: (-10.0, 30.0),
            list: vec![estimate(None, Some(20.0), None), estimate(None, None, Some(-5.0))],
        };
        assert_eq!(intervals(&wide).marks, [interval(0, 20.0, 30.0), interval(1, -10.0, -5.0)]);
    }
}
