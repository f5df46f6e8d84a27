//! The values of rows, one after another, for tables that may be larger than the memory.

mod checkpoint;
mod history_file;
mod part_file;
mod source;

use std::fs::Metadata;
use std::io;
use std::time::{Duration, Instant};

use anyhow::Context;
use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;
use zeroxor::grundy::segment::{NoHistory, Period, SparseSpace, Stopped};
use zeroxor::rules::Heap;

use super::definition;
use super::excluded::least_not_excluded;
use super::heaps::Heaps;
use super::period_status::PeriodReport;
use super::row_game::RowGame;
use super::rows::Rows;
use super::totals::{Counts, Totals};
use super::value::{ValueHash, rare_values};
pub use checkpoint::{Checkpoint, CheckpointFile, Run, new_path};
use common::progress::Progress;
pub(crate) use history_file::HistoryFile;
pub(crate) use part_file::{PartFile, Written, part_path};
use source::Source;

/// Minimum size of a table that is streamed instead of kept in memory, if possible. In memory, a table of this size
/// needs some dozens of megabytes.
pub(crate) const LARGE: u64 = 1 << 23;

/// Maximum number of values compared with the definition if not all values are in memory.
pub(crate) const MAX_CHECKED: u64 = 1 << 20;

/// Returns an error if `found` is not the metadata of a regular file. Other files, such as devices, may have no end, or
/// cannot be read twice.
fn ensure_file(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("expected a file, got a directory or a device"))
    }
}

/// The values of rows, one after another, with their totals and their period.
pub(crate) struct RowStream {
    pub game: RowGame,
    source: Source,
    history: Option<HistoryFile>,
    /// The totals of the returned values.
    pub(crate) totals: Totals,
    /// The least period and pre-period, once values repeat.
    repeat: Option<Period>,
    /// Whether the pre-period cannot be found: the first period begins among values that are no longer in memory.
    is_lost: bool,
    /// Number of values that were added to the totals without being computed.
    skipped: u64,
    /// The reason why there are no more values.
    pub stopped: Option<Stopped>,
    /// The time that the comparison with the definition took.
    pub check_time: Duration,
}

impl RowStream {
    /// Number of values computed at a time.
    pub(crate) const STEP: u64 = 1 << 16;

    /// Makes the stream of a game that has few rare values, or whose first values prove a period; `None` for other
    /// games.
    ///
    /// # Errors
    ///
    /// If the first values cannot be computed.
    pub(crate) fn unbounded(game: RowGame) -> anyhow::Result<Option<Self>> {
        Ok(Source::unbounded(game)?.map(|source| Self::new(game, source)))
    }

    /// Makes a stream of rows that are all in memory.
    pub(crate) fn in_memory(rows: Rows) -> Self {
        Self::new(rows.game, Source::Rows(rows))
    }

    /// Continues from a checkpoint.
    ///
    /// # Errors
    ///
    /// If the state of the checkpoint belongs to another game.
    pub(crate) fn resume(game: RowGame, checkpoint: Checkpoint) -> anyhow::Result<Self> {
        let Checkpoint { totals, repeat, state, .. } = checkpoint;
        let source = Source::restore(game, totals.values, &state)?;
        let source = source.context("the checkpoint is damaged: its state does not belong to the game")?;
        let repeat = repeat.map(|(start, length)| Period { start, length });
        Ok(Self { totals, repeat, ..Self::new(game, source) })
    }

    fn new(game: RowGame, source: Source) -> Self {
        Self {
            game,
            source,
            history: None,
            totals: Totals::default(),
            repeat: None,
            is_lost: false,
            skipped: 0,
            stopped: None,
            check_time: Duration::ZERO,
        }
    }

    /// Returns the rows, if all of them are in memory.
    pub(crate) fn rows(&self) -> Option<&Rows> {
        match &self.source {
            Source::Rows(rows) => Some(rows),
            Source::Stream(_) | Source::Periodic { .. } => None,
        }
    }

    /// Like [`rows`](Self::rows), but by value.
    pub(crate) fn into_rows(self) -> Option<Rows> {
        match self.source {
            Source::Rows(rows) => Some(rows),
            Source::Stream(_) | Source::Periodic { .. } => None,
        }
    }

    /// Appends all later values to a history.
    pub(crate) fn with_history(self, history: Option<HistoryFile>) -> Self {
        Self { history, ..self }
    }

    /// Returns the number of returned values.
    pub(crate) fn len(&self) -> u64 {
        self.totals.values
    }

    /// Returns the largest heap whose value was returned; `to` if all values up to `to` are in memory.
    pub(crate) fn last(&self, to: u64) -> u64 {
        if self.rows().is_some() { to } else { self.len().saturating_sub(1) }
    }

    /// Checks whether the value of a heap is known, returned or not.
    pub(crate) fn knows(&self, n: u64) -> bool {
        self.source.len() > n
    }

    /// Returns the next values, at most up to heap `to`; an empty list if there are no more. A call takes some
    /// milliseconds. A call that searches for the pre-period takes longer, and ends the search once `give_up` returns
    /// `true`.
    ///
    /// # Errors
    ///
    /// If the history cannot be written.
    pub(crate) fn next(&mut self, to: u64, give_up: &mut dyn FnMut() -> bool) -> anyhow::Result<Vec<Nimber>> {
        let from = self.len() - self.skipped;
        if from == self.source.len() && self.stopped.is_none() {
            let end = (from + Self::STEP).min(to + 1 - self.skipped);
            let advanced = match &mut self.history {
                Some(history) => self.source.advance(end, history),
                None => self.source.advance(end, &mut NoHistory),
            };
            // The newest values are written to the history below. If the computation stopped because the history
            // lacked them, the next call can continue.
            let continues = self.history.is_some() && self.source.len() > from;
            self.stopped = advanced.err().filter(|_| !continues);
        }
        let many = usize::try_from(to + 1 - self.len()).unwrap_or(usize::MAX);
        let values = self.source.values_from(from);
        let values: Vec<Nimber> = values.map(|values| values.take(many).collect()).unwrap_or_default();
        self.totals.enter(values.iter().copied());
        if let Some(history) = &mut self.history {
            history.write(&values)?;
            if self.stopped.is_some() || self.totals.values > to {
                history.flush()?;
            }
        }
        if !self.source.repeats() {
            self.repeat = None;
        } else if self.repeat.is_none() && !self.is_lost {
            self.repeat = self.source.repeat(give_up);
            self.is_lost = self.repeat.is_none() && !give_up();
        }
        Ok(values)
    }

    /// Returns the period that the values prove: all values if they are in memory, or else the returned values.
    pub(crate) fn period(&self) -> Option<Period> {
        self.rows().map_or_else(|| self.period_of_returned(), |rows| rows.period)
    }

    /// Returns the period that the returned values prove, if these values were searched for a period.
    fn period_of_returned(&self) -> Option<Period> {
        self.repeat.filter(|period| period.values_needed(self.game.move_bounds()) <= u128::from(self.len()))
    }

    /// Checks whether [`add_up`](Self::add_up) can use a period for the remaining values.
    pub(crate) fn can_add_up(&self) -> bool {
        self.period_of_returned().is_some()
    }

    /// Adds the values up to heap `to` to the totals without returning them: computes one period, and adds the other
    /// whole periods at once. Does nothing without a proven period. Returns `None` if `give_up` returned `true`; the
    /// stream can then no longer be used.
    pub(crate) fn add_up(&mut self, to: u64, give_up: &mut dyn FnMut() -> bool) -> Option<()> {
        let Some(Period { length, .. }) = self.period_of_returned() else { return Some(()) };
        self.source.assume_no_more_rare();
        self.history = None;
        let end = self.len() + length;
        if to > end {
            let before = self.totals.clone();
            self.skip_to(end - 1, give_up)?;
            let periods = (to + 1 - self.len()) / length;
            self.totals.enter_periods(periods, &before);
            self.skipped = periods * length;
        }
        self.skip_to(to, give_up)
    }

    fn skip_to(&mut self, to: u64, give_up: &mut dyn FnMut() -> bool) -> Option<()> {
        while self.len() <= to && self.stopped.is_none() {
            if give_up() {
                return None;
            }
            // Without a history, `next` writes nothing and cannot fail.
            self.next(to, give_up).ok()?;
        }
        Some(())
    }

    /// Counts the heaps with each nimber from now on. No value may have been returned.
    pub(crate) fn count_nimbers(&mut self) {
        self.totals.counts = Some(Counts::default());
    }

    /// Returns the sparse space of the returned values.
    pub(crate) fn sparse_space(&self) -> Option<SparseSpace> {
        self.source.space_below(self.len())
    }

    /// Returns the sparse space of all known values, returned or not.
    pub(crate) fn known_space(&self) -> Option<SparseSpace> {
        self.source.space_below(u64::MAX)
    }

    /// Returns the lines of a summary, each with its name: the rare values, and the period and the counts if they are
    /// requested.
    pub(crate) fn notes(&self, with_period: bool) -> Vec<(&'static str, String)> {
        let space = self.sparse_space();
        let rares = space.map(|space| ("rare values", rare_values(space, None)));
        let of_returned = || PeriodReport {
            game: self.game,
            to: self.len().saturating_sub(1),
            computed: self.len(),
            period: self.period(),
            growth: None,
        };
        let lines = with_period.then(|| {
            let report = self.rows().map_or_else(of_returned, Rows::period_report);
            report.lines(|| self.least_period_not_excluded())
        });
        let counts = self.totals.counts.as_ref().map(|counts| ("counts", counts.to_string()));
        rares.into_iter().chain(lines.into_iter().flatten()).chain(counts).collect()
    }

    /// Returns the least number that the first values do not exclude as a period.
    pub(crate) fn least_period_not_excluded(&self) -> usize {
        least_not_excluded(self.game, self.source.first_values())
    }

    /// Compares the values up to heap `bound` with the definition. These values must be [known](Self::knows), and
    /// `bound` must be below [`MAX_CHECKED`] if not all values are in memory.
    ///
    /// # Errors
    ///
    /// [`Incorrect`](super::Incorrect) at the first heap whose value differs.
    pub(crate) fn check(&mut self, bound: u64) -> anyhow::Result<()> {
        let start = Instant::now();
        let heaps = Heaps::Sizes(bound);
        let (rules, _) = self.game.spec().rules()?;
        let check = |nimber: &dyn Fn(Heap) -> Nimber| {
            definition::check(rules.as_ref(), heaps.iter(), nimber, ValueKind::Nimber)
        };
        if let Some(rows) = self.rows() {
            check(&|heap| rows.nimber(heap.size))?;
        } else {
            let count = usize::try_from(heaps.count()).unwrap_or(usize::MAX);
            let values: Vec<u32> = self.source.first_values().take(count).collect();
            let value = |heap: Heap| usize::try_from(heap.size).ok().and_then(|n| values.get(n).copied());
            check(&|heap| Nimber(value(heap).unwrap_or_default().into()))?;
        }
        self.check_time += start.elapsed();
        Ok(())
    }

    /// Returns the state to continue from, after writing the history to the disk.
    ///
    /// # Errors
    ///
    /// If the history cannot be written.
    pub(crate) fn checkpoint(&mut self, run: Run) -> anyhow::Result<Checkpoint> {
        if let Some(history) = &mut self.history {
            history.sync()?;
        }
        Ok(Checkpoint {
            game: self.game.to_string(),
            run,
            totals: self.totals.clone(),
            repeat: self.repeat.map(|Period { start, length }| (start, length)),
            state: self.source.save(),
        })
    }
}

/// Returns the period that the values up to heap `to` prove, if they prove one, and the hash of these values. Returns
/// `None` if the table is small, the period is known, or all values must stay in memory.
///
/// # Errors
///
/// If a value cannot be determined.
pub(super) fn prove(game: RowGame, to: u64) -> anyhow::Result<Option<(Option<Period>, String)>> {
    if to < LARGE || game.known_period().is_some() {
        return Ok(None);
    }
    let Some(mut rows) = RowStream::unbounded(game)? else { return Ok(None) };
    let progress = Progress::new(to);
    let hash = hash(&mut rows, to, &mut |n| progress.reach(n))?;
    Ok(Some((rows.period(), hash)))
}

/// Returns the hash of the values up to heap `to`. `progress` is regularly called with the number of known values.
///
/// # Errors
///
/// If a value cannot be determined.
pub(super) fn hash(rows: &mut RowStream, to: u64, progress: &mut dyn FnMut(u64)) -> anyhow::Result<String> {
    let mut hash = ValueHash::default();
    while rows.len() <= to {
        let values = rows.next(to, &mut || false)?;
        if let Some(stopped) = rows.stopped.clone().filter(|_| values.is_empty()) {
            return Err(stopped.into());
        }
        hash.enter(values.into_iter());
        progress(rows.len());
    }
    Ok(hash.finish())
}
