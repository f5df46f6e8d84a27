//! `judge table` for games of piles.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use zeroxor::Table;
use zeroxor::games::{Budget, Detail, Heap, Setup, subtract};

use super::{Computed, bound, heaps};
use crate::cli::table::{BanArgs, DivisorArgs, Format, ListingArgs, SquareArgs, SubtractArgs};
use crate::output::Output;
use crate::tabulate::{Notes, Outcomes, Progress, check, outcome};

pub(super) fn square(args: &SquareArgs) -> anyhow::Result<ExitCode> {
    let setup = with_bans("square", &args.bans);
    let out = Output::open(args.listing.output.as_deref())?;
    if args.nimber {
        nimbers(&setup, &args.listing, out, Notes::new())
    } else {
        outcomes(&setup, &args.listing, out)
    }
}

pub(super) fn divisor(args: &DivisorArgs) -> anyhow::Result<ExitCode> {
    let out = Output::open(args.listing.output.as_deref())?;
    nimbers(&with_bans("divisor", &args.bans), &args.listing, out, Notes::new())
}

pub(super) fn subtract(args: &SubtractArgs) -> anyhow::Result<ExitCode> {
    let setup = pile("subtract", Some((args.keyword.clone(), args.numbers.clone())));
    ensure!(
        !args.period || args.listing.format == Format::Summary,
        "expected --period with the summary, the other formats have no place for it"
    );
    let out = Output::open(args.listing.output.as_deref())?;
    let mut notes = Notes::new();
    if args.period {
        let period = subtract::period(&args.numbers, &mut Budget::TABLE.clone());
        let (start, length) = period.context("--period asks for what is out of reach")?;
        notes.push(("period", format!("{length} from n = {start} on, proven")));
    }
    nimbers(&setup, &args.listing, out, notes)
}

fn with_bans(name: &str, bans: &BanArgs) -> Setup {
    pile(name, bans.keyword.as_ref().map(|keyword| (keyword.clone(), bans.numbers.clone())))
}

/// A game of these rules with one pile, of any size.
fn pile(name: &str, list: Option<(String, Vec<u64>)>) -> Setup {
    Setup { name: name.to_owned(), sizes: vec![1], list }
}

fn nimbers(setup: &Setup, listing: &ListingArgs, out: Output, notes: Notes) -> anyhow::Result<ExitCode> {
    let table = Table::open(std::slice::from_ref(setup))?;
    let game = &*table.games()[0];
    let start = Instant::now();
    let theory = game.theory(Heap::of(listing.to), Detail::Nimber, &mut Budget::TABLE.clone())?;
    let time = start.elapsed();
    let computed = Computed { game, nimber: |n| theory.nimber(Heap::of(n)).0 as u32, notes, time };
    computed.check(listing)?;
    computed.write(listing, out)?;
    Ok(ExitCode::SUCCESS)
}

fn outcomes(setup: &Setup, listing: &ListingArgs, out: Output) -> anyhow::Result<ExitCode> {
    let table = Table::open(std::slice::from_ref(setup))?;
    let game = &*table.games()[0];
    let rules = game.rules();
    let (largest, budget) = (Heap::of(listing.to), &mut Budget::TABLE.clone());
    let progress = Progress::new(listing.to);
    let start = Instant::now();
    let theory = game.theory_reporting(largest, Detail::Outcome, budget, &mut |n| progress.reach(n))?;
    drop(progress);
    let time = start.elapsed();
    check(game, heaps(listing), |heap| theory.nimber(heap), outcome)?;
    let outcomes = Outcomes { game: &rules, theory: &*theory, to: listing.to, checked: bound(listing), time };
    out.write(|out| outcomes.write(listing.format, out))?;
    Ok(ExitCode::SUCCESS)
}
