//! Where the values of a long table come from.

use itertools::Either;
use zeroxor::grundy::octal;
use zeroxor::grundy::segment::{History, Period, SparseSpace, SparseStream, Stopped};

use super::super::row_game::RowGame;
use super::super::rows::{BUDGET, Rows};

/// So many values are kept in memory: they take 24 MiB.
const KEPT: usize = 1 << 22;

/// A period that so many values prove needs no more of them.
const FEW: u64 = 1 << 14;

/// The values of a game one after the other.
pub(super) enum Source {
    /// In a sparse space.
    Stream(Box<SparseStream>),
    /// By a period that the first values prove.
    Periodic { values: Vec<u16>, period: Period, space: Option<(SparseSpace, bool)>, len: u64 },
}

impl Source {
    /// The values of a game; `None` if there is no sparse space.
    ///
    /// # Errors
    ///
    /// If the first values cannot be computed.
    pub(super) fn new(game: RowGame) -> anyhow::Result<Option<Self>> {
        if let Some(periodic) = Self::periodic(game)? {
            return Ok(Some(periodic));
        }
        Ok(stream(game, None).map(|stream| Self::Stream(Box::new(stream))))
    }

    /// `None` if few values prove no period.
    fn periodic(game: RowGame) -> anyhow::Result<Option<Self>> {
        let rows = Rows::within(game, FEW, true, &mut BUDGET.clone(), &mut |_| ())?;
        let Some(period) = rows.period else { return Ok(None) };
        let values: Option<Vec<u16>> = rows.values().map(|value| u16::try_from(value).ok()).collect();
        let space = rows.space().map(|space| (space, rows.is_by_place()));
        Ok(values.map(|values| Self::Periodic { values, period, space, len: 0 }))
    }

    /// Goes on from a state behind so many values; `None` if it is none of this game.
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

    /// What it takes to go on.
    pub(super) fn save(&self) -> Vec<u8> {
        match self {
            Self::Stream(stream) => stream.save(),
            Self::Periodic { .. } => Vec::new(),
        }
    }

    /// How many values are known.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Stream(stream) => stream.len(),
            Self::Periodic { len, .. } => *len,
        }
    }

    /// Finds values until so many are known.
    pub(super) fn advance(&mut self, end: u64, history: &mut dyn History) -> Result<(), Stopped> {
        match self {
            Self::Stream(stream) => stream.advance(end, history),
            Self::Periodic { len, .. } => {
                *len = end;
                Ok(())
            }
        }
    }

    /// The values from a heap on, so far as they are known and kept.
    pub(super) fn values_from(&self, from: u64) -> Option<impl Iterator<Item = u16>> {
        Some(match self {
            Self::Stream(stream) => Either::Left(stream.values_from(from)?),
            Self::Periodic { values, period, len, .. } => {
                Either::Right((from..*len).map(|n| periodic_value(values, *period, n)))
            }
        })
    }

    /// The first values, some million.
    pub(super) fn first_values(&self) -> impl Iterator<Item = u16> {
        match self {
            Self::Stream(stream) => Either::Left(stream.first_values()),
            Self::Periodic { values, period, len, .. } => {
                let many = (KEPT as u64).min(*len);
                Either::Right((0..many).map(|n| periodic_value(values, *period, n)))
            }
        }
    }

    /// Looks for a period among the values that have come; whether there is one.
    pub(super) fn repeats(&mut self) -> bool {
        match self {
            Self::Stream(stream) => stream.find_repeat().is_some(),
            Self::Periodic { .. } => true,
        }
    }

    /// The period and pre-period, unless it is told to give up.
    pub(super) fn repeat(&self, give_up: &mut dyn FnMut() -> bool) -> Option<Period> {
        match self {
            Self::Stream(stream) => stream.repeat(give_up),
            Self::Periodic { period, .. } => Some(*period),
        }
    }

    /// Takes it as proven that no value to come is rare.
    pub(super) fn be_calm(&mut self) {
        if let Self::Stream(stream) = self {
            stream.assume_no_more_rare();
        }
    }

    /// The sparse space of the heaps of less than so many cards, and whether what is rare changes with the place.
    pub(super) fn space_below(&self, cards: u64) -> Option<(SparseSpace, bool)> {
        match self {
            Self::Stream(stream) => Some((stream.space_below(cards), stream.is_by_place())),
            Self::Periodic { values, space, .. } => {
                let (SparseSpace { mask, .. }, is_by_place) = (*space)?;
                let is_rare = |(n, &value): (u64, &u16)| {
                    let bits = (u64::from(value) & mask).count_ones() + u32::from(is_by_place && n % 2 == 1);
                    bits.is_multiple_of(2).then_some(n)
                };
                let rares = (0..cards).zip(values).filter_map(is_rare);
                let (count, last) = rares.fold((0, 0), |(count, _), n| (count + 1, n));
                Some((SparseSpace { mask, rares: count, last }, is_by_place))
            }
        }
    }
}

/// The stream of a game, from a state if there is one; `None` if there is no sparse space, or the state is none of the game.
fn stream(game: RowGame, state: Option<&[u8]>) -> Option<SparseStream> {
    match (game, game.window(), state) {
        (_, Some(window), None) => SparseStream::of_window(window, KEPT),
        (_, Some(window), Some(state)) => SparseStream::restore_window(window, state),
        (RowGame::Code(code), None, None) => octal::stream(code, KEPT),
        (RowGame::Code(code), None, Some(state)) => octal::restore_stream(code, state),
        (RowGame::Window(_), None, _) => None,
    }
}

/// The value of a heap by the first values and their period.
fn periodic_value(values: &[u16], Period { start, length }: Period, n: u64) -> u16 {
    let n = if n < start { n } else { start + (n - start) % length };
    usize::try_from(n).ok().and_then(|n| values.get(n)).copied().unwrap_or_default()
}
