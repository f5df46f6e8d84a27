//! Any rules: values by the definition, and the longest play in a heap.

use std::sync::{Arc, OnceLock};

use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind, mex};
use crate::integers::narrow;
use crate::rules::{Heap, HeapMove, Rules};

/// A Grundy value for each size, the mex over all moves (R. P. Sprague 1935, "Über mathematische Kampfspiele"; P. M.
/// Grundy 1939, "Mathematics and games").
struct Definition {
    rules: Arc<dyn Rules>,
    /// By size.
    values: Vec<Nimber>,
    longest: LongestPlay,
}

/// What it takes to make a move and to look up the values of what it leaves.
const FOR_A_MOVE: u128 = 200;

impl Engine for Arc<dyn Rules> {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        // All moves of each follower are compared, and no follower has more moves than a heap mostly has.
        self.move_count(heap).saturating_pow(2)
    }

    fn least_cost(&self, largest: Heap, _kind: ValueKind) -> [u128; 2] {
        let sizes = u128::from(largest.size) + 1;
        [sizes, sizes * size_of::<Nimber>() as u128]
    }

    /// Time: 200 steps for each move of all these heaps. Memory: eight bytes for each size.
    fn table(
        &self,
        largest: Heap,
        kind: ValueKind,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let what =
            || format!("a table of the nimbers of heaps up to {} under \"{}\"", largest.size, self.words());
        let [steps, bytes] = self.least_cost(largest, kind);
        budget.spend(what, steps, bytes)?;
        let longest = LongestPlay::new(largest.size);
        let mut table = Definition { rules: Self::clone(self), values: Vec::new(), longest };
        let (allowed, mut cpu_watch) = (budget.steps(), budget.watch_cpu());
        for size in 0..=largest.size {
            let heap = Heap::of(size);
            budget.spend(what, self.move_count(heap).saturating_mul(FOR_A_MOVE), 0)?;
            // How many moves the larger heaps have is not known.
            let done = allowed - budget.steps();
            cpu_watch.check(what, done, done)?;
            let value = mex(self.moves(heap).map(|mv| table.left(heap, mv)));
            table.values.push(value);
            progress(size);
        }
        Ok(Box::new(table))
    }
}

impl Definition {
    /// The nimber that a move leaves.
    fn left(&self, heap: Heap, mv: HeapMove) -> Nimber {
        let followers = self.rules.apply(heap, mv).unwrap_or_default();
        followers.iter().map(|&(_, follower)| self.nimber(follower)).sum()
    }
}

impl GrundyTable for Definition {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.values[narrow::<usize>(heap.size)]
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        Box::new(self.rules.moves(heap).map(move |mv| Some(mv).filter(|&mv| self.left(heap, mv) == target)))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        // A move is made and the values of what it leaves are looked up.
        self.rules.move_count(heap).saturating_mul(20)
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.moves_to(heap, target).count() as u128)
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let nimber = self.nimber(heap);
        let longest = self.longest.within(self.rules.as_ref(), heap.size);
        let moves = self.rules.moves(heap).map(|mv| {
            let followers = self.rules.apply(heap, mv).unwrap_or_default();
            let left = self.left(heap, mv);
            // To win in one follower, it must come to what is left: the heap's old nimber and the others'.
            let here = followers.iter().map(|&(_, follower)| {
                let target = nimber ^ left ^ self.nimber(follower);
                self.count_to(follower, target).unwrap_or(0)
            });
            let plies: u64 = followers.iter().map(|&(_, follower)| longest(follower.size)).sum();
            DelayMove {
                winning_replies: elsewhere(nimber ^ left) + here.sum::<u128>(),
                shortens: longest(heap.size).saturating_sub(plies),
                mv,
            }
        });
        moves.min()
    }
}

/// The number of moves in the longest play of a heap, whoever makes them: by the definition for small heaps, and as
/// [`Rules::max_plies`] estimates it for larger ones.
pub(super) struct LongestPlay {
    largest: u64,
    /// By size, made when it is first asked for.
    exact: OnceLock<Vec<u64>>,
}

impl LongestPlay {
    /// Maximum number of moves gone through, of all sizes together: a hundredth of a second's work.
    const MAX_MOVES: u128 = 1 << 17;

    /// For heaps of sizes up to `largest`.
    pub(super) fn new(largest: u64) -> Self {
        Self { largest, exact: OnceLock::new() }
    }

    /// The longest play by size, for a heap of `size` and all that it can become: all exact, or all estimated.
    pub(super) fn within<'a, R: Rules + ?Sized>(
        &'a self,
        rules: &'a R,
        size: u64,
    ) -> impl Fn(u64) -> u64 + use<'a, R> {
        let exact = self.exact.get_or_init(|| by_definition(rules, self.largest));
        let is_exact = size < exact.len() as u64;
        move |size| if is_exact { exact[narrow::<usize>(size)] } else { rules.max_plies(Heap::of(size)) }
    }
}

/// The longest play of each size: one more than the longest that a move leaves.
fn by_definition<R: Rules + ?Sized>(rules: &R, largest: u64) -> Vec<u64> {
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

    /// The sizes up to which docs/games.md says that the longest play is exact.
    #[test]
    fn sizes_that_are_exact() {
        let all_digits = format!("octal 0.{} 1", "7".repeat(63) + "5");
        let games = [(&*all_digits, 60), ("octal 0.05 1", 500), ("divisor 1 ban 1", 10_000)];
        for (game, size) in games {
            let (rules, _) = game.parse::<GameSpec>().unwrap().rules().unwrap();
            let exact = by_definition(rules.as_ref(), 1_000_000).len();
            assert!(exact as u64 > size && exact < 50_000, "{game}: {exact}");
        }
    }
}
