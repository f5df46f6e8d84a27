//! `grundy table segment`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use zeroxor::grundy::segment::Window;

use super::args::{ListingArgs, MAX_ALL_WINDOWS, SegmentArgs};
use super::rows::rows;
use crate::{AllWindowsSummary, Format, Plot, RowGame, windows_svg};

pub(super) fn segment(args: &SegmentArgs) -> anyhow::Result<ExitCode> {
    match (args.l, args.r) {
        (Some(l), Some(r)) => {
            let window = Window::new(l, r).with_context(|| format!("expected L <= R, got {l} and {r}"))?;
            rows(RowGame::Window(window), &args.periods, &args.long, &args.listing)
        }
        _ => all_windows(&args.listing),
    }
}

fn all_windows(listing: &ListingArgs) -> anyhow::Result<ExitCode> {
    ensure!(
        listing.format == Format::Summary && matches!(listing.plot, None | Some(Plot::Windows)),
        "expected --all with the summary or with --plot windows, the others have no place for it"
    );
    if listing.plot.is_some() {
        let out = listing.open()?;
        let svg = windows_svg(listing.to, listing.width)?;
        out.write(|out| out.write_all(svg.as_bytes()))?;
        return Ok(ExitCode::SUCCESS);
    }
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
