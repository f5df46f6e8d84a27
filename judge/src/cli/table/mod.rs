//! `judge table`: the nimbers or outcomes of all sizes of a game, one file a family of games.

mod args;
mod certificate;
mod euclid;
mod pile;
mod segment;

use std::fmt::Display;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use zeroxor::rules::{Heap, Rules};
use zeroxor::{Nimber, Position};

use crate::escape::complain;
use crate::report::output::Output;
use crate::tables::{self, Listing, Mismatch, Notes, Summary};
pub(crate) use args::{Family, ListingArgs, TableArgs};

pub(crate) fn table(args: &TableArgs) -> anyhow::Result<ExitCode> {
    let done = match (&args.family, &args.verify) {
        (Some(Family::Segment(args)), _) => segment::segment(args),
        (Some(Family::Square(args)), _) => pile::square(args),
        (Some(Family::Divisor(args)), _) => pile::divisor(args),
        (Some(Family::Subtract(args)), _) => pile::subtract(args),
        (Some(Family::Euclid(args)), _) => euclid::euclid(args),
        (None, Some(path)) => certificate::verify(path),
        (None, None) => bail!("expected a game or --verify FILE"),
    };
    match done {
        Err(error) if error.is::<Mismatch>() => Ok(wrong(error)),
        done => done,
    }
}

/// Says what is wrong with a table or a certificate, and not with what was typed.
fn wrong(what: impl Display) -> ExitCode {
    complain(what);
    ExitCode::FAILURE
}

/// The nimbers that a family has computed.
struct Computed<'a, F> {
    rules: &'a dyn Rules,
    /// The nimber of a size.
    nimber: F,
    /// What the family adds to a summary.
    notes: Notes,
    time: Duration,
}

impl<F: Fn(u64) -> u32 + Copy> Computed<'_, F> {
    /// Compares with the definition as far as that is asked for.
    fn check(&self, listing: &ListingArgs) -> Result<(), Mismatch> {
        let nimber = |heap: Heap| Nimber((self.nimber)(heap.size).into());
        tables::check(self.rules, heaps(listing), nimber, |nimber| nimber)
    }

    /// Writes a table that is checked.
    fn write(mut self, listing: &ListingArgs, out: Output) -> anyhow::Result<()> {
        let checked = bound(listing).map(|bound| ("check", format!("as defined for n = 0 to {bound}")));
        self.notes.extend(checked);
        let game = &self.rules.words();
        let nimbers = (0..sizes(listing)).map(|n| (self.nimber)(n as u64));
        let summary = || Summary::of(game, nimbers.clone(), self.notes, self.time);
        out.write(|out| Listing { game, nimbers: nimbers.clone() }.write(listing.format, summary, out))
    }
}

/// The rules of a position of one game.
fn rules_of(position: &Position) -> anyhow::Result<&dyn Rules> {
    position.rules(0).context("the position has no rules")
}

/// How many sizes there are.
fn sizes(listing: &ListingArgs) -> usize {
    listing.to as usize + 1
}

/// Up to where the definition is to be compared.
fn bound(listing: &ListingArgs) -> Option<u64> {
    listing.check.map(|bound| bound.min(listing.to))
}

/// The heaps of which the definition is to be compared.
fn heaps(listing: &ListingArgs) -> impl Iterator<Item = Heap> {
    bound(listing).into_iter().flat_map(|bound| 0..=bound).map(Heap::of)
}
