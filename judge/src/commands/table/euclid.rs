//! `judge table euclid`.

use std::process::ExitCode;

use itertools::Itertools;
use zeroxor::games::{Budget, Detail, Heap, Setup};
use zeroxor::{Nimber, Table};

use super::bound;
use crate::cli::table::EuclidArgs;
use crate::output::Output;
use crate::tabulate::{Grid, check, outcome};

pub(super) fn euclid(args: &EuclidArgs) -> anyhow::Result<ExitCode> {
    let listing = &args.listing;
    let to = listing.to;
    let out = Output::open(listing.output.as_deref())?;
    let table = Table::open(&[Setup { name: "euclid".to_owned(), sizes: vec![to, to], list: None }])?;
    let game = &*table.games()[0];
    let theory = game.theory(Heap { size: to, partner: to }, Detail::Outcome, &mut Budget::TABLE.clone())?;
    let loses = |size, partner| theory.nimber(Heap { size, partner }) == Nimber::ZERO;
    let bound = bound(listing);
    let numbers = 1..=bound.unwrap_or(0);
    let pairs = numbers.clone().cartesian_product(numbers).map(|(size, partner)| Heap { size, partner });
    check(game, pairs, |pair| theory.nimber(pair), outcome)?;
    let grid = Grid { to, loses, checked: bound };
    out.write(|out| grid.write(listing.format, out))?;
    Ok(ExitCode::SUCCESS)
}
