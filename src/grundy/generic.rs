//! Any rules: values by the definition.

use std::sync::Arc;

use super::longest_play::LongestPlay;
use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind, mex};
use crate::narrow::narrow;
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
        // The moves of each follower are gone through, and no follower has more moves than a heap mostly has.
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
