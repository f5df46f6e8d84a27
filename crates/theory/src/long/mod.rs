//! Tables of rows that are longer than memory: their values come one after the other, and are written as they come.

mod checkpoint;
mod history_file;
mod listing;
mod part_file;
mod source;

use std::fs::Metadata;
use std::io;

use anyhow::Context;
use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;
use zeroxor::grundy::segment::{NoHistory, Period, SparseSpace, Stopped};
use zeroxor::rules::{self, Heap};

use super::definition;
use super::excluded::least_not_excluded;
use super::heaps::Heaps;
use super::row_game::RowGame;
use super::totals::Totals;
use super::value_hash::ValueHash;
use super::value_structure::rare_values;
pub use checkpoint::{Checkpoint, CheckpointFile, Run, new_path};
use common::progress::Progress;
pub(crate) use history_file::HistoryFile;
pub(crate) use listing::Listing;
pub(crate) use part_file::{PartFile, Written, part_path};
use source::Source;

/// Tables to more than this are long: they would take some dozens of megabytes.
pub(crate) const LONG: u64 = 1 << 23;

/// So many values at most are compared with the definition.
pub(crate) const CHECKED: u64 = 1 << 20;

/// Refuses what cannot be read again, such as a device, or has no end.
fn ensure_file(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("expected a file, got a directory or a device"))
    }
}

/// The values of rows, one after the other, and what they show.
pub(crate) struct LongRows {
    pub game: RowGame,
    source: Source,
    history: Option<HistoryFile>,
    /// What has been given out.
    pub(crate) totals: Totals,
    /// The least period and pre-period, once values repeat.
    repeat: Option<Period>,
    /// Whether it lies before the values that are kept.
    is_lost: bool,
    /// How many were added up without being computed.
    skipped: u64,
    /// Why there are no more values.
    pub stopped: Option<Stopped>,
}

impl LongRows {
    /// So many values are found at a time.
    pub(crate) const STEP: u64 = 1 << 16;

    /// The rows of a game in which few values are rare, or whose first values prove a period; `None` if neither shows.
    ///
    /// # Errors
    ///
    /// If the first values cannot be computed.
    pub(crate) fn new(game: RowGame) -> anyhow::Result<Option<Self>> {
        let rows = |source| Self {
            game,
            source,
            history: None,
            totals: Totals::default(),
            repeat: None,
            is_lost: false,
            skipped: 0,
            stopped: None,
        };
        Ok(Source::new(game)?.map(rows))
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    ///
    /// If its state is none of the game.
    pub(crate) fn resume(game: RowGame, checkpoint: Checkpoint) -> anyhow::Result<Self> {
        let Checkpoint { totals, repeat, state, .. } = checkpoint;
        let source = Source::restore(game, totals.values, &state)?;
        let source = source.context("the checkpoint is damaged: its state is none of the game")?;
        let repeat = repeat.map(|(start, length)| Period { start, length });
        Ok(Self { game, source, history: None, totals, repeat, is_lost: false, skipped: 0, stopped: None })
    }

    /// These rows with all values to come written to a history, behind those that it has.
    pub(crate) fn with_history(self, history: Option<HistoryFile>) -> Self {
        Self { history, ..self }
    }

    /// How many values have been given out.
    pub(crate) fn len(&self) -> u64 {
        self.totals.values
    }

    /// Gives out the next values, up to that of `to`; none if there are no more. It takes some milliseconds, or longer where
    /// the pre-period is looked for, until it is told to give up.
    ///
    /// # Errors
    ///
    /// If the history cannot be written.
    pub(crate) fn next(&mut self, to: u64, give_up: &mut dyn FnMut() -> bool) -> anyhow::Result<Vec<u16>> {
        let from = self.len() - self.skipped;
        if from == self.source.len() && self.stopped.is_none() {
            let end = (from + Self::STEP).min(to + 1 - self.skipped);
            let advanced = match &mut self.history {
                Some(history) => self.source.advance(end, history),
                None => self.source.advance(end, &mut NoHistory),
            };
            // Those that were found just now are not in the history yet: with them it may go on.
            let goes_on = self.history.is_some() && self.source.len() > from;
            self.stopped = advanced.err().filter(|_| !goes_on);
        }
        let many = usize::try_from(to + 1 - self.len()).unwrap_or(usize::MAX);
        let values = self.source.values_from(from);
        let values: Vec<u16> = values.map(|values| values.take(many).collect()).unwrap_or_default();
        self.totals.enter(values.iter().copied().map(u64::from));
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

    /// The period, if the values that were given out prove it.
    pub(crate) fn period(&self) -> Option<Period> {
        self.repeat.filter(|period| period.values_needed(self.game.move_bounds()) <= u128::from(self.len()))
    }

    /// Adds up the values to that of `to` without giving them out, by the proven period, if there is one: one period is
    /// counted, then all whole ones at once. `None` if it was told to give up; then no more can be done with these rows.
    pub(crate) fn add_up(&mut self, to: u64, give_up: &mut dyn FnMut() -> bool) -> Option<()> {
        let Some(Period { length, .. }) = self.period() else { return Some(()) };
        self.source.be_calm();
        self.history = None;
        let end = self.len() + length;
        if to > end {
            let before = self.totals.zeros;
            self.give_out(end - 1, give_up)?;
            let periods = (to + 1 - self.len()) / length;
            self.totals.enter_periods(periods, length, self.totals.zeros - before);
            self.skipped = periods * length;
        }
        self.give_out(to, give_up)
    }

    fn give_out(&mut self, to: u64, give_up: &mut dyn FnMut() -> bool) -> Option<()> {
        while self.len() <= to && self.stopped.is_none() {
            if give_up() {
                return None;
            }
            // Without a history nothing is written.
            self.next(to, give_up).ok()?;
        }
        Some(())
    }

    /// The sparse space, and whether what is rare changes with the place.
    pub(crate) fn sparse_space(&self) -> Option<(SparseSpace, bool)> {
        self.source.space_below(self.len())
    }

    /// The sparse space of all values that are known, given out or not.
    pub(crate) fn known_space(&self) -> Option<(SparseSpace, bool)> {
        self.source.space_below(u64::MAX)
    }

    /// What splits the values into rare and common ones, in words.
    pub(crate) fn space(&self) -> Option<String> {
        let (space, is_by_place) = self.sparse_space()?;
        Some(rare_values(space, is_by_place, None))
    }

    /// The least number that the first values do not exclude as a period.
    pub(crate) fn least_period_not_excluded(&self) -> usize {
        least_not_excluded(self.game, self.first_values().map(u32::from))
    }

    /// The first values, some million.
    pub(crate) fn first_values(&self) -> impl Iterator<Item = u16> {
        self.source.first_values()
    }

    /// Compares the first values, up to `bound`, with the definition: fewer than [`CHECKED`].
    ///
    /// # Errors
    ///
    /// [`Incorrect`](super::Incorrect) at the first heap where they differ.
    pub(crate) fn check(&self, bound: u64) -> anyhow::Result<()> {
        let heaps = Heaps::Sizes(bound.min(self.len() - 1));
        let count = usize::try_from(heaps.count()).unwrap_or(usize::MAX);
        let values: Vec<u64> = self.first_values().take(count).map(u64::from).collect();
        let (rules, _) = rules::of_game(&self.game.spec())?;
        let nimber = |heap: Heap| {
            usize::try_from(heap.size)
                .ok()
                .and_then(|n| values.get(n))
                .map_or(Nimber::ZERO, |&value| Nimber(value))
        };
        Ok(definition::check(rules.as_ref(), heaps.iter(), nimber, ValueKind::Nimber)?)
    }

    /// What it takes to go on later; what has been written to the history is on the disk.
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

/// The period that the values up to that of `to` prove, if they prove one, and their hash; `None` if they are not so many
/// that memory would count, or in no sparse space.
///
/// # Errors
///
/// If a value cannot be told.
pub(super) fn prove(game: RowGame, to: u64) -> anyhow::Result<Option<(Option<Period>, String)>> {
    if to < LONG || game.known_period().is_some() {
        return Ok(None);
    }
    let Some(mut rows) = LongRows::new(game)? else { return Ok(None) };
    let progress = Progress::new(to);
    let hash = hash(&mut rows, to, &mut |n| progress.reach(n))?;
    Ok(Some((rows.period(), hash)))
}

/// The hash of the values up to that of `to`; from time to time `progress` is told up to which length they are known.
///
/// # Errors
///
/// If a value cannot be told.
pub(super) fn hash(rows: &mut LongRows, to: u64, progress: &mut dyn FnMut(u64)) -> anyhow::Result<String> {
    let mut hash = ValueHash::default();
    while rows.len() <= to {
        let values = rows.next(to, &mut || false)?;
        if let Some(stopped) = rows.stopped.clone().filter(|_| values.is_empty()) {
            return Err(stopped.into());
        }
        hash.enter(values.into_iter().map(u32::from));
        progress(rows.len());
    }
    Ok(hash.finish())
}
