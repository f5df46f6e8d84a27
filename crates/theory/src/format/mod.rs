//! How a table is written: one file a format.

mod bfile;
mod bin;
mod csv;
mod json;
mod summary;

use std::io::{self, Write};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;
use zeroxor::rules::Heap;

use super::heaps::Heaps;
use super::table::Table;
use common::file_kind::FileKind;
pub use summary::Summary;

/// How a table is written.
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
    /// The kind of a file of this format. A b-file is numbers only, which may be anybody's.
    pub fn kind(self) -> FileKind {
        match self {
            Self::Summary => FileKind::new("the summary of a table", &["game: ", "windows: "]),
            Self::Csv => FileKind::new("a table in CSV", &["n,nimber\n", "n,outcome\n", "a,b,outcome\n"]),
            Self::Bfile => FileKind::new("a b-file", &[]),
            Self::Json => FileKind {
                then: "\",\"to\":",
                ..FileKind::new("a table in JSON", &["{\"schema\":1,\"game\":\""])
            },
            Self::Bin => FileKind::new("a binary table", &["NIMBERS\x02", "NIMBERS\x04", "OUTCOMES"]),
        }
    }

    /// Writes a table.
    pub fn write(self, table: &Table, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Summary => summary::write(table, out),
            Self::Csv => csv::write(table, out),
            Self::Bfile => bfile::write(table, out),
            Self::Json => json::write(table, out),
            Self::Bin => bin::write(table, out),
        }
    }
}

/// A table as a sequence of numbers, as the OEIS lists such tables, and the index of the first of them: the nimbers
/// of the sizes, the sizes that are P-positions, or for pairs the square array read by antidiagonals, T(1,1), T(1,2),
/// T(2,1), T(1,3) and so on, as far as these are whole, with 1 for each P-position.
fn terms(table: &Table) -> (u64, Box<dyn Iterator<Item = u64> + '_>) {
    match (table.heaps, table.kind) {
        (Heaps::Sizes(_), ValueKind::Nimber) => (0, Box::new(table.nimbers().map(|nimber| nimber.0))),
        (Heaps::Sizes(_), ValueKind::Outcome) => (1, Box::new(table.p_positions())),
        (Heaps::Pairs(to), kind) => {
            let antidiagonals = (2..=to + 1).flat_map(|sum| (1..sum).map(move |size| (size, sum - size)));
            let nimbers = antidiagonals.map(|(size, second)| table.nimber(Heap { size, second }));
            (
                1,
                Box::new(nimbers.map(move |nimber| match kind {
                    ValueKind::Nimber => nimber.0,
                    ValueKind::Outcome => u64::from(nimber == Nimber::ZERO),
                })),
            )
        }
    }
}
