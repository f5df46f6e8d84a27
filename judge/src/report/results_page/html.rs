//! The elements of the page.

use std::fmt::Write;

use super::charts::{MAX_ROWS, intervals, times, verdicts};
use super::{ResultRow, ResultsPage};
use crate::report::page::still_page;
use common::charts::{RowChart, dark_style};
use common::escape::printable;
use common::text::escaped;

/// A page with three kinds of charts, each with its numbers as a table.
pub(super) fn page(results: &ResultsPage) -> anyhow::Result<String> {
    let mut body = format!("<main>\n<h1>{}</h1>\n", text(&results.title));
    if let Some(command) = &results.command {
        writeln!(body, "<p>Made by <code>{}</code></p>", text(command))?;
    }
    if results.rows.len() > MAX_ROWS {
        writeln!(body, "<p>The charts show the first {MAX_ROWS} of {} rows.</p>", results.rows.len())?;
    }
    for estimates in results.estimates.iter().filter(|estimates| !estimates.list.is_empty()) {
        let rows = estimates.list.iter().map(|estimate| vec![estimate.name.clone(), estimate.text.clone()]);
        section(&mut body, &intervals(estimates), &[results.what, estimates.axis], rows)?;
    }
    let heads = [results.what, "p50 ms", "p95 ms", "p99 ms", "max ms"];
    section(&mut body, &times(results.times, &results.rows), &heads, results.rows.iter().map(time_cells))?;
    let heads = [results.what, "games", "won", "verdicts"];
    section(&mut body, &verdicts(&results.rows), &heads, results.rows.iter().map(verdict_cells))?;
    for ResultRow { name, notes, .. } in results.rows.iter().filter(|row| !row.notes.is_empty()) {
        write!(body, "<h2>{}</h2>\n<ul>\n", text(name))?;
        notes.iter().try_for_each(|note| writeln!(body, "<li>{}</li>", text(note)))?;
        body.push_str("</ul>\n");
    }
    write!(body, "<h2>As text</h2>\n<pre tabindex=\"0\">{}</pre>\n</main>\n", text(&results.text))?;
    let dark = dark_style();
    let styles =
        [include_str!("../../../web/page.css"), include_str!("../../../web/results.css"), dark.as_str()];
    Ok(still_page(&printable(&results.title), &styles.concat(), &body))
}

/// A chart with its heading and its numbers.
fn section(
    body: &mut String,
    chart: &RowChart,
    heads: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
) -> anyhow::Result<()> {
    write!(
        body,
        "<h2>{}</h2>\n<div class=\"chart\" tabindex=\"0\">{}</div>\n<table>\n<tr>",
        text(&chart.title),
        chart.svg()?
    )?;
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
    let times = row.times.map(super::TimesMs::all);
    let cell = |at: usize| times.map_or_else(|| "-".to_owned(), |times| format!("{:.3}", times[at]));
    [row.name.clone()].into_iter().chain((0..4).map(cell)).collect()
}

fn verdict_cells(row: &ResultRow) -> Vec<String> {
    vec![row.name.clone(), row.games.to_string(), row.won.to_string(), row.verdicts.to_string()]
}

/// Text from anywhere, as it is written between tags. It may have several lines.
fn text(text: &str) -> String {
    escaped(&text.split('\n').map(printable).collect::<Vec<_>>().join("\n"))
}
