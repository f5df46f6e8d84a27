//! The page with the results of many games: estimates, times, verdicts and notes. The page has no script.

use std::fmt::Write;
use std::time::Duration;

use super::verdict_counts::VerdictCounts;
use common::charts::{CATEGORIES, dark_style};
use common::charts::{RowChart, RowMark, Scale};
use common::escape::printable;
use common::json::ms;
use common::page::static_page;
use common::text::html_escaped;
use referee::verdict::Verdict;

/// The results of one bot, or of some of its games.
#[derive(Clone, Debug)]
pub(crate) struct ResultRow {
    pub(crate) name: String,
    pub(crate) games: u64,
    pub(crate) won: u64,
    pub(crate) times: Option<TimesMs>,
    pub(crate) verdicts: VerdictCounts,
    /// Notes, such as the first game in which the bot broke a rule.
    pub(crate) notes: Vec<String>,
}

/// The percentiles of some times, and the longest time, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimesMs {
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
}

impl TimesMs {
    /// Computes the percentiles of times in any order; returns `None` without a time.
    pub(crate) fn of(mut times: Vec<f64>) -> Option<Self> {
        times.sort_by(f64::total_cmp);
        // The nearest-rank percentile: at least `per_cent` percent of the times are at most this long.
        let time =
            |per_cent: usize| times.get((times.len() * per_cent).div_ceil(100).checked_sub(1)?).copied();
        Some(Self { p50: time(50)?, p95: time(95)?, p99: time(99)?, max: time(100)? })
    }

    /// Returns the percentiles, each limited to the longest time `max`, because `percentile` may return a time up to an
    /// eighth too long. Returns `None` if a percentile is missing.
    pub(crate) fn limited_to(percentile: impl Fn(u64) -> Option<Duration>, max: f64) -> Option<Self> {
        let time = |per_cent| percentile(per_cent).map(|time| ms(time).min(max));
        Some(Self { p50: time(50)?, p95: time(95)?, p99: time(99)?, max })
    }

    fn all(self) -> [f64; 4] {
        [self.p50, self.p95, self.p99, self.max]
    }
}

/// A number with its 95 % interval.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    pub(crate) name: String,
    /// `None` if only a bound is known.
    pub(crate) value: Option<f64>,
    /// The lower end of the interval; `None` if it is unknown.
    pub(crate) low: Option<f64>,
    /// The upper end of the interval; `None` if it is unknown.
    pub(crate) high: Option<f64>,
    /// The number and its interval in words.
    pub(crate) text: String,
}

/// Estimates of the same kind, which share a chart.
#[derive(Clone, Debug)]
pub(crate) struct Estimates {
    pub(crate) title: &'static str,
    pub(crate) axis: &'static str,
    /// The range that the axis always includes.
    pub(crate) required_range: (f64, f64),
    pub(crate) list: Vec<Estimate>,
}

/// The results of many games.
#[derive(Clone, Debug)]
pub(crate) struct ResultsPage {
    pub(crate) title: String,
    /// The command that made the results.
    pub(crate) command: Option<String>,
    /// The heading of the column of names. The rows are bots, or the opponents of one bot.
    pub(crate) row_heading: &'static str,
    pub(crate) rows: Vec<ResultRow>,
    pub(crate) estimates: Vec<Estimates>,
    /// The title of the chart of times.
    pub(crate) times_title: &'static str,
    /// All results as text.
    pub(crate) text: String,
}

impl ResultsPage {
    /// Returns the page, which needs no other file.
    pub(crate) fn page(&self) -> anyhow::Result<String> {
        page(self)
    }
}

/// Maximum number of rows of a chart. The tables show all rows.
const MAX_ROWS: usize = 40;

/// Returns the chart of the estimates with their intervals.
fn intervals(estimates: &Estimates) -> RowChart {
    let shown = &estimates.list[..estimates.list.len().min(MAX_ROWS)];
    let known = shown.iter().flat_map(|estimate| [estimate.low, estimate.high, estimate.value]);
    let known = known.flatten().filter(|end| end.is_finite());
    let (first, last) = known
        .fold(estimates.required_range, |(first, last), end| (f64::min(first, end), f64::max(last, end)));
    let mut marks = Vec::new();
    for (row, estimate) in shown.iter().enumerate() {
        // An interval with an unknown end reaches to the border of the chart.
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
        required_range: estimates.required_range,
    }
}

/// Returns the chart of the percentiles and the longest times, with a logarithmic axis.
fn times(title: &str, rows: &[ResultRow]) -> RowChart {
    const LEGEND: [&str; 4] = ["p50", "p95", "p99", "max"];
    /// A time of zero is drawn as a microsecond, because zero has no logarithm.
    const MIN_MS: f64 = 0.001;
    let shown = &rows[..rows.len().min(MAX_ROWS)];
    let mut marks = Vec::new();
    for (row, times) in shown.iter().enumerate().filter_map(|(row, result)| Some((row, result.times?))) {
        let all = times.all().map(|time| time.max(MIN_MS).log10());
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
        required_range: (f64::INFINITY, f64::NEG_INFINITY),
    }
}

/// Returns the chart of the verdicts: for each row a stacked bar with the number of games with each verdict.
fn verdicts(rows: &[ResultRow]) -> RowChart {
    let shown = &rows[..rows.len().min(MAX_ROWS)];
    let total = |verdict: Verdict| shown.iter().map(|row| row.verdicts.count(verdict)).sum::<u64>();
    let mut ordered: Vec<Verdict> = shown.iter().flat_map(|row| row.verdicts.verdicts()).collect();
    ordered.sort_by_key(|&verdict| (verdict != Verdict::Won, std::cmp::Reverse(total(verdict)), verdict));
    ordered.dedup();
    // If there are too few colours, the last colour is for all remaining verdicts.
    let named = if ordered.len() > CATEGORIES.len() { CATEGORIES.len() - 1 } else { ordered.len() };
    let mut legend: Vec<String> = ordered[..named].iter().map(Verdict::to_string).collect();
    if named < ordered.len() {
        legend.push("others".to_owned());
    }
    let mut marks = Vec::new();
    for (row, result) in shown.iter().enumerate() {
        let mut from = 0.0;
        for (place, &verdict) in ordered.iter().enumerate() {
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
        required_range: (0.0, 1.0),
    }
}

fn names(rows: &[ResultRow]) -> Vec<String> {
    rows.iter().map(|row| printable(&row.name)).collect()
}

/// Returns a page with charts of the estimates, the times and the verdicts, each with its numbers as a table.
fn page(results: &ResultsPage) -> anyhow::Result<String> {
    let mut body = format!("<main>\n<h1>{}</h1>\n", text(&results.title));
    if let Some(command) = &results.command {
        writeln!(body, "<p>Made by <code>{}</code></p>", text(command))?;
    }
    for estimates in results.estimates.iter().filter(|estimates| !estimates.list.is_empty()) {
        let rows = estimates.list.iter().map(|estimate| vec![estimate.name.clone(), estimate.text.clone()]);
        section(&mut body, &intervals(estimates), &[results.row_heading, estimates.axis], rows)?;
    }
    let heads = [results.row_heading, "p50 ms", "p95 ms", "p99 ms", "max ms"];
    let chart = times(results.times_title, &results.rows);
    section(&mut body, &chart, &heads, results.rows.iter().map(time_cells))?;
    let heads = [results.row_heading, "games", "won", "verdicts"];
    section(&mut body, &verdicts(&results.rows), &heads, results.rows.iter().map(verdict_cells))?;
    for ResultRow { name, notes, .. } in results.rows.iter().filter(|row| !row.notes.is_empty()) {
        write!(body, "<h2>{}</h2>\n<ul>\n", text(name))?;
        notes.iter().try_for_each(|note| writeln!(body, "<li>{}</li>", text(note)))?;
        body.push_str("</ul>\n");
    }
    write!(body, "<h2>As text</h2>\n<pre tabindex=\"0\">{}</pre>\n</main>\n", text(&results.text))?;
    let dark = dark_style();
    let styles = [include_str!("../../web/results.css"), dark.as_str()];
    Ok(static_page(&printable(&results.title), &styles.concat(), &body))
}

/// Writes a chart with its heading, and its numbers as a table.
fn section(
    body: &mut String,
    chart: &RowChart,
    heads: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> anyhow::Result<()> {
    write!(
        body,
        "<h2>{}</h2>\n<div class=\"chart\" tabindex=\"0\">{}</div>\n",
        text(&chart.title),
        chart.svg()?
    )?;
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.len() > MAX_ROWS {
        writeln!(body, "<p>The chart shows the first {MAX_ROWS} of {} rows.</p>", rows.len())?;
    }
    body.push_str("<table>\n<tr>");
    heads.iter().try_for_each(|head| write!(body, "<th scope=\"col\">{}</th>", text(head)))?;
    body.push_str("</tr>\n");
    for row in rows {
        body.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let (open, close) = if at == 0 { ("<th scope=\"row\">", "</th>") } else { ("<td>", "</td>") };
            write!(body, "{open}{}{close}", text(cell))?;
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</table>\n");
    Ok(())
}

fn time_cells(row: &ResultRow) -> Vec<String> {
    let times = row.times.map(TimesMs::all);
    let cell = |at: usize| times.map_or_else(|| "-".to_owned(), |times| format!("{:.3}", times[at]));
    [row.name.clone()].into_iter().chain((0..4).map(cell)).collect()
}

fn verdict_cells(row: &ResultRow) -> Vec<String> {
    vec![row.name.clone(), row.games.to_string(), row.won.to_string(), row.verdicts.to_string()]
}

/// Escapes a text for use between tags. The text may have several lines.
fn text(text: &str) -> String {
    html_escaped(&text.split('\n').map(printable).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_times() {
        assert_eq!(TimesMs::of(vec![]), None);
        let times = TimesMs::of((1..=100).rev().map(f64::from).collect()).unwrap();
        assert_eq!(format!("{:?}", times.all()), "[50.0, 95.0, 99.0, 100.0]");
        let long = TimesMs::limited_to(|_| Some(Duration::from_millis(8)), 7.5).unwrap();
        assert_eq!(format!("{:?}", long.all()), "[7.5, 7.5, 7.5, 7.5]");
    }

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

    /// A bar begins at the end of the previous one in its row. Won games come first.
    #[test]
    fn verdicts_are_stacked() {
        let rows =
            [row("a", &[Verdict::Lost, Verdict::Won, Verdict::Won], None), row("b", &[Verdict::Lost], None)];
        let chart = verdicts(&rows);
        assert_eq!(chart.legend, ["WON", "LOST"]);
        let bar = |row, from, to, colour| RowMark::Bar { row, from, to, colour };
        assert_eq!(chart.marks, [bar(0, 0.0, 2.0, 0), bar(0, 2.0, 3.0, 1), bar(1, 0.0, 1.0, 1)]);
    }

    /// Times are drawn as logarithms, and a time of zero as the logarithm of a microsecond.
    #[test]
    fn times_are_logarithms() {
        let all = TimesMs { p50: 0.0, p95: 1.0, p99: 10.0, max: 100.0 };
        let chart = times("", &[row("a", &[], None), row("b", &[], Some(all))]);
        let dot = |at, colour| RowMark::Dot { row: 1, at, colour };
        let interval = RowMark::Interval { row: 1, from: -3.0, to: 2.0 };
        assert_eq!(chart.marks, [interval, dot(-3.0, 0), dot(0.0, 1), dot(1.0, 2), dot(2.0, 3)]);
    }

    /// An interval with an unknown end reaches to the border of the chart.
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
        let chart = intervals(&Estimates { title: "", axis: "", required_range: (-10.0, 10.0), list });
        let interval = |row, from, to| RowMark::Interval { row, from, to };
        let dot = RowMark::Dot { row: 0, at: 5.0, colour: 0 };
        assert_eq!(
            chart.marks,
            [interval(0, 3.0, 7.0), dot, interval(1, 20.0, 20.0), interval(2, -20.0, -20.0)]
        );
        let wide = Estimates {
            title: "",
            axis: "",
            required_range: (-10.0, 30.0),
            list: vec![estimate(None, Some(20.0), None), estimate(None, None, Some(-5.0))],
        };
        assert_eq!(intervals(&wide).marks, [interval(0, 20.0, 30.0), interval(1, -10.0, -5.0)]);
    }
}
