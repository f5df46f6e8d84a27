//! The formats for programs.

use std::io::{self, Write};

use super::{Listing, SCHEMA};

impl<I: ExactSizeIterator<Item = u32> + Clone> Listing<'_, I> {
    /// A header, then a row for each size.
    pub(super) fn csv(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "n,nimber")?;
        self.nimbers.clone().enumerate().try_for_each(|(n, nimber)| writeln!(out, "{n},{nimber}"))
    }

    /// A line for each size, as the On-Line Encyclopedia of Integer Sequences takes them.
    pub(super) fn bfile(&self, out: &mut impl Write) -> io::Result<()> {
        self.nimbers.clone().enumerate().try_for_each(|(n, nimber)| writeln!(out, "{n} {nimber}"))
    }

    /// One object on one line, written value by value: it may be longer than memory.
    pub(super) fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let game = serde_json::to_string(self.game)?;
        let to = self.nimbers.len().saturating_sub(1);
        write!(out, "{{\"schema\":{SCHEMA},\"game\":{game},\"to\":{to},\"nimbers\":[")?;
        for (n, nimber) in self.nimbers.clone().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(out, "{comma}{nimber}")?;
        }
        writeln!(out, "]}}")
    }

    /// Magic, width, length and values; a value has two bytes where all fit.
    pub(super) fn bin(&self, out: &mut impl Write) -> io::Result<()> {
        let largest = self.nimbers.clone().max().unwrap_or(0);
        let width = if largest <= u16::MAX.into() { 2 } else { 4 };
        out.write_all(b"NIMBERS")?;
        out.write_all(&[width])?;
        out.write_all(&(self.nimbers.len() as u64).to_le_bytes())?;
        self.nimbers.clone().try_for_each(|nimber| out.write_all(&nimber.to_le_bytes()[..width.into()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_values_have_two_bytes_or_four() {
        for (nimbers, width, values) in
            [([1, 65535], 2, vec![1, 0, 255, 255]), ([1, 65536], 4, vec![1, 0, 0, 0, 0, 0, 1, 0])]
        {
            let mut out = Vec::new();
            Listing { game: "segment 1 3", nimbers: nimbers.into_iter() }.bin(&mut out).unwrap();
            let head = [b"NIMBERS".as_slice(), &[width], &[2, 0, 0, 0, 0, 0, 0, 0]].concat();
            assert_eq!(out, [head, values].concat());
        }
    }
}
