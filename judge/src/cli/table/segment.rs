//! `judge table segment`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use itertools::Itertools;
use zeroxor::grundy::segment::{AllWindows, Period, Sequence, SparseSpace, Window, known_period};
use zeroxor::{GameSpec, Position};

use super::args::{ListingArgs, MAX_SWEEP, SegmentArgs};
use super::certificate::Certificate;
use super::{Computed, rules_of};
use crate::report::output::{Output, is_broken_pipe};
use crate::tables::{Format, Progress, fits};

pub(super) fn segment(args: &SegmentArgs) -> anyhow::Result<ExitCode> {
    match (args.l, args.r) {
        (Some(l), Some(r)) => one(l, r, args),
        _ => all(&args.listing),
    }
}

/// The values of a window up to `to`, if there is room for them, and for a proof of a period if it is wanted.
/// Where the period is known no more are computed than it takes, or to prove it if that is wanted.
pub(super) fn values(window: Window, to: u64, with_period: bool) -> anyhow::Result<Sequence> {
    let computed = known_period(window).map_or(to, |period| {
        let proof = period.values_needed(window).try_into().unwrap_or(u64::MAX);
        to.min(if with_period { proof } else { period.start + period.length })
    });
    let proof = if with_period { Period::bytes(computed) } else { 0 };
    fits(Sequence::bytes(window, computed).max(proof), &game(window), to)?;
    let progress = Progress::new(computed);
    Ok(Sequence::reporting(window, computed, &mut |n| progress.reach(n)).repeating())
}

/// The rules in the header's words.
pub(super) fn game(window: Window) -> String {
    format!("segment {} {}", window.l(), window.r())
}

fn one(l: u64, r: u64, args: &SegmentArgs) -> anyhow::Result<ExitCode> {
    let listing = &args.listing;
    let window = Window::new(l, r).with_context(|| format!("expected L <= R, got {l} and {r}"))?;
    ensure!(
        !args.period || listing.format == Format::Summary,
        "expected --period with the summary, the other formats have no place for it"
    );
    let out = Output::open(listing.output.as_deref())?;
    let place = args.certificate.as_deref().map(|path| Output::open(Some(path))).transpose()?;
    ensure!(
        !place.as_ref().is_some_and(|place| place.is_same_file(&out)),
        "expected --output and --certificate to be two files"
    );

    let start = Instant::now();
    let values = values(window, listing.to, args.period)?;
    let time = start.elapsed();
    let period = args.period.then(|| Period::proven(window, values.values())).flatten();
    let mut notes = Vec::from_iter(rare_values(&values));
    if args.period {
        let none = || format!("none up to {}", listing.to);
        notes.push(("period", period.map_or_else(none, |period| proven(window, period))));
    }

    let position = Position::new(&GameSpec::Segment { n: r, l, r })?;
    let nimber = |n| values.nimber(n).0 as u32;
    let computed = Computed { rules: rules_of(&position)?, nimber, notes, time };
    computed.check(listing)?;
    // Nothing to certify: the summary says it.
    let is_missing = place.is_some() && period.is_none();
    // It comes first: whoever reads the summary may hang up.
    if let Some((place, period)) = place.zip(period) {
        let certificate = Certificate::new(window, period, values.values());
        place.write(|out| writeln!(out, "{}", serde_json::to_string(&certificate)?))?;
    }
    match computed.write(listing, out) {
        // That there is none is known, whoever reads the summary.
        Err(error) if is_missing && is_broken_pipe(&error) => {}
        written => written?,
    }
    Ok(if is_missing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What a summary adds where the values lie in a sparse space.
fn rare_values(values: &Sequence) -> Option<(&'static str, String)> {
    let SparseSpace { mask, rares, last } = values.space()?;
    Some(("rare values", format!("{rares}, the last at n = {last} (mask {mask:#b})")))
}

/// A period in words, and what proves it.
pub(super) fn proven(window: Window, period: Period) -> String {
    let Period { start, length } = period;
    let checked = period.range(window).map_or(String::new(), |range| format!(" to {}", range.end - 1));
    format!("{length} from n = {start} on, proven: g(n+{length}) = g(n) for n = {start}{checked}")
}

/// All windows at once.
fn all(listing: &ListingArgs) -> anyhow::Result<ExitCode> {
    ensure!(listing.format == Format::Summary, "expected --all with the summary alone");
    ensure!(
        (1..=MAX_SWEEP).contains(&listing.to),
        "expected --all with --to 1 to {MAX_SWEEP}, got {}",
        listing.to
    );
    let out = Output::open(listing.output.as_deref())?;
    let start = Instant::now();
    let progress = Progress::new(listing.to);
    let sweep = AllWindows::new(listing.to, &mut |l| progress.reach(l));
    drop(progress);
    let counts = sweep.won_by_second();
    let listed = (1..).zip(counts).take(3).map(|(l, count)| format!("{count} with L = {l}")).join(", ");
    out.write(|out| {
        writeln!(out, "windows: {}, 1 <= L <= R <= {}", sweep.windows(), listing.to)?;
        writeln!(out, "starts: {}, rows of R to {} cards", sweep.starts(), listing.to)?;
        writeln!(out, "won by Second: {}, all with L = R: {listed}", counts.iter().sum::<u64>())?;
        writeln!(out, "largest nimber: {0}, of {0} cards under [1, {0}]", sweep.largest())?;
        writeln!(out, "time: {:.3} s", start.elapsed().as_secs_f64())
    })?;
    Ok(ExitCode::SUCCESS)
}
