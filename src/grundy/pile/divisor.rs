//! Subtract-a-divisor: the exponent of 2, or a table if there are bans.
//!
//! Without bans g(0) = 0 and g(n) = v2(n) + 1, where v2(n) is the exponent of 2 in n; if only proper divisors may be
//! taken, g(n) = v2(n). Proof by induction: let a move take d from n. If v2(d) < v2(n), then v2(n-d) = v2(d). Each
//! exponent less than v2(n) occurs as a v2(d), so these followers have the values 1 to v2(n). If v2(d) = v2(n) and
//! d = n, the follower has the value 0. If v2(d) = v2(n) and d < n, then v2(n-d) > v2(n), because the difference of
//! two odd numbers is even, so the follower has a value greater than v2(n) + 1. The least missing value is v2(n) + 1.
//!
//! If d = n is not allowed, all values are less by one: the followers with v2(d) < v2(n) have the values 0 to
//! v2(n) - 1, and all others have values greater than v2(n).

use std::mem;

use super::{Cost, Engine, GrundyTable, Heap, Mex, Pile, Tabulated, TooLarge, ValueKind, Values};
use crate::integers::narrow;
use crate::rules::{Divisor, factor};

impl Engine for Pile<Divisor> {
    fn comparison_cost(&self, heap: Heap) -> Option<u128> {
        // Each move needs the divisors of the pile and of a follower. The number of moves is only estimated, because
        // `comparison_cost` is called for every pile.
        let n = heap.size;
        Some(u128::from(factor::estimated_divisors(n)) * 2 * u128::from(factor::cost(n)))
    }

    /// The numbers up to n have about n ln n divisors in total.
    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        if self.0.banned.is_empty() {
            return Cost::default();
        }
        let piles = u128::from(largest.size) + 1;
        let each = 13 + u128::from(self.0.banned.len().ilog2());
        Cost { steps: piles * u128::from(largest.size.max(1).ilog2()) * each, bytes: piles * 12 }
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        if self.0.banned.is_empty() {
            return Ok(Box::new(Tabulated::new(self, self.0.clone())));
        }
        let table = Tabulated::new(self, values(&self.0, narrow(largest.size)));
        // The longest play may contain other takes than the least one, which does not divide every pile.
        Ok(Box::new(table.with_longest_play(largest)))
    }
}

/// The values without bans.
impl Values for Divisor {
    fn value(&self, n: u64) -> u64 {
        if n == 0 { 0 } else { u64::from(n.trailing_zeros()) + u64::from(!self.is_proper) }
    }
}

/// Returns the Grundy values of the piles from 0 to `n`, in about n ln n operations.
fn values(rules: &Divisor, n: usize) -> Vec<u32> {
    let (mut values, mut mex): (Vec<u32>, _) = (vec![0; n + 1], Mex::default());
    // The divisors of each pile are a linked list: its first divisor, and for each divisor the one after it. A divisor
    // is only in the list of its next multiple. The number 0 ends a list.
    let (mut first, mut after) = (vec![0_u32; n + 1], vec![0_u32; n + 1]);
    for pile in 1..=n {
        mex.clear();
        if rules.banned.binary_search(&(pile as u64)).is_err() {
            after[pile] = mem::replace(&mut first[pile], narrow(pile));
        }
        let mut divisor = first[pile] as usize;
        while divisor > 0 {
            if divisor < pile || !rules.is_proper {
                mex.see(values[pile - divisor]);
            }
            let next = after[divisor] as usize;
            if let Some(list) = first.get_mut(pile + divisor) {
                after[divisor] = mem::replace(list, narrow(divisor));
            }
            divisor = next;
        }
        values[pile] = mex.least();
    }
    values
}
