//! The b-file: the format in which the On-Line Encyclopedia of Integer Sequences takes the terms of a sequence.

use std::io::{self, Write};

use super::{Table, terms};

/// A line for each term: its index and the term.
pub(super) fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let (first, mut terms) = terms(table);
    let mut lines = (first..).zip(&mut terms);
    lines.try_for_each(|(index, term)| writeln!(out, "{index} {term}"))
}
