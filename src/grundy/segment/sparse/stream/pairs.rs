//! Searching the pairs of a sum, among the kept codes or in a history. The module [`sparse`](super::super) explains the
//! terms.

use std::fmt;
use std::ops::Range;

use super::codes::Codes;

/// Number of pairs that are compared together.
const CHUNK: usize = 256;

/// The result of searching the pairs of a sum for an XOR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Yes,
    No,
    /// No pair was found, but the codes of some pairs are not kept.
    Unknown,
}

/// Returns the first of `places` that forms a pair of `sum` with the XOR `code`, as far as the codes are kept.
pub(super) fn place(codes: &Codes, sum: usize, code: u16, places: Range<usize>) -> Option<usize> {
    let (first, base, last) = (codes.first(), codes.base(), codes.last());
    let (from, end) = (places.start, places.end.min(first.len()).min((sum + 1).checked_sub(base)?));
    let up = first.get(from..end)?;
    Some(from + position(up, &last[sum + 1 - end - base..sum + 1 - from - base], code)?)
}

/// Searches the pairs of `sum` for the XOR `code`.
pub(super) fn find(codes: &Codes, sum: usize, code: u16) -> Found {
    let (first, base, last) = (codes.first(), codes.base(), codes.last());
    let half = sum / 2 + 1;
    let len = half.min(first.len()).min(sum - base + 1);
    let (up, down) = (&first[..len], &last[sum - base + 1 - len..=sum - base]);
    if has(up, down, code) {
        return Found::Yes;
    }
    // Next, pairs of two of the last codes.
    let from = base.max(len);
    if from < half
        && has(&last[from - base..half - base], &last[sum + 1 - half - base..=sum - from - base], code)
    {
        return Found::Yes;
    }
    if from <= len || len == half { Found::No } else { Found::Unknown }
}

/// Returns whether `code` is the XOR of a value of `up` and its partner in `down`: the value at index i from the start
/// of `up` and the value at index i from the end of `down` are partners.
pub(super) fn has(up: &[u16], down: &[u16], code: u16) -> bool {
    position(up, down, code).is_some()
}

/// Returns the first index in `up` whose value has the XOR `code` with its partner in `down`, see [`has`].
fn position(up: &[u16], down: &[u16], code: u16) -> Option<usize> {
    // No early return within a chunk, so that the compiler vectorizes it.
    let is_in = |(up, down): (&[u16], &[u16])| {
        let mut any = false;
        for (a, b) in up.iter().zip(down.iter().rev()) {
            any |= a ^ b == code;
        }
        any
    };
    let from = up.chunks(CHUNK).zip(down.rchunks(CHUNK)).position(is_in)? * CHUNK;
    let within =
        up[from..].iter().zip(down[..down.len() - from].iter().rev()).position(|(a, b)| a ^ b == code)?;
    Some(from + within)
}

/// Number of values that are read from a history at a time.
const READ_CHUNK: usize = 1 << 16;

/// A source of all earlier values, for instance a file.
pub trait History {
    /// Fills `values` with the values of the heaps of `from`, `from + 1`, ... cards. Returns `false` if they are not
    /// known.
    ///
    /// # Errors
    ///
    /// If the values cannot be read. The error is the reason.
    fn read(&mut self, from: u64, values: &mut [u16]) -> Result<bool, String>;
}

/// A history without values.
#[derive(Clone, Copy, Debug)]
pub struct NoHistory;

impl History for NoHistory {
    fn read(&mut self, _from: u64, _values: &mut [u16]) -> Result<bool, String> {
        Ok(false)
    }
}

/// The reason why a stream cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The value of a heap depends on values that are not kept, and the history does not have them.
    Unsettled {
        /// The number of cards of the heap.
        at: u64,
    },
    /// The nimber of a heap is 2^15 or more.
    TooLarge {
        /// The number of cards of the heap.
        at: u64,
    },
    /// The history could not be read, for this reason.
    Unreadable(String),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsettled { at } => {
                write!(f, "the value at n = {at} depends on values that are no longer in memory")
            }
            Self::TooLarge { at } => write!(f, "the nimber at n = {at} is 2^15 or more"),
            Self::Unreadable(error) => write!(f, "the history cannot be read: {error}"),
        }
    }
}

impl std::error::Error for Stopped {}

/// Returns whether a pair of one of `sums` has the XOR `nimber`; `None` if the history does not have the values. A heap
/// has `shift` more cards than its segment.
pub(super) fn has_pair(
    history: &mut dyn History,
    sums: impl Iterator<Item = usize>,
    shift: usize,
    nimber: u16,
) -> Result<Option<Found>, Stopped> {
    let (mut up, mut down) = (vec![0; READ_CHUNK], vec![0; READ_CHUNK]);
    let mut read = |from: usize, values: &mut [u16]| {
        history.read((from + shift) as u64, values).map_err(Stopped::Unreadable)
    };
    for sum in sums {
        let half = sum / 2 + 1;
        for from in (0..half).step_by(READ_CHUNK) {
            let many = READ_CHUNK.min(half - from);
            let (up, down) = (&mut up[..many], &mut down[..many]);
            if !read(from, up)? || !read(sum + 1 - from - many, down)? {
                return Ok(None);
            }
            if has(up, down, nimber) {
                return Ok(Some(Found::Yes));
            }
        }
    }
    Ok(Some(Found::No))
}

/// Returns the values of the first `many` segments; `None` if the history does not have them.
pub(super) fn all(history: &mut dyn History, many: usize, shift: usize) -> Result<Option<Vec<u16>>, Stopped> {
    let mut values = vec![0; many];
    for (chunk, from) in values.chunks_mut(READ_CHUNK).zip((0..).step_by(READ_CHUNK)) {
        if !history.read((from + shift) as u64, chunk).map_err(Stopped::Unreadable)? {
            return Ok(None);
        }
    }
    Ok(Some(values))
}
