//! Tables of the outcomes of pairs of numbers.

use std::io::{self, Write};
use std::time::Duration;

use super::Format;
use super::SCHEMA;
use super::outcomes::{bits, letter};
use super::pace::timed;

/// The outcomes of all pairs of numbers from 1 to a bound.
pub(crate) struct Grid<F> {
    /// The bound.
    pub(crate) to: u64,
    /// Whether a pair is a P-position.
    pub(crate) loses: F,
    /// Up to where they were compared with the definition.
    pub(crate) checked: Option<u64>,
}

impl<F: Fn(u64, u64) -> bool> Grid<F> {
    /// Writes the table in one of the formats.
    pub(crate) fn write(&self, format: Format, out: &mut impl Write) -> io::Result<()> {
        match format {
            Format::Summary => self.summary(out),
            Format::Csv => self.csv(out),
            Format::Bfile => self.bfile(out),
            Format::Json => self.json(out),
            Format::Bin => {
                let pairs = (1..=self.to).flat_map(|a| self.row(a));
                bits(pairs, self.to * self.to, out)
            }
        }
    }

    /// The outcomes of all pairs with this first number.
    fn row(&self, a: u64) -> impl Iterator<Item = bool> {
        (1..=self.to).map(move |b| (self.loses)(a, b))
    }

    fn summary(&self, out: &mut impl Write) -> io::Result<()> {
        let pairs = self.to * self.to;
        let (losing, time) = timed(pairs, "outcomes", Duration::ZERO, || {
            (1..=self.to).flat_map(|a| self.row(a)).filter(|&loses| loses).count() as u64
        });
        writeln!(out, "game: euclid, pairs of 1 to {}", self.to)?;
        writeln!(out, "N-positions: {} of {pairs}", pairs - losing)?;
        writeln!(out, "P-positions: {losing}")?;
        if let Some(bound) = self.checked {
            writeln!(out, "check: as defined for pairs of 1 to {bound}")?;
        }
        writeln!(out, "{time}")
    }

    /// A header, then a row for each pair.
    fn csv(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "a,b,outcome")?;
        (1..=self.to).try_for_each(|a| {
            (1..)
                .zip(self.row(a))
                .try_for_each(|(b, loses): (u64, _)| writeln!(out, "{a},{b},{}", letter(loses)))
        })
    }

    /// The square array read by antidiagonals, those that are whole: T(1,1), T(1,2), T(2,1), T(1,3) and so
    /// on.
    fn bfile(&self, out: &mut impl Write) -> io::Result<()> {
        let antidiagonals = (2..=self.to + 1).flat_map(|sum| (1..sum).map(move |a| (a, sum - a)));
        (1..)
            .zip(antidiagonals)
            .try_for_each(|(k, (a, b)): (u64, _)| writeln!(out, "{k} {}", u8::from((self.loses)(a, b))))
    }

    /// One object on one line, with a word for each first number.
    fn json(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{{\"schema\":{SCHEMA},\"game\":\"euclid\",\"to\":{},\"outcomes\":[", self.to)?;
        for a in 1..=self.to {
            let word: String = self.row(a).map(letter).collect();
            write!(out, "{}\"{word}\"", if a == 1 { "" } else { "," })?;
        }
        writeln!(out, "]}}")
    }
}
