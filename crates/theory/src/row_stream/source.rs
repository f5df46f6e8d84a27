//! The sources of the values of a stream.

use itertools::Either;
use zeroxor::Nimber;
use zeroxor::grundy::octal;
use zeroxor::grundy::segment::{History, Period, SparseSpace, SparseStream, Stopped};

use super::super::row_game::RowGame;
use super::super::rows::{BUDGET, Rows};

/// Number of values of a sparse stream that are kept in memory. They need 24 MiB.
const MAX_KEPT: usize = 1 << 22;

/// Number of values that are searched for a period before a sparse stream is started.
const FIRST_SEARCH: u64 = 1 << 14;

/// Maximum number of values that a source in memory returns at a time.
const BLOCK: u64 = 1 << 16;

/// A source of the values of a game, one after another.
pub(super) enum Source {
    /// The values are in a sparse space.
    Stream(Box<SparseStream>),
    /// The first values prove a period, from which the other values follow.
    Periodic { values: Vec<u16>, period: Period, space: Option<SparseSpace>, len: u64 },
    /// All values are in memory.
    Rows(Rows),
}

impl Source {
    /// Makes a source that need not keep all values in memory; `None` if the values are in no sparse space and the
    /// first values prove no period.
    ///
    /// # Errors
    ///
    /// If the first values cannot be computed.
    pub(super) fn unbounded(game: RowGame) -> anyhow::Result<Option<Self>> {
        if let Some(periodic) = Self::periodic(game)? {
            return Ok(Some(periodic));
        }
        Ok(stream(game, None).map(|stream| Self::Stream(Box::new(stream))))
    }

    /// Makes a source from a period; `None` if the first [`FIRST_SEARCH`] values prove no period or are not below 2^16.
    fn periodic(game: RowGame) -> anyhow::Result<Option<Self>> {
        let rows = Rows::within(game, FIRST_SEARCH, true, &mut BUDGET.clone(), &mut |_| ())?;
        let Some(period) = rows.period else { return Ok(None) };
        let values: Option<Vec<u16>> = rows.values().map(|value| u16::try_from(value).ok()).collect();
        let space = rows.space();
        Ok(values.map(|values| Self::Periodic { values, period, space, len: 0 }))
    }

    /// Restores the source of a game from a saved state. `known` values were returned before. Returns `None` if the
    /// state belongs to another game.
    pub(super) fn restore(game: RowGame, known: u64, state: &[u8]) -> anyhow::Result<Option<Self>> {
        if state.is_empty() {
            let mut periodic = Self::periodic(game)?;
            if let Some(Self::Periodic { len, .. }) = &mut periodic {
                *len = known;
            }
            return Ok(periodic);
        }
        let stream = stream(game, Some(state));
        Ok(stream.filter(|stream| stream.len() >= known).map(|stream| Self::Stream(Box::new(stream))))
    }

    /// Returns the state to continue from; empty if the values must be computed again.
    pub(super) fn save(&self) -> Vec<u8> {
        match self {
            Self::Stream(stream) => stream.save(),
            Self::Periodic { .. } | Self::Rows(_) => Vec::new(),
        }
    }

    /// Returns the number of known values.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Stream(stream) => stream.len(),
            Self::Periodic { len, .. } => *len,
            Self::Rows(rows) => rows.to + 1,
        }
    }

    /// Computes values until `end` values are known. A source in memory already has all values.
    pub(super) fn advance(&mut self, end: u64, history: &mut dyn History) -> Result<(), Stopped> {
        match self {
            Self::Stream(stream) => stream.advance(end, history),
            Self::Periodic { len, .. } => {
                *len = end;
                Ok(())
            }
            Self::Rows(_) => Ok(()),
        }
    }

    /// Returns the known values from heap `from` on, at most [`BLOCK`] values of a source in memory; `None` if they are
    /// no longer kept.
    pub(super) fn values_from(&self, from: u64) -> Option<impl Iterator<Item = Nimber>> {
        let nimber = |value: u16| Nimber(value.into());
        Some(match self {
            Self::Stream(stream) => Either::Left(stream.values_from(from)?.map(nimber)),
            Self::Periodic { values, period, len, .. } => Either::Right(Either::Left(
                (from..*len).map(move |n| nimber(periodic_value(values, *period, n))),
            )),
            Self::Rows(rows) => {
                let count = BLOCK.min(self.len().saturating_sub(from));
                let values = (0..count).zip(rows.nimbers_from(from));
                Either::Right(Either::Right(values.map(|(_, nimber)| nimber)))
            }
        })
    }

    /// Returns the first values: at most some million values, or all computed values of a source in memory.
    pub(super) fn first_values(&self) -> impl Iterator<Item = u32> {
        match self {
            Self::Stream(stream) => Either::Left(stream.first_values().map(u32::from)),
            Self::Periodic { values, period, len, .. } => {
                let many = (MAX_KEPT as u64).min(*len);
                Either::Right(Either::Left((0..many).map(|n| periodic_value(values, *period, n).into())))
            }
            Self::Rows(rows) => Either::Right(Either::Right(rows.values())),
        }
    }

    /// Searches the known values of a stream for a period, and returns whether there is one. Returns false for values
    /// in memory, because [`Rows`] has their period.
    pub(super) fn repeats(&mut self) -> bool {
        match self {
            Self::Stream(stream) => stream.find_repeat().is_some(),
            Self::Periodic { .. } => true,
            Self::Rows(_) => false,
        }
    }

    /// Returns the period and pre-period; `None` if there is no period, `give_up` ended the search, or the first period
    /// begins among values that are no longer kept.
    pub(super) fn repeat(&self, give_up: &mut dyn FnMut() -> bool) -> Option<Period> {
        match self {
            Self::Stream(stream) => stream.repeat(give_up),
            Self::Periodic { period, .. } => Some(*period),
            Self::Rows(rows) => rows.period,
        }
    }

    /// Assumes that no later value is rare. A period must have proven this.
    pub(super) fn assume_no_more_rare(&mut self) {
        if let Self::Stream(stream) = self {
            stream.assume_no_more_rare();
        }
    }

    /// Returns the sparse space of the heaps of fewer than `cards` cards. For values in memory the space covers all
    /// heaps.
    pub(super) fn space_below(&self, cards: u64) -> Option<SparseSpace> {
        match self {
            Self::Stream(stream) => Some(stream.space_below(cards)),
            Self::Periodic { values, space, .. } => {
                let space = (*space)?;
                let rares = (0..cards).zip(values).filter(|&(n, &value)| space.is_rare(n, value.into()));
                let (rares, last) = rares.fold((0, 0), |(rares, _), (n, _)| (rares + 1, n));
                Some(SparseSpace { rares, last, ..space })
            }
            Self::Rows(rows) => rows.space(),
        }
    }
}

/// Returns the stream of a game, restored from a state if there is one; `None` if there is no sparse space, or the
/// state belongs to another game.
fn stream(game: RowGame, state: Option<&[u8]>) -> Option<SparseStream> {
    match (game, game.window(), state) {
        (_, Some(window), None) => SparseStream::of_window(window, MAX_KEPT),
        (_, Some(window), Some(state)) => SparseStream::restore_window(window, state),
        (RowGame::Code(code), None, None) => octal::stream(code, MAX_KEPT),
        (RowGame::Code(code), None, Some(state)) => octal::restore_stream(code, state),
        (RowGame::Window(_), None, _) => None,
    }
}

/// Returns the value of a heap, from the first values and their period.
fn periodic_value(values: &[u16], Period { start, length }: Period, n: u64) -> u16 {
    let n = if n < start { n } else { start + (n - start) % length };
    usize::try_from(n).ok().and_then(|n| values.get(n)).copied().unwrap_or_default()
}
