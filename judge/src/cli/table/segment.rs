//! `judge table segment`.

use std::process::ExitCode;

use anyhow::{Context, ensure};
use zeroxor::grundy::segment::Window;

use super::advise;
use super::args::{ListingArgs, MAX_ALL_WINDOWS, SegmentArgs};
use crate::report::output::{Output, is_broken_pipe};
use crate::tables::{AllWindowsSummary, Certificate, Rows};

pub(super) fn segment(args: &SegmentArgs) -> anyhow::Result<ExitCode> {
    match (args.l, args.r) {
        (Some(l), Some(r)) => one_window(l, r, args),
        _ => all_windows(&args.listing),
    }
}

fn one_window(l: u64, r: u64, args: &SegmentArgs) -> anyhow::Result<ExitCode> {
    let listing = &args.listing;
    let window = Window::new(l, r).with_context(|| format!("expected L <= R, got {l} and {r}"))?;
    if args.period {
        listing.ensure_summary("--period")?;
    }
    let rows = || Rows::compute(window, listing.to, args.period).map_err(advise);
    let Some(path) = &args.certificate else {
        return listing.write_new(|| rows()?.into_table());
    };

    let out = listing.open()?;
    let place = Output::open(Some(path))?;
    ensure!(!place.is_same_file(&out), "expected --output and --certificate to be two files");
    let rows = rows()?;
    let certificate = Certificate::of(&rows);
    let mut table = rows.into_table()?;
    listing.check(&mut table)?;
    let Some(certificate) = certificate else {
        // The summary says that there is none, and the exit code too, whoever reads the summary.
        return match listing.write(&table, out) {
            Err(error) if !is_broken_pipe(&error) => Err(error),
            _ => Ok(ExitCode::FAILURE),
        };
    };
    // It comes first: whoever reads the summary may hang up.
    place.write(|out| certificate.write(out))?;
    listing.write(&table, out)?;
    Ok(ExitCode::SUCCESS)
}

fn all_windows(listing: &ListingArgs) -> anyhow::Result<ExitCode> {
    listing.ensure_summary("--all")?;
    ensure!(
        (1..=MAX_ALL_WINDOWS).contains(&listing.to),
        "expected --all with --to 1 to {MAX_ALL_WINDOWS}, got {}",
        listing.to
    );
    let out = listing.open()?;
    let summary = AllWindowsSummary::compute(listing.to);
    out.write(|out| summary.write(out))?;
    Ok(ExitCode::SUCCESS)
}
