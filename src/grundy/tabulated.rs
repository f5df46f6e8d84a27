//! Tables that try the moves of a heap one by one, and the engine for any rules, by the definition of Grundy values.

use std::sync::{Arc, OnceLock};

use super::nimber::Mex;
use super::{Cost, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::{Heap, HeapMove, Octal, Pile, Rules, Takes, heaps_left};
use smallvec::SmallVec;

/// Rules whose tables try the moves of a heap one by one.
pub(super) trait TriedRules: Clone + Send + Sync {
    type Left: AsRef<[Heap]>;

    fn rules(&self) -> &dyn Rules;

    /// Returns the moves of a heap in order, each with the heaps that it leaves. Some of these may be empty. The type of
    /// the iterator is known to the compiler, which makes the loops over it several times as fast as those over
    /// [`Rules::moves`].
    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_;
}

impl<T: Takes + Clone + PartialEq + 'static> TriedRules for Pile<T> {
    type Left = [Heap; 1];

    fn rules(&self) -> &dyn Rules {
        self
    }

    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_ {
        self.moves(heap).map(move |mv| (mv, [Heap::of(heap.size - mv.count)]))
    }
}

impl TriedRules for Octal {
    type Left = [Heap; 3];

    fn rules(&self) -> &dyn Rules {
        self
    }

    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_ {
        self.listed(heap).map(move |mv| (mv, heaps_left(heap, mv).map(Heap::of)))
    }
}

impl TriedRules for Arc<dyn Rules> {
    type Left = SmallVec<[Heap; 2]>;

    fn rules(&self) -> &dyn Rules {
        self.as_ref()
    }

    fn tried(&self, heap: Heap) -> impl Iterator<Item = (HeapMove, Self::Left)> + '_ {
        self.moves(heap).map(move |mv| {
            let left = self.apply(heap, mv).unwrap_or_default();
            (mv, left.iter().map(|&(_, left)| left).collect())
        })
    }
}

/// Number of steps to make a move and look up the values of its followers.
const STEPS_PER_MOVE: u128 = 200;

/// Number of sizes above which a table costs too much in any case.
const MAX_COUNTED: u128 = 10_000_000;

impl Engine for Arc<dyn Rules> {
    /// A heap is assumed to have at most as many moves for each card as the largest one.
    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        let sizes = u128::from(largest.size) + 1;
        // The moves of a very large heap are not counted one by one.
        let moves = if sizes > MAX_COUNTED { u128::MAX } else { self.move_count(largest).max(1) };
        Cost::of_values(sizes.saturating_mul(moves).saturating_mul(STEPS_PER_MOVE), largest.size)
    }

    /// Computes each value as the mex over all moves (R. P. Sprague 1935, "Über mathematische Kampfspiele"; P. M. Grundy
    /// 1939, "Mathematics and games").
    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let (mut values, mut mex): (Vec<u32>, _) = (Vec::new(), Mex::default());
        for heap in (0..=largest.size).map(Heap::of) {
            mex.clear();
            for (_, left) in self.tried(heap) {
                mex.see(left.iter().fold(0, |xor, left| xor ^ values[narrow::<usize>(left.size)]));
            }
            values.push(mex.least());
        }
        Ok(Box::new(Tabulated::new(self, values).with_longest_play(largest)))
    }
}

/// A value for each size: the nimber, or 0 or 1 for the outcome. The value of an empty heap is 0.
pub(super) trait Values: Send + Sync {
    fn value(&self, n: u64) -> u64;
}

impl Values for Vec<u32> {
    fn value(&self, n: u64) -> u64 {
        self[narrow::<usize>(n)].into()
    }
}

/// The values of heaps whose moves are tried one by one.
pub(super) struct Tabulated<R, V> {
    rules: R,
    values: V,
    /// The largest heap whose longest play may be needed exactly.
    largest_exact: u64,
    /// The longest plays of small heaps by size, computed on first use. Those of larger heaps are estimated.
    longest_plays: OnceLock<Vec<u64>>,
}

impl<R: TriedRules, V: Values> Tabulated<R, V> {
    /// A table in which the longest play of a heap is only estimated.
    pub(super) fn new(rules: &R, values: V) -> Self {
        Self { rules: rules.clone(), values, largest_exact: 0, longest_plays: OnceLock::new() }
    }

    /// Computes the longest play of heaps up to `largest` exactly, as far as that is fast.
    pub(super) fn with_longest_play(self, largest: Heap) -> Self {
        Self { largest_exact: largest.size, ..self }
    }

    fn nimber_of(&self, left: &R::Left) -> Nimber {
        left.as_ref().iter().map(|&left| self.nimber(left)).sum()
    }
}

impl<R: TriedRules, V: Values> GrundyTable for Tabulated<R, V> {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(self.values.value(heap.size))
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let tried = self.rules.tried(heap);
        Box::new(tried.map(move |(mv, left)| (self.nimber_of(&left) == target).then_some(mv)))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        self.rules.rules().move_count(heap).saturating_mul(10)
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.rules.tried(heap).filter(|(_, left)| self.nimber_of(left) == target).count() as u128)
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let rules = self.rules.rules();
        let exact = self.longest_plays.get_or_init(|| longest_plays(rules, self.largest_exact));
        // All numbers are exact, or all are estimates.
        let is_exact = heap.size < exact.len() as u64;
        let plies =
            |heap: Heap| if is_exact { exact[narrow::<usize>(heap.size)] } else { rules.max_plies(heap) };
        fewest_replies(self, heap, self.rules.tried(heap), plies, elsewhere)
    }
}

/// Returns the best delaying move of `heap`, see [`GrundyTable::best_delaying_move`]. `moves` has all moves with their
/// followers. `plies` returns the longest play of a heap.
pub(super) fn fewest_replies<F: AsRef<[Heap]>>(
    table: &impl GrundyTable,
    heap: Heap,
    moves: impl Iterator<Item = (HeapMove, F)>,
    plies: impl Fn(Heap) -> u64,
    elsewhere: &mut dyn FnMut(Nimber) -> u128,
) -> Option<DelayMove> {
    let (before, plies_before) = (table.nimber(heap), plies(heap));
    let compared = moves.map(|(mv, followers)| {
        let followers = followers.as_ref();
        let nimbers: SmallVec<[Nimber; 3]> = followers.iter().map(|&left| table.nimber(left)).collect();
        let after: Nimber = nimbers.iter().copied().sum();
        // A reply in a follower wins if all followers then XOR to the nimber of `heap`.
        let replies = |(&left, &nimber)| table.count_to(left, before ^ after ^ nimber).unwrap_or(0);
        let here = followers.iter().zip(&nimbers).map(replies);
        let plies_after: u64 = followers.iter().map(|&left| plies(left)).sum();
        DelayMove {
            winning_replies: elsewhere(before ^ after) + here.sum::<u128>(),
            shortens: plies_before.saturating_sub(plies_after),
            mv,
        }
    });
    compared.min()
}

/// Returns the number of plies in the longest play of each size: one more than the longest play that a move leaves.
/// Stops before more than `MAX_MOVES` moves are tried.
fn longest_plays(rules: &dyn Rules, largest: u64) -> Vec<u64> {
    /// About a hundredth of a second.
    const MAX_MOVES: u128 = 1 << 17;
    let mut longest: Vec<u64> = Vec::new();
    let mut moves = 0_u128;
    for heap in (0..=largest).map(Heap::of) {
        moves = moves.saturating_add(rules.move_count(heap));
        if moves > MAX_MOVES {
            break;
        }
        let plies = rules.moves(heap).map(|mv| {
            let followers = rules.apply(heap, mv).unwrap_or_default();
            followers.iter().map(|&(_, left)| longest[narrow::<usize>(left.size)]).sum::<u64>() + 1
        });
        longest.push(plies.max().unwrap_or(0));
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::GameSpec;

    /// Checks three of the sizes up to which docs/games.md states that the longest play is exact.
    #[test]
    fn sizes_with_an_exact_longest_play() {
        let all_digits = format!("octal 0.{} 1", "7".repeat(63) + "5");
        let games = [(&*all_digits, 60), ("octal 0.05 1", 500), ("divisor 1 ban 1", 10_000)];
        for (game, size) in games {
            let (rules, _) = game.parse::<GameSpec>().unwrap().rules().unwrap();
            let exact = longest_plays(rules.as_ref(), 1_000_000).len();
            assert!(exact as u64 > size && exact < 50_000, "{game}: {exact}");
        }
    }
}
