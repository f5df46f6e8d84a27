//! Confirming for many segments at once that rare nimbers are options.

use std::cmp::Reverse;
use std::ops::Range;

use super::leads::Leads;
use super::rows::{CHUNK, Lanes, REACH, Rows};
use super::seen::Epoch;
use super::split::{COMMON, Split};
use super::work;
use crate::bits::ones_of;
use crate::grundy::segment::values::Values;
use crate::narrow::narrow;

/// So many witnesses a rare code has at most.
const MAX_WITNESSES: usize = 128;

/// So many of them for the same common code.
const MAX_PLACES: usize = 12;

/// So many pairs are looked through in a step.
const SEARCHED: usize = 4;

/// The steps to take away the segments of a row, and to go through those that are left.
const ROW: u64 = 32;

/// The steps to choose the witnesses of a rare code.
const LIST: u64 = 1024;

/// The work that may be wasted whatever is to be confirmed.
const SLACK: u64 = if cfg!(test) { 1 << 13 } else { 1 << 20 };

/// The first segment whose guessed value does not stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) place: usize,
    /// The right one if the guess was wrong: the least rare code that is no option. `None` if it would have
    /// taken too many steps to confirm this segment and those that follow.
    pub(super) code: Option<u16>,
}

/// Confirms for many segments at once that all rare nimbers below their common ones are options.
///
/// The *witnesses* of a rare code are common segments: each has that XOR with some common code that comes
/// often. By the [`Rows`] of those codes some dozens of witnesses settle nearly all segments of a chunk; for
/// the others all pairs are looked at.
pub(super) struct Witnesses<A> {
    leads: Leads,
    reach: A,
    split: Split,
    rows: Rows,
    /// The common codes, those first that came most often of late.
    frequent: Vec<u16>,
    /// Some segments of each common code.
    places: Vec<Vec<u16>>,
    /// For each rare code, the rows moved by its witnesses.
    lists: Vec<Vec<u32>>,
    /// For each number of rare codes below a common one, which segments of the chunk have that many.
    below: Vec<Lanes>,
    /// Of each rare code.
    searches: Vec<Search<A>>,
    /// The steps that have been done since they were last asked for.
    work: u64,
    /// There may be so many steps for each segment,
    for_each: u64,
    /// and so many in all.
    spare: u64,
    /// Where the first chunk began.
    start: usize,
}

/// Which sums have been searched for a pair with some XOR: what is found at a sum holds for all segments from
/// which a move leads there.
#[derive(Clone, Copy)]
struct Search<A> {
    /// The latest sum it was asked for.
    latest: usize,
    /// At which sums up to that one there is such a pair.
    found: A,
    /// Which sums up to that one have been searched, or need not be.
    searched: A,
}

impl<A: Epoch> Search<A> {
    const NONE: Self = Self { latest: 0, found: A::NEVER, searched: A::NEVER };

    /// Goes on to a later sum.
    fn advance(&mut self, latest: usize) {
        let sums = latest - self.latest;
        (self.found, self.searched) = (self.found.older(sums), self.searched.older(sums));
        self.latest = latest;
    }
}

impl<A: Epoch> Witnesses<A> {
    /// For up to 256 sums.
    pub(super) fn new(leads: &Leads) -> Self {
        Self {
            leads: leads.clone(),
            reach: leads.reach(),
            split: Split::ALL_RARE,
            rows: Rows::new(leads),
            frequent: Vec::new(),
            places: Vec::new(),
            lists: Vec::new(),
            below: Vec::new(),
            searches: Vec::new(),
            work: 0,
            for_each: 0,
            spare: 0,
            start: 0,
        }
    }

    /// The steps that have been done since this was last asked.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Chooses witnesses for segments that follow these. To confirm may take so many steps for each, and so
    /// many in all.
    pub(super) fn begin(&mut self, codes: &[u16], split: Split, for_each: u64, spare: u64) {
        self.split = split;
        (self.for_each, self.spare, self.start) = (for_each, spare, codes.len());
        let recent = &codes[codes.len().saturating_sub(REACH)..];
        let common = |&code: &u16| (code >= COMMON).then_some(usize::from(code & !COMMON));
        let width = recent.iter().filter_map(common).max().map_or(0, |most| most + 1);
        self.rows.begin(codes, width);
        let mut counts = vec![0_u32; width];
        recent.iter().filter_map(common).for_each(|code| counts[code] += 1);
        self.frequent = (0..narrow(width)).filter(|&code| counts[usize::from(code)] > 0).collect();
        self.frequent.sort_by_key(|&code| Reverse(counts[usize::from(code)]));

        self.places = vec![Vec::new(); width];
        // In an order that mixes the lengths: values come in clusters, and near witnesses tell much the same.
        for place in (0..REACH).map(|k| k * 1171 % REACH).filter(|&place| place >= CHUNK) {
            let code = codes.get(place).and_then(common);
            match code.and_then(|code| self.places.get_mut(code)) {
                Some(places) if places.len() < MAX_PLACES => places.push(narrow(place)),
                _ => (),
            }
        }
        self.lists.clear();
        self.searches.clear();
    }

    /// The first of these segments of which a rare nimber below its common one is no option, or the first that
    /// it takes too long to confirm. They begin where [`begin`](Self::begin) or the last call has ended, and
    /// all but the last are whole chunks.
    pub(super) fn first_doubt(&mut self, codes: &Values, segments: Range<usize>) -> Option<Doubt> {
        segments.clone().step_by(CHUNK).find_map(|first| {
            if first > self.rows.first() {
                self.rows.advance(&codes.all()[..first]);
            }
            self.work += self.rows.cost();
            self.first_doubt_of(codes, first..segments.end.min(first + CHUNK))
        })
    }

    /// The same for a chunk.
    fn first_doubt_of(&mut self, codes: &Values, chunk: Range<usize>) -> Option<Doubt> {
        let too_long = Doubt { place: chunk.start, code: None };
        let most = SLACK.saturating_add(self.for_each.saturating_mul((chunk.end - self.start) as u64));
        let most = most.min(self.spare);
        self.below.fill([0; CHUNK / 64]);
        for (lane, &code) in codes.all()[chunk].iter().enumerate() {
            let below = self.split.rares_below(code);
            if below >= self.below.len() {
                self.below.resize(below + 1, [0; CHUNK / 64]);
            }
            self.below[below][lane / 64] |= 1 << (lane % 64);
        }
        // From the greatest rare code down; those that lie above one lie above the next, too.
        let mut lanes = [0; CHUNK / 64];
        let mut wrong: Option<Doubt> = None;
        for code in (0..narrow(self.below.len().saturating_sub(1))).rev() {
            lanes.iter_mut().zip(self.below[usize::from(code) + 1]).for_each(|(all, more)| *all |= more);
            let last = wrong.map_or(usize::MAX, |wrong| wrong.place);
            let first = self.rows.first();
            let left = ones_of(self.without(code, lanes)).map(|lane| first + lane);
            for place in left.take_while(|&place| place <= last) {
                if self.work > most {
                    return Some(too_long);
                }
                if !self.is_option(codes, place, code) {
                    wrong = Some(Doubt { place, code: Some(code) });
                    break;
                }
            }
        }
        wrong
    }

    /// Whether a code is an option of a segment, by all pairs and all parts that are left alone. Each code is asked for in
    /// ascending order of places.
    fn is_option(&mut self, codes: &Values, place: usize, code: u16) -> bool {
        if self.leads.singles(place).any(|single| codes.all()[single] == code) {
            return true;
        }
        let Some(latest) = place.checked_sub(self.leads.l()) else { return false };
        if usize::from(code) >= self.searches.len() {
            self.searches.resize(usize::from(code) + 1, Search::NONE);
        }
        let search = &mut self.searches[usize::from(code)];
        search.advance(latest);
        let searched = search.searched;
        for sum in self.leads.sums(place) {
            let ago = latest - sum;
            if searched.has(ago) {
                continue;
            }
            let found = codes.pairs(sum, |a, b| a ^ b == code).next();
            self.work += work::SEARCH + (found.unwrap_or(sum / 2) / SEARCHED) as u64;
            search.searched = search.searched.and(A::of(ago));
            if found.is_some() {
                search.found = search.found.and(A::of(ago));
                break;
            }
        }
        search.found.is_within(self.reach)
    }

    /// Which of these segments of the chunk have no witness of a rare code.
    fn without(&mut self, code: u16, mut lanes: Lanes) -> Lanes {
        for code in narrow(self.lists.len())..=code {
            self.lists.push(self.list(code));
            self.work += LIST;
        }
        self.work += ROW;
        for &moved in &self.lists[usize::from(code)] {
            self.work += ROW;
            if !self.rows.take(moved, &mut lanes) {
                break;
            }
        }
        lanes
    }

    /// The rows moved by the witnesses of a rare code.
    fn list(&self, code: u16) -> Vec<u32> {
        let with = |&common: &u16| {
            let places = self.places.get(usize::from(common ^ code)).into_iter().flatten();
            places.map(move |&place| Rows::moved(common, place))
        };
        self.frequent.iter().flat_map(with).take(MAX_WITNESSES).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grundy::segment::Window;
    use crate::grundy::segment::sparse::tests::by_definition;

    const ALL: Lanes = [u64::MAX; CHUNK / 64];

    /// Which codes are options of a segment, by all pairs of all sums.
    fn options(codes: &[u16], place: usize, (l, r): (usize, usize)) -> Vec<bool> {
        let mut options = vec![false; 1 << 16];
        for sum in Leads::window(l, r).sums(place) {
            (0..=sum / 2).for_each(|a| options[usize::from(codes[a] ^ codes[sum - a])] = true);
        }
        options
    }

    fn slow(codes: &[u16], from: usize, window: (usize, usize), split: Split) -> Option<Doubt> {
        (from..codes.len()).find_map(|place| {
            let options = options(codes, place, window);
            let code = (0..split.rares_below(codes[place])).find(|&code| !options[code]).map(narrow)?;
            Some(Doubt { place, code: Some(code) })
        })
    }

    /// The codes of a window up to `n`, under a split that leaves few rare.
    fn codes(window: (usize, usize), n: usize) -> (Split, Vec<u16>) {
        let window = Window::new(window.0 as u64, window.1 as u64).unwrap();
        let nimbers = by_definition(window, n as u64);
        let mut histogram = vec![0; 1 << 12];
        for &nimber in &nimbers {
            histogram[nimber as usize] += 1;
        }
        let split = Split::best(&histogram, 2);
        (split, nimbers.into_iter().map(|nimber| split.code(narrow(nimber))).collect())
    }

    fn values(codes: &[u16]) -> Values {
        let mut values = Values::zeros(codes.len());
        codes.iter().enumerate().for_each(|(place, &code)| values.set(place, code));
        values
    }

    /// Confirms in pieces of some chunks.
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

        /// Whatever common codes stand where, that is found wrong which is by all pairs.
        #[test]
        fn the_first_wrong(
            // The first has no rare segments behind 955.
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
            let mut witnesses = Witnesses::<u8>::new(&Leads::window(window.0, window.1));
            let doubt = first_doubt(&mut witnesses, split, &codes, from, chunks);
            prop_assert_eq!(doubt, slow(&codes, from, window, split));
        }
    }

    #[test]
    fn what_has_a_witness_is_an_option() {
        for window in [(1, 5), (3, 3), (2, 40), (70, 75), (1, 256)] {
            let (split, codes) = codes(window, 6000);
            let mut witnesses = Witnesses::<u8>::new(&Leads::window(window.0, window.1));
            let from = 2000;
            witnesses.begin(&codes[..from], split, u64::MAX, u64::MAX);
            for first in (from..codes.len() - CHUNK).step_by(CHUNK) {
                if first > from {
                    witnesses.rows.advance(&codes[..first]);
                }
                let left: Vec<_> = (0..20).map(|code| witnesses.without(code, ALL)).collect();
                for lane in (0..CHUNK).step_by(5) {
                    let options = options(&codes, first + lane, window);
                    for (code, left) in left.iter().enumerate() {
                        let has_witness = left[lane / 64] >> (lane % 64) & 1 == 0;
                        assert!(options[code] || !has_witness, "{window:?} {code} {}", first + lane);
                    }
                }
            }
        }
    }

    #[test]
    fn searches_forget_what_was_before() {
        let window = (2, 4);
        let mut witnesses = Witnesses::<u8>::new(&Leads::window(window.0, window.1));
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

    #[test]
    fn few_segments_have_no_witness() {
        let (split, codes) = codes((1, 5), 7000);
        let mut witnesses = Witnesses::<u8>::new(&Leads::window(1, 5));
        let mut left = 0;
        for from in (1000..7000).step_by(200) {
            witnesses.begin(&codes[..from], split, u64::MAX, u64::MAX);
            let mut without = |code| ones_of(witnesses.without(code, ALL)).count();
            left += (0..20).map(&mut without).sum::<usize>();
        }
        assert!(left * 50 < 30 * 20 * CHUNK, "{left}");
    }
}
