//! Games of piles: a move takes a number of stones from one pile, and a pile is a heap of one place.

use std::fmt;

use super::{Followers, Heap, HeapMove, Rules, Shape, Violation, is_equal, sorted};
use crate::compat::Itertools;

mod divisor;
pub(crate) mod factor;
mod nim;
mod square;
mod subtract;

pub(crate) use divisor::Divisor;
pub(crate) use nim::Nim;
pub(crate) use square::Square;
pub(crate) use subtract::Subtract;

/// Which numbers the rules allow to take from a pile.
pub(crate) trait Takes: fmt::Debug + Send + Sync {
    /// The rules in words, sizes left out.
    fn words(&self) -> String;

    /// Whether `take`, at most `n`, may be taken from a pile of `n`.
    fn check(&self, n: u64, take: u64) -> Result<(), Violation>;

    /// All numbers that may be taken from a pile of `n`, in ascending order.
    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_>;

    /// Whether there is one.
    fn has_takes(&self, n: u64) -> bool {
        self.count(n) > 0
    }

    /// How many nanoseconds that may take, where it is more than a microsecond.
    fn has_takes_cost(&self, _n: u64) -> u128 {
        0
    }

    /// How many they are.
    fn count(&self, n: u64) -> u64 {
        self.takes(n).count() as u64
    }

    /// The k-th of them, from 0.
    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        self.takes(n).nth(usize::try_from(k).ok()?)
    }

    /// No move takes less.
    fn least(&self) -> u64;

    /// About how many nanoseconds it takes to go through all that may be taken from a pile and to look up what each
    /// leaves.
    fn scan_cost(&self, n: u64) -> u128 {
        u128::from(self.count(n)) * 5
    }
}

/// A pile under such rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pile<T>(pub(crate) T);

/// The move that takes so many stones.
pub(crate) fn take(count: u64) -> HeapMove {
    HeapMove { offset: 0, count }
}

impl<T: Takes + PartialEq + 'static> Rules for Pile<T> {
    fn words(&self) -> String {
        self.0.words()
    }

    fn shape(&self) -> Shape {
        Shape::Pile
    }

    fn is_same(&self, other: &dyn Rules) -> bool {
        is_equal(self, other)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new(self.0.takes(heap.size).map(take))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let size = heap.size;
        let left = size.checked_sub(mv.count).ok_or(Violation::LargerThanPile { size })?;
        self.0.check(size, mv.count)?;
        Ok(Followers::from_iter([(0, Heap::of(left))]))
    }

    fn move_count(&self, heap: Heap) -> u128 {
        self.0.count(heap.size).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        self.0.nth(heap.size, u64::try_from(n).ok()?).map(take)
    }

    fn has_moves(&self, heap: Heap) -> bool {
        self.0.has_takes(heap.size)
    }

    fn has_moves_cost(&self, heap: Heap) -> u128 {
        self.0.has_takes_cost(heap.size)
    }

    fn max_plies(&self, heap: Heap) -> u64 {
        heap.size / self.0.least()
    }

    fn cancelling_move(&self, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
        let left = match *wanted {
            [] => 0,
            [Heap { size, .. }] => size,
            _ => return None,
        };
        let count = heap.size.checked_sub(left).filter(|&count| count > 0)?;
        self.0.check(heap.size, count).ok().map(|()| take(count))
    }
}

/// The name of a game, and behind it a keyword and a list if there is one.
fn with_list(name: &str, keyword: &str, numbers: impl ExactSizeIterator<Item = u64>) -> String {
    if numbers.len() == 0 { name.to_owned() } else { format!("{name} {keyword} {}", numbers.format(" ")) }
}
