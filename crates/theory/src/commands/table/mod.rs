//! `grundy table`: the nimbers or outcomes of all heaps of a game, or a certificate of a period.

mod args;
mod long;
mod octal;
mod outputs;
mod pile;
mod rows;
mod segment;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{bail, ensure};
use zeroxor::GameSpec;
use zeroxor::grundy::{Budget, TooLarge, ValueKind};

use crate::{CertificateFile, Format, Heaps, Incorrect, Plot, RowGame, Table};
pub(crate) use args::TableArgs;
use args::{EuclidArgs, Family, ListingArgs};
use common::charts::SVG;
use common::file_kind::FileKind;
use common::output::Output;
use common::program::print_error;

/// The cost of a table. It is more than that of a game: nobody waits for a move.
const BUDGET: Budget = Budget::new(10_000_000_000, 256 << 20);

pub(crate) fn table(args: &TableArgs) -> anyhow::Result<ExitCode> {
    let done = match (&args.family, &args.verify) {
        (Some(Family::Segment(args)), _) => segment::segment(args),
        (Some(Family::Square(args)), _) => pile::square(args),
        (Some(Family::Divisor(args)), _) => pile::divisor(args),
        (Some(Family::Subtract(args)), _) => pile::subtract(args),
        (Some(Family::Euclid(args)), _) => euclid(args),
        (Some(Family::Octal(args)), _) => octal::octal(args),
        (Some(Family::Grundy(args)), _) => octal::grundy(args),
        (None, Some(path)) => verify(path),
        (None, None) => bail!("expected a game or --verify FILE"),
    };
    match done {
        // The table or the certificate is wrong, not what was typed.
        Err(error) if error.is::<Incorrect>() => {
            print_error(error);
            Ok(ExitCode::FAILURE)
        }
        done => done,
    }
}

fn euclid(args: &EuclidArgs) -> anyhow::Result<ExitCode> {
    let to = args.listing.to;
    let game = GameSpec::Euclid { a: to, b: to };
    args.listing.write_new(|| compute(&game, Heaps::Pairs(to), ValueKind::Outcome))
}

/// The values of these heaps.
fn compute(game: &GameSpec, heaps: Heaps, kind: ValueKind) -> anyhow::Result<Table> {
    Table::compute(game, heaps, kind, BUDGET).map_err(advise)
}

/// An error, and what to do about it if the values cost too much.
fn advise(error: anyhow::Error) -> anyhow::Error {
    if error.is::<TooLarge>() {
        error.context("the table is too large, a smaller --to may help")
    } else {
        error
    }
}

/// Says that there is no certificate, where the values up to `to` prove no period.
fn print_no_period(certificate: &Path, game: RowGame, to: u64) {
    let what = if game.never_repeats() { "arithmetic period" } else { "period" };
    print_error(format_args!(
        "no certificate is written to {}: no {what} is proven up to {to}; more values may prove one",
        certificate.display()
    ));
}

/// Proves once more what the certificates of a file say, up to the first that is wrong.
fn verify(path: &Path) -> anyhow::Result<ExitCode> {
    let CertificateFile { certificates, without } = CertificateFile::read(path)?;
    for certificate in &certificates {
        writeln!(io::stdout(), "{}", certificate.verify()?)?;
    }
    if certificates.len() > 1 || without > 0 {
        writeln!(
            io::stdout(),
            "{} certificates are right; games without one: {without}",
            certificates.len()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

impl ListingArgs {
    /// Where the table is written. It is opened before anything is computed, so that a bad path costs no time.
    fn open(&self) -> anyhow::Result<Output> {
        Output::open(self.output.as_deref(), self.kind(), self.force.force)
    }

    /// What kind of file is written.
    fn kind(&self) -> FileKind {
        if self.plot.is_some() { SVG } else { self.format.kind() }
    }

    /// Refuses --period where there is no place for one.
    fn ensure_period(&self) -> anyhow::Result<()> {
        ensure!(
            self.format == Format::Summary
                && matches!(self.plot, None | Some(Plot::Scatter | Plot::Residues)),
            "expected --period with the summary or with --plot scatter or residues, the others have no place for it"
        );
        Ok(())
    }

    /// Compares a table with the definition as far as that is asked for.
    fn check(&self, table: &mut Table) -> anyhow::Result<()> {
        self.check.map_or(Ok(()), |bound| table.check(bound))
    }

    fn write(&self, table: &Table, out: Output) -> anyhow::Result<()> {
        match self.plot {
            Some(plot) => {
                let svg = plot.svg(table, self.modulus, self.width)?;
                out.write(|out| out.write_all(svg.as_bytes()))
            }
            None => out.write(|out| self.format.write(table, out)),
        }
    }

    /// Computes a table, checks it and writes it.
    fn write_new(&self, compute: impl FnOnce() -> anyhow::Result<Table>) -> anyhow::Result<ExitCode> {
        let out = self.open()?;
        let mut table = compute()?;
        self.check(&mut table)?;
        self.write(&table, out)?;
        Ok(ExitCode::SUCCESS)
    }
}
