//! The Grundy values of piles: the types that the engines share, and the engine for nim.

pub use subtract::subtraction_period;

use super::generic::{LongestPlay, fewest_replies};
use super::nimber::Mex;
use super::{Cost, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::{Heap, HeapMove, Nim, Pile, Rules, Takes, take};

mod divisor;
mod sequence;
mod sieve;
mod subtract;

/// A pile is its own nimber (C. L. Bouton 1901, "Nim, a game with a complete mathematical theory").
impl Engine for Pile<Nim> {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        compared_sizes(heap.size).count() as u128
    }

    fn table(&self, _largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
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

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(u128::from(target.0 < heap.size))
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let moves = compared_sizes(heap.size).map(|left| (take(heap.size - left), [Heap::of(left)]));
        fewest_replies(self, heap, moves, |pile| pile.size, elsewhere)
    }
}

/// Returns the sizes of followers that are compared in a lost position. For a small pile, these are all sizes. For a
/// large pile, the number of winning replies depends only on the highest bit of the XOR after the move, so only the
/// greatest size for each highest bit is compared.
fn compared_sizes(n: u64) -> impl Iterator<Item = u64> {
    const SMALL: u64 = 4096;
    let all = 0..if n <= SMALL { n } else { 0 };
    let bits = (0..u64::BITS).map(|bit| 1_u64 << bit).filter(move |bit| n & bit != 0 && n > SMALL);
    all.chain(bits.map(move |bit| (n & !(2 * bit - 1)) | (bit - 1)))
}

/// The table of a pile game: the rules, which list the moves, and a value for each size.
pub(super) struct Tabulated<T, V> {
    rules: Pile<T>,
    values: V,
    /// The longest play of each size; if `None`, [`Rules::max_plies`] is used.
    pub(super) longest: Option<LongestPlay>,
}

/// A value for each size: the nimber, or 0 or 1 for the outcome.
pub(super) trait Values: Send + Sync {
    fn value(&self, n: u64) -> u64;

    /// Returns the sizes less than `below` whose value is 0, in ascending order.
    fn zeros(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new((0..below).filter(|&n| self.value(n) == 0))
    }
}

impl<F: Fn(u64) -> u64 + Send + Sync> Values for F {
    fn value(&self, n: u64) -> u64 {
        self(n)
    }
}

impl<T: Takes + Clone, V: Values> Tabulated<T, V> {
    pub(super) fn new(rules: &Pile<T>, values: V) -> Self {
        Self { rules: rules.clone(), values, longest: None }
    }
}

impl<T: Takes + Clone + PartialEq + 'static, V: Values> GrundyTable for Tabulated<T, V> {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(self.values.value(heap.size))
    }

    fn p_positions(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        self.values.zeros(below)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let leads = move |count: &u64| self.values.value(heap.size - count) == target.0;
        Box::new(self.rules.0.takes(heap.size).map(move |count| Some(count).filter(leads).map(take)))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        self.rules.0.scan_cost(heap.size)
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        let leads = |take: &u64| self.values.value(heap.size - take) == target.0;
        Some(self.rules.0.takes(heap.size).filter(leads).count() as u128)
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let exact = self.longest.as_ref().map(|longest| longest.within(&self.rules, heap.size));
        let plies = |pile| exact.as_ref().map_or_else(|| self.rules.max_plies(pile), |exact| exact(pile));
        let moves = self.rules.0.takes(heap.size).map(|count| (take(count), [Heap::of(heap.size - count)]));
        fewest_replies(self, heap, moves, plies, elsewhere)
    }
}

/// Number of bytes of memory for each pile of [`subtraction_values`].
const BYTES_PER_PILE: u128 = 2 * size_of::<u32>() as u128;

/// Returns the Grundy values of the piles of 0 to `n` stones. A move takes one of the numbers in `takes`, which are in
/// ascending order. Time: a step for each move of each pile.
fn subtraction_values(takes: &[u64], n: u64) -> Vec<u32> {
    let takes: Vec<usize> = takes.iter().map(|&take| narrow(take)).collect();
    let (mut values, mut mex): (Vec<u32>, _) = (Vec::new(), Mex::default());
    for pile in 0..=narrow(n) {
        mex.clear();
        for take in takes.iter().take_while(|&&take| take <= pile) {
            mex.see(values[pile - take]);
        }
        values.push(mex.least());
    }
    values
}
