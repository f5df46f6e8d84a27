//! The definition, to check a table by.

use std::collections::HashSet;

use zeroxor::games::{Game, Heap};
use zeroxor::{Nimber, mex};

/// A size at which a table is not what the definition says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) n: u64,
    pub(crate) expected: Nimber,
    pub(crate) got: Nimber,
}

/// Compares nimbers of the sizes 0, 1, ... with the mex over every move, as the rules list them.
///
/// Time: the number of all moves of all these sizes.
pub(crate) fn check(game: &dyn Game, nimbers: impl Iterator<Item = u32>) -> Result<(), Mismatch> {
    let mut known: Vec<Nimber> = Vec::new();
    for (n, got) in (0..).zip(nimbers) {
        let heap = Heap::of(n);
        let value = |take| -> Nimber {
            let left = game.follow(heap, take).unwrap_or_default();
            left.iter().map(|(_, heap)| known[heap.size as usize]).sum()
        };
        let (expected, got) = (mex(game.moves(heap).map(value)), Nimber(got.into()));
        if got != expected {
            return Err(Mismatch { n, expected, got });
        }
        known.push(expected);
    }
    Ok(())
}

/// The first of these heaps, each with whether it loses, where that is not what its followers, as far as they
/// have come, make of it: it loses where none of them does. Heaps come behind their followers.
pub(crate) fn first_wrong(
    game: &dyn Game,
    heaps: impl Iterator<Item = (Heap, bool)>,
) -> Option<(Heap, bool)> {
    let mut losing = HashSet::new();
    for (heap, loses) in heaps {
        let to_losing = |take| {
            let left = game.follow(heap, take).unwrap_or_default();
            left.iter().all(|(_, heap)| losing.contains(heap))
        };
        if loses == game.moves(heap).any(to_losing) {
            return Some((heap, loses));
        }
        if loses {
            losing.insert(heap);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use zeroxor::{Table, protocol};

    use super::*;

    /// Subtract-a-square: 0, 2 and 5 are P-positions. A wrong outcome either way is found where it is.
    #[test]
    fn the_first_wrong_outcome() {
        let opened = Table::open(&protocol::parse_header(b"square 1").unwrap().parts).unwrap();
        let losing = [true, false, true, false, false, true, false];
        let wrong = |losing: [bool; 7]| first_wrong(&*opened.games()[0], (0..).map(Heap::of).zip(losing));
        assert_eq!(wrong(losing), None);
        for at in 0..7 {
            let mut losing = losing;
            losing[at as usize] ^= true;
            assert_eq!(wrong(losing), Some((Heap::of(at), losing[at as usize])));
        }
    }
}
