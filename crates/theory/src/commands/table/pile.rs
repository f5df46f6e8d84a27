//! `grundy table` for games of piles.

use std::process::ExitCode;

use anyhow::Context;
use zeroxor::GameSpec;
use zeroxor::grundy::segment::Period;
use zeroxor::grundy::{ValueKind, subtraction_period};

use super::args::{DivisorArgs, SquareArgs, SubtractArgs};
use super::compute;
use crate::Heaps;

pub(super) fn square(args: &SquareArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Square { piles: vec![1], banned: args.bans.numbers.clone() };
    let kind = if args.nimber { ValueKind::Nimber } else { ValueKind::Outcome };
    args.listing.write_new(|| compute(&game, Heaps::Sizes(args.listing.to), kind))
}

pub(super) fn divisor(args: &DivisorArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Divisor { piles: vec![1], banned: args.bans.numbers.clone() };
    args.listing.write_new(|| compute(&game, Heaps::Sizes(args.listing.to), ValueKind::Nimber))
}

pub(super) fn subtract(args: &SubtractArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Subtract { piles: vec![1], takes: args.numbers.clone() };
    if args.period {
        args.listing.ensure_period()?;
    }
    args.listing.write_new(|| {
        let mut table = compute(&game, Heaps::Sizes(args.listing.to), ValueKind::Nimber)?;
        if args.period {
            let period = subtraction_period(&args.numbers, &mut super::BUDGET.clone());
            let (start, length) = period.context("--period asks for what is out of reach")?;
            let text = format!("{length} from n = {start} on, proven");
            // One above 2^64 has no mark on a plot.
            let known = u64::try_from(start).ok().zip(u64::try_from(length).ok());
            table.note_period(known.map(|(start, length)| Period { start, length }), text);
        }
        Ok(table)
    })
}
