//! A table that is written value by value.

use std::io::{self, Write};

use super::super::format::Format;
use common::SCHEMA;

/// Writes the values of a table as they come, in the form that [`Format::write`] gives a whole one.
pub(crate) struct Listing {
    format: Format,
    game: String,
    to: u64,
}

impl Listing {
    /// Of the values from 0 to `to`, all of which are below 2^16.
    pub(crate) fn new(format: Format, game: String, to: u64) -> Self {
        Self { format, game, to }
    }

    /// Writes the next values, the first of which is that of `from`, and what stands before and behind all of them.
    pub(crate) fn write(&self, from: u64, values: &[u16], out: &mut dyn Write) -> io::Result<()> {
        if from == 0 {
            self.begin(out)?;
        }
        let mut text = Vec::with_capacity(values.len() * 12);
        for (n, value) in (from..).zip(values) {
            match self.format {
                Format::Summary => {}
                Format::Csv => writeln!(text, "{n},{value}")?,
                Format::Bfile => writeln!(text, "{n} {value}")?,
                Format::Json if n == 0 => write!(text, "{value}")?,
                Format::Json => write!(text, ",{value}")?,
                Format::Bin => text.extend(value.to_le_bytes()),
            }
        }
        out.write_all(&text)?;
        if from + values.len() as u64 > self.to && self.format == Format::Json {
            writeln!(out, "]}}")?;
        }
        Ok(())
    }

    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Format::Summary | Format::Bfile => Ok(()),
            Format::Csv => writeln!(out, "n,nimber"),
            Format::Json => {
                let game = serde_json::to_string(&self.game)?;
                write!(out, "{{\"schema\":{SCHEMA},\"game\":{game},\"to\":{},\"nimbers\":[", self.to)
            }
            Format::Bin => out.write_all(&[b"NIMBERS\x02".as_slice(), &(self.to + 1).to_le_bytes()].concat()),
        }
    }
}
