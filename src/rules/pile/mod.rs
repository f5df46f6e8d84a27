//! Games of piles: a move takes a number of stones from one pile, and a pile is a heap of one place.
//!
//! Each game has one file with its rules and its [`GameEntry`](super::GameEntry).

use std::fmt;

use itertools::Itertools;

use super::{Clause, Followers, Heap, HeapMove, Rules, Shape, Violation, is_equal};
pub(crate) use divisor::Divisor;
pub(crate) use sequence::FromSequence;

pub(super) mod divisor;
pub(crate) mod factor;
pub(super) mod prime;
mod sequence;
pub(super) mod square;
pub(crate) mod subtract;

/// The numbers that the rules allow to take from a pile.
pub(crate) trait Takes: fmt::Debug + Send + Sync {
    fn words(&self) -> String;

    /// Checks that `take`, which is at most `n`, may be taken from a pile of `n`.
    fn check(&self, n: u64, take: u64) -> Result<(), Violation>;

    /// Returns the numbers that may be taken from a pile of `n`, in ascending order.
    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_>;

    /// Returns whether any number may be taken from a pile of `n`.
    fn has_takes(&self, n: u64) -> bool {
        self.count(n) > 0
    }

    fn count(&self, n: u64) -> u64 {
        self.takes(n).count() as u64
    }

    /// Returns the number with index `k`, from 0, among the numbers that may be taken from a pile of `n`.
    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        self.takes(n).nth(usize::try_from(k).ok()?)
    }

    /// Returns an upper bound for the number of moves until a pile of `n` has no move.
    fn max_plies(&self, n: u64) -> u64;
}

/// The rules of a pile from which the numbers of `T` may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pile<T>(pub(crate) T);

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

    fn max_plies(&self, heap: Heap) -> u64 {
        self.0.max_plies(heap.size)
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

/// Returns the numbers after `ban`, in ascending order and without duplicates.
fn banned(clauses: &[Clause]) -> Vec<u64> {
    let banned = clauses.iter().filter_map(|clause| match clause {
        Clause::Ban(numbers) => Some(numbers),
        _ => None,
    });
    banned.flatten().copied().sorted().dedup().collect()
}
