//! Values that are no longer kept.

use std::fmt;

use super::pairs::Found;

/// So many values are asked for at a time.
const CHUNK: usize = 1 << 16;

/// Tells values that were found before: a file that they were written to, for instance.
pub trait History {
    /// The values of the heaps of `from` cards and more, as many as there is room for; `false` if they are not known.
    ///
    /// # Errors
    ///
    /// In words, if they cannot be read.
    fn read(&mut self, from: u64, values: &mut [u16]) -> Result<bool, String>;
}

/// No values.
#[derive(Clone, Copy, Debug)]
pub struct NoHistory;

impl History for NoHistory {
    fn read(&mut self, _from: u64, _values: &mut [u16]) -> Result<bool, String> {
        Ok(false)
    }
}

/// Why a stream of values stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The value of this heap depends on values that are not kept, and there is no history of them.
    Unsettled {
        /// How many cards the heap has.
        at: u64,
    },
    /// The nimber of this heap is 2^15 or more.
    TooLarge {
        /// How many cards the heap has.
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

/// Whether a pair of two segments of these sums has a nimber as its XOR, where heaps have so many cards more; `None` if the
/// history does not tell.
pub(super) fn has_pair(
    history: &mut dyn History,
    sums: impl Iterator<Item = usize>,
    shift: usize,
    nimber: u16,
) -> Result<Option<Found>, Stopped> {
    let (mut up, mut down) = (vec![0; CHUNK], vec![0; CHUNK]);
    let mut read = |from: usize, values: &mut [u16]| {
        history.read((from + shift) as u64, values).map_err(Stopped::Unreadable)
    };
    for sum in sums {
        let half = sum / 2 + 1;
        for from in (0..half).step_by(CHUNK) {
            let many = CHUNK.min(half - from);
            let (up, down) = (&mut up[..many], &mut down[..many]);
            if !read(from, up)? || !read(sum + 1 - from - many, down)? {
                return Ok(None);
            }
            if super::pairs::has(up, down, nimber) {
                return Ok(Some(Found::Yes));
            }
        }
    }
    Ok(Some(Found::No))
}

/// The values of the first segments; `None` if the history does not tell.
pub(super) fn all(history: &mut dyn History, many: usize, shift: usize) -> Result<Option<Vec<u16>>, Stopped> {
    let mut values = vec![0; many];
    for (chunk, from) in values.chunks_mut(CHUNK).zip((0..).step_by(CHUNK)) {
        if !history.read((from + shift) as u64, chunk).map_err(Stopped::Unreadable)? {
            return Ok(None);
        }
    }
    Ok(Some(values))
}
