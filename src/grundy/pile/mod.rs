//! The values of piles.

use std::thread;

#[cfg(feature = "analysis")]
pub use subtract::subtraction_period;

use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::rules::{Heap, HeapMove, Nim, Pile, Takes, take};
use crate::words::quoted;

mod divisor;
mod sequence;
#[expect(clippy::cast_possible_truncation, reason = "no pile of the sieve has more than 2^30 stones")]
mod sieve;
mod subtract;
mod tabulated;
mod values;

/// The steps of comparing all moves of a pile, if all moves of each follower are compared.
fn cost_of_all_replies(takes: &impl Takes, n: u64) -> u128 {
    u128::from(takes.count(n)).pow(2)
}

/// A table in the words of a refusal.
fn table_of(what: &str, largest: u64, rules: &impl Takes) -> String {
    format!("a table of the {what} of piles up to {largest} under {}", quoted(rules.words().as_bytes()))
}

/// The threads for a table in blocks: no more than can be kept busy while one of them settles a block alone.
fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(8)
}

/// A pile is its own nimber (C. L. Bouton 1901, "Nim, a game with a complete mathematical theory").
impl Engine for Pile<Nim> {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        lefts(heap.size).count() as u128
    }

    fn table(
        &self,
        _largest: Heap,
        _kind: ValueKind,
        _budget: &mut Budget,
        _progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn GrundyTable>, TooLarge> {
        Ok(Box::new(NimTable))
    }
}

struct NimTable;

impl GrundyTable for NimTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(heap.size)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        Box::new(std::iter::once(heap.size.checked_sub(target.0).filter(|&count| count > 0).map(take)))
    }

    fn count_cost(&self, _heap: Heap) -> u128 {
        1
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(u128::from(target.0 < heap.size))
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let n = heap.size;
        // No reply in this pile wins: it would have to add stones.
        let moves = lefts(n).map(|left| DelayMove {
            winning_replies: elsewhere(Nimber(n ^ left)),
            shortens: n - left,
            mv: take(n - left),
        });
        moves.min()
    }
}

/// What may be left of a pile that is lost, as far as it makes a difference: everything of a small pile. Of a
/// large one, for each highest bit of the XOR the most that can be left: among piles of nim, the replies that
/// win depend on that bit alone.
fn lefts(n: u64) -> impl Iterator<Item = u64> {
    const SMALL: u64 = 4096;
    let all = 0..if n <= SMALL { n } else { 0 };
    let bits = (0..u64::BITS).map(|bit| 1_u64 << bit).filter(move |bit| n & bit != 0 && n > SMALL);
    all.chain(bits.map(move |bit| (n & !(2 * bit - 1)) | (bit - 1)))
}
