//! The tables of a run, as text and as CSV.

use std::collections::BTreeSet;
use std::io::{self, Write};

use runner::escape::printable;

use crate::arena::standings::{Meeting, Standing, Standings};
use crate::arena::starts::StartClass;
use crate::arena::statistics::elo::{EloEstimate, superiority};
use crate::arena::statistics::sprt::{Accepted, Sprt};

/// Maximum number of bots for which the crosstable fits on a page.
const MAX_CROSSTABLE_BOTS: usize = 16;

/// Maximum number of meetings that are listed. With more meetings, none is listed.
const MAX_LISTED_MEETINGS: usize = 28;

pub(crate) fn write_all(
    out: &mut impl Write,
    standings: &Standings<'_>,
    sprt: Option<Sprt>,
) -> io::Result<()> {
    write_standings(out, standings)?;
    if standings.rows.len() > 2 && standings.rows.len() <= MAX_CROSSTABLE_BOTS {
        write_crosstable(out, standings)?;
    }
    write_meetings(out, standings)?;
    if let Some(sprt) = sprt {
        write_sprt(out, standings, sprt)?;
    }
    write_play(out, standings)?;
    write_verdicts(out, standings)
}

fn name_width(standings: &Standings<'_>) -> usize {
    standings.rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(3)
}

fn write_standings(out: &mut impl Write, standings: &Standings<'_>) -> io::Result<()> {
    let width = name_width(standings);
    // For two bots, `write_meetings` writes their difference.
    let has_elo = standings.rows.len() > 2;
    write!(out, "{:>3}  {:<width$}  {:>6}  {:>6}  {:>15}", "", "bot", "games", "won", "pairs +/=/-")?;
    writeln!(out, "{}", if has_elo { "  Elo, 95 %" } else { "" })?;
    for (place, row) in (1..).zip(&standings.rows) {
        let Standing { name, games, won, pairs, .. } = row;
        let elo = EloEstimate::of(*pairs);
        let pairs = format!("{}/{}/{}", pairs.won, pairs.split, pairs.lost);
        write!(out, "{place:>3}  {name:<width$}  {games:>6}  {won:>6}  {pairs:>15}")?;
        if has_elo {
            write!(out, "  {elo}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the pairs that each bot won, split and lost against each other.
fn write_crosstable(out: &mut impl Write, standings: &Standings<'_>) -> io::Result<()> {
    let width = name_width(standings);
    let cell = |row: usize, column: usize| {
        let met = |meeting: &&Meeting| meeting.bots == (row, column) || meeting.bots == (column, row);
        standings.meetings.iter().find(met).map_or_else(String::new, |meeting| {
            let pairs = if meeting.bots.0 == row { meeting.pairs } else { meeting.pairs.reversed() };
            format!("{}/{}/{}", pairs.won, pairs.split, pairs.lost)
        })
    };
    let count = standings.rows.len();
    let cells: Vec<Vec<String>> =
        (0..count).map(|row| (0..count).map(|column| cell(row, column)).collect()).collect();
    let cell_width = cells.iter().flatten().map(String::len).max().unwrap_or(0).max(3);
    write!(out, "\n{:>3}  {:<width$}", "", "pairs +/=/-")?;
    // The rows are aligned with the heading, which may be wider than the names.
    let indent = "pairs +/=/-".len().max(width);
    (1..=count).try_for_each(|column| write!(out, "  {column:>cell_width$}"))?;
    writeln!(out)?;
    for (place, (row, cells)) in (1..).zip(standings.rows.iter().zip(&cells)) {
        write!(out, "{place:>3}  {:<indent$}", row.name)?;
        for (column, text) in (1..).zip(cells) {
            let text = if column == place { "-" } else { text };
            write!(out, "  {text:>cell_width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_meetings(out: &mut impl Write, standings: &Standings<'_>) -> io::Result<()> {
    if standings.meetings.is_empty() || standings.meetings.len() > MAX_LISTED_MEETINGS {
        return Ok(());
    }
    writeln!(out)?;
    for Meeting { bots: (a, b), pairs } in &standings.meetings {
        writeln!(
            out,
            "{} against {}: {} of {} pairs decided, {pairs}, Elo {}, LOS {:.1} %",
            standings.rows[*a].name,
            standings.rows[*b].name,
            pairs.decided(),
            pairs.pairs(),
            EloEstimate::of(*pairs),
            100.0 * superiority(*pairs)
        )?;
    }
    Ok(())
}

fn write_sprt(out: &mut impl Write, standings: &Standings<'_>, sprt: Sprt) -> io::Result<()> {
    let Some(tested) = standings.tested() else { return Ok(()) };
    let (low, high) = sprt.bounds();
    let elo = sprt.hypotheses;
    let end = match sprt.accepted(tested.pairs) {
        Some(Accepted::Elo1) => format!("{} Elo accepted, {} rejected", elo.elo1, elo.elo0),
        Some(Accepted::Elo0) => format!("{} Elo accepted, {} rejected", elo.elo0, elo.elo1),
        None => "more pairs are needed".to_owned(),
    };
    writeln!(
        out,
        "SPRT of {}, {} against {} Elo (alpha {}, beta {}): LLR {:.2}, bounds {low:.2} and {high:.2}: {end}",
        tested.name,
        elo.elo0,
        elo.elo1,
        sprt.alpha,
        sprt.beta,
        sprt.log_ratio(tested.pairs)
    )
}

/// Writes the standings as CSV, with a line for each bot.
pub(crate) fn write_csv(out: &mut impl Write, standings: &Standings<'_>) -> io::Result<()> {
    writeln!(
        out,
        "place,bot,games,won,pairs_won,pairs_split,pairs_lost,elo,elo_low,elo_high,held,won_at_some_point,p50_ms,p95_ms,slowest_ms"
    )?;
    for (place, row) in (1..).zip(&standings.rows) {
        let Standing { name, games, won, pairs, held, .. } = row;
        let number = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.1}"));
        let [elo, low, high] = EloEstimate::of(*pairs).value_and_ends().map(number);
        let ms = |ms: Option<f64>| ms.map_or_else(String::new, |ms| format!("{ms:.3}"));
        writeln!(
            out,
            "{place},{name},{games},{won},{},{},{},{elo},{low},{high},{},{},{},{},{}",
            pairs.won,
            pairs.split,
            pairs.lost,
            held.part,
            held.total,
            ms(row.percentile_ms(50)),
            ms(row.percentile_ms(95)),
            ms(row.slowest_ms)
        )?;
    }
    Ok(())
}

/// Writes the answer times of the bots, and how well the bots played.
fn write_play(out: &mut impl Write, standings: &Standings<'_>) -> io::Result<()> {
    let width = name_width(standings);
    writeln!(out, "\ntime per answer, for sides and moves")?;
    for row in &standings.rows {
        let Standing { name, slowest_ms, .. } = row;
        let text = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2} ms"));
        let [half, most] = [50, 95].map(|per_cent| text(row.percentile_ms(per_cent)));
        writeln!(out, "  {name:<width$}  p50 {half}, p95 {most}, slowest {}", text(*slowest_ms))?;
    }
    writeln!(out, "\ngames won without a blunder, of those with a won position, and the earliest blunder")?;
    for Standing { name, held, first_blunder, .. } in &standings.rows {
        let blunder = first_blunder.map_or_else(String::new, |ply| format!(", move {ply}"));
        writeln!(out, "  {name:<width$}  {held}{blunder}")?;
    }
    write_classes(out, standings)
}

/// Writes how well the bots played for each class of starts, if there are several classes.
fn write_classes(out: &mut impl Write, standings: &Standings<'_>) -> io::Result<()> {
    let classes: BTreeSet<&StartClass> =
        standings.rows.iter().flat_map(|row| row.held_by_class.keys()).collect();
    if classes.len() < 2 {
        return Ok(());
    }
    let width = name_width(standings);
    writeln!(out, "\ngames won without a blunder, by game and largest number in the start")?;
    for class in classes {
        writeln!(out, "  {class}")?;
        for Standing { name, held_by_class, .. } in &standings.rows {
            let held = held_by_class.get(class).copied().unwrap_or_default();
            writeln!(out, "    {name:<width$}  {held}")?;
        }
    }
    Ok(())
}

fn write_verdicts(out: &mut impl Write, standings: &Standings<'_>) -> io::Result<()> {
    let width = name_width(standings);
    writeln!(out, "\nverdicts")?;
    for row in &standings.rows {
        writeln!(out, "  {:<width$}  {}", row.name, row.verdicts)?;
        if let Some((game, side)) = row.violation {
            let result = &game.seat(side).result;
            writeln!(
                out,
                "      game {}: {} {} as {side}: {}",
                game.index,
                result.verdict,
                printable(&game.game),
                printable(&result.reason)
            )?;
            if let Some(again) = &result.again {
                writeln!(out, "      again: {}", printable(again))?;
            }
        }
    }
    Ok(())
}
