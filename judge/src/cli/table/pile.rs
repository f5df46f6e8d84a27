//! `judge table` for games of piles.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use zeroxor::grundy::{Budget, ValueKind, subtraction_period, table};
use zeroxor::rules::Heap;
use zeroxor::{GameSpec, Position};

use super::args::{DivisorArgs, ListingArgs, SquareArgs, SubtractArgs};
use super::{Computed, bound, heaps, rules_of};
use crate::report::output::Output;
use crate::tables::{Format, Notes, Outcomes, Progress, check, outcome};

pub(super) fn square(args: &SquareArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Square { piles: vec![1], banned: args.bans.numbers.clone() };
    let out = Output::open(args.listing.output.as_deref())?;
    if args.nimber {
        nimbers(&game, &args.listing, out, Notes::new())
    } else {
        outcomes(&game, &args.listing, out)
    }
}

pub(super) fn divisor(args: &DivisorArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Divisor { piles: vec![1], banned: args.bans.numbers.clone() };
    let out = Output::open(args.listing.output.as_deref())?;
    nimbers(&game, &args.listing, out, Notes::new())
}

pub(super) fn subtract(args: &SubtractArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Subtract { piles: vec![1], takes: args.numbers.clone() };
    ensure!(
        !args.period || args.listing.format == Format::Summary,
        "expected --period with the summary, the other formats have no place for it"
    );
    let out = Output::open(args.listing.output.as_deref())?;
    let mut notes = Notes::new();
    if args.period {
        let period = subtraction_period(&args.numbers, &mut Budget::GAME.clone());
        let (start, length) = period.context("--period asks for what is out of reach")?;
        notes.push(("period", format!("{length} from n = {start} on, proven")));
    }
    nimbers(&game, &args.listing, out, notes)
}

fn nimbers(game: &GameSpec, listing: &ListingArgs, out: Output, notes: Notes) -> anyhow::Result<ExitCode> {
    let position = Position::new(game)?;
    let (largest, budget) = (Heap::of(listing.to), &mut Budget::GAME.clone());
    let start = Instant::now();
    let values = table(game, largest, ValueKind::Nimber, budget, &mut |_| ())?;
    let time = start.elapsed();
    let rules = rules_of(&position)?;
    let computed = Computed { rules, nimber: |n| values.nimber(Heap::of(n)).0 as u32, notes, time };
    computed.check(listing)?;
    computed.write(listing, out)?;
    Ok(ExitCode::SUCCESS)
}

fn outcomes(game: &GameSpec, listing: &ListingArgs, out: Output) -> anyhow::Result<ExitCode> {
    let position = Position::new(game)?;
    let rules = rules_of(&position)?;
    let (largest, budget) = (Heap::of(listing.to), &mut Budget::GAME.clone());
    let progress = Progress::new(listing.to);
    let start = Instant::now();
    let values = table(game, largest, ValueKind::Outcome, budget, &mut |n| progress.reach(n))?;
    drop(progress);
    let time = start.elapsed();
    check(rules, heaps(listing), |heap| values.nimber(heap), outcome)?;
    let outcomes =
        Outcomes { game: &rules.words(), theory: &*values, to: listing.to, checked: bound(listing), time };
    out.write(|out| outcomes.write(listing.format, out))?;
    Ok(ExitCode::SUCCESS)
}
