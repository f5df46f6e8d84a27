//! `grundy table`: writes the nimbers or outcomes of a game's heaps up to a size, and verifies certificates.

mod args;
mod rows;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use zeroxor::GameSpec;
use zeroxor::grundy::segment::{AllWindows, Period, Window};
use zeroxor::grundy::{Budget, TooLarge, ValueKind, subtraction_period};
use zeroxor::rules::Clause;

use crate::definition::Incorrect;
use crate::{CertificateFile, Format, Heaps, Plot, RowGame, Table, windows_svg};
pub(crate) use args::TableArgs;
use args::{EuclidArgs, Family, GrundyArgs, ListingArgs, MAX_ALL_WINDOWS, OctalArgs, PileArgs, SegmentArgs};
use common::charts::SVG;
use common::file_kind::FileKind;
use common::output::Output;
use common::program::print_error;
use common::progress::Progress;
use rows::rows;

/// The budget of a table. It has more steps than the budget of a game, because no opponent waits for a move.
const BUDGET: Budget = Budget::new(10_000_000_000, 256 << 20);

pub(crate) fn table(args: &TableArgs) -> anyhow::Result<ExitCode> {
    let done = match (&args.family, &args.verify) {
        (Some(Family::Segment(args)), _) => segment(args),
        (Some(Family::Piles(args)), _) => piles(args),
        (Some(Family::Euclid(args)), _) => euclid(args),
        (Some(Family::Octal(args)), _) => octal(args),
        (Some(Family::Grundy(args)), _) => grundy(args),
        (None, Some(path)) => verify(path),
        (None, None) => bail!("expected a game or --verify FILE"),
    };
    match done {
        // The table or the certificate is wrong, not the command line.
        Err(error) if error.is::<Incorrect>() => {
            print_error(error);
            Ok(ExitCode::FAILURE)
        }
        done => done,
    }
}

fn segment(args: &SegmentArgs) -> anyhow::Result<ExitCode> {
    match (args.l, args.r) {
        (Some(l), Some(r)) => {
            let window = Window::new(l, r).with_context(|| format!("expected L <= R, got {l} and {r}"))?;
            rows(RowGame::Window(window), &args.summary, &args.long, &args.listing)
        }
        _ => all_windows(&args.listing),
    }
}

fn all_windows(listing: &ListingArgs) -> anyhow::Result<ExitCode> {
    ensure!(
        listing.format == Format::Summary && matches!(listing.plot, None | Some(Plot::Windows)),
        "expected --all with the summary or with --plot windows: other outputs cannot show it"
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

fn octal(args: &OctalArgs) -> anyhow::Result<ExitCode> {
    let OctalArgs { code, summary, long, listing } = args;
    rows(RowGame::Code(*code), summary, long, listing)
}

fn grundy(args: &GrundyArgs) -> anyhow::Result<ExitCode> {
    let game = GameSpec::Grundy { heaps: vec![1] };
    args.listing.write_new(|| compute(&game, Heaps::Sizes(args.listing.to), ValueKind::Nimber))
}

fn piles(args: &PileArgs) -> anyhow::Result<ExitCode> {
    let kind = if args.nimber { ValueKind::Nimber } else { ValueKind::Outcome };
    let game = GameSpec::of_rules(&args.rules);
    let game = game.with_context(|| format!("the rules {:?} are malformed", args.rules))?;
    let windows = args.period.then(|| windows(&game)).transpose()?;
    if args.period {
        args.listing.ensure_period()?;
    }
    args.listing.write_new(|| {
        let mut table = compute(&game, Heaps::Sizes(args.listing.to), kind)?;
        if let Some(windows) = windows {
            let period = subtraction_period(windows, &mut BUDGET.clone());
            let (start, length) = period.context("the period cannot be computed within the limits")?;
            let text = format!("{length} from n = {start} on, proven");
            // A period above 2^64 has no mark on a plot.
            let known = u64::try_from(start).ok().zip(u64::try_from(length).ok());
            table.note_period(known.map(|(start, length)| Period { start, length }), text);
        }
        Ok(table)
    })
}

/// Returns the numbers that a move may take, as windows; an error if the nimbers of the game have no period.
fn windows(game: &GameSpec) -> anyhow::Result<&[Window]> {
    let clauses = if let GameSpec::Piles { clauses, .. } = game { &clauses[..] } else { &[] };
    match clauses {
        [Clause::Take(windows)] => Ok(windows),
        _ => bail!(
            "expected --period with a list of numbers after \"take\": the nimbers of 1..n/K have no period"
        ),
    }
}

fn euclid(args: &EuclidArgs) -> anyhow::Result<ExitCode> {
    let to = args.listing.to;
    let game = GameSpec::Euclid { a: to, b: to };
    args.listing.write_new(|| compute(&game, Heaps::Pairs(to), ValueKind::Outcome))
}

/// The number of starting positions that Second wins, over all windows and rows up to a length, with the time of the
/// computation.
struct AllWindowsSummary {
    n: u64,
    windows: AllWindows,
    time: Duration,
}

impl AllWindowsSummary {
    /// Computes the values of all windows 1 <= L <= R <= n on the rows of R to n cards. Time: n^3/12 steps at most.
    fn compute(n: u64) -> Self {
        let progress = Progress::new(n);
        let start = Instant::now();
        let windows = AllWindows::new(n, &mut |l| progress.reach(l));
        Self { n, windows, time: start.elapsed() }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { n, windows, time } = self;
        let counts = windows.won_by_second();
        let listed = (1..).zip(counts).take(3).map(|(l, count)| format!("{count} with L = {l}"));
        let more = counts.iter().skip(3).sum::<u64>();
        let listed = listed.chain((more > 0).then(|| format!("and {more} with a larger L")));
        let listed: Vec<String> = listed.collect();
        writeln!(out, "windows: {}, 1 <= L <= R <= {n}", windows.windows())?;
        writeln!(out, "starts: {}, rows of R to {n} cards", windows.starts())?;
        let total = counts.iter().sum::<u64>();
        writeln!(out, "won by Second: {total}, all with L = R: {}", listed.join(", "))?;
        writeln!(out, "largest nimber: {0}, of {0} cards under [1, {0}]", windows.largest())?;
        writeln!(out, "time: {:.3} s", time.as_secs_f64())
    }
}

/// Computes the values of these heaps.
fn compute(game: &GameSpec, heaps: Heaps, kind: ValueKind) -> anyhow::Result<Table> {
    Table::compute(game, heaps, kind, BUDGET).map_err(advise)
}

/// Adds advice to an error if the values cost too much.
fn advise(error: anyhow::Error) -> anyhow::Error {
    if error.is::<TooLarge>() { error.context("the table is too large (try a smaller --to)") } else { error }
}

/// Verifies the certificates of a file, up to the first wrong one.
fn verify(path: &Path) -> anyhow::Result<ExitCode> {
    let CertificateFile { certificates, uncertified } = CertificateFile::read(path)?;
    for certificate in &certificates {
        writeln!(io::stdout(), "{}", certificate.verify()?)?;
    }
    if certificates.len() > 1 || uncertified > 0 {
        writeln!(
            io::stdout(),
            "verified certificates: {}; games without a certificate: {uncertified}",
            certificates.len()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

impl ListingArgs {
    /// Opens the output before any computation, so that a bad path costs no time.
    fn open(&self) -> anyhow::Result<Output> {
        Output::open(self.output.as_deref(), self.kind(), self.force.force)
    }

    /// Returns the kind of the written file.
    fn kind(&self) -> FileKind {
        if self.plot.is_some() { SVG } else { self.format.kind() }
    }

    /// Refuses --period with outputs that cannot show a period.
    fn ensure_period(&self) -> anyhow::Result<()> {
        ensure!(
            self.format == Format::Summary
                && matches!(self.plot, None | Some(Plot::Scatter | Plot::Residues)),
            "expected --period with the summary or with --plot scatter or residues: other outputs cannot show it"
        );
        Ok(())
    }

    /// Compares a table with the definition if --check is given.
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

    /// Computes, checks and writes a table.
    fn write_new(&self, compute: impl FnOnce() -> anyhow::Result<Table>) -> anyhow::Result<ExitCode> {
        let out = self.open()?;
        let mut table = compute()?;
        self.check(&mut table)?;
        self.write(&table, out)?;
        Ok(ExitCode::SUCCESS)
    }
}
