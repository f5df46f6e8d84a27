//! Tables that are longer than memory, and runs that go on from a checkpoint.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use zeroxor::grundy::ValueKind;
use zeroxor::grundy::segment::Period;

use super::args::{ListingArgs, LongArgs, MAX_TO, PeriodArgs};
use super::outputs::Outputs;
use super::print_no_period;
use crate::long::{
    Checkpoint, CheckpointFile, HistoryFile, Listing, LongRows, PartFile, Run, Written, part_path,
};
use crate::{Certificate, Format, Heaps, RowGame, Summary, long};
use common::output::Output;
use common::program::print_error;
use common::progress::Progress;
use common::shards::UNFINISHED;
use common::signals::SaveRequest;

/// A long table: what is wanted of it.
pub(super) struct LongTable<'a> {
    pub(super) game: RowGame,
    pub(super) periods: &'a PeriodArgs,
    pub(super) long: &'a LongArgs,
    pub(super) listing: &'a ListingArgs,
}

/// How a run ended.
enum End {
    Complete,
    /// Behind so many values, which are in the checkpoint.
    Saved(u64),
}

impl LongTable<'_> {
    /// Whether it is to be computed value by value.
    pub(super) fn is_long(&self) -> bool {
        let is_asked = self.long.checkpoint.is_some() || self.long.history.is_some();
        // Millions of values are found faster all together.
        let takes_many =
            |period: Period| period.values_needed(self.game.move_bounds()) > u128::from(long::LONG);
        let is_known_late = self.listing.to <= MAX_TO && self.game.known_period().is_some_and(takes_many);
        is_asked || self.listing.to >= long::LONG && self.listing.plot.is_none() && !is_known_late
    }

    /// Computes and writes it; gives the outputs back if the values are in no sparse space.
    pub(super) fn write(&self, outputs: Outputs) -> anyhow::Result<ControlFlow<ExitCode, Outputs>> {
        let listing = self.listing;
        ensure!(
            listing.plot.is_none(),
            "expected --plot without --checkpoint and --history: it needs all values"
        );
        let checkpoint = self.long.checkpoint.as_deref();
        ensure!(
            checkpoint.is_none() || listing.format == Format::Summary || self.path().is_some(),
            "expected --output FILE with --checkpoint and this format: what went to a pipe cannot be written again"
        );
        let mut checkpoint = checkpoint.map(CheckpointFile::open).transpose()?;
        let saved = checkpoint.as_mut().map(|file| file.read(&self.game.to_string())).transpose()?.flatten();
        if let Some(saved) = &saved {
            self.ensure_fits(saved)?;
        }
        // Before the history is opened, which is cut where the checkpoint continues.
        let part = self.found_part(saved.as_ref())?;
        // What cannot be saved is ended by these signals at once.
        let request = if checkpoint.is_some() { SaveRequest::listen()? } else { SaveRequest::never() };
        let goes_on = saved.is_some();
        let start = Instant::now();
        let rows = match saved {
            Some(saved) => Some(LongRows::resume(self.game, saved)?),
            None => LongRows::new(self.game)?,
        };
        let Some(rows) = rows else { return Ok(ControlFlow::Continue(outputs)) };
        if let Some(bound) = listing.check.filter(|&bound| bound.min(listing.to) >= long::CHECKED) {
            bail!(
                "expected --check=N with N below {}, got {bound}: the values come one after the other here, as always \
                 with --checkpoint, --history or a large --to",
                long::CHECKED
            );
        }
        let known = goes_on.then_some(rows.len());
        let history = self.long.history.as_deref().map(|path| HistoryFile::open(path, known));
        let mut rows = rows.with_history(history.transpose()?);
        if let Some(file) = checkpoint.as_mut().filter(|_| !goes_on) {
            // It tells whose the files are before they have values, and that it can be written.
            file.write(&rows.checkpoint(self.wanted(Written::default()))?)?;
        }
        let (mut summary, mut end) = (None, End::Complete);
        if listing.format == Format::Summary {
            end = self.run(&mut rows, &request, checkpoint.as_mut(), None)?;
            summary = Some(outputs.table);
        } else if let Some(checkpoint) = &mut checkpoint {
            end = self.run_to_part(&mut rows, &request, checkpoint, part)?;
        } else {
            self.run_to_output(&mut rows, &request, outputs.table)?;
        }
        if let End::Saved(values) = end {
            let all = listing.to.saturating_add(1);
            print_error(format_args!("interrupted after {values} of {all} values; the same command goes on"));
            return Ok(ControlFlow::Break(ExitCode::from(UNFINISHED)));
        }
        let code = self.report(&mut rows, start.elapsed(), summary, outputs.certificate)?;
        if let Some(file) = checkpoint {
            file.remove();
        }
        Ok(ControlFlow::Break(code))
    }

    /// The file of the values, if they are written to one.
    fn path(&self) -> Option<&Path> {
        self.listing.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// What a checkpoint has to agree with.
    fn wanted(&self, written: Written) -> Run {
        let listing = self.listing;
        Run {
            listing: (listing.format != Format::Summary).then_some((listing.format, listing.to)),
            has_history: self.long.history.is_some(),
            written,
        }
    }

    fn ensure_fits(&self, saved: &Checkpoint) -> anyhow::Result<()> {
        ensure!(
            saved.run == self.wanted(saved.run.written),
            "the checkpoint is of a run with another --format, --to or --history: expected the same command"
        );
        ensure!(
            saved.len() <= self.listing.to.saturating_add(1),
            "the checkpoint has {} values, more than --to {} asks for",
            saved.len(),
            self.listing.to
        );
        Ok(())
    }

    /// Finds the values, and writes those that are listed.
    fn run(
        &self,
        rows: &mut LongRows,
        request: &SaveRequest,
        mut checkpoint: Option<&mut CheckpointFile>,
        mut out: Option<&mut dyn Part>,
    ) -> anyhow::Result<End> {
        let (to, mut unchecked) = (self.listing.to, self.listing.check);
        let listing = Listing::new(self.listing.format, self.game.to_string(), to);
        let progress = Progress::new(to);
        let mut last = Instant::now();
        let give_up = &mut || request.has_come();
        while rows.len() <= to {
            let is_proven = out.is_none() && rows.period().is_some();
            let (known, is_interrupted) = (rows.len(), request.has_come());
            if let Some(file) = &mut checkpoint
                && (is_proven || is_interrupted || last.elapsed() >= self.long.every)
            {
                let written = out.as_mut().map(|out| out.sync()).transpose()?.unwrap_or_default();
                file.write(&rows.checkpoint(self.wanted(written))?)?;
                last = Instant::now();
            }
            if is_interrupted {
                return Ok(End::Saved(known));
            }
            if is_proven {
                // What is added up is not in a checkpoint: it takes no longer than to compute two periods.
                if rows.add_up(to, give_up).is_none() {
                    return Ok(End::Saved(known));
                }
                break;
            }
            let values = rows.next(to, give_up)?;
            if values.is_empty() {
                break;
            }
            if let Some(bound) = unchecked.take_if(|bound| rows.len() > *bound) {
                rows.check(bound)?;
            }
            if let Some(out) = &mut out {
                listing.write(known, &values, *out)?;
            }
            progress.reach(rows.len());
        }
        if let (Some(bound), None) = (unchecked, &rows.stopped) {
            rows.check(bound)?;
        }
        if let (Some(stopped), Some(_)) = (&rows.stopped, &out) {
            bail!("{stopped}: {STOPPED}");
        }
        Ok(End::Complete)
    }

    /// Writes the values to the output as they come.
    fn run_to_output(
        &self,
        rows: &mut LongRows,
        request: &SaveRequest,
        output: Output,
    ) -> anyhow::Result<()> {
        let mut failed = None;
        let written = output.write(|out| {
            let ended = self.run(rows, request, None, Some(&mut Stream(out)));
            ended.map(|_| ()).map_err(|error| {
                error.downcast::<io::Error>().unwrap_or_else(|error| {
                    failed = Some(error);
                    io::Error::other("the table is not complete")
                })
            })
        });
        failed.map_or(written, Err)
    }

    /// The file beside the output in which the run of a checkpoint has left values. Without a checkpoint such a file is
    /// replaced, as the output is.
    fn found_part(&self, saved: Option<&Checkpoint>) -> anyhow::Result<Option<PartFile>> {
        let (Some(output), Some(checkpoint)) = (self.path(), &self.long.checkpoint) else { return Ok(None) };
        match saved {
            _ if self.listing.format == Format::Summary => Ok(None),
            Some(saved) if saved.run.written.bytes > 0 => {
                PartFile::resume(output, saved, checkpoint).map(Some)
            }
            Some(_) => Ok(None),
            None => {
                let force = self.listing.force.force;
                self.listing.kind().ensure_replaceable(&part_path(output), force).map(|()| None)
            }
        }
    }

    /// Writes the values to a file beside the output, which gets its name when it is complete.
    fn run_to_part(
        &self,
        rows: &mut LongRows,
        request: &SaveRequest,
        checkpoint: &mut CheckpointFile,
        part: Option<PartFile>,
    ) -> anyhow::Result<End> {
        let path = self.path().context("expected --output FILE")?;
        let mut part = part.map_or_else(|| PartFile::create(path), Ok)?;
        let end = self.run(rows, request, Some(checkpoint), Some(&mut part))?;
        if matches!(end, End::Complete) {
            part.complete(path).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(end)
    }

    /// Writes the summary and the certificate where they are wanted.
    fn report(
        &self,
        rows: &mut LongRows,
        time: Duration,
        summary: Option<Output>,
        certificate: Option<Output>,
    ) -> anyhow::Result<ExitCode> {
        let (listing, to) = (self.listing, rows.len().saturating_sub(1));
        let period = rows.period();
        let mut notes: Vec<_> = rows.space().map(|space| ("rare values", space)).into_iter().collect();
        if self.periods.period {
            let none = || format!("none up to {to}");
            notes.push(("period", period.map_or_else(none, |period| self.game.proof(period))));
            if period.is_none() {
                notes.push(("least period not excluded", rows.least_period_not_excluded().to_string()));
            }
        }
        if let (Some(output), Some(period)) = (certificate, period) {
            let progress = Progress::new(
                u64::try_from(period.values_needed(self.game.move_bounds())).unwrap_or(u64::MAX),
            );
            let certificate = Certificate::of_long(self.game, period, &mut |n| progress.reach(n))?;
            drop(progress);
            output.write(|out| certificate.write(out))?;
        }
        if let Some(output) = summary {
            let game = self.game.to_string();
            let mut summary = Summary {
                game: &game,
                heaps: Heaps::Sizes(to),
                kind: ValueKind::Nimber,
                totals: &rows.totals,
                notes: &notes,
                checked: listing
                    .check
                    .filter(|&bound| rows.stopped.is_none() || bound < rows.len())
                    .map(|bound| Heaps::Sizes(bound.min(to))),
                time: Some(time),
            };
            if self.long.checkpoint.is_some() {
                // The same output, however often the run was interrupted.
                summary.time = None;
                summary.write_time(time, &mut io::stderr())?;
            }
            output.write(|out| summary.write(out))?;
        }
        if let Some(stopped) = &rows.stopped {
            print_error(format_args!("stopped: {stopped}: {STOPPED}"));
        }
        let unwritten = self.periods.certificate.as_deref().filter(|_| period.is_none());
        if let Some(path) = unwritten {
            print_no_period(path, self.game, to);
        }
        Ok(if rows.stopped.is_some() || unwritten.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// What to do where a value cannot be told.
const STOPPED: &str =
    "with --history FILE all values are kept in a file, and it is looked at where they are needed";

/// Where values are written.
trait Part: Write {
    /// Writes everything to the disk, and returns what that is.
    fn sync(&mut self) -> io::Result<Written>;
}

/// An output that is complete or lost.
struct Stream<'a, 'b>(&'a mut BufWriter<&'b mut dyn Write>);

impl Write for Stream<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Part for Stream<'_, '_> {
    fn sync(&mut self) -> io::Result<Written> {
        self.flush().map(|()| Written::default())
    }
}

impl Part for PartFile {
    fn sync(&mut self) -> io::Result<Written> {
        PartFile::sync(self)
    }
}
