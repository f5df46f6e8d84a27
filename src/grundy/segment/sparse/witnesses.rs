//! Confirms for many segments at once that rare nimbers are options. The module [`sparse`](super) explains the terms.

use std::ops::Range;

use super::rows::{CHUNK, LanesBelow, WitnessRows};
use super::seen::Epoch;
use super::split::Split;
use super::take_set::TakeSet;
use super::work;
use crate::grundy::segment::values::Values;
use crate::integers::ones_of;

/// Number of pairs that are tested in a step.
const PAIRS_PER_STEP: usize = 4;

/// Steps that may be used regardless of the number of segments.
const SLACK: u64 = if cfg!(test) { 1 << 13 } else { 1 << 20 };

/// The first segment whose guessed value is wrong, or was not confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) place: usize,
    /// The right code: the least rare code that is no option. `None` if confirming this segment and the following
    /// segments takes too many steps.
    pub(super) code: Option<u16>,
}

/// Confirms for many segments at once that each rare code below the common code of a segment is an option of the
/// segment.
///
/// [`WitnessRows`] settle nearly all segments of a chunk; for the remaining segments all pairs are tested.
pub(super) struct Witnesses<A> {
    take_set: TakeSet,
    reach: A,
    split: Split,
    rows: WitnessRows,
    below: LanesBelow,
    /// The search for each rare code.
    searches: Vec<Search<A>>,
    /// Steps since the last call of `take_work`.
    work: u64,
    /// Step budget for each segment.
    for_each: u64,
    /// Step budget shared by all segments.
    spare: u64,
    /// The first segment of the first chunk.
    start: usize,
}

/// The sums that have been searched for a pair whose XOR is one rare code. The result for a sum is valid for all
/// segments from which a move leaves that sum.
#[derive(Clone, Copy)]
struct Search<A> {
    /// The latest sum of the last search.
    latest: usize,
    /// The sums up to `latest` at which a pair was found.
    found: A,
    /// The sums up to `latest` that need not be searched again.
    searched: A,
}

impl<A: Epoch> Search<A> {
    const NONE: Self = Self { latest: 0, found: A::NEVER, searched: A::NEVER };

    /// Advances to the later sum `latest`.
    fn advance(&mut self, latest: usize) {
        let sums = latest - self.latest;
        (self.found, self.searched) = (self.found.older(sums), self.searched.older(sums));
        self.latest = latest;
    }
}

impl<A: Epoch> Witnesses<A> {
    /// Returns an empty state. The moves of `take_set` may leave at most 256 sums.
    pub(super) fn new(take_set: &TakeSet) -> Self {
        Self {
            take_set: take_set.clone(),
            reach: take_set.reach(),
            split: Split::ALL_RARE,
            rows: WitnessRows::new(take_set, false),
            below: LanesBelow::default(),
            searches: Vec::new(),
            work: 0,
            for_each: 0,
            spare: 0,
            start: 0,
        }
    }

    /// Returns the steps since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Chooses witnesses for the segments after those with these `codes`. Confirming may take `for_each` steps for
    /// each segment, and at most `spare` steps in total.
    pub(super) fn begin(&mut self, codes: &[u16], split: Split, for_each: u64, spare: u64) {
        self.split = split;
        (self.for_each, self.spare, self.start) = (for_each, spare, codes.len());
        self.rows.begin(codes, 0, codes);
        self.searches.clear();
    }

    /// Returns the first of `segments` for which a rare code below its common code is no option, or the first segment
    /// of a chunk that takes too long to confirm. `segments` must begin where the `codes` of [`begin`](Self::begin)
    /// end; in later calls, where the `segments` of the last call ended. In all calls except the last they must be
    /// whole chunks.
    pub(super) fn first_doubt(&mut self, codes: &Values, segments: Range<usize>) -> Option<Doubt> {
        segments.clone().step_by(CHUNK).find_map(|first| {
            if first > self.rows.first() {
                self.rows.advance(0, &codes.all()[..first]);
            }
            self.work += self.rows.cost();
            self.first_doubt_of(codes, first..segments.end.min(first + CHUNK))
        })
    }

    /// Returns the first doubt about a segment of one chunk.
    fn first_doubt_of(&mut self, codes: &Values, chunk: Range<usize>) -> Option<Doubt> {
        let most = SLACK.saturating_add(self.for_each.saturating_mul((chunk.end - self.start) as u64));
        let most = most.min(self.spare);
        let mut below = std::mem::take(&mut self.below);
        below.clear();
        for (lane, &code) in codes.all()[chunk].iter().enumerate() {
            below.enter(lane, self.split.rares_below(code));
        }
        let doubt = self.first_doubt_below(codes, &below, most);
        self.below = below;
        doubt
    }

    /// Returns the first doubt about a segment of a chunk. `below` has the segments by the number of rare codes below
    /// their common codes. If more than `most` steps are needed, the whole chunk is in doubt.
    fn first_doubt_below(&mut self, codes: &Values, below: &LanesBelow, most: u64) -> Option<Doubt> {
        let first = self.rows.first();
        let mut wrong: Option<Doubt> = None;
        for (code, lanes) in below.by_code() {
            let last = wrong.map_or(usize::MAX, |wrong| wrong.place);
            let left = ones_of(self.rows.without(code, lanes)).map(|lane| first + lane);
            self.work += self.rows.take_work();
            for place in left.take_while(|&place| place <= last) {
                if self.work > most {
                    return Some(Doubt { place: first, code: None });
                }
                if !self.is_option(codes, place, code) {
                    wrong = Some(Doubt { place, code: Some(code) });
                    break;
                }
            }
        }
        wrong
    }

    /// Returns whether `code` is an option of segment `place`, from all pairs and all single parts. Calls with the same
    /// code must be in ascending order of `place`.
    fn is_option(&mut self, codes: &Values, place: usize, code: u16) -> bool {
        if self.take_set.singles(place).any(|single| codes.all()[single] == code) {
            return true;
        }
        let Some(latest) = place.checked_sub(self.take_set.l()) else { return false };
        if usize::from(code) >= self.searches.len() {
            self.searches.resize(usize::from(code) + 1, Search::NONE);
        }
        let search = &mut self.searches[usize::from(code)];
        search.advance(latest);
        let searched = search.searched;
        for sum in self.take_set.sums(place) {
            let ago = latest - sum;
            if searched.has(ago) {
                continue;
            }
            let found = codes.pairs(sum, |a, b| a ^ b == code).next();
            self.work += work::SEARCH + (found.unwrap_or(sum / 2) / PAIRS_PER_STEP) as u64;
            search.searched = search.searched.union(A::of(ago));
            if found.is_some() {
                search.found = search.found.union(A::of(ago));
                break;
            }
        }
        search.found.is_within(self.reach)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::split::COMMON;
    use super::super::tests::{codes, options};
    use super::*;
    use crate::integers::narrow;

    fn expected_doubt(codes: &[u16], from: usize, window: (usize, usize), split: Split) -> Option<Doubt> {
        (from..codes.len()).find_map(|place| {
            let options = options(codes, place, window);
            let code = (0..split.rares_below(codes[place])).find(|&code| !options[code]).map(narrow)?;
            Some(Doubt { place, code: Some(code) })
        })
    }

    fn values(codes: &[u16]) -> Values {
        let mut values = Values::zeros(codes.len());
        codes.iter().enumerate().for_each(|(place, &code)| values.set(place, code));
        values
    }

    /// Returns the first doubt, confirming `chunks` chunks at a time.
    fn first_doubt(
        witnesses: &mut Witnesses<u8>,
        split: Split,
        codes: &[u16],
        from: usize,
        chunks: usize,
    ) -> Option<Doubt> {
        let values = values(codes);
        witnesses.begin(&codes[..from], split, u64::MAX, u64::MAX);
        let pieces = (from..codes.len()).step_by(chunks * CHUNK);
        pieces
            .map(|piece| piece..codes.len().min(piece + chunks * CHUNK))
            .find_map(|piece| witnesses.first_doubt(&values, piece))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        /// `Witnesses` find the same first wrong segment as a test of all pairs, with any common codes.
        #[test]
        fn first_wrong_segment(
            // Under the first window, no segment after 955 is rare.
            window in prop_oneof![
                Just((1, 5)),
                prop::sample::select(vec![(1, 3), (3, 5), (3, 3), (2, 40), (70, 75)]),
            ],
            from in 0_usize..3000,
            more in 0_usize..3000,
            chunks in 1_usize..4,
            others in prop::collection::vec((0_usize..6000, 0_u16..80), 0..4),
        ) {
            let (split, mut codes) = codes(window, from + more);
            for code in codes[from..].iter_mut().filter(|code| **code < COMMON) {
                *code = COMMON;
            }
            for (place, code) in others {
                if let Some(at) = codes.get_mut(place) {
                    *at = COMMON | code;
                }
            }
            let mut witnesses = Witnesses::<u8>::new(&TakeSet::window(window.0, window.1));
            let doubt = first_doubt(&mut witnesses, split, &codes, from, chunks);
            prop_assert_eq!(doubt, expected_doubt(&codes, from, window, split));
        }
    }

    #[test]
    fn begin_clears_the_searches() {
        let window = (2, 4);
        let mut witnesses = Witnesses::<u8>::new(&TakeSet::window(window.0, window.1));
        for codes in [vec![COMMON; 300], codes(window, 300).1] {
            witnesses.begin(&[], Split::ALL_RARE, u64::MAX, u64::MAX);
            let values = values(&codes);
            for place in 0..codes.len() {
                let options = options(&codes, place, window);
                for code in 0..8 {
                    let is_option = witnesses.is_option(&values, place, code);
                    assert_eq!(is_option, options[usize::from(code)], "{code} {place}");
                }
            }
        }
    }
}
