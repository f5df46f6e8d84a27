//! `judge table euclid`.

use std::process::ExitCode;

use itertools::Itertools;
use zeroxor::GameSpec;
use zeroxor::grundy::{Budget, ValueKind, table};
use zeroxor::rules::Heap;
use zeroxor::{Nimber, Position};

use super::args::EuclidArgs;
use super::{bound, rules_of};
use crate::report::output::Output;
use crate::tables::{Grid, check, outcome};

pub(super) fn euclid(args: &EuclidArgs) -> anyhow::Result<ExitCode> {
    let listing = &args.listing;
    let to = listing.to;
    let out = Output::open(listing.output.as_deref())?;
    let game = GameSpec::Euclid { a: to, b: to };
    let largest = Heap { size: to, second: to };
    let values = table(&game, largest, ValueKind::Outcome, &mut Budget::GAME.clone(), &mut |_| ())?;
    let loses = |size, second| values.nimber(Heap { size, second }) == Nimber::ZERO;
    let bound = bound(listing);
    let numbers = 1..=bound.unwrap_or(0);
    let pairs = numbers.clone().cartesian_product(numbers).map(|(size, second)| Heap { size, second });
    check(rules_of(&Position::new(&game)?)?, pairs, |pair| values.nimber(pair), outcome)?;
    let grid = Grid { to, loses, checked: bound };
    out.write(|out| grid.write(listing.format, out))?;
    Ok(ExitCode::SUCCESS)
}
