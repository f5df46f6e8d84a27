//! The table of a window or a code, with its period.

use std::process::ExitCode;

use anyhow::{bail, ensure};

use super::args::{ListingArgs, LongArgs, MAX_TO, PeriodArgs};
use super::long::LongTable;
use super::{advise, complain_of_no_period};
use crate::report::output::{Output, is_broken_pipe};
use crate::tables::{Certificate, RowGame, Rows};

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
    let table = LongTable { game, periods, long, listing };
    if table.is_long() {
        if let Some(code) = table.write()? {
            return Ok(code);
        }
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
    let rows = || Rows::compute(game, listing.to, periods.period).map_err(advise);
    let Some(path) = &periods.certificate else {
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
        let written = listing.write(&table, out);
        if let Some(error) = written.err().filter(|error| !is_broken_pipe(error)) {
            return Err(error);
        }
        // Also where nobody reads the summary.
        complain_of_no_period(path, listing.to);
        return Ok(ExitCode::FAILURE);
    };
    // It comes first: whoever reads the summary may hang up.
    place.write(|out| certificate.write(out))?;
    listing.write(&table, out)?;
    Ok(ExitCode::SUCCESS)
}
