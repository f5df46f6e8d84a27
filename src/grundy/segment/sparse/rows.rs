//! Rows of bits, one bit for each segment: whether a move from the segment leaves a segment of a given common code, and
//! whether a given rare code is an option. The module [`sparse`](super) explains the terms.

use std::cmp::Reverse;
use std::ops::Range;

use super::split::COMMON;
use super::take_set::TakeSet;
use crate::integers::narrow;

/// Number of segments that are tested together, one bit each.
pub(super) const CHUNK: usize = 512;

/// A bit for each segment of a chunk.
pub(super) type Lanes = [u64; CHUNK / 64];

/// Rows are shifted by at least `CHUNK` and less than `REACH` bits.
pub(super) const REACH: usize = 4 * CHUNK;

/// Number of bytes of a row: `REACH` bits for the segments before the chunk, 256 bits for later segments from which
/// moves leave a segment before the chunk, and 8 bytes so that a whole word can be written at each of these bits.
const STRIDE: usize = (REACH + 256) / 8 + 8;

/// Maximum number of bits that are entered together. These bits fit in a word of 8 bytes if they begin in its first
/// byte.
const RUN: usize = 56;

/// A row of bits for each recent common code. A row has a bit for each segment: whether a move from the segment can
/// leave a segment of this code and nothing else.
///
/// A row that is shifted by the length of a second segment shows from which segments of a chunk a move can leave a
/// segment of the row's code together with the second segment. The second segment is at least as long as a chunk, so
/// the shifted bits are known before the codes of the chunk.
pub(super) struct Rows {
    l: usize,
    span: usize,
    runs: Vec<(usize, u64)>,
    /// The first segment of the chunk.
    first: usize,
    /// Number of segments that have been entered into the rows of their codes.
    entered: usize,
    /// The row of each common code, indexed by the code without its top bit. The first bit of a row is for the segment
    /// that is [`REACH`] cards shorter than the first segment of the chunk.
    bits: Vec<[u8; STRIDE]>,
}

impl Rows {
    /// Returns empty rows. The moves of `take_set` may leave at most 256 sums.
    pub(super) fn new(take_set: &TakeSet) -> Self {
        Self {
            l: take_set.l(),
            span: take_set.span(),
            runs: runs(take_set),
            first: 0,
            entered: 0,
            bits: Vec::new(),
        }
    }

    /// Begins with the chunk after the known segments. `codes` are the codes of the known segments from `base` on.
    /// There will be rows for the first `width` common codes.
    pub(super) fn begin(&mut self, base: usize, codes: &[u16], width: usize) {
        self.first = base + codes.len();
        self.bits.clear();
        self.bits.resize(width, [0; STRIDE]);
        self.entered = self.first.saturating_sub(REACH + self.l).max(base);
        self.enter(base, codes);
    }

    /// Advances to the next chunk, after the segments from `base` on with these codes.
    pub(super) fn advance(&mut self, base: usize, codes: &[u16]) {
        self.first += CHUNK;
        for row in &mut self.bits {
            row.copy_within(CHUNK / 8.., 0);
            row[STRIDE - CHUNK / 8..].fill(0);
        }
        self.enter(base, codes);
    }

    /// Returns the steps to advance to the next chunk.
    pub(super) fn cost(&self) -> u64 {
        (self.bits.len() * STRIDE / 16 + CHUNK * (self.span + 63) / 8) as u64
    }

    /// Returns the first segment of the chunk.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// Returns an index in the concatenated bits of all rows: the index of the bit that stands for the first segment of
    /// the chunk, after the row of `code` is shifted by `by` bits. `code` is a common code without its top bit. The
    /// index is the same for all chunks.
    pub(super) fn shifted(code: u16, by: u16) -> u32 {
        narrow::<u32>(usize::from(code) * STRIDE * 8 + REACH) - u32::from(by)
    }

    /// Removes from `lanes` the segments whose bit is set in one of the rows `shifted`, which are results of
    /// [`shifted`](Self::shifted). Stops once no segment is left in `lanes`, and returns the number of rows that were
    /// read.
    pub(super) fn settle(&self, shifted: &[u32], lanes: &mut Lanes) -> usize {
        let (bits, mut all) = (self.bits.as_flattened(), *lanes);
        let mut none_left = |&shifted: &u32| {
            let shift = shifted % 8;
            let row = &bits[shifted as usize / 8..][..=CHUNK / 8];
            // The bits of each word of the shifted row are in two words of the row, which begin one byte apart.
            let ((low, _), (high, _)) = (row.as_chunks::<8>(), row[1..].as_chunks::<8>());
            let mut left = 0;
            for (lanes, (low, high)) in all.iter_mut().zip(low.iter().zip(high)) {
                *lanes &=
                    !(u64::from_le_bytes(*low) >> shift | u64::from_le_bytes(*high) << 1 << (7 - shift));
                left |= *lanes;
            }
            left == 0
        };
        let rows_read = shifted.iter().position(&mut none_left).map_or(shifted.len(), |last| last + 1);
        *lanes = all;
        rows_read
    }

    /// Enters all segments that moves from the segments before the chunk can leave.
    fn enter(&mut self, base: usize, codes: &[u16]) {
        let end = self.first.saturating_sub(self.l);
        let from = self.entered.min(end);
        for (place, &code) in (from..end).zip(&codes[from.saturating_sub(base)..]) {
            let row = if code < COMMON { None } else { self.bits.get_mut(usize::from(code & !COMMON)) };
            let Some(row) = row else { continue };
            for &(least, bits) in &self.runs {
                let bit = place + least + REACH - self.first;
                if let Some(word) = row[bit / 8..].first_chunk_mut::<8>() {
                    *word = (u64::from_le_bytes(*word) | bits << (bit % 8)).to_le_bytes();
                }
            }
        }
        self.entered = self.entered.max(end);
    }
}

/// Returns the numbers of cards for moves that leave two parts, in pieces of at most [`RUN`] consecutive numbers. A
/// piece is its first number, and a word with one bit set for each of its numbers.
fn runs(take_set: &TakeSet) -> Vec<(usize, u64)> {
    let pieces = |(least, above): (usize, usize)| {
        (least..above).step_by(RUN).map(move |from| (from, (1 << RUN.min(above - from)) - 1))
    };
    take_set.runs().into_iter().flat_map(pieces).collect()
}

/// Number of witnesses of each rare code that are tested first.
const FIRST_WITNESSES: usize = 128;

/// Number of further witnesses that are tested at a time.
const WITNESSES_AT_ONCE: usize = 32;

/// Testing stops once [`WITNESSES_AT_ONCE`] witnesses settle fewer segments than this.
const MIN_SETTLED: u32 = 2;

/// Maximum number of added witnesses of each rare code.
const MAX_ADDED: usize = 128;

/// A list of witnesses begins with at most `FIRST_PLACES` witnesses for each frequent code, and continues with the
/// other witnesses.
const FIRST_PLACES: usize = 12;

/// Steps to remove the segments of a row, and to visit the remaining segments.
const ROW_STEPS: u64 = 32;

/// Steps to choose the witnesses of a rare code.
const LIST_STEPS: u64 = 1024;

/// Shows for many segments at once that rare codes are options.
///
/// A *witness* of a rare code is a common segment such that the XOR of its code and a frequent common code is the rare
/// code. A witness *settles* the segments from which a move leaves the witness and a segment of that frequent code: the
/// rare code is an option of these segments. With the [`Rows`] of the frequent codes, a few dozen witnesses settle
/// nearly all segments of a chunk.
pub(super) struct WitnessRows {
    rows: Rows,
    /// The recent common codes, the most frequent first.
    frequent: Vec<u16>,
    /// Some short segments of each common code, indexed by the code without its top bit.
    places: Vec<Vec<u16>>,
    /// For each rare code, its witnesses. Each is stored as the row of the frequent code, [shifted](Rows::shifted) by
    /// the length of the witness.
    lists: Vec<Vec<u32>>,
    /// Maximum number of chosen witnesses of each rare code. More witnesses can be [added](Self::add).
    most: usize,
    /// Steps since the last call of `take_work`.
    work: u64,
}

impl WitnessRows {
    /// Returns a state without witnesses. The moves of `take_set` may leave at most 256 sums. Unless `all` is set, at
    /// most [`FIRST_WITNESSES`] witnesses will be chosen for each rare code.
    pub(super) fn new(take_set: &TakeSet, all: bool) -> Self {
        let (frequent, places, lists) = (Vec::new(), Vec::new(), Vec::new());
        let most = if all { REACH } else { FIRST_WITNESSES };
        Self { rows: Rows::new(take_set), frequent, places, lists, most, work: 0 }
    }

    /// Returns the steps since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    /// Chooses witnesses for the chunks after the known segments. `first` are the codes of the first segments, among
    /// which witnesses are chosen. `last` are the codes of the known segments from `base` on.
    pub(super) fn begin(&mut self, first: &[u16], base: usize, last: &[u16]) {
        let recent = &last[last.len().saturating_sub(REACH)..];
        let common = |&code: &u16| (code >= COMMON).then_some(usize::from(code & !COMMON));
        let width = recent.iter().filter_map(common).max().map_or(0, |most| most + 1);
        self.rows.begin(base, last, width);
        let mut counts = vec![0_u32; width];
        recent.iter().filter_map(common).for_each(|code| counts[code] += 1);
        self.frequent = (0..narrow(width)).filter(|&code| counts[usize::from(code)] > 0).collect();
        self.frequent.sort_by_key(|&code| Reverse(counts[usize::from(code)]));

        self.places = vec![Vec::new(); width];
        // In mixed order: values come in clusters, so witnesses of similar length settle the same segments.
        for place in (0..REACH).map(|k| k * 1171 % REACH).filter(|&place| place >= CHUNK) {
            let code = first.get(place).and_then(common);
            if let Some(places) = code.and_then(|code| self.places.get_mut(code)) {
                places.push(narrow(place));
            }
        }
        self.lists.clear();
    }

    /// Advances to the next chunk, after the segments from `base` on with these codes.
    pub(super) fn advance(&mut self, base: usize, last: &[u16]) {
        self.rows.advance(base, last);
    }

    /// Returns the steps to advance to the next chunk.
    pub(super) fn cost(&self) -> u64 {
        self.rows.cost()
    }

    /// Returns the first segment of the chunk.
    pub(super) fn first(&self) -> usize {
        self.rows.first()
    }

    /// Returns the segments of `lanes` that no witness of the rare code `code` settles.
    pub(super) fn without(&mut self, code: u16, mut lanes: Lanes) -> Lanes {
        for code in narrow(self.lists.len())..=code {
            self.lists.push(self.list(code).take(FIRST_WITNESSES).collect());
            self.work += LIST_STEPS;
        }
        let list = &self.lists[usize::from(code)];
        let rows_read = self.rows.settle(&list[..list.len().min(FIRST_WITNESSES)], &mut lanes);
        self.work += ROW_STEPS * (rows_read + 1) as u64;
        if lanes != [0; CHUNK / 64] && self.most > FIRST_WITNESSES {
            self.settle_more(code, &mut lanes);
        }
        lanes
    }

    /// Removes from `lanes` the segments that are settled by witnesses after the first [`FIRST_WITNESSES`].
    fn settle_more(&mut self, code: u16, lanes: &mut Lanes) {
        if self.lists[usize::from(code)].len() == FIRST_WITNESSES {
            let more: Vec<u32> = self.list(code).take(self.most).skip(FIRST_WITNESSES).collect();
            self.lists[usize::from(code)].extend(more);
        }
        for piece in
            self.lists[usize::from(code)].chunks(WITNESSES_AT_ONCE).skip(FIRST_WITNESSES / WITNESSES_AT_ONCE)
        {
            let before = *lanes;
            self.rows.settle(piece, lanes);
            let settled =
                before.iter().zip(lanes.iter()).map(|(before, lanes)| (before ^ lanes).count_ones());
            if settled.sum::<u32>() < MIN_SETTLED {
                break;
            }
        }
    }

    /// Adds the segment `place` as a witness of the rare code `code`, in pairs with segments of the common code
    /// `common`. `place` is at least [`CHUNK`] and less than [`REACH`]. Removes from `lanes` the segments that the
    /// witness settles.
    pub(super) fn add(&mut self, code: u16, place: usize, common: u16, lanes: &mut Lanes) {
        let list = &mut self.lists[usize::from(code)];
        if usize::from(common & !COMMON) < self.places.len() {
            let shifted = Rows::shifted(common & !COMMON, narrow(place));
            list.truncate(self.most + MAX_ADDED - 1);
            list.push(shifted);
            self.rows.settle(&[shifted], lanes);
        }
    }

    /// Returns the witnesses of a rare code, in the form of `lists`.
    fn list(&self, code: u16) -> impl Iterator<Item = u32> {
        let with = move |(range, common): (Range<usize>, u16)| {
            let places = self.places.get(usize::from(common ^ code)).into_iter().flatten();
            let places = places.skip(range.start).take(range.len());
            places.map(move |&place| Rows::shifted(common, place))
        };
        let ranges = [0..FIRST_PLACES, FIRST_PLACES..REACH].into_iter();
        let commons =
            move |range: Range<usize>| self.frequent.iter().map(move |&common| (range.clone(), common));
        ranges.flat_map(commons).flat_map(with)
    }
}

/// The segments of a chunk, grouped by the number of rare codes below the code of the segment. A rare code is below a
/// common code if its nimber is less.
#[derive(Default)]
pub(super) struct LanesBelow {
    lanes: Vec<Lanes>,
}

impl LanesBelow {
    /// Removes all segments.
    pub(super) fn clear(&mut self) {
        self.lanes.fill([0; CHUNK / 64]);
    }

    /// Adds the segment at index `lane` of the chunk. There are `below` rare codes below its code.
    pub(super) fn enter(&mut self, lane: usize, below: usize) {
        if below >= self.lanes.len() {
            self.lanes.resize(below + 1, [0; CHUNK / 64]);
        }
        self.lanes[below][lane / 64] |= 1 << (lane % 64);
    }

    /// Returns the rare codes in descending order, each with the segments whose codes are above the rare code.
    pub(super) fn by_code(&self) -> impl Iterator<Item = (u16, Lanes)> {
        // A code above some rare code is above all smaller rare codes too.
        let codes = (0..narrow::<u16>(self.lanes.len().saturating_sub(1))).rev();
        codes.scan([0; CHUNK / 64], |all: &mut Lanes, code| {
            all.iter_mut().zip(self.lanes[usize::from(code) + 1]).for_each(|(all, more)| *all |= more);
            Some((code, *all))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{codes, options};
    use super::*;
    use crate::integers::ones_of;

    const ALL: Lanes = [u64::MAX; CHUNK / 64];

    #[test]
    fn codes_with_a_witness_are_options() {
        for window in [(1, 5), (3, 3), (2, 40), (70, 75), (1, 256)] {
            let (_, codes) = codes(window, 6000);
            let mut witnesses = WitnessRows::new(&TakeSet::window(window.0, window.1), true);
            let from = 2000;
            witnesses.begin(&codes, 0, &codes[..from]);
            for first in (from..codes.len() - CHUNK).step_by(CHUNK) {
                if first > from {
                    witnesses.advance(0, &codes[..first]);
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
    fn few_segments_have_no_witness() {
        let (_, codes) = codes((1, 5), 7000);
        let mut witnesses = WitnessRows::new(&TakeSet::window(1, 5), false);
        let mut left = 0;
        for from in (1000..7000).step_by(200) {
            witnesses.begin(&codes, 0, &codes[..from]);
            let mut without = |code| ones_of(witnesses.without(code, ALL)).count();
            left += (0..20).map(&mut without).sum::<usize>();
        }
        assert!(left * 50 < 30 * 20 * CHUNK, "{left}");
    }
}
