//! `judge table`: the nimbers of all sizes of a game, one file a family of games.

mod certificate;
mod euclid;
mod pile;
mod segment;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use zeroxor::{Table, protocol};

use crate::cli::table::{Family, ListingArgs, TableArgs};
use crate::output::Output;
use crate::tabulate::{Listing, Mismatch, Summary, check};

pub(crate) fn table(args: &TableArgs) -> anyhow::Result<ExitCode> {
    match (&args.family, &args.verify) {
        (Some(Family::Segment(args)), _) => segment::segment(args),
        (Some(Family::Square(args)), _) => pile::square(args),
        (Some(Family::Divisor(args)), _) => pile::divisor(args),
        (Some(Family::Subtract(args)), _) => pile::subtract(args),
        (Some(Family::Euclid(args)), _) => euclid::euclid(args),
        (None, Some(path)) => certificate::verify(path),
        (None, None) => bail!("expected a game or --verify FILE"),
    }
}

/// What a family has computed.
struct Computed<'a, I> {
    /// The rules in the header's words, sizes left out.
    game: &'a str,
    /// A header that sets up a game of these rules, of any size.
    header: &'a str,
    nimbers: I,
    /// What the family adds to a summary.
    notes: Vec<(&'static str, String)>,
    time: Duration,
}

/// Checks a table as far as that is asked for, and writes it.
fn finish<I>(listing: &ListingArgs, out: Output, computed: Computed<'_, I>) -> anyhow::Result<ExitCode>
where
    I: ExactSizeIterator<Item = u32> + Clone,
{
    if !is_as_defined(listing, &computed)? {
        return Ok(ExitCode::FAILURE);
    }
    write(listing, out, computed)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a table that is checked as far as that is asked for.
fn write<I>(listing: &ListingArgs, out: Output, computed: Computed<'_, I>) -> anyhow::Result<()>
where
    I: ExactSizeIterator<Item = u32> + Clone,
{
    let Computed { game, nimbers, mut notes, time, .. } = computed;
    let checked = bound(listing).map(|bound| ("check", format!("as defined for n = 0 to {bound}")));
    notes.extend(checked);
    let table = Listing { game, nimbers: nimbers.clone() };
    let summary = || Summary::of(game, nimbers, notes, time);
    out.write(|out| table.write(listing.format, summary, out))
}

/// Up to where the definition is to be compared.
fn bound(listing: &ListingArgs) -> Option<u64> {
    listing.check.map(|bound| bound.min(listing.to))
}

/// Compares with the definition as far as that is asked for, and says where they differ.
fn is_as_defined<I>(listing: &ListingArgs, computed: &Computed<'_, I>) -> anyhow::Result<bool>
where
    I: Iterator<Item = u32> + Clone,
{
    let Some(bound) = bound(listing) else { return Ok(true) };
    let opened = Table::open(&protocol::parse_header(computed.header.as_bytes())?.parts)?;
    let checked = check(&*opened.games()[0], computed.nimbers.clone().take(bound as usize + 1));
    if let Err(Mismatch { n, expected, got }) = checked {
        say_wrong(computed.game, &format!("n = {n}"), expected, got);
        return Ok(false);
    }
    Ok(true)
}

/// Says where a table is not what the definition says.
fn say_wrong(game: &str, place: &str, expected: impl Display, got: impl Display) {
    // Nobody may be left to read it.
    let _ =
        writeln!(io::stderr(), "judge: {game} at {place}: the definition says {expected}, the table {got}");
}
