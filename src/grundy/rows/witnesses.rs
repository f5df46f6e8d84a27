//! The verification that rare nimbers are options, for a chunk of segments at once.

use super::split::COMMON;
use super::take_set::TakeSet;
use crate::integers::{narrow, ones};

/// Number of segments that are verified together, one bit each.
pub(super) const CHUNK: usize = 64;

/// Number of bits of a row. The rows are rings: the bit of a segment is its length modulo `RING`. Less in tests.
const RING: usize = if cfg!(test) { 1 << 10 } else { 1 << 11 };

/// A witness is at least as long as a chunk, so that the segments it is paired with are known before the chunk, and
/// short enough that they are still in the ring.
const SHORTEST: usize = CHUNK;
const LONGEST: usize = RING - 6 * CHUNK;

/// Maximum number of witnesses of a rare code.
const MOST: usize = 256;

/// The witnesses are forgotten when the number of segments has grown by this part, as their codes become less frequent.
const FORGET: usize = 8;

/// A chunk of segments, grouped by their codes.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// For each common code within its class, a bit for each segment that has it.
    lanes: Vec<u64>,
    /// The common codes that occur.
    codes: Vec<u16>,
}

impl Chunk {
    #[inline]
    pub(super) fn add(&mut self, lane: usize, common: u16) {
        let index = usize::from(common & !COMMON);
        if index >= self.lanes.len() {
            self.lanes.resize(index + 1, 0);
        }
        if self.lanes[index] == 0 {
            self.codes.push(common);
        }
        self.lanes[index] |= 1 << lane;
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
        self.codes.clear();
    }

    /// Forgets the segments from lane `len` on. `len` is less than the length of a whole chunk.
    pub(super) fn truncate(&mut self, len: usize) {
        self.codes.iter().for_each(|code| self.lanes[usize::from(code & !COMMON)] &= (1 << len) - 1);
    }

    /// The common codes, each with a bit for each segment that has it.
    pub(super) fn commons(&self) -> impl Iterator<Item = (u16, u64)> {
        self.codes.iter().map(|&code| (code, self.lanes[usize::from(code & !COMMON)]))
    }
}

/// Finds pairs whose XOR is a rare nimber.
///
/// A *witness* of a rare code is a common segment that gave the code in a pair with a segment of some common code. For
/// each common code there is a row of bits: whether a move from a segment can leave a segment of this code, with
/// nothing beside it. Shifted by the length of a witness, the row shows from which segments a move leaves a pair of the
/// two, so one shift verifies a rare code for up to 64 segments. Where all known witnesses fail, all pairs are searched,
/// and a pair that is found gives one more witness.
#[derive(Debug)]
pub(super) struct Witnesses<'a> {
    take_set: &'a TakeSet,
    /// The numbers of cards for moves that leave two parts, as bits from the least number on.
    take_bits: u64,
    least_take: usize,
    rows: Vec<[u64; RING / 64]>,
    /// For each row, how many segments of its code were entered.
    entered: Vec<u32>,
    /// The segments from here on have no bits, and their words may have old bits.
    cleared: usize,
    /// For each rare code, its witnesses: the row of the other part, and the length of the witness. Those of the most
    /// frequent codes come first, as they verify the most segments.
    lists: Vec<Vec<(u16, u16)>>,
    /// Number of segments at which the witnesses are forgotten.
    forget_at: usize,
    /// Steps of about a nanosecond.
    pub(super) work: u64,
}

impl<'a> Witnesses<'a> {
    pub(super) fn new(take_set: &'a TakeSet) -> Self {
        let (least_take, _) = take_set.range();
        Self {
            take_set,
            take_bits: take_set.pairs.iter().fold(0, |bits, take| bits | 1 << (take - least_take)),
            least_take,
            rows: Vec::new(),
            entered: Vec::new(),
            cleared: 0,
            lists: Vec::new(),
            forget_at: 0,
            work: 0,
        }
    }

    /// Enters the last segments into the rows.
    pub(super) fn restart(&mut self, codes: &[u16]) {
        let from = codes.len().saturating_sub(RING - 8 * CHUNK);
        self.cleared = from / 64 * 64;
        for (start, codes) in (from..).step_by(CHUNK).zip(codes[from..].chunks(CHUNK)) {
            let mut chunk = Chunk::default();
            let commons = codes.iter().enumerate().filter(|&(_, &code)| code >= COMMON);
            commons.for_each(|(lane, &code)| chunk.add(lane, code));
            self.enter(start, &chunk);
        }
    }

    /// Enters the segments of a chunk, of which the first is `start`.
    pub(super) fn enter(&mut self, start: usize, chunk: &Chunk) {
        let first = start + self.least_take;
        while self.cleared < first + 3 * CHUNK {
            let word = self.cleared % RING / 64;
            self.rows.iter_mut().for_each(|row| row[word] = 0);
            self.work += self.rows.len() as u64;
            self.cleared += 64;
        }
        let (word, shift) = (first / 64, first % 64);
        for (code, lanes) in chunk.commons() {
            let row = usize::from(code & !COMMON);
            if row >= self.rows.len() {
                self.rows.resize(row + 1, [0; RING / 64]);
                self.entered.resize(row + 1, 0);
            }
            self.entered[row] += lanes.count_ones();
            let (few, many) = if lanes.count_ones() < self.take_bits.count_ones() {
                (lanes, self.take_bits)
            } else {
                (self.take_bits, lanes)
            };
            let bits = ones(few).fold(0, |bits, place| bits | u128::from(many) << place);
            let words = [bits << shift, bits >> (64 - shift), bits >> 64 >> (64 - shift)];
            for (place, bits) in (word..).zip(words) {
                self.rows[row][place % (RING / 64)] |= narrow::<u64>(bits & u128::from(u64::MAX));
            }
        }
        if start > self.forget_at {
            self.forget_at = start + start / FORGET;
            self.lists.clear();
        }
    }

    /// Returns the segments of `lanes`, a bit for each segment from `start` on, of which no witness shows that the
    /// rare code is an option.
    pub(super) fn without(&mut self, code: u16, start: usize, mut lanes: u64) -> u64 {
        let Some(list) = self.lists.get(usize::from(code)) else { return lanes };
        for (tested, &(row, witness)) in list.iter().enumerate() {
            if lanes == 0 {
                self.work += tested as u64 * 2;
                return 0;
            }
            let first = start - usize::from(witness);
            let (word, shift) = (first / 64, first % 64);
            let row = &self.rows[usize::from(row)];
            let (low, high) = (row[word % (RING / 64)], row[(word + 1) % (RING / 64)]);
            lanes &= !(low >> shift | high << 1 << (63 - shift));
        }
        self.work += list.len() as u64 * 2;
        lanes
    }

    /// Searches the pairs that a move from a segment of `n` cards leaves for one whose XOR is a rare code, and remembers
    /// it.
    pub(super) fn find(&mut self, codes: &[u16], n: usize, code: u16) -> bool {
        for may_be_witness in [true, false] {
            for take in &self.take_set.pairs {
                let Some(sum) = n.checked_sub(*take) else { break };
                let pairs = self.take_set.pair_count(sum);
                let range = if may_be_witness { SHORTEST.min(pairs)..pairs } else { 0..SHORTEST.min(pairs) };
                let others = &codes[sum + 1 - range.end..=sum - range.start];
                let (found, tested) = search(&codes[range.clone()], others, code);
                self.work += tested as u64 / 4 + 8;
                if let Some(at) = found {
                    let witness = range.start + at;
                    self.remember(witness, codes[sum - witness], code);
                    return true;
                }
            }
        }
        false
    }

    fn remember(&mut self, witness: usize, other: u16, code: u16) {
        if !(SHORTEST..LONGEST).contains(&witness) || other < COMMON {
            return;
        }
        let row = other & !COMMON;
        if usize::from(row) >= self.rows.len() {
            return;
        }
        if usize::from(code) >= self.lists.len() {
            self.lists.resize(usize::from(code) + 1, Vec::new());
        }
        let list = &mut self.lists[usize::from(code)];
        if list.len() < MOST {
            let entered = |row: u16| self.entered[usize::from(row)];
            let at = list.partition_point(|&(other, _)| entered(other) >= entered(row));
            list.insert(at, (row, narrow(witness)));
        }
    }
}

/// The index of the first pair with this XOR, and the number of pairs that were tested. The other parts are in reverse
/// order.
fn search(parts: &[u16], others: &[u16], code: u16) -> (Option<usize>, usize) {
    const BLOCK: usize = 64;
    let mut blocks = parts.chunks(BLOCK).zip(others.rchunks(BLOCK));
    // Without an early return within a block, so that the compiler vectorizes the test.
    #[allow(clippy::needless_bitwise_bool, reason = "`||` would return early")]
    let has_code = |(parts, others): (&[u16], &[u16])| {
        parts.iter().zip(others.iter().rev()).fold(false, |any, (a, b)| any | (a ^ b == code))
    };
    let Some(block) = blocks.position(has_code) else { return (None, parts.len()) };
    let from = block * BLOCK;
    let within = parts[from..].iter().zip(others.iter().rev().skip(from)).position(|(a, b)| a ^ b == code);
    (within.map(|at| from + at), from + BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Octal;

    #[test]
    fn equal_parts_are_no_move_of_grundys_game() {
        let take_set = TakeSet::of_octal(&Octal::GRUNDYS_GAME).unwrap();
        let codes: Vec<u16> = (0..=1000).map(|n| COMMON | n).collect();
        assert!(!Witnesses::new(&take_set).find(&codes, 1001, 0));
    }
}
