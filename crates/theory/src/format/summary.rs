//! The summary: what a table comes to, for people.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use zeroxor::grundy::ValueKind;

use super::{Heaps, Table};
use crate::totals::Totals;

/// What a summary tells.
pub struct Summary<'a> {
    /// The rules in the header's words, sizes left out.
    pub game: &'a str,
    pub heaps: Heaps,
    pub kind: ValueKind,
    pub(crate) totals: &'a Totals,
    /// What else there is to tell: names, and what belongs to each.
    pub notes: &'a [(&'static str, String)],
    /// The heaps of which the table was compared with the definition.
    pub checked: Option<Heaps>,
    /// What it took, if that is to be told.
    pub time: Option<Duration>,
}

/// The largest nimber and the P-positions, then what else there is to tell, and the time.
pub(super) fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    // Some values are only computed when they are asked for.
    let start = Instant::now();
    let totals = totals(table);
    let summary = Summary {
        game: &table.game,
        heaps: table.heaps,
        kind: table.kind,
        totals: &totals,
        notes: &table.notes,
        checked: table.checked,
        time: Some(table.time + start.elapsed()),
    };
    summary.write(out)
}

/// What is found by going through a table once.
fn totals(table: &Table) -> Totals {
    let mut totals = Totals::default();
    match (table.heaps, table.kind) {
        // Where they are few, in less time than to ask for each outcome.
        (Heaps::Sizes(_), ValueKind::Outcome) => table.p_positions().for_each(|n| totals.enter_zero(n)),
        _ => totals.enter(table.nimbers().map(|nimber| nimber.0)),
    }
    totals
}

impl Summary<'_> {
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { game, heaps, kind, totals, .. } = self;
        let count = heaps.count();
        writeln!(out, "game: {game}, {heaps}")?;
        if *kind == ValueKind::Nimber {
            writeln!(out, "largest nimber: {}, first at n = {}", totals.largest, totals.largest_at)?;
        }
        match heaps {
            Heaps::Sizes(_) => writeln!(out, "P-positions: {totals}")?,
            Heaps::Pairs(_) => {
                writeln!(out, "N-positions: {} of {count}", count - totals.zeros)?;
                writeln!(out, "P-positions: {}", totals.zeros)?;
            }
        }
        for (name, text) in self.notes {
            writeln!(out, "{name}: {text}")?;
        }
        if let Some(heaps) = self.checked {
            writeln!(out, "check: as defined for {heaps}")?;
        }
        self.time.map_or(Ok(()), |time| self.write_time(time, out))
    }

    /// The time and how many values a second that makes.
    pub(crate) fn write_time(&self, time: Duration, out: &mut impl Write) -> io::Result<()> {
        let unit = match self.kind {
            ValueKind::Nimber => "values",
            ValueKind::Outcome => "outcomes",
        };
        let rate = u128::from(self.heaps.count()) * 1_000_000_000 / time.as_nanos().max(1);
        writeln!(out, "time: {:.3} s, {rate} {unit}/s", time.as_secs_f64())
    }
}
