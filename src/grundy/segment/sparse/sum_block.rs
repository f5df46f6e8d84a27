//! The pairs of many sums, entered together in advance. The module [`sparse`](super) explains the terms.

use std::ops::Range;
use std::sync::Mutex;
use std::thread;

use super::split::COMMON;

/// Number of sums in a group. The pairs of a segment with eight neighbouring segments have eight consecutive sums.
const GROUP: usize = 8;

/// Number of groups that are entered together by several threads; one thread enters one group.
const MANY_GROUPS: usize = 8;

/// Number of pairs above which several threads are used: about a tenth of a millisecond. Small in tests.
const MIN_PAIRS_FOR_THREADS: usize = if cfg!(test) { 1 << 12 } else { 1 << 19 };

/// Distance in bytes between the columns of a group: an odd number of cache lines, so that equal codes of different
/// columns use different cache sets.
const STRIDE: usize = (1 << 16) + 9 * 64;

/// A column for each sum of a group, with one byte for each code. A column has room for all 16-bit codes, so that no
/// index needs a check. Memory pages without used codes are never touched.
type Columns = [u8; (GROUP - 1) * STRIDE + (1 << 16)];

const SEEN: u8 = u8::MAX;

/// The segments whose pairs with all other segments are entered.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// All segments shorter than this.
    pub(super) below: usize,
    /// Other segments, in ascending order of their lengths.
    pub(super) others: &'a [u32],
    /// The codes of `others`.
    pub(super) codes: &'a [u16],
}

/// The XORs of pairs at each sum of a block of consecutive sums. Only those pairs are entered that have a segment of
/// [`Places`], or a part with fewer cards than the block has sums.
///
/// A pair is entered when the block begins, if the code of its longer part is known then. Otherwise it is entered when
/// its sum is read; its shorter part has then fewer cards than the block has sums. Longer segments are entered in pairs
/// with eight neighbouring segments at once, which takes half the time of single pairs.
pub(super) struct SumBlock {
    groups: Vec<Box<Columns>>,
    first: usize,
    /// Number of sums.
    len: usize,
    /// Number of segments whose codes were known when the block began.
    known: usize,
    threads: usize,
}

impl SumBlock {
    /// Returns an empty block for `threads` threads.
    pub(super) fn new(threads: usize) -> Self {
        Self { groups: Vec::new(), first: 0, len: 0, known: 0, threads }
    }

    /// Removes all entered XORs. Without their top bits, all of them must be below `width`.
    pub(super) fn clear(&mut self, width: usize) {
        for column in self.groups.iter_mut().flat_map(|columns| columns.chunks_mut(STRIDE)) {
            column[..width].fill(0);
            column[usize::from(COMMON)..][..width].fill(0);
        }
        (self.first, self.len) = (0, 0);
    }

    /// Returns the number of sums of the block.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns whether `sum` is after the block.
    pub(super) fn is_over(&self, sum: usize) -> bool {
        sum >= self.first + self.len
    }

    /// Begins a block whose first sum is `sum`. All columns must be cleared.
    pub(super) fn begin(&mut self, sum: usize, codes: &[u16], places: Places<'_>) {
        let pairs = places.below.min(sum / 2) + places.others.len();
        let worth_threads = self.threads > 1 && pairs * GROUP * MANY_GROUPS > MIN_PAIRS_FOR_THREADS;
        let (groups, threads) = if worth_threads { (MANY_GROUPS, self.threads) } else { (1, 1) };
        let missing = groups.saturating_sub(self.groups.len());
        self.groups.extend((0..missing).map(|_| empty()));
        (self.first, self.len, self.known) = (sum, groups * GROUP, codes.len());
        for sum in sum..sum + self.len {
            self.enter_near(sum, self.unknown(sum)..self.len, codes);
        }
        let near = self.len;
        if threads == 1 {
            enter_group(&mut self.groups[0], sum, near, codes, places);
            return;
        }
        let left = Mutex::new((sum..).step_by(GROUP).zip(&mut self.groups[..groups]));
        let next = || left.lock().ok()?.next();
        let task = || {
            while let Some((first, columns)) = next() {
                enter_group(columns, first, near, codes, places);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // Ignore a thread that does not start: the other threads do its share.
                let _ = thread::Builder::new().spawn_scoped(scope, task);
            }
            task();
        });
    }

    /// Returns the column of `sum`: a byte for each code, which is not 0 if the code is the XOR of a pair of `sum` that
    /// was entered. These are the pairs with a segment of the places of [`begin`](Self::begin), and those with a
    /// segment of fewer cards than the block has sums.
    pub(super) fn column(&mut self, sum: usize, codes: &[u16]) -> &mut [u8] {
        self.enter_near(sum, 0..self.unknown(sum).min(self.len), codes)
    }

    /// Returns the number of pairs of `sum` in which the code of the longer part was not known when the block began.
    fn unknown(&self, sum: usize) -> usize {
        (sum + 1).saturating_sub(self.known)
    }

    /// Enters the pairs of `sum` whose shorter part is one of `parts` into the column of the sum. Returns the column.
    fn enter_near(&mut self, sum: usize, parts: Range<usize>, codes: &[u16]) -> &mut [u8] {
        let k = sum - self.first;
        let column = &mut self.groups[k / GROUP][k % GROUP * STRIDE..][..1 << 16];
        let longer = codes[..sum + 1 - parts.start].iter().rev();
        for (a, b) in codes.iter().take(parts.end).skip(parts.start).zip(longer) {
            column[usize::from(a ^ b)] = SEEN;
        }
        column
    }
}

fn empty() -> Box<Columns> {
    let zeroed = vec![0; size_of::<Columns>()].into_boxed_slice();
    zeroed.try_into().unwrap_or_else(|_| unreachable!("the lengths are equal"))
}

/// Enters the pairs with a segment of `places` at the sums of a group. `first` is the first sum of the group. Pairs
/// with a part shorter than `near`, which is at least [`GROUP`], are left out.
fn enter_group(columns: &mut Columns, first: usize, near: usize, codes: &[u16], places: Places<'_>) {
    // The loop visits only the shorter part of each pair, which finds each pair once.
    let below = places.below.min(first / 2 + GROUP).min(first + 1).min(codes.len());
    if near < below {
        let neighbours = codes[first + 1 - below..first - near + GROUP].windows(GROUP).rev();
        for (&code, neighbours) in codes[near..below].iter().zip(neighbours) {
            enter_neighbours(columns, code, neighbours);
        }
    }
    let until = |len: usize| places.others.partition_point(|&place| (place as usize) < len);
    let others = until(near.max(below).min(first + 1))..until(first + 1);
    for (&place, &code) in places.others[others.clone()].iter().zip(&places.codes[others]) {
        // There are fewer neighbours only if the other part is shorter than `GROUP`.
        if let Some(neighbours) = codes[first - place as usize..].first_chunk::<GROUP>() {
            enter_neighbours(columns, code, neighbours);
        }
    }
}

/// Enters the XORs of a code with the codes of eight neighbouring segments, one XOR for each sum of a group.
#[inline]
fn enter_neighbours(columns: &mut Columns, code: u16, neighbours: &[u16]) {
    let (halves, _) = neighbours.as_chunks::<4>();
    for (at, half) in (0..).step_by(4).zip(halves) {
        // Four XORs at a time, in 64 bits.
        let xors = word(*half) ^ (u64::from(code) * 0x0001_0001_0001_0001);
        columns[at * STRIDE + (xors & 0xffff) as usize] = SEEN;
        columns[(at + 1) * STRIDE + (xors >> 16 & 0xffff) as usize] = SEEN;
        columns[(at + 2) * STRIDE + (xors >> 32 & 0xffff) as usize] = SEEN;
        columns[(at + 3) * STRIDE + (xors >> 48) as usize] = SEEN;
    }
}

fn word(codes: [u16; 4]) -> u64 {
    codes.into_iter().rev().fold(0, |word, code| word << 16 | u64::from(code))
}
