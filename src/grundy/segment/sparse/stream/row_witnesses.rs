//! Rare codes that witnesses do not show to be options, for many segments at once.

use super::super::leads::Leads;
use super::super::rows::{CHUNK, Lanes, REACH};
use super::super::split::COMMON;
use super::super::witness_rows::{LanesBelow, WitnessRows};
use super::codes::Codes;
use super::pairs;
use super::rares_below::RaresBelow;
use crate::bits::ones_of;
use crate::narrow::narrow;

/// Witnesses are chosen anew after so many segments: other codes may come more often then.
const CHOICE_INTERVAL: usize = 1 << 17;

/// One more is looked for where so many segments have none: to look for one takes as long as to look for so many pairs.
const MANY: u32 = 8;

/// Then so many pairs of each sum are looked at.
const NEAR: usize = 512;

/// So many of those that were found last are looked at before.
const LATE: usize = 4;

/// Looks for witnesses of the rare codes below those of segments, by chunks of these.
pub(super) struct RowWitnesses {
    rows: WitnessRows,
    /// Where the present chunk ends, and the next witnesses are chosen; 0 before the first.
    end: usize,
    next_choice: usize,
    below: LanesBelow,
    of_codes: Vec<OfCode>,
}

impl RowWitnesses {
    pub(super) fn new(leads: &Leads) -> Self {
        let (rows, below) = (WitnessRows::new(leads, true), LanesBelow::default());
        Self { rows, end: 0, next_choice: 0, below, of_codes: Vec::new() }
    }

    /// Up to where segments can be looked at together that come behind these.
    pub(super) fn chunk_end(&mut self, codes: &Codes) -> usize {
        let n = codes.len();
        if n == self.end && n < self.next_choice {
            self.rows.advance(codes.base(), codes.last());
            self.end += CHUNK;
        } else if n >= self.end {
            self.rows.begin(codes.first(), codes.base(), codes.last());
            (self.end, self.next_choice) = (n + CHUNK, n + CHOICE_INTERVAL.min(n));
        }
        self.end
    }

    /// Appends to a list the rare codes that are less than the code of a segment from `from` on and have no witness: the
    /// segments in ascending order, by how far they lie behind it, and the codes of each. All of them are in the
    /// [chunk](Self::chunk_end) of the first.
    pub(super) fn missing(
        &mut self,
        from: usize,
        codes: &Codes,
        counts: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    ) {
        let first = self.rows.first();
        let guess = &codes.last()[from - codes.base()..];
        counts.learn_all(guess);
        self.below.clear();
        for (place, &code) in (from..).zip(guess) {
            self.below.enter(place - first, counts.count(code, place));
        }
        for (code, lanes) in self.below.by_code() {
            let left = self.rows.without(code, lanes);
            list.extend(ones_of(left).map(|lane| (narrow::<u16>(first + lane - from), code)));
            if usize::from(code) >= self.of_codes.len() {
                self.of_codes.resize(usize::from(code) + 1, OfCode::NEW);
            }
            let of_code = &mut self.of_codes[usize::from(code)];
            (of_code.lanes, of_code.may_find) = (left, true);
        }
        // As one number, for that takes less time.
        list.sort_unstable_by_key(|&(ahead, code)| u32::from(ahead) << 16 | u32::from(code));
    }

    /// Whether a rare code that was missing is an option of a segment by the pairs of these sums with short segments.
    pub(super) fn has_pair(
        &mut self,
        n: usize,
        code: u16,
        sums: &(impl Iterator<Item = usize> + Clone),
        codes: &Codes,
    ) -> bool {
        let lane = n - self.rows.first();
        let of_code = &mut self.of_codes[usize::from(code)];
        if of_code.lanes[lane / 64] >> (lane % 64) & 1 == 0 || of_code.has_late(code, sums.clone(), codes) {
            return true;
        }
        if of_code.may_find && of_code.lanes.iter().map(|word| word.count_ones()).sum::<u32>() >= MANY {
            let place = |sum: usize| Some((sum, pairs::place(codes, sum, code, CHUNK..REACH)?));
            if let Some((sum, place)) = sums.clone().find_map(place) {
                let other = codes.last()[sum - place - codes.base()];
                if other >= COMMON {
                    self.rows.add(code, place, other, &mut of_code.lanes);
                }
                return true;
            }
            of_code.may_find = false;
        }
        let place = sums.clone().find_map(|sum| pairs::place(codes, sum, code, 0..NEAR));
        if let Some(place) = place {
            of_code.late.rotate_right(1);
            of_code.late[0] = narrow(place);
        }
        place.is_some()
    }
}

/// What is known of a rare code.
#[derive(Clone)]
struct OfCode {
    /// For which segments of the chunk no witness was found so far.
    lanes: Lanes,
    /// Whether none was looked for in vain.
    may_find: bool,
    /// The short segments of the pairs that were found last.
    late: [u16; LATE],
}

impl OfCode {
    const NEW: Self = Self { lanes: [0; CHUNK / 64], may_find: true, late: [0; LATE] };

    /// Whether one of the pairs that were found last has the code at one of these sums, too.
    fn has_late(&self, code: u16, mut sums: impl Iterator<Item = usize>, codes: &Codes) -> bool {
        let (first, base, last) = (codes.first(), codes.base(), codes.last());
        sums.any(|sum| {
            let is_pair = |&place: &u16| {
                let other = (sum - base).checked_sub(place.into()).and_then(|at| last.get(at));
                other.is_some_and(|other| first[usize::from(place)] ^ other == code)
            };
            self.late.iter().any(is_pair)
        })
    }
}
