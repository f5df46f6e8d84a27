//! The table of a window or a code, with its period.

use std::ops::ControlFlow;
use std::process::ExitCode;

use anyhow::{bail, ensure};

use super::args::{ListingArgs, LongArgs, MAX_TO, PeriodArgs};
use super::long::LongTable;
use super::outputs::Outputs;
use super::{advise, print_no_period};
use crate::long::{new_path, part_path};
use crate::{Certificate, RowGame, Rows};
use common::output::{ensure_different_files, is_broken_pipe};

/// Computes the table, and writes it and the certificate of the period if one is wanted.
pub(super) fn rows(
    game: RowGame,
    periods: &PeriodArgs,
    long: &LongArgs,
    listing: &ListingArgs,
) -> anyhow::Result<ExitCode> {
    if periods.period {
        listing.ensure_period()?;
    }
    ensure!(
        listing.plot.is_none() || listing.to <= MAX_TO,
        "expected --to {MAX_TO} at most with --plot, got {}",
        listing.to
    );
    let checkpoint = long.checkpoint.as_deref();
    let part = listing.output.as_deref().filter(|_| checkpoint.is_some()).map(part_path);
    let new = checkpoint.map(new_path);
    ensure_different_files([
        ("--output", listing.output.as_deref()),
        ("--output while it is written", part.as_deref()),
        ("--certificate", periods.certificate.as_deref()),
        ("--checkpoint", checkpoint),
        ("--checkpoint while it is written", new.as_deref()),
        ("--history", long.history.as_deref()),
    ])?;
    let mut outputs = Outputs::open(listing, periods)?;
    let table = LongTable { game, periods, long, listing };
    if table.is_long() {
        outputs = match table.write(outputs)? {
            ControlFlow::Break(code) => return Ok(code),
            ControlFlow::Continue(outputs) => outputs,
        };
        let asked = [("--checkpoint", &long.checkpoint), ("--history", &long.history)];
        if let Some((option, _)) = asked.iter().find(|(_, path)| path.is_some()) {
            bail!(
                "{option} is for games in which few values are rare, and that does not show in the first values of {game}"
            );
        }
        ensure!(
            listing.to <= MAX_TO,
            "expected --to {MAX_TO} at most, got {}: more than few values of {game} are rare, so all are kept in memory",
            listing.to
        );
    }
    let rows = Rows::compute(game, listing.to, periods.period).map_err(advise)?;
    let certificate = outputs.certificate.as_ref().and_then(|_| Certificate::of(&rows));
    let mut table = rows.into_table()?;
    listing.check(&mut table)?;
    // It comes first: whoever reads the summary may hang up.
    if let (Some(output), Some(certificate)) = (outputs.certificate, &certificate) {
        output.write(|out| certificate.write(out))?;
    }
    let written = listing.write(&table, outputs.table);
    let Some(path) = periods.certificate.as_deref().filter(|_| certificate.is_none()) else {
        return written.map(|()| ExitCode::SUCCESS);
    };
    if let Some(error) = written.err().filter(|error| !is_broken_pipe(error)) {
        return Err(error);
    }
    // Also where nobody reads the summary.
    print_no_period(path, game, listing.to);
    Ok(ExitCode::FAILURE)
}
