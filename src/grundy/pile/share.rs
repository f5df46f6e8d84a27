//! Subtraction of at most a K-th of the pile, rounded down.
//!
//! Let q = floor(n/K). If K divides n, then g(n) = q, else g(n) = g(n-q-1) (AtCoder Regular Contest 091 F, "Strange
//! Nim"; for K = 2 see L. Levine 2006, "Fractal sequences and restricted Nim"). Proof by induction, together with the
//! claim that the q+1 piles from n-q to n have the values 0 to q, each once, which is true for n = 0. If K divides
//! n > 0, then by the claim for n-1 the followers of n, from n-q to n-1, have the values 0 to q-1, so g(n) = q. If K
//! does not divide n, then the piles from n-q-1 to n-1 have the values 0 to q. All of them but n-q-1 are followers of
//! n, so g(n) = g(n-q-1).
//!
//! By the claim, each value up to q except g(n) is left by exactly one move.

use std::iter;

use super::{Engine, Pile, TableRequest, TooLarge, ValueKind, table_of};
use crate::grundy::euclid::compared;
use crate::grundy::{DelayMove, GrundyTable, Nimber};
use crate::integers::narrow;
use crate::rules::{Heap, HeapMove, Share, Takes, take};

/// Largest pile up to which the values of all piles are stored, so that looking one up takes no time.
const MAX_STORED: u64 = 1 << 24;

/// Number of steps to compute and store a value.
const FOR_A_STORED_VALUE: u128 = 4;

/// Number of steps of one pass of the loops of [`ShareTable`], which divide.
const FOR_A_PASS: u128 = 10;

/// A table of larger piles stores nothing. This number of its values is charged in advance: those of some moves.
const CHARGED_VALUES: u128 = 64;

/// The values of the piles from which at most a K-th may be taken.
struct ShareTable {
    rules: Share,
    /// The values of the first piles, or none.
    stored: Vec<u32>,
}

impl Share {
    /// Returns an upper bound for the passes to compute the value of a pile of `n`: while floor(n/K) is at least K, the
    /// pile becomes smaller by one in K, and then each pass decreases floor(n/K).
    fn passes(self, n: u64) -> u128 {
        let (divisor, quotient) = (u128::from(self.divisor), u128::from(n / self.divisor));
        let doublings = (quotient / divisor).checked_ilog2().map_or(0, |log| log + 1);
        // (1 - 1/K)^K is less than a half.
        quotient.min(divisor) + divisor * u128::from(doublings) + 1
    }
}

impl Engine for Pile<Share> {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        let n = heap.size;
        let passes = if n < MAX_STORED { 1 } else { self.0.passes(n) };
        compared(self.0.most(n)).count() as u128 * passes * FOR_A_PASS
    }

    fn least_cost(&self, largest: Heap, _kind: ValueKind) -> [u128; 2] {
        let piles = u128::from(largest.size) + 1;
        if largest.size < MAX_STORED {
            [piles * FOR_A_STORED_VALUE, piles * size_of::<u32>() as u128]
        } else {
            [self.0.passes(largest.size) * FOR_A_PASS * CHARGED_VALUES, 0]
        }
    }

    fn table(&self, request: TableRequest<'_>) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let TableRequest { largest, kind, budget, .. } = request;
        let [steps, bytes] = self.least_cost(largest, kind);
        budget.spend(|| table_of("nimbers", largest.size, &self.0), steps, bytes)?;
        let stored = if largest.size < MAX_STORED { values(self.0, largest.size) } else { Vec::new() };
        Ok(Box::new(ShareTable { rules: self.0, stored }))
    }
}

/// Returns the values of the piles from 0 to `largest`, which is less than [`MAX_STORED`].
fn values(rules: Share, largest: u64) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::with_capacity(narrow::<usize>(largest) + 1);
    for n in 0..=largest {
        let quotient = rules.most(n);
        let is_multiple = n.is_multiple_of(rules.divisor);
        values.push(if is_multiple { narrow(quotient) } else { values[narrow::<usize>(n - quotient - 1)] });
    }
    values
}

impl ShareTable {
    /// Returns the value of a pile. A pass subtracts the same number as often as it is the number to subtract.
    fn value(&self, mut n: u64) -> u64 {
        let divisor = self.rules.divisor;
        loop {
            if let Some(&stored) = usize::try_from(n).ok().and_then(|n| self.stored.get(n)) {
                return stored.into();
            }
            let (quotient, rest) = (n / divisor, n % divisor);
            if quotient == 0 || rest == 0 {
                return quotient;
            }
            // After `times` subtractions the quotient is less, or the rest is 0.
            let times = rest.div_ceil(quotient + 1);
            n -= times * (quotient + 1);
        }
    }

    /// Returns the take that leaves the value `target`, if there is one.
    ///
    /// The least pile of the value v is vK. From a pile m of this value the next one is m + floor(m/(K-1)) + 1: if
    /// n = Kq + r with 0 < r < K, then m = n-q-1 = (K-1)q + r-1, so q = floor(m/(K-1)). A pass adds the same number as
    /// often as it is the number to add.
    fn take_to(&self, n: u64, target: u64) -> Option<u64> {
        let Share { divisor } = self.rules;
        if target > self.rules.most(n) || target == self.value(n) {
            return None;
        }
        let mut left = target * divisor;
        let Some(below) = divisor.checked_sub(1).filter(|&below| below > 0) else { return Some(n - left) };
        loop {
            let quotient = left / below;
            let times = ((quotient + 1) * below - left).div_ceil(quotient + 1);
            let within = (n - 1 - left) / (quotient + 1);
            left += times.min(within) * (quotient + 1);
            if within < times || left == n - 1 {
                break;
            }
        }
        Some(n - left)
    }
}

impl GrundyTable for ShareTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(self.value(heap.size))
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        Box::new(iter::once(self.take_to(heap.size, target.0).map(take)))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        let is_left = target.0 <= self.rules.most(heap.size) && target != self.nimber(heap);
        Some(is_left.into())
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        self.rules.passes(heap.size) * FOR_A_PASS
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let before = self.nimber(heap);
        let moves = compared(self.rules.most(heap.size)).map(|count| {
            let left = Heap::of(heap.size - count);
            let after = self.nimber(left);
            // The value of the pile that is left is another one, so a reply leaves `before` unless it is too large.
            let here = u128::from(before.0 <= self.rules.most(left.size));
            let plies = |heap: Heap| self.rules.max_plies(heap.size);
            DelayMove {
                winning_replies: elsewhere(before ^ after) + here,
                shortens: plies(heap) - plies(left),
                mv: take(count),
            }
        });
        moves.min()
    }
}
