//! The Number Game: for A >= B the nimber of a pair is floor(A/B - B/A) (G. Nivasch 2006, "The Sprague-Grundy function
//! of the game Euclid"), so the player to move wins exactly when A > phi B, where phi is the golden ratio.

use super::generic::fewest_replies;
use super::{DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::rules::{Euclid, Heap, HeapMove, Rules, ordered};

mod count;

pub use count::winning_pairs;

impl Engine for Euclid {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        compared(Self::max_times(heap)).count() as u128
    }

    fn table(&self, _largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        Ok(Box::new(PairTable))
    }
}

struct PairTable;

/// Returns floor(A/B - B/A) for A >= B. With A = qB + r this is q, or q - 1 if r/B < B/A, that is, if rA < B^2.
fn nimber(heap: Heap) -> Nimber {
    let (large, small, _) = ordered(heap);
    let [left, square] = [(large % small, large), (small, small)].map(|(a, b)| u128::from(a) * u128::from(b));
    Nimber(large / small - u64::from(left < square))
}

/// Returns each `times` for which the smaller number, subtracted `times` times, leaves a pair with the nimber `target`.
///
/// With A = qB + r, a move leaves jB + r instead of A, for some j < q. For j >= 1 the nimber of the new pair is
/// floor(j + r/B - B/(jB+r)), which is j or j-1. So only j = target, j = target + 1 and j = 0 need to be tested.
fn times_to(heap: Heap, target: Nimber) -> impl Iterator<Item = u64> {
    let (large, small, _) = ordered(heap);
    let most = Euclid::max_times(heap);
    let quotient = large / small;
    let left = [Some(0), Some(target.0).filter(|&left| left > 0), target.0.checked_add(1)];
    left.into_iter().flatten().filter_map(move |left| {
        let times = quotient.checked_sub(left).filter(|times| (1..=most).contains(times))?;
        let rest = large - times * small;
        (nimber(Euclid::with_larger(heap, rest)) == target).then_some(times)
    })
}

impl GrundyTable for PairTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        nimber(heap)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        // The caller measures the time of a search by the number of its items. End with `None`, so that a search
        // without a result also has an item.
        let moves = times_to(heap, target).map(move |times| Some(Euclid::subtract(heap, times)));
        Box::new(moves.chain(std::iter::once(None)))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(times_to(heap, target).count() as u128)
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let (large, ..) = ordered(heap);
        let moves = compared(Euclid::max_times(heap)).map(|times| {
            let mv = Euclid::subtract(heap, times);
            (mv, [Euclid::with_larger(heap, large - mv.count)])
        });
        fewest_replies(self, heap, moves, |pair| Euclid.max_plies(pair), elsewhere)
    }
}

/// Returns the numbers from 1 to `most`; if there are many, only the smallest and the largest. In a lost position, the
/// moves with these numbers are compared.
pub(super) fn compared(most: u64) -> impl Iterator<Item = u64> {
    const TIMES_AT_EACH_END: u64 = 4096;
    (1..=most.min(TIMES_AT_EACH_END))
        .chain(most.saturating_sub(TIMES_AT_EACH_END).max(TIMES_AT_EACH_END) + 1..=most)
}
