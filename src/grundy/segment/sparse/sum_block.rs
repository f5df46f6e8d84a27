//! Entering the pairs of many sums at once, before their turn comes.

use std::ops::Range;
use std::sync::Mutex;
use std::thread;

use super::split::COMMON;

/// The sums of a group: a code and eight neighbours make eight XORs, one for each sum.
const GROUP: usize = 8;

/// Number of groups that are entered together if the work is worth a second thread; otherwise one is.
const MANY_GROUPS: usize = 8;

/// More pairs are worth a second thread: about a tenth of a millisecond. Any are in tests.
const WORTH_THREADS: usize = if cfg!(test) { 1 << 12 } else { 1 << 19 };

/// The columns of a group are an odd number of cache lines apart, so that the same codes of different columns
/// do not compete for the same places in the cache.
const STRIDE: usize = (1 << 16) + 9 * 64;

/// A byte for each sum of a group and each code. It has room for all codes, so that no index into it needs a
/// check; only the pages in use are ever touched.
type Columns = [u8; (GROUP - 1) * STRIDE + (1 << 16)];

const SEEN: u8 = u8::MAX;

/// Segments whose pairs with all others are entered: those below a length, and some others.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// All segments shorter than this.
    pub(super) below: usize,
    /// The lengths of others, in ascending order.
    pub(super) others: &'a [u32],
    /// Their codes.
    pub(super) codes: &'a [u16],
}

/// The XORs of pairs, by sums, for a block of consecutive sums.
///
/// Where the longer part of a pair is not known when the block begins, the pair is entered at its sum's turn;
/// its shorter part is shorter than the block. The others of such a part, and all pairs of longer ones, are
/// entered at once: the latter each segment with eight neighbours, as they lie in memory, which takes half
/// the time it takes one by one. What is entered long before it is read costs less, too.
pub(super) struct SumBlock {
    groups: Vec<Box<Columns>>,
    first: usize,
    /// How many sums.
    len: usize,
    /// How many segments were known when it began.
    known: usize,
    threads: usize,
}

impl SumBlock {
    /// An empty block for `threads` threads.
    pub(super) fn new(threads: usize) -> Self {
        Self { groups: Vec::new(), first: 0, len: 0, known: 0, threads }
    }

    /// Drops all that was entered, for `width` codes of either half.
    pub(super) fn clear(&mut self, width: usize) {
        for column in self.groups.iter_mut().flat_map(|columns| columns.chunks_mut(STRIDE)) {
            column[..width].fill(0);
            column[usize::from(COMMON)..][..width].fill(0);
        }
        (self.first, self.len) = (0, 0);
    }

    /// How many sums the block has.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether a sum lies after the block.
    pub(super) fn is_over(&self, sum: usize) -> bool {
        sum >= self.first + self.len
    }

    /// Begins a block with a sum. All columns must have been cleared.
    pub(super) fn begin(&mut self, sum: usize, codes: &[u16], places: Places<'_>) {
        let pairs = places.below.min(sum / 2) + places.others.len();
        let worth_threads = self.threads > 1 && pairs * GROUP * MANY_GROUPS > WORTH_THREADS;
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
                // A thread that cannot be had is not missed: the others do its share.
                let _ = thread::Builder::new().spawn_scoped(scope, task);
            }
            task();
        });
    }

    /// The XORs of a sum in the block, a byte for each code, not 0 if it was seen: of all pairs with a
    /// segment of these places, and with one shorter than the block.
    pub(super) fn column(&mut self, sum: usize, codes: &[u16]) -> &mut [u8] {
        self.enter_near(sum, 0..self.unknown(sum).min(self.len), codes)
    }

    /// In how many pairs of a sum the longer part was not known when the block began.
    fn unknown(&self, sum: usize) -> usize {
        (sum + 1).saturating_sub(self.known)
    }

    /// Enters the pairs of a sum whose shorter parts these are, as far as there are such, into its column.
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

/// Enters the pairs of a group of sums without a part shorter than `near`, which is a group at least.
fn enter_group(columns: &mut Columns, first: usize, near: usize, codes: &[u16], places: Places<'_>) {
    // Half of them, for the others are the same pairs.
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
        // They are missing only where the other part is shorter than a group.
        if let Some(neighbours) = codes[first - place as usize..].first_chunk::<GROUP>() {
            enter_neighbours(columns, code, neighbours);
        }
    }
}

/// Enters the pairs of a code with eight neighbours, which make the sums of a group.
#[inline]
fn enter_neighbours(columns: &mut Columns, code: u16, neighbours: &[u16]) {
    let (halves, _) = neighbours.as_chunks::<4>();
    for (at, half) in (0..).step_by(4).zip(halves) {
        // Four at a time, by the 64 bits they lie in.
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
