//! The values of piles whose moves can be listed one by one.

use super::{DelayMove, GrundyTable, Heap, HeapMove, Nimber, Pile, Takes, take};
use crate::grundy::generic::LongestPlay;
use crate::integers::narrow;
use crate::rules::Rules;

/// The rules of a pile, and a value for each size.
pub(super) struct Tabulated<T, V> {
    rules: Pile<T>,
    values: V,
    /// Only if the longest play is not always that of the least takes.
    pub(super) longest: Option<LongestPlay>,
}

/// A value for each size: its nimber, or only whether that is 0.
pub(super) trait Values: Send + Sync {
    fn value(&self, n: u64) -> u64;

    /// The sizes below another whose value is 0, in ascending order.
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

    fn counts(&self, n: u64, target: u64) -> u128 {
        self.rules.0.takes(n).filter(|&take| self.values.value(n - take) == target).count() as u128
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
        Some(self.counts(heap.size, target.0))
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let nimber = self.values.value(heap.size);
        let exact = self.longest.as_ref().map(|longest| longest.within(&self.rules, heap.size));
        let plies =
            |size| exact.as_ref().map_or_else(|| self.rules.max_plies(Heap::of(size)), |exact| exact(size));
        let moves = self.rules.0.takes(heap.size).map(|count| {
            let left = heap.size - count;
            let xor = nimber ^ self.values.value(left);
            let winning_replies = elsewhere(Nimber(xor)) + self.counts(left, nimber);
            let shortens = plies(heap.size) - plies(left);
            DelayMove { winning_replies, shortens, mv: take(count) }
        });
        moves.min()
    }
}

/// The mex of one set of values after another, in one step for each.
#[derive(Default)]
pub(super) struct Mex {
    /// By value, the number of the set in which it was last seen.
    seen: Vec<u32>,
    set: u32,
}

impl Mex {
    /// Starts the next set, the first included. There may be 2^32 - 1 of them.
    pub(super) fn clear(&mut self) {
        self.set += 1;
    }

    /// Enters a value.
    pub(super) fn see(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.seen.len() {
            self.seen.resize(value + 1, 0);
        }
        self.seen[value] = self.set;
    }

    /// The least value that has not been entered.
    pub(super) fn least(&self) -> u32 {
        narrow(self.seen.iter().take_while(|&&seen| seen == self.set).count())
    }
}
