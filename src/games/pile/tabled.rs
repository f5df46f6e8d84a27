//! The theory of piles whose moves can be gone through one by one.

use super::{Heap, Take, Takes, Theory, take};
use crate::Nimber;
use crate::games::Stand;

/// The rules of a pile, and a value for each size.
pub(super) struct Tabled<T, V> {
    pub(super) takes: T,
    pub(super) values: V,
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

impl<T: Takes, V: Values> Tabled<T, V> {
    fn counts(&self, n: u64, target: u64) -> u128 {
        self.takes.takes(n).filter(|&take| self.values.value(n - take) == target).count() as u128
    }
}

impl<T: Takes, V: Values> Theory for Tabled<T, V> {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(self.values.value(heap.size))
    }

    fn p_positions(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        self.values.zeros(below)
    }

    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Take> + '_> {
        let takes = self.takes.takes(heap.size);
        Box::new(takes.filter(move |count| self.values.value(heap.size - count) == target.0).map(take))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.counts(heap.size, target.0))
    }

    fn stand(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<Stand> {
        let nimber = self.values.value(heap.size);
        let stands = self.takes.takes(heap.size).map(|count| {
            let left = heap.size - count;
            let xor = nimber ^ self.values.value(left);
            let wins = elsewhere(Nimber(xor)) + self.counts(left, nimber);
            let shortens = heap.size / self.takes.least() - left / self.takes.least();
            Stand { wins, shortens, take: take(count) }
        });
        stands.min()
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
        let least = self.seen.iter().take_while(|&&seen| seen == self.set).count();
        least as u32
    }
}
