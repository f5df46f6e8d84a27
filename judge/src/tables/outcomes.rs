//! Tables of outcomes: who wins, where the nimbers are not computed.

use std::io::{self, Write};
use std::time::Duration;

use itertools::Itertools;
use zeroxor::grundy::GrundyTable;

use super::Format;
use super::SCHEMA;
use super::pace::timed;
use super::summary::PPositions;

/// The outcomes of a game's sizes.
pub(crate) struct Outcomes<'a> {
    /// The rules in the header's words, sizes left out.
    pub(crate) game: &'a str,
    pub(crate) theory: &'a dyn GrundyTable,
    /// The largest size.
    pub(crate) to: u64,
    /// Up to where they were compared with the definition.
    pub(crate) checked: Option<u64>,
    /// What has been spent to compute them.
    pub(crate) time: Duration,
}

impl Outcomes<'_> {
    /// Writes the table in one of the formats.
    pub(crate) fn write(&self, format: Format, out: &mut impl Write) -> io::Result<()> {
        match format {
            Format::Summary => self.summary(out),
            Format::Csv => self.csv(out),
            Format::Bfile => self.bfile(out),
            Format::Json => self.json(out),
            Format::Bin => bits(self.loses(), self.sizes(), out),
        }
    }

    fn sizes(&self) -> u64 {
        self.to + 1
    }

    fn p_positions(&self) -> impl Iterator<Item = u64> {
        self.theory.p_positions(self.sizes())
    }

    /// Whether the sizes 0, 1, ... are P-positions.
    fn loses(&self) -> impl Iterator<Item = bool> {
        let mut p_positions = self.p_positions().peekable();
        (0..self.sizes()).map(move |n| p_positions.next_if_eq(&n).is_some())
    }

    fn summary(&self, out: &mut impl Write) -> io::Result<()> {
        let (p_positions, time) =
            timed(self.sizes(), "outcomes", self.time, || self.p_positions().collect::<PPositions>());
        writeln!(out, "game: {}, n = 0 to {}", self.game, self.to)?;
        writeln!(out, "P-positions: {p_positions}")?;
        if let Some(bound) = self.checked {
            writeln!(out, "check: as defined for n = 0 to {bound}")?;
        }
        writeln!(out, "{time}")
    }

    /// A header, then a row for each size.
    fn csv(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "n,outcome")?;
        self.loses().enumerate().try_for_each(|(n, loses)| writeln!(out, "{n},{}", letter(loses)))
    }

    /// The P-positions, numbered from 1.
    fn bfile(&self, out: &mut impl Write) -> io::Result<()> {
        (1..).zip(self.p_positions()).try_for_each(|(k, n): (u64, _)| writeln!(out, "{k} {n}"))
    }

    /// One object on one line.
    fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let game = serde_json::to_string(self.game)?;
        write!(out, "{{\"schema\":{SCHEMA},\"game\":{game},\"to\":{},\"p_positions\":[", self.to)?;
        for (k, n) in self.p_positions().enumerate() {
            write!(out, "{}{n}", if k == 0 { "" } else { "," })?;
        }
        writeln!(out, "]}}")
    }
}

/// An outcome in a letter.
pub(super) fn letter(loses: bool) -> char {
    if loses { 'P' } else { 'N' }
}

/// Magic, the number of outcomes, and a bit for each.
pub(super) fn bits(loses: impl Iterator<Item = bool>, count: u64, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"OUTCOMES")?;
    out.write_all(&count.to_le_bytes())?;
    let bytes = loses.chunks(8);
    bytes.into_iter().try_for_each(|bits| {
        let byte = bits.enumerate().fold(0, |byte, (at, loses)| byte | u8::from(loses) << at);
        out.write_all(&[byte])
    })
}
