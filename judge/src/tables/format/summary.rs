//! The summary: what a table comes to, for people.

use std::fmt;
use std::io::{self, Write};
use std::time::Instant;

use itertools::Itertools;
use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;

use super::{Heaps, Table};

/// The largest nimber and the P-positions, then what else there is to tell, and the time.
pub(super) fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    // Some values are only computed when they are asked for.
    let start = Instant::now();
    let found = Found::of(table);
    let time = table.time + start.elapsed();

    let count = table.heaps.count();
    writeln!(out, "game: {}, {}", table.game, table.heaps)?;
    if table.kind == ValueKind::Nimber {
        let (nimber, n) = found.largest;
        writeln!(out, "largest nimber: {nimber}, first at n = {n}")?;
    }
    match table.heaps {
        Heaps::Sizes(_) => writeln!(out, "P-positions: {found}")?,
        Heaps::Pairs(_) => {
            writeln!(out, "N-positions: {} of {count}", count - found.p_positions)?;
            writeln!(out, "P-positions: {}", found.p_positions)?;
        }
    }
    for (name, text) in &table.notes {
        writeln!(out, "{name}: {text}")?;
    }
    if let Some(heaps) = table.checked {
        writeln!(out, "check: as defined for {heaps}")?;
    }
    let unit = match table.kind {
        ValueKind::Nimber => "values",
        ValueKind::Outcome => "outcomes",
    };
    let rate = u128::from(count) * 1_000_000_000 / time.as_nanos().max(1);
    writeln!(out, "time: {:.3} s, {rate} {unit}/s", time.as_secs_f64())
}

/// How many P-positions are listed.
const LISTED: usize = 10;

/// What is found by going through a table once.
#[derive(Debug, Default)]
struct Found {
    /// The largest nimber, and the number of heaps before the first that has it.
    largest: (Nimber, u64),
    /// How many P-positions there are.
    p_positions: u64,
    /// How many heaps stand before each of the first P-positions.
    first: Vec<u64>,
}

impl Found {
    fn of(table: &Table) -> Self {
        let mut found = Self::default();
        match (table.heaps, table.kind) {
            // Where they are few, in less time than to ask for each outcome.
            (Heaps::Sizes(_), ValueKind::Outcome) => table.p_positions().for_each(|n| found.enter_zero(n)),
            _ => table.nimbers().enumerate().for_each(|(n, nimber)| found.enter(n as u64, nimber)),
        }
        found
    }

    fn enter(&mut self, n: u64, nimber: Nimber) {
        if nimber > self.largest.0 {
            self.largest = (nimber, n);
        }
        if nimber == Nimber::ZERO {
            self.enter_zero(n);
        }
    }

    fn enter_zero(&mut self, n: u64) {
        self.p_positions += 1;
        if self.first.len() < LISTED {
            self.first.push(n);
        }
    }
}

/// How many P-positions there are, and the first of them.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.p_positions > LISTED as u64 { " ..." } else { "" };
        write!(f, "{} (n = {}{more})", self.p_positions, self.first.iter().join(" "))
    }
}
