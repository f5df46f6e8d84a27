//! The search for the misère quotient of the heaps up to n, from the quotient of the heaps below n.

use super::check::{counterexample, first_wrong};
use super::heaps::{Budget, HeapOptions, OverBudget};
use super::monoid::{BitSet, Monoid};
use super::relations::{Indices, Relations};

/// The quotient of the heaps up to some size, which is extended heap by heap.
#[derive(Debug)]
pub(super) struct Search {
    /// The heaps. The quotient may have fewer.
    pub(super) heaps: HeapOptions,
    pub(super) quotient: Monoid,
}

impl Search {
    pub(super) fn new() -> Self {
        let heaps = HeapOptions::new();
        // The quotient of heap 0 is the trivial monoid.
        let quotient = Monoid::of(&heaps, &[vec![0]], vec![None], BitSet::new(1));
        Self { heaps, quotient }
    }

    /// Adds the next heap, with its options as lists of known heaps. Returns whether the monoid has changed. If the
    /// quotient is not found within the budget, it has only the smaller heaps.
    pub(super) fn add_heap(
        &mut self,
        options: impl IntoIterator<Item = Vec<usize>>,
        budget: &mut Budget,
    ) -> Result<bool, OverBudget> {
        self.heaps.add_heap(options)?;
        self.quotient.add_heap(&self.heaps, self.heaps.largest(), 0);
        let has_changed = self.fit_largest(budget);
        if has_changed.is_err() {
            self.quotient.heaps.pop();
        }
        has_changed
    }

    fn fit_largest(&mut self, budget: &mut Budget) -> Result<bool, OverBudget> {
        let heap = self.heaps.largest();
        if !self.heaps.has_moves(heap) {
            return Ok(false);
        }
        for element in self.quotient.elements() {
            self.quotient.heaps[heap].element = element;
            if fits(&self.heaps, &self.quotient, budget)? {
                return Ok(false);
            }
        }
        self.quotient = self.extended(budget)?;
        Ok(true)
    }

    /// Returns the quotient of all heaps up to the largest, from the quotient of the smaller heaps.
    ///
    /// Relations between sums are assumed: at first the relations of the quotient of the smaller heaps, and the
    /// relation that two copies of the largest heap equal the empty sum. The outcomes that follow from these relations
    /// reduce to a candidate. If the candidate is wrong, its counterexample refutes a relation. Then the relations of
    /// this candidate are assumed instead, except refuted relations: if the candidate has the same element for both
    /// sums of a refuted relation, the copies of the heap that distinguishes the sums are counted.
    fn extended(&self, budget: &mut Budget) -> Result<Monoid, OverBudget> {
        let mut candidate = self.quotient.clone();
        candidate.heaps[self.heaps.largest()].element = 0;
        let mut indices = Indices::from([(self.heaps.largest(), 0)]);
        let mut refuted = Vec::new();
        loop {
            let relations = Relations::new(&self.heaps, &candidate, &indices, budget)?;
            candidate = relations.reduced(budget)?;
            let Some(sum) = counterexample(&self.heaps, &candidate, budget)? else {
                return Ok(candidate);
            };
            let new = relations.refuted(&sum).filter(|new| !refuted.contains(new)).ok_or(OverBudget)?;
            refuted.push(new);
            indices = Indices::new();
            for refuted in &refuted {
                refuted.add_index(&candidate, &mut indices);
            }
        }
    }
}

/// Returns whether a candidate is right about all sums with the largest heap. The candidate must be right about all
/// other sums.
fn fits(heaps: &HeapOptions, candidate: &Monoid, budget: &mut Budget) -> Result<bool, OverBudget> {
    let heap = heaps.largest();
    budget.spend(10 * candidate.order())?;
    Ok(first_wrong(candidate, heap).is_none()
        && (is_covered(heaps, candidate, heap) || counterexample(heaps, candidate, budget)?.is_none()))
}

/// Returns whether a smaller heap has the same element as the new heap, and all unanswered elements of the new heap.
/// Then every sum with the new heap has the right outcome, because the sum with the smaller heap in its place has the
/// right outcome.
fn is_covered(heaps: &HeapOptions, candidate: &Monoid, heap: usize) -> bool {
    let new = &candidate.heaps[heap];
    let unanswered = candidate.unanswered(new);
    let mut smaller = heaps.with_moves().filter(|&smaller| smaller < heap).map(|heap| &candidate.heaps[heap]);
    smaller.any(|sum| sum.element == new.element && unanswered.is_subset(&candidate.unanswered(sum)))
}
