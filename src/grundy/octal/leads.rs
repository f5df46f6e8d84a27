//! A code as the sparse-space engine takes it.

use crate::grundy::segment::Leads;
use crate::narrow::narrow;
use crate::spec::OctalCode;

/// A code as the engine takes it, and how many cards more the heaps of the code have.
pub(super) struct CodeLeads {
    pub(super) leads: Leads,
    pub(super) shift: usize,
}

impl CodeLeads {
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
        Some(Self { leads: Leads::new(&pairs, singles, first)?, shift: narrow(shift) })
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
