//! Tables of nimbers: how they are checked, summed up and written.
//!
//! A family of games gives its values as an iterator, from size 0 on, that can be started again: nothing here
//! knows where they come from or how they are kept.

mod definition;
mod format;
mod grid;
mod outcomes;
mod pace;
mod progress;
mod summary;

pub(crate) use definition::{Mismatch, check, outcome};
pub(crate) use grid::Grid;
pub(crate) use outcomes::Outcomes;
pub(crate) use progress::{Progress, redraw_steadily};
pub(crate) use summary::{Notes, Summary};

use std::io::{self, Write};

use anyhow::ensure;
use clap::ValueEnum;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Summary,
    Csv,
    Bfile,
    Json,
    Bin,
}

/// The version of the JSON format.
const SCHEMA: u32 = 1;

/// No table takes more memory, in bytes.
const MAX_BYTES: u128 = 4 << 30;

/// Refuses a table that would take more memory than any may.
pub(crate) fn fits(bytes: u128, game: &str, to: u64) -> anyhow::Result<()> {
    ensure!(
        bytes <= MAX_BYTES,
        "the table is too large: {game} up to {to} takes {bytes} bytes, and the limit is {MAX_BYTES}"
    );
    Ok(())
}

/// The nimbers of a game's sizes.
pub(crate) struct Listing<'a, I> {
    /// The rules in the header's words, sizes left out.
    pub(crate) game: &'a str,
    /// The nimbers of the sizes 0, 1, ...
    pub(crate) nimbers: I,
}

impl<I: ExactSizeIterator<Item = u32> + Clone> Listing<'_, I> {
    /// Writes the table in one of the formats; `summary` is what the family has to say for that one.
    pub(crate) fn write(
        &self,
        format: Format,
        summary: impl FnOnce() -> Summary,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match format {
            Format::Summary => write!(out, "{}", summary()),
            Format::Csv => self.csv(out),
            Format::Bfile => self.bfile(out),
            Format::Json => self.json(out),
            Format::Bin => self.bin(out),
        }
    }
}
