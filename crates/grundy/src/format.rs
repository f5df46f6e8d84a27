//! The formats of a table.

use std::io::{self, Write};
use std::time::Instant;

use clap::ValueEnum;
use itertools::{Either, Itertools};
use zeroxor::grundy::ValueKind;
use zeroxor::rules::Heap;
use zeroxor::{Nimber, Outcome};

use crate::SCHEMA;
use crate::table::{Heaps, Table};

const MAX_LISTED: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Summary,
    Csv,
    Bfile,
    Json,
}

impl Format {
    /// Writes a table. A table of pairs contains only outcomes.
    pub(crate) fn write(self, table: &Table, out: &mut dyn Write) -> io::Result<()> {
        match (self, table.kind) {
            (Self::Summary, _) => write_summary(table, out),
            (Self::Csv, ValueKind::Nimber) => {
                writeln!(out, "n,nimber")?;
                (0_u64..).zip(table.nimbers()).try_for_each(|(n, nimber)| writeln!(out, "{n},{nimber}"))
            }
            (Self::Csv, ValueKind::Outcome) => {
                let heap = if matches!(table.heaps, Heaps::Sizes(_)) { "n" } else { "a,b" };
                writeln!(out, "{heap},outcome")?;
                table.outcomes().try_for_each(|(heap, outcome)| writeln!(out, "{heap},{outcome}"))
            }
            (Self::Bfile, ValueKind::Nimber) => {
                (0_u64..).zip(table.nimbers()).try_for_each(|(n, nimber)| writeln!(out, "{n} {nimber}"))
            }
            (Self::Bfile, ValueKind::Outcome) => write_terms(table, out),
            (Self::Json, _) => write_json(table, out),
        }
    }
}

/// Writes outcomes as a sequence of numbers, from index 1, in the style of the OEIS. For sizes the sequence lists the
/// P-positions. For pairs it is the square array read by antidiagonals, T(1,1), T(1,2), T(2,1), T(1,3) and so on, up
/// to the last complete antidiagonal, with 1 for each P-position.
fn write_terms(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut index = 0..;
    let mut write = |term: u64| writeln!(out, "{} {term}", index.by_ref().next().unwrap_or(0_u64) + 1);
    match table.heaps {
        Heaps::Sizes(_) => table.p_positions().try_for_each(write),
        Heaps::Pairs(to) => {
            let mut antidiagonals = (2..=to + 1).flat_map(|sum| (1..sum).map(move |size| (size, sum - size)));
            antidiagonals.try_for_each(|(size, second)| {
                write((table.outcome(Heap { size, second }) == Outcome::P).into())
            })
        }
    }
}

/// Writes one JSON object: the nimbers, the sizes that are P-positions, or for pairs a string for each first number,
/// with the letter `P` or `N` for each second number. The rules of a game have no character that JSON escapes.
fn write_json(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let (game, to) = (&table.game, table.heaps.largest().size);
    write!(out, "{{\"schema\":{SCHEMA},\"game\":\"{game}\",\"to\":{to},")?;
    match (table.kind, table.heaps) {
        (ValueKind::Nimber, _) => write!(out, "\"nimbers\":[{}]", table.nimbers().format(","))?,
        (ValueKind::Outcome, Heaps::Sizes(_)) => {
            write!(out, "\"p_positions\":[{}]", table.p_positions().format(","))?;
        }
        (ValueKind::Outcome, Heaps::Pairs(to)) => {
            let row = |a| {
                let outcomes = (1..=to).map(|second| table.outcome(Heap { size: a, second }));
                format!("\"{}\"", outcomes.format(""))
            };
            write!(out, "\"outcomes\":[{}]", (1..=to).map(row).format(","))?;
        }
    }
    writeln!(out, "}}")
}

fn write_summary(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    // Some tables compute a value only when it is requested, so the time includes this pass over the values.
    let start = Instant::now();
    writeln!(out, "game: {}, {}", table.game, table.heaps)?;
    match table.heaps {
        Heaps::Sizes(_) => {
            let (mut largest, mut at) = (Nimber::ZERO, 0);
            let zeros = table.nimbers().enumerate().filter(|&(n, nimber)| {
                if nimber > largest {
                    (largest, at) = (nimber, n);
                }
                nimber == Nimber::ZERO
            });
            let mut p_positions = match table.kind {
                ValueKind::Nimber => Either::Left(zeros.map(|(n, _)| n as u64)),
                ValueKind::Outcome => Either::Right(table.p_positions()),
            };
            let listed: Vec<u64> = p_positions.by_ref().take(MAX_LISTED).collect();
            let more = p_positions.count();
            if table.kind == ValueKind::Nimber {
                writeln!(out, "largest nimber: {largest}, first at n = {at}")?;
            }
            let dots = if more > 0 { " ..." } else { "" };
            writeln!(out, "P-positions: {} (n = {}{dots})", listed.len() + more, listed.iter().join(" "))?;
        }
        Heaps::Pairs(to) => {
            let p_positions = table.outcomes().filter(|(_, outcome)| *outcome == Outcome::P).count() as u64;
            let pairs = to * to;
            writeln!(out, "N-positions: {} of {pairs}", pairs - p_positions)?;
            writeln!(out, "P-positions: {p_positions}")?;
        }
    }
    for (name, text) in &table.notes {
        writeln!(out, "{name}: {text}")?;
    }
    writeln!(out, "time: {:.3} s", (table.time + start.elapsed()).as_secs_f64())
}
