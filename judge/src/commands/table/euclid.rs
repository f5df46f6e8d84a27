//! `judge table euclid`.

use std::process::ExitCode;

use anyhow::ensure;
use zeroxor::games::{Budget, Detail, Heap, Setup};
use zeroxor::{Nimber, Table};

use super::{bound, say_wrong};
use crate::cli::table::EuclidArgs;
use crate::output::Output;
use crate::tabulate::{Grid, first_wrong, letter};

/// The largest number of a grid: it has a billion pairs, and each takes some nanoseconds.
const MAX_NUMBER: u64 = 31_622;

pub(super) fn euclid(args: &EuclidArgs) -> anyhow::Result<ExitCode> {
    let listing = &args.listing;
    let to = listing.to;
    ensure!((1..=MAX_NUMBER).contains(&to), "expected --to 1 to {MAX_NUMBER}, got {to}");
    ensure!(listing.check != Some(0), "expected --check 1 or more, got 0");
    let out = Output::open(listing.output.as_deref())?;
    let table = Table::open(&[Setup { name: "euclid".to_owned(), sizes: vec![to, to], list: None }])?;
    let game = &*table.games()[0];
    let theory = game.theory(Heap { size: to, partner: to }, Detail::Outcome, &mut Budget::TABLE.clone())?;
    let loses = |size, partner| theory.nimber(Heap { size, partner }) == Nimber::ZERO;
    if let Some(bound) = bound(listing) {
        let pairs = (1..=bound).flat_map(|size| (1..=bound).map(move |partner| Heap { size, partner }));
        let pairs = pairs.map(|pair| (pair, loses(pair.size, pair.partner)));
        if let Some((Heap { size, partner }, loses)) = first_wrong(game, pairs) {
            say_wrong("euclid", &format!("{size} {partner}"), letter(!loses), letter(loses));
            return Ok(ExitCode::FAILURE);
        }
    }
    let grid = Grid { to, loses, checked: bound(listing) };
    out.write(|out| grid.write(listing.format, out))?;
    Ok(ExitCode::SUCCESS)
}
