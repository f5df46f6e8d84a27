//! The values of a code one after the other, and the code as the sparse-space engine takes it.

use crate::grundy::segment::{SparseStream, TakeSet};
use crate::integers::narrow;
use crate::rules::OctalCode;

/// The values of a code one after the other, at least `keep` of which are kept; `None` if a move may leave three heaps
/// or none leaves two, or if no sparse space shows in the first 65,536 values or fewer.
///
/// ```
/// use zeroxor::grundy::octal;
/// use zeroxor::grundy::segment::NoHistory;
///
/// // What is rare in 0.104 changes with every card.
/// let mut stream = octal::stream("0.104".parse().unwrap(), 1 << 16).unwrap();
/// stream.advance(1_000_000, &mut NoHistory).unwrap();
/// assert!(stream.is_by_place());
/// assert_eq!((stream.space().mask, stream.space().rares, stream.space().last), (0b10111, 20, 284));
/// ```
pub fn stream(code: OctalCode, keep: usize) -> Option<SparseStream> {
    let (take_set, before) = take_set(code)?;
    SparseStream::of(&take_set.take_set, before, keep)
}

/// Continues from the [saved](SparseStream::save) state of a code; `None` if these bytes are no state.
#[cfg(feature = "analysis")]
pub fn restore_stream(code: OctalCode, state: &[u8]) -> Option<SparseStream> {
    let (take_set, before) = take_set(code)?;
    SparseStream::restore(take_set.take_set, before, state)
}

/// The code as the engine takes it, and the values of the heaps before its first segment.
fn take_set(code: OctalCode) -> Option<(CodeTakeSet, Vec<u16>)> {
    let take_set = CodeTakeSet::of(code)?;
    let mut before = first_values(code, code.longest_take());
    before.truncate(take_set.shift);
    Some((take_set, before))
}

/// A code as the engine takes it, and how many cards more the heaps of the code have.
pub(super) struct CodeTakeSet {
    pub(super) take_set: TakeSet,
    pub(super) shift: usize,
}

impl CodeTakeSet {
    /// `None` if no move leaves two heaps, or one leaves three.
    ///
    /// Where each move that may leave two heaps may also leave one, the parts of a pair may have the length 0, and the
    /// heaps are taken as they are. Otherwise a heap of n + 1 cards is a segment of n: two heaps of at least one card, from
    /// which k are taken, are two segments of any length, from which k + 1 are taken.
    pub(super) fn of(code: OctalCode) -> Option<Self> {
        let longest = code.longest_take();
        let takes = |heaps| (0..=longest).filter(move |&take| code.allows(take, heaps));
        if takes(3).next().is_some() {
            return None;
        }
        let shift = u64::from(takes(2).any(|take| !code.allows(take, 1)));
        let pairs: Vec<usize> = takes(2).map(|take| narrow(take + shift)).collect();
        let singles = takes(1).filter(|&take| shift == 1 || !code.allows(take, 2)).map(narrow).collect();
        let first = first_values(code, longest + 1).split_off(narrow(shift));
        Some(Self { take_set: TakeSet::new(&pairs, singles, first)?, shift: narrow(shift) })
    }
}

/// The values of the heaps of 0 to `n` cards by the definition, for some dozens of them: of a code whose moves leave two
/// heaps at most.
pub(super) fn first_values(code: OctalCode, n: u64) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    for size in 0..=n {
        let mut options = vec![];
        for take in 0..=size.min(code.longest_take()) {
            let left: usize = narrow(size - take);
            if left == 0 && code.allows(take, 0) {
                options.push(0);
            }
            if left > 0 && code.allows(take, 1) {
                options.push(values[left]);
            }
            if code.allows(take, 2) {
                options.extend((1..left).map(|a| values[a] ^ values[left - a]));
            }
        }
        values.push((0..u16::MAX).find(|value| !options.contains(value)).unwrap_or(0));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kayles, and Daisies, from Winning Ways.
    #[test]
    fn first_values_of_known_games() {
        let values = |code: &str, n| first_values(code.parse().unwrap(), n);
        assert_eq!(values("0.77", 9), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
        assert_eq!(values("0.137", 9), [0, 1, 1, 2, 0, 3, 1, 1, 0, 3]);
    }
}
