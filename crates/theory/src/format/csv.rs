//! Comma-separated values.

use std::io::{self, Write};

use zeroxor::grundy::ValueKind;

use super::{Heaps, Table};

/// A header, then a row for each heap.
pub(super) fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let heap = match table.heaps {
        Heaps::Sizes(_) => "n",
        Heaps::Pairs(_) => "a,b",
    };
    let value = match table.kind {
        ValueKind::Nimber => "nimber",
        ValueKind::Outcome => "outcome",
    };
    writeln!(out, "{heap},{value}")?;
    table.rows().try_for_each(|(heap, value)| writeln!(out, "{heap},{value}"))
}
