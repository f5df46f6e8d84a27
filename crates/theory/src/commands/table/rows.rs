//! `grundy table` for windows and codes. The values come in blocks, whether or not all of them stay in memory. Each
//! block is added to the totals and written, and checkpoints are saved between blocks.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use zeroxor::grundy::ValueKind;
use zeroxor::grundy::segment::Period;

use super::advise;
use super::args::{ListingArgs, LongArgs, MAX_TO, SummaryArgs};
use crate::format::NimberListing;
use crate::row_stream::{
    Checkpoint, CheckpointFile, HistoryFile, LARGE, MAX_CHECKED, PartFile, RowStream, Run, Written, new_path,
    part_path,
};
use crate::{CERTIFICATE, Certificate, Format, Heaps, RowGame, Rows, Summary};
use common::output::{Output, ensure_different_files};
use common::program::print_error;
use common::progress::Progress;
use common::shards::UNFINISHED;
use common::signals::SaveRequest;
use common::stdout::is_broken_pipe;

/// Computes and writes the table of a window or a code, and the certificate of the period if it is requested.
pub(super) fn rows(
    game: RowGame,
    summary: &SummaryArgs,
    long: &LongArgs,
    listing: &ListingArgs,
) -> anyhow::Result<ExitCode> {
    let table = RowTable { game, summary, long, listing };
    table.ensure_valid()?;
    table.write()
}

/// A table of rows: its game and its options.
struct RowTable<'a> {
    game: RowGame,
    summary: &'a SummaryArgs,
    long: &'a LongArgs,
    listing: &'a ListingArgs,
}

/// How a run ended.
enum End {
    Complete,
    /// The run was interrupted, and the checkpoint has this number of values.
    Saved(u64),
}

impl RowTable<'_> {
    /// Refuses options that exclude each other.
    fn ensure_valid(&self) -> anyhow::Result<()> {
        let Self { summary, long, listing, .. } = self;
        if summary.period {
            listing.ensure_period()?;
        }
        ensure!(
            !summary.counts || listing.format == Format::Summary,
            "expected --counts with the summary: other outputs cannot show it"
        );
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
            ("the temporary file of --output", part.as_deref()),
            ("--certificate", summary.certificate.as_deref()),
            ("--checkpoint", checkpoint),
            ("the temporary file of --checkpoint", new.as_deref()),
            ("--history", long.history.as_deref()),
        ])
    }

    /// Returns the name of the given option that needs a stream of values: `--checkpoint` or `--history`.
    fn long_option(&self) -> Option<&'static str> {
        let options = [("--checkpoint", &self.long.checkpoint), ("--history", &self.long.history)];
        options.into_iter().find(|(_, path)| path.is_some()).map(|(option, _)| option)
    }

    /// Returns whether a stream should drop values from memory that no later value needs. Such a stream exists only for
    /// a game with a sparse space or a proven period.
    fn is_unbounded(&self) -> bool {
        // If a known period needs millions of values, the engine for whole sequences is faster.
        let needs_many = |period: Period| period.values_needed(self.game.move_bounds()) > u128::from(LARGE);
        let is_faster_in_memory =
            self.listing.to <= MAX_TO && self.game.known_period().is_some_and(needs_many);
        self.long_option().is_some()
            || self.listing.to >= LARGE && self.listing.plot.is_none() && !is_faster_in_memory
    }

    /// Returns the values of the table, continued from a checkpoint if there is one.
    fn stream(&self, saved: Option<Checkpoint>) -> anyhow::Result<RowStream> {
        let (game, to) = (self.game, self.listing.to);
        if let Some(saved) = saved {
            return RowStream::resume(game, saved);
        }
        if self.is_unbounded() {
            if let Some(rows) = RowStream::unbounded(game)? {
                return Ok(rows);
            }
            if let Some(option) = self.long_option() {
                bail!("{option} needs a sparse game; the first values of {game} show no sparse space");
            }
            ensure!(
                to <= MAX_TO,
                "expected --to {MAX_TO} at most, got {to}: the first values of {game} show no sparse space, so all values are \
                 kept in memory"
            );
        }
        Rows::compute(game, to, self.summary.period).map(RowStream::in_memory).map_err(advise)
    }

    fn write(&self) -> anyhow::Result<ExitCode> {
        let listing = self.listing;
        // Open the outputs before any computation, so that a bad path costs no time.
        let output = listing.open()?;
        let certificate = self.summary.certificate.as_deref();
        let certificate = certificate.map(|path| Output::open(Some(path), CERTIFICATE, listing.force.force));
        let certificate = certificate.transpose()?;
        ensure!(
            listing.plot.is_none() || self.long_option().is_none(),
            "expected --plot without --checkpoint and --history: it needs all values"
        );
        let checkpoint = self.long.checkpoint.as_deref();
        ensure!(
            checkpoint.is_none() || listing.format == Format::Summary || self.path().is_some(),
            "--checkpoint with this format needs --output FILE: a later run cannot continue the output in a pipe"
        );
        let mut checkpoint = checkpoint.map(CheckpointFile::open).transpose()?;
        let saved = checkpoint.as_mut().map(|file| file.read(&self.game.to_string())).transpose()?.flatten();
        if let Some(saved) = &saved {
            self.ensure_fits(saved)?;
        }
        // Do this before opening the history, because opening truncates the history to the checkpoint.
        let part = self.open_part(saved.as_ref())?;
        // Without a checkpoint, TERM, INT and USR1 end the run at once.
        let request = if checkpoint.is_some() { SaveRequest::listen()? } else { SaveRequest::never() };
        let continues = saved.is_some();
        let start = Instant::now();
        let rows = self.stream(saved)?;
        if let Some(bound) = listing.check.filter(|&bound| bound.min(listing.to) >= MAX_CHECKED)
            && rows.rows().is_none()
        {
            bail!(
                "expected --check=N with N below {MAX_CHECKED}, got {bound}: with --checkpoint, --history or a large --to, \
                 not all values stay in memory"
            );
        }
        let known = continues.then_some(rows.len());
        let history = self.long.history.as_deref().map(|path| HistoryFile::open(path, known));
        let mut rows = rows.with_history(history.transpose()?);
        if self.summary.counts && !continues {
            rows.count_nimbers();
        }
        if let Some(file) = checkpoint.as_mut().filter(|_| !continues) {
            // Write a checkpoint first: it records that the other files belong to this run, and proves that the
            // checkpoint can be written.
            file.write(&rows.checkpoint(self.wanted(Written::default()))?)?;
        }
        let (mut report_output, mut end) = (None, End::Complete);
        if listing.format == Format::Summary {
            end = self.run(&mut rows, &request, checkpoint.as_mut(), None)?;
            report_output = Some(output);
        } else if let Some(checkpoint) = &mut checkpoint {
            end = self.run_to_part(&mut rows, &request, checkpoint, part)?;
        } else {
            self.run_to_output(&mut rows, &request, output)?;
        }
        if let End::Saved(values) = end {
            let all = listing.to.saturating_add(1);
            print_error(format_args!(
                "interrupted after {values} of {all} values; the same command continues"
            ));
            return Ok(ExitCode::from(UNFINISHED));
        }
        let code = self.report(rows, start.elapsed(), report_output, certificate)?;
        if let Some(file) = checkpoint {
            file.remove();
        }
        Ok(code)
    }

    /// Returns the path of the output file; `None` for stdout.
    fn path(&self) -> Option<&Path> {
        self.listing.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Returns the options of this run as a checkpoint stores them. `written` is the written part of the listing.
    fn wanted(&self, written: Written) -> Run {
        let listing = self.listing;
        Run {
            listing: (listing.format != Format::Summary).then_some((listing.format, listing.to)),
            has_history: self.long.history.is_some(),
            has_counts: self.summary.counts,
            written,
        }
    }

    fn ensure_fits(&self, saved: &Checkpoint) -> anyhow::Result<()> {
        ensure!(
            saved.run == self.wanted(saved.run.written),
            "the checkpoint belongs to a run with another --format, --to, --history or --counts: use the same command"
        );
        ensure!(
            saved.values() <= self.listing.to.saturating_add(1),
            "the checkpoint has {} values, more than --to {} asks for",
            saved.values(),
            self.listing.to
        );
        Ok(())
    }

    /// Computes, checks and saves the values, and writes them if `out` is given.
    fn run(
        &self,
        rows: &mut RowStream,
        request: &SaveRequest,
        mut checkpoint: Option<&mut CheckpointFile>,
        mut out: Option<&mut dyn ValueOutput>,
    ) -> anyhow::Result<End> {
        let (to, mut unchecked) = (self.listing.to, self.listing.check);
        Self::check_known(rows, to, &mut unchecked)?;
        if self.listing.plot.is_some() {
            return Ok(End::Complete);
        }
        let game = self.game.to_string();
        let listing = NimberListing::new(self.listing.format, &game, to, || {
            // Values that are not in memory are below 2^16.
            let in_memory = rows.rows().into_iter();
            in_memory.flat_map(|rows| (0..=to).zip(rows.nimbers_from(0)).map(|(_, nimber)| nimber))
        });
        let progress = Progress::new(to);
        let mut last = Instant::now();
        let give_up = &mut || request.has_come();
        while rows.len() <= to {
            let is_proven = out.is_none() && unchecked.is_none() && rows.can_add_up();
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
                // Save no checkpoint while values are added up: adding them up takes no longer than computing two
                // periods.
                if rows.add_up(to, give_up).is_none() {
                    return Ok(End::Saved(known));
                }
                break;
            }
            let values = rows.next(to, give_up)?;
            if values.is_empty() {
                break;
            }
            Self::check_known(rows, to, &mut unchecked)?;
            if let Some(out) = &mut out {
                listing.write(known, &values, *out)?;
            }
            progress.reach(rows.len());
        }
        if let (Some(stopped), Some(_)) = (&rows.stopped, &out) {
            bail!("{stopped}: {HISTORY_ADVICE}");
        }
        Ok(End::Complete)
    }

    /// Compares the values up to `unchecked` with the definition once all of them are known.
    fn check_known(rows: &mut RowStream, to: u64, unchecked: &mut Option<u64>) -> anyhow::Result<()> {
        match unchecked.take_if(|bound| rows.knows(to.min(*bound))) {
            Some(bound) => rows.check(to.min(bound)),
            None => Ok(()),
        }
    }

    /// Writes the values to the output as they are computed.
    fn run_to_output(
        &self,
        rows: &mut RowStream,
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

    /// Opens the file next to the output that contains the values of an interrupted run. If there is no run to
    /// continue, checks that such a file may be replaced.
    fn open_part(&self, saved: Option<&Checkpoint>) -> anyhow::Result<Option<PartFile>> {
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

    /// Writes the values to a file next to the output. The complete file is renamed to the output.
    fn run_to_part(
        &self,
        rows: &mut RowStream,
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

    /// Writes the certificate, and the summary or the plot.
    fn report(
        &self,
        rows: RowStream,
        elapsed: Duration,
        output: Option<Output>,
        certificate: Option<Output>,
    ) -> anyhow::Result<ExitCode> {
        let (to, stopped) = (rows.last(self.listing.to), rows.stopped.clone());
        let mut is_certified = true;
        if let Some(output) = certificate {
            match Certificate::of_stream(&rows)? {
                Some(certificate) => output.write(|out| certificate.write(out))?,
                None => is_certified = false,
            }
        }
        let written = match (output, self.listing.plot) {
            (None, _) => Ok(()),
            (Some(output), None) => self.write_summary(&rows, elapsed, output),
            (Some(output), Some(_)) => {
                let rows = rows.into_rows().context("a plot needs all values in memory")?;
                self.listing.write(&rows.into_table()?, output)
            }
        };
        // Ignore a closed pipe if there is a failure to report.
        if let Err(error) = written
            && (is_certified && stopped.is_none() || !is_broken_pipe(&error))
        {
            return Err(error);
        }
        if let Some(stopped) = &stopped {
            print_error(format_args!("stopped: {stopped}: {HISTORY_ADVICE}"));
        }
        if let Some(path) = self.summary.certificate.as_deref().filter(|_| !is_certified) {
            let what = if self.game.never_repeats() { "arithmetic period" } else { "period" };
            print_error(format_args!(
                "no certificate was written to {}: the values up to {to} prove no {what}; a larger --to may help",
                path.display()
            ));
        }
        Ok(if stopped.is_none() && is_certified { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn write_summary(&self, rows: &RowStream, elapsed: Duration, output: Output) -> anyhow::Result<()> {
        let to = rows.last(self.listing.to);
        let time = elapsed.saturating_sub(rows.check_time);
        let has_checked = |&bound: &u64| rows.stopped.is_none() || bound < rows.len();
        let game = self.game.to_string();
        let mut summary = Summary {
            game: &game,
            heaps: Heaps::Sizes(to),
            kind: ValueKind::Nimber,
            totals: &rows.totals,
            notes: &rows.notes(self.summary.period),
            checked: self.listing.check.filter(has_checked).map(|bound| Heaps::Sizes(bound.min(to))),
            time: Some(time),
        };
        if self.long.checkpoint.is_some() {
            // Keep the output independent of the number of interruptions.
            summary.time = None;
            summary.write_time(time, &mut io::stderr())?;
        }
        output.write(|out| summary.write(out))
    }
}

/// The advice for a value that cannot be determined.
const HISTORY_ADVICE: &str = "use --history FILE to keep all values in a file";

/// An output of values.
trait ValueOutput: Write {
    /// Writes all buffered bytes. Returns the length and the checksum, or zeros if the output cannot be continued.
    fn sync(&mut self) -> io::Result<Written>;
}

/// An output that cannot be continued after an interruption.
struct Stream<'a, 'b>(&'a mut BufWriter<&'b mut dyn Write>);

impl Write for Stream<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl ValueOutput for Stream<'_, '_> {
    fn sync(&mut self) -> io::Result<Written> {
        self.flush().map(|()| Written::default())
    }
}

impl ValueOutput for PartFile {
    fn sync(&mut self) -> io::Result<Written> {
        PartFile::sync(self)
    }
}
