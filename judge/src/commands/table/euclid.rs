//! `judge table euclid`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::ensure;
use zeroxor::games::{Budget, Detail, Heap, Setup};
use zeroxor::{Nimber, Table};

use super::{bound, wrong};
use crate::cli::table::EuclidArgs;
use crate::tabulate::{Grid, Output, first_wrong};

/// The largest number of a grid: it has a billion pairs, and each takes some nanoseconds.
const MAX_NUMBER: u64 = 31_622;

pub(super) fn euclid(args: &EuclidArgs) -> anyhow::Result<ExitCode> {
    let listing = &args.listing;
    let to = listing.to;
    ensure!((1..=MAX_NUMBER).contains(&to), "expected --to 1 to {MAX_NUMBER}, got {to}");
    let out = Output::open(listing.output.as_deref())?;
    let table = Table::open(&[Setup { name: "euclid".to_owned(), sizes: vec![to, to], list: None }])?;
    let game = &*table.games()[0];
    let start = Instant::now();
    let theory = game.theory(Heap { size: to, partner: to }, Detail::Outcome, &mut Budget::TABLE.clone())?;
    let loses = |size, partner| theory.nimber(Heap { size, partner }) == Nimber::ZERO;
    if let Some(bound) = bound(listing) {
        let pairs = (1..=bound).flat_map(|size| (1..=bound).map(move |partner| Heap { size, partner }));
        if let Some(pair) = first_wrong(game, pairs.map(|pair| (pair, loses(pair.size, pair.partner)))) {
            wrong("euclid", &format!("{} {}", pair.size, pair.partner));
            return Ok(ExitCode::FAILURE);
        }
    }
    let grid = Grid { to, loses, checked: bound(listing), start };
    out.write(|out| grid.write(listing.format, out))?;
    Ok(ExitCode::SUCCESS)
}
