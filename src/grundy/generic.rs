//! The engine for any rules, by the definition of Grundy values, and the longest play of a heap.

use std::sync::{Arc, OnceLock};

use super::nimber::Mex;
use super::tabulated::{Tabulated, TriedRules};
use super::{Cost, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::integers::narrow;
use crate::rules::{Heap, HeapMove, Rules};
use smallvec::SmallVec;

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
        Cost {
            steps: sizes.saturating_mul(moves).saturating_mul(STEPS_PER_MOVE),
            // A value and a mark of the mex.
            bytes: sizes * 2 * size_of::<u32>() as u128,
        }
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

/// The number of plies in the longest play of each heap up to a size. For small heaps the number is exact; for larger
/// heaps it is the estimate of [`Rules::max_plies`].
pub(super) struct LongestPlay {
    largest: u64,
    /// The exact numbers by size, computed on first use.
    exact: OnceLock<Vec<u64>>,
}

impl LongestPlay {
    /// Maximum number of moves that are tried for the exact numbers: about a hundredth of a second.
    const MAX_MOVES: u128 = 1 << 17;

    pub(super) fn new(largest: u64) -> Self {
        Self { largest, exact: OnceLock::new() }
    }

    /// Returns the longest play of each heap of at most `size`: all numbers are exact, or all are estimates.
    pub(super) fn within<'a>(&'a self, rules: &'a dyn Rules, size: u64) -> impl Fn(Heap) -> u64 + 'a {
        let exact = self.exact.get_or_init(|| by_definition(rules, self.largest));
        let is_exact = size < exact.len() as u64;
        move |heap| if is_exact { exact[narrow::<usize>(heap.size)] } else { rules.max_plies(heap) }
    }
}

/// Returns the longest play of each size: one ply more than the longest play that a move leaves. Stops before the total
/// number of moves exceeds [`LongestPlay::MAX_MOVES`].
fn by_definition(rules: &dyn Rules, largest: u64) -> Vec<u64> {
    let mut longest: Vec<u64> = Vec::new();
    let mut moves = 0_u128;
    for heap in (0..=largest).map(Heap::of) {
        moves = moves.saturating_add(rules.move_count(heap));
        if moves > LongestPlay::MAX_MOVES {
            break;
        }
        let plies = rules.moves(heap).map(|mv| {
            let followers = rules.apply(heap, mv).unwrap_or_default();
            followers.iter().map(|&(_, left)| longest[narrow::<usize>(left.size)]).sum::<u64>() + 1
        });
        let plies = plies.max().unwrap_or(0);
        longest.push(plies);
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
            let exact = by_definition(rules.as_ref(), 1_000_000).len();
            assert!(exact as u64 > size && exact < 50_000, "{game}: {exact}");
        }
    }
}
