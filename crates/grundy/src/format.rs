//! The formats of a table.

use std::io::{self, Write};
use std::time::Instant;

use clap::ValueEnum;
use itertools::Itertools;
use zeroxor::{Nimber, Outcome};

use crate::SCHEMA;
use crate::table::{Entries, Table};

const MAX_LISTED: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Summary,
    Csv,
    Bfile,
    Json,
}

impl Format {
    pub(crate) fn write(self, table: &Table, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Summary => write_summary(table, out),
            Self::Csv => write_csv(table, out),
            Self::Bfile => write_terms(table, out),
            Self::Json => write_json(table, out),
        }
    }
}

fn write_csv(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    match table.entries {
        Entries::Nimbers => {
            writeln!(out, "n,nimber")?;
            table.nimbers().enumerate().try_for_each(|(n, nimber)| writeln!(out, "{n},{nimber}"))
        }
        Entries::Outcomes => {
            writeln!(out, "n,outcome")?;
            table.outcomes().enumerate().try_for_each(|(n, outcome)| writeln!(out, "{n},{outcome}"))
        }
        Entries::Pairs => {
            writeln!(out, "a,b,outcome")?;
            table.pairs().try_for_each(|(a, b)| writeln!(out, "{a},{b},{}", table.of_pair((a, b))))
        }
    }
}

/// Writes a sequence of numbers in the style of the OEIS: the nimbers from index 0, the P-positions from index 1, or for
/// pairs the square array read by antidiagonals, T(1,1), T(1,2), T(2,1), T(1,3) and so on, up to the last complete
/// antidiagonal, from index 1, with 1 for each P-position.
fn write_terms(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut write = |(index, term): (u64, u64)| writeln!(out, "{index} {term}");
    match table.entries {
        Entries::Nimbers => (0..).zip(table.nimbers().map(|nimber| nimber.0)).try_for_each(write),
        Entries::Outcomes => (1..).zip(table.p_positions()).try_for_each(write),
        Entries::Pairs => {
            let mut pairs = (2..=table.to + 1).flat_map(|sum| (1..sum).map(move |a| (a, sum - a))).zip(1..);
            pairs.try_for_each(|(pair, index)| write((index, (table.of_pair(pair) == Outcome::P).into())))
        }
    }
}

/// Writes one JSON object: the nimbers, the sizes that are P-positions, or for pairs a string for each first number,
/// with the letter `P` or `N` for each second number. The rules of a game have no character that JSON escapes.
fn write_json(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let (game, to) = (&table.game, table.to);
    write!(out, "{{\"schema\":{SCHEMA},\"game\":\"{game}\",\"to\":{to},")?;
    match table.entries {
        Entries::Nimbers => write!(out, "\"nimbers\":[{}]", table.nimbers().format(","))?,
        Entries::Outcomes => write!(out, "\"p_positions\":[{}]", table.p_positions().format(","))?,
        Entries::Pairs => {
            let row = |a| format!("\"{}\"", (1..=to).map(|b| table.of_pair((a, b))).format(""));
            write!(out, "\"outcomes\":[{}]", (1..=to).map(row).format(","))?;
        }
    }
    writeln!(out, "}}")
}

fn write_summary(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    // Some tables compute a value only when it is requested, so the time includes this pass over the values.
    let (start, to) = (Instant::now(), table.to);
    if table.entries == Entries::Pairs {
        let p_positions = table.pairs().filter(|&pair| table.of_pair(pair) == Outcome::P).count() as u64;
        writeln!(out, "game: {}, pairs of 1 to {to}", table.game)?;
        writeln!(out, "N-positions: {} of {}\nP-positions: {p_positions}", to * to - p_positions, to * to)?;
    } else {
        writeln!(out, "game: {}, n = 0 to {to}", table.game)?;
        let (mut largest, mut at) = (Nimber::ZERO, 0);
        let mut zeros = (0_u64..).zip(table.nimbers()).filter(|&(n, nimber)| {
            if nimber > largest {
                (largest, at) = (nimber, n);
            }
            nimber == Nimber::ZERO
        });
        let listed: Vec<u64> = zeros.by_ref().take(MAX_LISTED).map(|(n, _)| n).collect();
        let more = zeros.count();
        if table.entries == Entries::Nimbers {
            writeln!(out, "largest nimber: {largest}, first at n = {at}")?;
        }
        let dots = if more > 0 { " ..." } else { "" };
        writeln!(out, "P-positions: {} (n = {}{dots})", listed.len() + more, listed.iter().join(" "))?;
    }
    for (name, text) in &table.notes {
        writeln!(out, "{name}: {text}")?;
    }
    writeln!(out, "time: {:.3} s", (table.time + start.elapsed()).as_secs_f64())
}
