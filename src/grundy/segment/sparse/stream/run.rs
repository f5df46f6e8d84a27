//! The loop that finds values, with the form of the [`Views`] that fits the codes. The module [`sparse`](super::super)
//! explains the terms.

use std::ops::Range;

use super::super::split::COMMON;
use super::super::take_set::TakeSet;
use super::codes::{Classes, Codes, Moves, Partners, RaresBelow};
use super::pairs::{self, Found};
use super::views::{Narrow, Views, Wide};
use super::witnesses::{self, RowWitnesses, Witnesses};
use super::words::{CODES, MIN_GUESS, NoRoom};

/// Determines how many values may be guessed at a time: 1/`GROWTH` of the number of values since the last rare value,
/// but at least [`MIN_GUESS`].
const GROWTH: usize = 8;

/// Lengths of segments. The pairs that have a segment of such a length are tested first, at all sums; after them, all
/// pairs.
const FAR: [Range<usize>; 2] = [1 << 9..1 << 13, 1 << 13..1 << 16];

/// The reason why the next value could not be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// A code is too large for the views.
    Wide,
    /// The kept codes do not show whether this rare code is an option of the next segment.
    Unsettled(u16),
    /// The next segment is rare, and its pairs need codes that are not kept.
    LateRare,
}

/// The state from which later values are computed.
pub(super) struct Run {
    pub(super) take_set: TakeSet,
    pub(super) moves: Moves,
    pub(super) classes: Classes,
    pub(super) codes: Codes,
    pub(super) rares: Partners,
    witnesses: Witnesses,
    row_witnesses: RowWitnesses,
    /// The number of rare codes below each common code.
    below: RaresBelow,
    /// Whether the caller has proven that no later segment is rare.
    pub(super) assumes_no_more_rare: bool,
    /// Results from a history: segment, rare code, and whether the code is an option.
    pub(super) known: Vec<(usize, u16, Found)>,
    /// For each rare code, the last sum at which a pair was found. It stays valid if guesses are taken back, because
    /// all tested sums are below the first segment with a wrong guess.
    latest_sums: Vec<usize>,
    /// A buffer of [`first_missing`](Self::first_missing): the rare codes without a witness, as (distance of the
    /// segment, code).
    missing: Vec<(u16, u16)>,
}

impl Run {
    pub(super) fn new(take_set: TakeSet, classes: Classes, codes: Codes, rares: Partners) -> Self {
        let mut run = Self {
            moves: Moves::new(&take_set, classes),
            witnesses: Witnesses::default(),
            row_witnesses: RowWitnesses::new(&take_set),
            below: RaresBelow::new(classes),
            take_set,
            classes,
            codes,
            rares,
            assumes_no_more_rare: false,
            known: Vec::new(),
            latest_sums: Vec::new(),
            missing: Vec::new(),
        };
        run.choose_witnesses();
        run
    }

    /// Chooses witnesses among the first segments.
    pub(super) fn choose_witnesses(&mut self) {
        let (classes, len) = (self.classes, self.codes.len());
        let below = |code| classes.rares_below(code | COMMON, len);
        self.witnesses = Witnesses::new(self.codes.first(), self.codes.last(), below);
    }

    /// Returns views of the next segment.
    pub(super) fn views<V: Views>(&self) -> V {
        V::new(&self.moves, &self.codes, &self.rares, self.witnesses.partners())
    }

    /// Returns the number of last codes that determine all later values, as long as none is rare.
    pub(super) fn state_len(&self) -> usize {
        self.rares.last() + 2 * self.take_set.longest() + 1
    }

    /// Finds values until there are `end` codes.
    pub(super) fn advance<V: Views>(&mut self, views: &mut V, end: usize) -> Result<(), Halt> {
        while self.codes.len() < end {
            if self.assumes_no_more_rare {
                return views.extend(&mut self.codes, end).map_err(|NoRoom| Halt::Wide);
            }
            let from = self.codes.len();
            let most = if V::COMMONS_ONLY {
                let many = MIN_GUESS.max((from - self.rares.last()) / GROWTH);
                self.row_witnesses.chunk_end(&self.codes).min(from + many)
            } else {
                from + MIN_GUESS
            };
            let room = views.extend(&mut self.codes, most.min(end));
            if let Some((n, result)) = self.first_missing(views, from) {
                self.codes.truncate(n);
                let result = result.and_then(|rare| self.push_rare(rare));
                views.renew(n, &self.moves, &self.codes, &self.rares, self.witnesses.partners());
                result?;
                continue;
            }
            room.map_err(|NoRoom| Halt::Wide)?;
        }
        Ok(())
    }

    /// Appends a rare code.
    fn push_rare(&mut self, rare: u16) -> Result<(), Halt> {
        let n = self.codes.len();
        if !self.codes.make_whole() {
            self.known.push((n, rare, Found::No));
            return Err(Halt::LateRare);
        }
        self.rares.push(n, rare);
        self.codes.push(rare);
        self.codes.keep_more(2 * n);
        Ok(())
    }

    /// Returns the first segment from `from` on for which a rare code below its own code is no option, with the least
    /// such rare code. If the kept codes do not show whether a rare code is an option, returns the segment with the
    /// reason.
    fn first_missing<V: Views>(&mut self, views: &mut V, from: usize) -> Option<(usize, Result<u16, Halt>)> {
        let mut missing = std::mem::take(&mut self.missing);
        if V::COMMONS_ONLY {
            self.row_witnesses.missing(from, &self.codes, &mut self.below, &mut missing);
        } else {
            views.missing_rares(from, &self.codes, &mut self.below, &mut missing);
        }
        let result = missing.iter().find_map(|&(ahead, code)| {
            let n = from + usize::from(ahead);
            match self.is_option::<V>(n, code) {
                Found::Yes => None,
                Found::No => Some((n, Ok(code))),
                Found::Unknown => Some((n, Err(Halt::Unsettled(code)))),
            }
        });
        missing.clear();
        self.missing = missing;
        result
    }

    /// Returns whether `code`, which the views have not seen, is an option of segment `n`.
    fn is_option<V: Views>(&mut self, n: usize, code: u16) -> Found {
        let latest = self.latest_sums.get(usize::from(code)).and_then(|&sum| n.checked_sub(sum));
        if latest.is_some_and(|take| self.moves.takes.binary_search(&take).is_ok()) {
            return Found::Yes;
        }
        let Self { moves, codes, .. } = self;
        let mut sums = moves.takes.iter().filter_map(|take| n.checked_sub(*take));
        if V::COMMONS_ONLY {
            let is_single = moves.singles(n, codes).any(|single| single == code);
            if is_single || self.row_witnesses.has_pair(n, code, &sums, codes) {
                return Found::Yes;
            }
        } else {
            let (base, last) = (codes.base(), codes.last());
            let seen = |sum: &usize| *sum >= witnesses::REACH && self.witnesses.has(code, *sum, base, last);
            if let Some(sum) = sums.find(seen) {
                return self.found_at(sum, code);
            }
        }
        self.search(n, code)
    }

    /// Records that a pair of `sum` has the XOR `code`, because moves from other segments may leave `sum` too. Returns
    /// [`Found::Yes`].
    fn found_at(&mut self, sum: usize, code: u16) -> Found {
        let at = usize::from(code);
        if self.latest_sums.len() <= at {
            self.latest_sums.resize(at + 1, usize::MAX);
        }
        self.latest_sums[at] = sum;
        Found::Yes
    }

    /// Searches all pairs for `code`, unless a history has shown the result.
    #[cold]
    fn search(&mut self, n: usize, code: u16) -> Found {
        if let Some((.., found)) = self.known.iter().find(|known| (known.0, known.1) == (n, code)) {
            return *found;
        }
        let (codes, mut all) = (&self.codes, Found::No);
        let mut sums = self.moves.takes.iter().filter_map(|take| n.checked_sub(*take));
        let far = FAR.iter().find_map(|places| {
            sums.clone().find(|&sum| pairs::place(codes, sum, code, places.clone()).is_some())
        });
        let found = far.or_else(|| {
            sums.find(|&sum| match pairs::find(codes, sum, code) {
                Found::Yes => true,
                Found::No => false,
                Found::Unknown => {
                    all = Found::Unknown;
                    false
                }
            })
        });
        found.map_or(all, |sum| self.found_at(sum, code))
    }
}

/// Number of last codes that decide which form of the views is used.
const RECENT: usize = 1 << 14;

/// A word of 16 or 32 bits is used if at most one in `MOST_SMALL` codes does not fit in it.
const MOST_SMALL: usize = 256;

/// One word is used instead of four if at most one in `MOST_NARROW` codes does not fit in it.
const MOST_NARROW: usize = 16;

/// The views, in the form that fits the codes.
pub(super) enum Engine {
    /// Nearly all codes are below 16. Here [`RareWords`](super::words::RareWords) are faster than [`RowWitnesses`].
    Least(Box<Narrow<u16, 64, 16, 1, true>>),
    /// Nearly all codes are below 32.
    Small(Box<Narrow<u32, 32, 8, 1, false>>),
    /// Most codes are below 64.
    Narrow(Box<Narrow<u64, 16, 4, 1, false>>),
    /// Many codes are 64 or more.
    Large(Box<Narrow<u64, 16, 4, 4, false>>),
    /// Some codes are too large for words.
    Wide(Box<Wide>),
}

impl Engine {
    /// Returns the form that fits the codes of `run`.
    pub(super) fn new(run: &Run) -> Self {
        let largest = |codes: &[u16]| codes.iter().map(|code| code & !COMMON).max().unwrap_or(0);
        let of_rares = run.rares.iter().map(|(_, code)| code).max().unwrap_or(0);
        let largest = largest(run.codes.first()).max(largest(run.codes.last())).max(of_rares);
        // The number of consecutive nimbers of the same class.
        let many = 1_usize << run.classes.mask().trailing_zeros().min(15);
        if many.max(usize::from(largest) + 1) > CODES {
            return Self::Wide(Box::new(run.views()));
        }
        let last = run.codes.last();
        let recent = &last[last.len().saturating_sub(RECENT)..];
        let fits = |codes: u16, most: usize| {
            let large = recent.iter().filter(|code| *code & !COMMON >= codes).count();
            large * most <= recent.len()
        };
        if fits(16, MOST_SMALL) {
            Self::Least(Box::new(run.views()))
        } else if fits(32, MOST_SMALL) {
            Self::Small(Box::new(run.views()))
        } else if fits(64, MOST_NARROW) {
            Self::Narrow(Box::new(run.views()))
        } else {
            Self::Large(Box::new(run.views()))
        }
    }

    /// Finds values until there are `end` codes.
    pub(super) fn advance(&mut self, run: &mut Run, end: usize) -> Result<(), Halt> {
        let result = match self {
            Self::Least(views) => run.advance(&mut **views, end),
            Self::Small(views) => run.advance(&mut **views, end),
            Self::Narrow(views) => run.advance(&mut **views, end),
            Self::Large(views) => run.advance(&mut **views, end),
            Self::Wide(views) => run.advance(&mut **views, end),
        };
        if let (Err(Halt::Wide), false) = (&result, matches!(self, Self::Wide(_))) {
            *self = Self::Wide(Box::new(run.views()));
            return self.advance(run, end);
        }
        result
    }
}
