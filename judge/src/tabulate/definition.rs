//! The definition, to check a table by.

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
