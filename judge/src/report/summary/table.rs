//! The summary for a person: a table with a row for each bot, opponent and family of games.

use std::io::{self, Write};
use std::time::Duration;

use super::figures::{Figures, TimeSpread};
use super::{BotSummary, SlowestGame, Summary};
use common::escape::printable;
use common::text::shortened;

/// A row: what it is about, and its figures.
struct Row<'a> {
    label: String,
    figures: &'a Figures,
}

/// Writes the table, and the slowest game of each bot with the command that plays it again.
pub(crate) fn write(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let is_comparison = summary.bots.len() > 1;
    let rows: Vec<Row<'_>> = summary.bots.iter().flat_map(|bot| rows(bot, is_comparison)).collect();
    let label = rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    let won = rows.iter().map(|row| won(row.figures).len()).max().unwrap_or(0).max("won".len());
    let times = "p50    p95    p99    max";
    writeln!(out)?;
    writeln!(out, "{:label$}  {:won$}  {:>28}  {:>28}", "", "", "ms for an answer", "ms for a game")?;
    writeln!(out, "{:label$}  {:>won$}  {times:>28}  {times:>28}", "", "won")?;
    for Row { label: name, figures } in &rows {
        let (answers, games) = (cells(figures.answer_times()), cells(figures.game_times()));
        writeln!(out, "{name:label$}  {:>won$}  {answers}  {games}", self::won(figures))?;
    }
    writeln!(out)?;
    for bot in &summary.bots {
        let Some(SlowestGame { time, again }) = &bot.slowest else { continue };
        let again = again.as_deref().unwrap_or("the command cannot be shown, because it is not UTF-8");
        let of = if is_comparison { format!(" of {}", printable(&bot.bot)) } else { String::new() };
        writeln!(out, "slowest start{of} ({} ms): {}", number(*time), printable(again))?;
    }
    Ok(())
}

/// The rows of a bot: all its games, and then those against each opponent and of each family, if there are several.
fn rows(bot: &BotSummary, is_comparison: bool) -> Vec<Row<'_>> {
    let name = if is_comparison { printable(&shortened(&bot.bot)) } else { "all games".to_owned() };
    let mut rows = vec![Row { label: name, figures: &bot.all }];
    for groups in [&bot.by_opponent, &bot.by_family].into_iter().filter(|groups| groups.len() > 1) {
        rows.extend(groups.iter().map(|(name, figures)| Row { label: format!("  {name}"), figures }));
    }
    rows
}

fn won(figures: &Figures) -> String {
    format!("{}/{}", figures.won(), figures.games())
}

/// The four times in columns; `-` if there are none.
fn cells(times: Option<TimeSpread>) -> String {
    let cell = |time: Option<Duration>| format!("{:>7}", time.map_or_else(|| "-".to_owned(), number));
    let times = times.map(|times| [times.p50, times.p95, times.p99, times.max]);
    (0..4).map(|at| cell(times.map(|times| times[at]))).collect()
}

/// A time in milliseconds, with about three digits.
fn number(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    let digits = match ms {
        ..0.995 => 2,
        0.995..99.5 => 1,
        _ => 0,
    };
    format!("{ms:.digits$}")
}
