//! The proof that a candidate is right, or a sum for which it is wrong.
//!
//! Let Q be a finite commutative monoid with a subset P, and let each heap h have an element Φ(h), such that every
//! element of Q is a product of elements Φ(h). A sum of heaps has the product of their elements. The elements give the
//! right outcomes of all sums exactly if
//!
//! 1. no option of a sum in P is in P, and
//! 2. each sum outside of P that has a move has an option in P,
//!
//! because these are the rules of the outcomes, by induction on the plies of a sum. (A sum without moves is an
//! N-position, since its player to move wins; so 1 is not in P.) If also no two elements have the same products in P,
//! Q is the misère quotient, by its definition (T. Plambeck and A. Siegel 2008, "Misère quotients for impartial games",
//! JCTA 115: the quotient is the reduction of every bipartite monoid that respects the outcomes).
//!
//! The first condition is about Q only: for every element s, every heap h, and every option h' of h, the elements sΦ(h)
//! and sΦ(h') are not both in P. The second condition depends on the heaps of a sum. Let U(X) be the set of the
//! elements z such that zΦ(X) is not in P, and zΦ(X') is not in P for any option X' of X. So the sum of X and a sum
//! with the element z is not in P, and no move in X leads from it to a sum in P. Then z is in U(X + Y) exactly if zΦ(Y)
//! is in U(X) and zΦ(X) is in U(Y). The second condition says that no sum X with a move has the identity in U(X). There
//! are finitely many pairs (Φ(X), U(X)), so all of them can be computed from the pairs of the single heaps. (The pairs
//! of Φ(X) and the elements of the options of X are the transition algebra of Plambeck and Siegel. The second condition
//! needs only U(X), which follows from such a pair.) A pair (Φ(X), U(X)) is left out if U(X) is empty, or if there is a
//! sum Y with Φ(Y) = Φ(X) such that U(Y) contains U(X): whenever the sum of X and other heaps violates the second
//! condition, the sum of Y and these heaps violates it too.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::heaps::{Budget, HeapOptions, OverBudget};
use super::monoid::{BitSet, Element, Monoid};

/// Returns a sum whose outcome under the candidate does not fit the outcomes of its options; `None` if the candidate is
/// right. Prefers a sum with few plies, because the candidate is probably right about the options of such a sum.
pub(super) fn counterexample(
    heaps: &HeapOptions,
    candidate: &Monoid,
    budget: &mut Budget,
) -> Result<Option<Vec<usize>>, OverBudget> {
    let plies = |sum: &Vec<usize>| sum.iter().map(|&heap| heaps.plies(heap)).sum::<u64>();
    let mut wrong: Option<Vec<usize>> = None;
    for heap in heaps.with_moves() {
        budget.spend(100 * candidate.order())?;
        let first = first_wrong(candidate, heap);
        let sum = first.map(|element| [candidate.heaps_of(element), vec![heap]].concat());
        wrong = wrong.into_iter().chain(sum).min_by_key(plies);
    }
    if wrong.is_some() {
        return Ok(wrong);
    }
    Unanswered {
        candidate,
        found: Vec::new(),
        kept: vec![Vec::new(); candidate.order()],
        queue: BinaryHeap::new(),
    }
    .search(heaps, budget)
}

/// Returns the first element of whose least sum and `heap` the outcome does not fit the outcomes of the options. The
/// elements are in ascending order of the plies of their least sums.
pub(super) fn first_wrong(candidate: &Monoid, heap: usize) -> Option<Element> {
    let heap = &candidate.heaps[heap];
    candidate.elements().find(|&element| {
        let is_p = candidate.p_partners(heap.element).contains(element);
        is_p != candidate.no_option_is_p(candidate.least_sum(element), heap)
    })
}

/// A sum X of heaps, with Φ(X) and U(X).
struct FoundSum {
    element: Element,
    unanswered: BitSet,
    /// The index in `Unanswered::found` of the sum without its last heap; `None` for a single heap.
    rest: Option<usize>,
    last_heap: usize,
}

/// The search for a sum that violates the second condition. The sums are tested in ascending order of their plies.
struct Unanswered<'a> {
    candidate: &'a Monoid,
    found: Vec<FoundSum>,
    /// For each element the indices in `found` of the sums that are not left out.
    kept: Vec<Vec<usize>>,
    /// The plies and the indices in `found` of the sums that will be tested, and to which single heaps will then be
    /// added.
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Unanswered<'_> {
    fn search(mut self, heaps: &HeapOptions, budget: &mut Budget) -> Result<Option<Vec<usize>>, OverBudget> {
        let mut single: Vec<usize> = Vec::new();
        for heap in heaps.with_moves() {
            let sum = &self.candidate.heaps[heap];
            let unanswered = self.candidate.unanswered(sum);
            // A sum that covers another has the same element, and at least the same unanswered elements.
            let is_covered = single
                .iter()
                .map(|&other: &usize| &self.found[other])
                .any(|other| other.element == sum.element && unanswered.is_subset(&other.unanswered));
            if !is_covered && !unanswered.is_empty() {
                single.push(self.found.len());
                self.add(
                    heaps.plies(heap),
                    FoundSum { element: sum.element, unanswered, rest: None, last_heap: heap },
                )?;
            }
        }
        while let Some(Reverse((plies, index))) = self.queue.pop() {
            let FoundSum { element, unanswered, .. } = &self.found[index];
            if unanswered.contains(0) {
                return Ok(Some(self.heaps_of(index)));
            }
            let element = *element;
            if self.is_covered(element, unanswered) {
                continue;
            }
            self.kept[usize::from(element)].push(index);
            for &one in &single {
                budget.spend(2 * self.candidate.order())?;
                let (element, unanswered) = self.combined(index, one);
                if !unanswered.is_empty() && !self.is_covered(element, &unanswered) {
                    let last_heap = self.found[one].last_heap;
                    let sum = FoundSum { element, unanswered, rest: Some(index), last_heap };
                    self.add(plies + heaps.plies(last_heap), sum)?;
                }
            }
        }
        Ok(None)
    }

    fn add(&mut self, plies: u64, sum: FoundSum) -> Result<(), OverBudget> {
        /// Maximum number of bytes of all sums: 256 MiB.
        const MAX_BYTES: usize = 1 << 28;
        let bytes = size_of::<FoundSum>() + self.candidate.order() / 8;
        if self.found.len() >= MAX_BYTES / bytes {
            return Err(OverBudget);
        }
        self.queue.push(Reverse((plies, self.found.len())));
        self.found.push(sum);
        Ok(())
    }

    /// Returns whether some kept sum covers a sum with this element and these unanswered elements.
    fn is_covered(&self, element: Element, unanswered: &BitSet) -> bool {
        let kept = &self.kept[usize::from(element)];
        kept.iter().any(|&index| unanswered.is_subset(&self.found[index].unanswered))
    }

    /// Returns Φ(X + Y) and U(X + Y) of the found sums X and Y with the indices `a` and `b`.
    fn combined(&self, a: usize, b: usize) -> (Element, BitSet) {
        let [a, b] = [a, b].map(|index| &self.found[index]);
        let [by_a, by_b] = [a, b].map(|sum| self.candidate.multiples(sum.element));
        let is_unanswered = |z: &Element| {
            let [with_a, with_b] = [by_a, by_b].map(|by| by[usize::from(*z)]);
            a.unanswered.contains(with_b) && b.unanswered.contains(with_a)
        };
        let unanswered = self.candidate.elements().filter(is_unanswered);
        (by_a[usize::from(b.element)], BitSet::of(self.candidate.order(), unanswered))
    }

    fn heaps_of(&self, index: usize) -> Vec<usize> {
        let sums = std::iter::successors(Some(index), |&index| self.found[index].rest);
        sums.map(|index| self.found[index].last_heap).collect()
    }
}
