//! One value after the other, by the engine that fits the codes.

use std::ops::Range;

use super::super::split::COMMON;
use super::super::take_set::TakeSet;
use super::codes::{Classes, Codes, Moves, Partners, RaresBelow};
use super::pairs::{self, Found};
use super::views::{Narrow, Views, Wide};
use super::witnesses::{self, RowWitnesses, Witnesses};
use super::words::{CODES, LEAST_GUESS, NoRoom};

/// More common values than [`LEAST_GUESS`] are guessed at a time if they are at most one `GROWTH`th of the values since the
/// last rare one.
const GROWTH: usize = 8;

/// Pairs of each sum with segments of these lengths are tested before all pairs of any sum.
const FAR: [Range<usize>; 2] = [1 << 9..1 << 13, 1 << 13..1 << 16];

/// Why the next value was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The codes do not fit what was made for them.
    Wide,
    /// The codes that are kept do not show whether this rare code is an option of the next segment.
    Unsettled(u16),
    /// A rare segment came, and pairs with it need codes that are not kept.
    LateRare,
}

/// What all values to come follow from.
pub(super) struct Run {
    pub(super) take_set: TakeSet,
    pub(super) moves: Moves,
    pub(super) classes: Classes,
    pub(super) codes: Codes,
    pub(super) rares: Partners,
    witnesses: Witnesses,
    row_witnesses: RowWitnesses,
    /// How many rare codes lie below each common one.
    below: RaresBelow,
    /// Whether no later segment is rare, as the caller has proven.
    pub(super) assumes_no_more_rare: bool,
    /// What was found out otherwise: whether a rare code is an option of a segment.
    pub(super) known: Vec<(usize, u16, Found)>,
    /// By the rare code: the sum at which it was last found to be an option. No sum is tested after a
    /// segment that turns out to be rare, so this stays true.
    latest_sums: Vec<usize>,
    /// Rare codes of segments that have no witness: for [`first_missing`](Self::first_missing) alone.
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

    /// What is seen from the next segment.
    pub(super) fn views<V: Views>(&self) -> V {
        V::new(&self.moves, &self.codes, &self.rares, self.witnesses.partners())
    }

    /// The number of codes that determine the next common values, as long as none is rare.
    pub(super) fn state_len(&self) -> usize {
        self.rares.last() + 2 * self.take_set.longest() + 1
    }

    /// Finds values until there are `end`.
    pub(super) fn advance<V: Views>(&mut self, views: &mut V, end: usize) -> Result<(), Halt> {
        while self.codes.len() < end {
            if self.assumes_no_more_rare {
                return views.extend(&mut self.codes, end).map_err(|NoRoom| Halt::Wide);
            }
            let from = self.codes.len();
            let most = if V::COMMONS_ALONE {
                let many = LEAST_GUESS.max((from - self.rares.last()) / GROWTH);
                self.row_witnesses.chunk_end(&self.codes).min(from + many)
            } else {
                from + LEAST_GUESS
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

    /// The first segment from one on that has not its rare codes below as options, and the least of them that it has not, or
    /// why that is not known.
    fn first_missing<V: Views>(&mut self, views: &mut V, from: usize) -> Option<(usize, Result<u16, Halt>)> {
        let mut missing = std::mem::take(&mut self.missing);
        if V::COMMONS_ALONE {
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

    /// Whether a code is an option of a segment from which it was not seen.
    fn is_option<V: Views>(&mut self, n: usize, code: u16) -> Found {
        let latest = self.latest_sums.get(usize::from(code)).and_then(|&sum| n.checked_sub(sum));
        if latest.is_some_and(|take| self.moves.takes.binary_search(&take).is_ok()) {
            return Found::Yes;
        }
        let Self { moves, codes, .. } = self;
        let mut sums = moves.takes.iter().filter_map(|take| n.checked_sub(*take));
        if V::COMMONS_ALONE {
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

    /// Keeps that a code was found at a sum: other moves lead there as well.
    fn found_at(&mut self, sum: usize, code: u16) -> Found {
        let at = usize::from(code);
        if self.latest_sums.len() <= at {
            self.latest_sums.resize(at + 1, usize::MAX);
        }
        self.latest_sums[at] = sum;
        Found::Yes
    }

    /// Looks through all pairs.
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

/// Number of last codes that show how large the next are.
const RECENT: usize = 1 << 14;

/// A smaller word is used if it has all codes but one in `MOST_SMALL`.
const MOST_SMALL: usize = 256;

/// One word is used if it has all codes but one in `MOST_NARROW`: finding the others takes longer than more words do.
const MOST_NARROW: usize = 16;

/// What is seen from the next segment, in the form that fits the codes.
pub(super) enum Engine {
    /// Nearly all below 16: words show rare options in less time than rows do.
    Least(Box<Narrow<u16, 64, 16, 1, true>>),
    /// Nearly all below 32.
    Small(Box<Narrow<u32, 32, 8, 1, false>>),
    Narrow(Box<Narrow<u64, 16, 4, 1, false>>),
    /// Many from 64 on.
    Large(Box<Narrow<u64, 16, 4, 4, false>>),
    Wide(Box<Wide>),
}

impl Engine {
    /// The one that fits.
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

    /// Finds values until there are `end`.
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
