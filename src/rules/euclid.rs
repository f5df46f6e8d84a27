//! The Number Game: a move subtracts a positive multiple of one number of a pair from the other number, which must
//! stay at least 1. If both numbers are equal, there is no move.
//!
//! Sources: Google Code Jam 2010, Round 1A, problem C, and J. W. Grossman's form (1997) of the game of Euclid by
//! A. J. Cole and A. J. T. Davie (1969, "A game based on the Euclidean algorithm and a winning strategy for it").

use std::sync::Arc;

use super::{Followers, GameEntry, GameKind, Heap, HeapMove, MAX_SIZE, Rules, Shape, Violation, is_equal};

pub(super) static ENTRY: GameEntry = GameEntry {
    name: "euclid",
    form: "euclid A B",
    help: "a move subtracts a multiple of one number from the other, which stays at least 1",
    keywords: &[],
    max_heap: MAX_SIZE,
    rules: |_| Some(Arc::new(Euclid)),
    in_sums: "7 5",
    // Games from pairs near the golden ratio are long.
    extremes: "N 1|1 N|N N|N GOLD",
    small: &[(1, 12, "N 1|N 2|N 3|N 4|N 5|N 6|N 7|N 8|N 9|N 10|N 11|N 12")],
    random: |max, random| (Vec::new(), vec![random.number(1..=max), random.number(1..=max)]),
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Euclid;

/// Returns the larger and the smaller number of a pair, and the offset of the larger number.
pub(crate) fn ordered(heap: Heap) -> (u64, u64, u64) {
    if heap.size >= heap.second { (heap.size, heap.second, 0) } else { (heap.second, heap.size, 1) }
}

impl Euclid {
    /// Returns how many times the smaller number can be subtracted.
    pub(crate) fn max_times(heap: Heap) -> u64 {
        let (large, small, _) = ordered(heap);
        (large - 1) / small
    }

    pub(crate) fn subtract(heap: Heap, times: u64) -> HeapMove {
        let (_, small, offset) = ordered(heap);
        HeapMove { offset, count: times * small }
    }

    /// Returns the pair with its larger number replaced by `rest`.
    pub(crate) fn with_larger(heap: Heap, rest: u64) -> Heap {
        let (.., offset) = ordered(heap);
        if offset == 0 { Heap { size: rest, ..heap } } else { Heap { second: rest, ..heap } }
    }
}

impl Rules for Euclid {
    fn words(&self) -> String {
        GameKind::Euclid.name().to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Pair
    }

    fn is_same(&self, other: &dyn Rules) -> bool {
        is_equal(self, other)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new((1..=Self::max_times(heap)).map(move |times| Self::subtract(heap, times)))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let (large, small, offset) = ordered(heap);
        if large == small {
            return Err(Violation::Equal);
        }
        if mv.offset != offset {
            return Err(Violation::SmallerOfPair);
        }
        if !mv.count.is_multiple_of(small) {
            return Err(Violation::NotAMultiple { of: small });
        }
        let rest = large.checked_sub(mv.count).filter(|&rest| rest > 0);
        let rest = rest.ok_or(Violation::WouldReachZero { size: large })?;
        Ok(Followers::from_iter([(0, Self::with_larger(heap, rest))]))
    }

    fn move_count(&self, heap: Heap) -> u128 {
        Self::max_times(heap).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        let times = u64::try_from(n).ok()?.checked_add(1)?;
        (times <= Self::max_times(heap)).then(|| Self::subtract(heap, times))
    }

    fn has_moves(&self, heap: Heap) -> bool {
        heap.size != heap.second
    }

    /// Returns the maximum number of moves: the sum of the partial quotients of A/B, minus 1. The game lasts longest if
    /// each move subtracts the smaller number once.
    fn max_plies(&self, heap: Heap) -> u64 {
        let (mut large, mut small, _) = ordered(heap);
        let mut moves = 0;
        while small > 0 {
            moves += large / small;
            (large, small) = (small, large % small);
        }
        moves - 1
    }

    /// Returns `None`: the values of pairs are cheap to compute, so no search is needed.
    fn cancelling_move(&self, _heap: Heap, _wanted: &[Heap]) -> Option<HeapMove> {
        None
    }
}
