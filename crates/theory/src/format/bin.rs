//! The binary format; all numbers in it are little-endian.

use std::io::{self, Write};

use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;

use super::Table;

/// What a table is of, how many heaps it has, and its values in ascending order of the heaps.
pub(super) fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let count = table.heaps.count().to_le_bytes();
    match table.kind {
        ValueKind::Nimber => {
            let largest = table.nimbers().max().unwrap_or(Nimber::ZERO);
            let width = width(largest);
            out.write_all(&[b"NIMBERS".as_slice(), &[width], &count].concat())?;
            nimbers(table.nimbers(), width, out)
        }
        ValueKind::Outcome => {
            out.write_all(&[*b"OUTCOMES", count].concat())?;
            outcomes(table.nimbers(), out)
        }
    }
}

/// The bytes of a value: two where all fit.
fn width(largest: Nimber) -> u8 {
    if largest.0 <= u16::MAX.into() { 2 } else { 4 }
}

/// The values in so many bytes each.
fn nimbers(mut nimbers: impl Iterator<Item = Nimber>, width: u8, out: &mut impl Write) -> io::Result<()> {
    nimbers.try_for_each(|nimber| out.write_all(&nimber.0.to_le_bytes()[..width.into()]))
}

/// A bit for each heap, the lowest of each byte first: 1 for a P-position.
fn outcomes(mut nimbers: impl Iterator<Item = Nimber>, out: &mut impl Write) -> io::Result<()> {
    let (mut byte, mut len) = (0, 0);
    nimbers.try_for_each(|nimber| {
        byte |= u8::from(nimber == Nimber::ZERO) << len;
        len += 1;
        if len == u8::BITS {
            out.write_all(&[byte])?;
            (byte, len) = (0, 0);
        }
        io::Result::Ok(())
    })?;
    if len > 0 { out.write_all(&[byte]) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_two_bytes_or_four() {
        for (largest, expected) in [(65535, [1, 0, 255, 255].as_slice()), (65536, &[1, 0, 0, 0, 0, 0, 1, 0])]
        {
            let (values, mut out) = ([1, largest].map(Nimber), Vec::new());
            nimbers(values.into_iter(), width(Nimber(largest)), &mut out).unwrap();
            assert_eq!(out, expected);
        }
    }
}
