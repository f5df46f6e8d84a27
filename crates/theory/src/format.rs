//! The formats of a table.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;
use zeroxor::rules::Heap;

use super::heaps::Heaps;
use super::table::Table;
use super::totals::Totals;
use common::SCHEMA;
use common::file_kind::FileKind;

/// The format of a written table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Summary,
    Csv,
    Bfile,
    Json,
    Bin,
}

impl Format {
    /// Returns the kind of a file in this format. A b-file contains only numbers, so it cannot be recognized.
    pub fn kind(self) -> FileKind {
        match self {
            Self::Summary => FileKind::new("the summary of a table", &["game: ", "windows: "]),
            Self::Csv => FileKind::new("a table in CSV", &["n,nimber\n", "n,outcome\n", "a,b,outcome\n"]),
            Self::Bfile => FileKind::new("a b-file", &[]),
            Self::Json => FileKind {
                later_text: "\",\"to\":",
                ..FileKind::new("a table in JSON", &["{\"schema\":1,\"game\":\""])
            },
            Self::Bin => FileKind::new("a binary table", &["NIMBERS\x02", "NIMBERS\x04", "OUTCOMES"]),
        }
    }

    /// Writes a table. A table of pairs contains only outcomes.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
    pub fn write(self, table: &Table, out: &mut impl Write) -> io::Result<()> {
        match (self, table.heaps, table.kind) {
            (Self::Summary, ..) => write_summary(table, out),
            (_, Heaps::Sizes(to), ValueKind::Nimber) => {
                let listing = NimberListing::new(self, &table.game, to, || table.nimbers());
                let mut from = 0;
                table.groups().try_for_each(|nimbers| {
                    listing.write(from, &nimbers, out)?;
                    from += nimbers.len() as u64;
                    Ok(())
                })
            }
            (Self::Csv, heaps, _) => {
                let heap = if matches!(heaps, Heaps::Sizes(_)) { "n" } else { "a,b" };
                writeln!(out, "{heap},outcome")?;
                table.rows().try_for_each(|(heap, value)| writeln!(out, "{heap},{value}"))
            }
            (Self::Bfile, ..) => {
                (1..).zip(terms(table)).try_for_each(|(k, term)| writeln!(out, "{k} {term}"))
            }
            (Self::Json, ..) => {
                serde_json::to_writer(&mut *out, &OutcomeObject(table))?;
                writeln!(out)
            }
            (Self::Bin, heaps, _) => {
                out.write_all(&[*b"OUTCOMES", heaps.count().to_le_bytes()].concat())?;
                write_bits(table.nimbers().map(|nimber| nimber == Nimber::ZERO), out)
            }
        }
    }
}

/// Writes the nimbers of the heaps from 0 to `to` in a format. The nimbers are written in blocks, so they need not all
/// be in memory.
pub(crate) struct NimberListing<'a> {
    format: Format,
    game: &'a str,
    to: u64,
    /// Number of bytes of a value in the binary format.
    width: u8,
}

impl<'a> NimberListing<'a> {
    /// Makes a listing of these values. Only the binary format needs the values in advance: it uses two bytes for each
    /// value if all values fit, else four.
    pub(crate) fn new<I: Iterator<Item = Nimber>>(
        format: Format,
        game: &'a str,
        to: u64,
        values: impl FnOnce() -> I,
    ) -> Self {
        let width = match format {
            Format::Bin => width(values().max().unwrap_or(Nimber::ZERO)),
            _ => 2,
        };
        Self { format, game, to, width }
    }

    /// Writes the next values, which begin at the heap `from`, and also the text before the first and after the last
    /// value.
    pub(crate) fn write(
        &self,
        from: u64,
        values: &[Nimber],
        out: &mut (impl Write + ?Sized),
    ) -> io::Result<()> {
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
                Format::Bin => text.extend(&value.0.to_le_bytes()[..self.width.into()]),
            }
        }
        out.write_all(&text)?;
        if self.format == Format::Json && from + values.len() as u64 > self.to {
            writeln!(out, "]}}")?;
        }
        Ok(())
    }

    fn begin(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let Self { format, game, to, width } = self;
        match format {
            Format::Summary | Format::Bfile => Ok(()),
            Format::Csv => writeln!(out, "n,nimber"),
            Format::Json => {
                let game = serde_json::to_string(game)?;
                write!(out, "{{\"schema\":{SCHEMA},\"game\":{game},\"to\":{to},\"nimbers\":[")
            }
            Format::Bin => {
                out.write_all(&[b"NIMBERS".as_slice(), &[*width], &(to + 1).to_le_bytes()].concat())
            }
        }
    }
}

/// Returns the number of bytes of a value in the binary format: two if all values fit, else four.
fn width(largest: Nimber) -> u8 {
    if largest.0 <= u16::MAX.into() { 2 } else { 4 }
}

/// Returns outcomes as a sequence of numbers, from index 1, in the style of the OEIS. For sizes the sequence lists the
/// P-positions. For pairs it is the square array read by antidiagonals, T(1,1), T(1,2), T(2,1), T(1,3) and so on, up
/// to the last complete antidiagonal, with 1 for each P-position.
fn terms(table: &Table) -> Box<dyn Iterator<Item = u64> + '_> {
    match table.heaps {
        Heaps::Sizes(_) => Box::new(table.p_positions()),
        Heaps::Pairs(to) => {
            let antidiagonals = (2..=to + 1).flat_map(|sum| (1..sum).map(move |size| (size, sum - size)));
            let nimbers = antidiagonals.map(|(size, second)| table.nimber(Heap { size, second }));
            Box::new(nimbers.map(|nimber| u64::from(nimber == Nimber::ZERO)))
        }
    }
}

/// Outcomes as one JSON object, written value by value. For sizes the object lists the P-positions. For pairs it has a
/// string for each first number, with the letter `P` or `N` for each second number.
struct OutcomeObject<'a>(&'a Table);

impl Serialize for OutcomeObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(table) = self;
        let mut object = serializer.serialize_map(Some(4))?;
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("game", &table.game)?;
        object.serialize_entry("to", &table.heaps.to())?;
        match table.heaps {
            Heaps::Sizes(_) => object.serialize_entry("p_positions", &List(|| terms(table)))?,
            Heaps::Pairs(_) => {
                let letter = |nimber| if nimber == Nimber::ZERO { 'P' } else { 'N' };
                let words = || table.groups().map(|pairs| pairs.into_iter().map(letter).collect::<String>());
                object.serialize_entry("outcomes", &List(words))?;
            }
        }
        object.end()
    }
}

/// A list whose items are generated one by one.
struct List<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Packs the bits into bytes, the lowest bit of each byte first, and writes them.
fn write_bits(mut bits: impl Iterator<Item = bool>, out: &mut impl Write) -> io::Result<()> {
    let (mut byte, mut len) = (0, 0);
    bits.try_for_each(|bit| {
        byte |= u8::from(bit) << len;
        len += 1;
        if len == u8::BITS {
            out.write_all(&[byte])?;
            (byte, len) = (0, 0);
        }
        io::Result::Ok(())
    })?;
    if len > 0 { out.write_all(&[byte]) } else { Ok(()) }
}

/// The human-readable summary of a table.
pub struct Summary<'a> {
    /// The rules without sizes, such as `segment 1 2`.
    pub game: &'a str,
    pub heaps: Heaps,
    pub kind: ValueKind,
    pub(crate) totals: &'a Totals,
    /// Additional lines: the name and the text of each.
    pub notes: &'a [(&'static str, String)],
    /// The heaps whose values were compared with the definition.
    pub checked: Option<Heaps>,
    /// How long the computation took; `None` omits the line.
    pub time: Option<Duration>,
}

/// Writes the summary of a table.
fn write_summary(table: &Table, out: &mut impl Write) -> io::Result<()> {
    // Some tables compute a value only when it is requested, so the time includes the totals.
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

/// Computes the totals of a table's values in one pass.
fn totals(table: &Table) -> Totals {
    let mut totals = Totals::default();
    match (table.heaps, table.kind) {
        // If the P-positions are few, this is faster than requesting each outcome.
        (Heaps::Sizes(_), ValueKind::Outcome) => table.p_positions().for_each(|n| totals.enter_zero(n)),
        _ => totals.enter(table.nimbers()),
    }
    totals
}

impl Summary<'_> {
    /// Writes a line for each fact.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
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
            writeln!(out, "check: agrees with the definition for {heaps}")?;
        }
        self.time.map_or(Ok(()), |time| self.write_time(time, out))
    }

    /// Writes the time, and the number of values per second.
    pub(crate) fn write_time(&self, time: Duration, out: &mut impl Write) -> io::Result<()> {
        let unit = match self.kind {
            ValueKind::Nimber => "values",
            ValueKind::Outcome => "outcomes",
        };
        let rate = u128::from(self.heaps.count()) * 1_000_000_000 / time.as_nanos().max(1);
        writeln!(out, "time: {:.3} s, {rate} {unit}/s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_two_bytes_or_four() {
        for (largest, expected) in [(65535, [1, 0, 255, 255].as_slice()), (65536, &[1, 0, 0, 0, 0, 0, 1, 0])]
        {
            let (values, mut out) = ([1, largest].map(Nimber), Vec::new());
            let listing = NimberListing::new(Format::Bin, "nim", 1, || values.into_iter());
            listing.write(0, &values, &mut out).unwrap();
            assert_eq!(&out[16..], expected);
        }
    }
}
