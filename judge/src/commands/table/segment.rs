//! `judge table segment`.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use zeroxor::games::segment::{Sequence, Window};

use super::{Computed, finish};
use crate::cli::SegmentArgs;
use crate::tabulate::{Output, Progress, fits};

pub(super) fn segment(args: &SegmentArgs) -> anyhow::Result<ExitCode> {
    let &SegmentArgs { l, r, ref listing } = args;
    let window = Window::new(l, r).with_context(|| format!("expected L <= R, got {l} and {r}"))?;
    let game = format!("segment {l} {r}");
    fits(Sequence::bytes(window, listing.to), &game, listing.to)?;
    let out = Output::open(listing.output.as_deref())?;

    let start = Instant::now();
    let progress = Progress::new(listing.to);
    let values = Sequence::reporting(window, listing.to, &mut |n| progress.reach(n));
    drop(progress);

    let header = format!("segment {r} {l} {r}");
    let nimbers = values.values().iter().copied();
    finish(listing, out, &Computed { game: &game, header: &header, nimbers, time: start.elapsed() })
}
