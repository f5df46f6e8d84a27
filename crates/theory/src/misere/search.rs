//! The search for the misère quotient of the heaps up to n, from that of the heaps below n.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use super::bit_set::BitSet;
use super::budget::{Budget, OverBudget};
use super::candidate::{Actions, Candidate, Element};
use super::check::counterexample;
use super::heaps::HeapOptions;
use super::presentation::{ONE, Outcomes, Presentation, Product, Refuted, Relation, generator};

/// The quotient of the heaps up to some size, and what the search for the next one begins with.
#[derive(Debug)]
pub(super) struct Search {
    heaps: HeapOptions,
    pub(super) quotient: Candidate,
    presentation: Presentation,
    /// Products that distinguish the elements.
    contexts: BTreeSet<Product>,
}

impl Search {
    /// Begins with heap 0.
    pub(super) fn new() -> Self {
        let heaps = HeapOptions::new();
        let quotient = Candidate::trivial(&heaps);
        Self { heaps, quotient, presentation: Presentation::trivial(), contexts: BTreeSet::from([ONE]) }
    }

    /// Adds the next heap, with its options as lists of known heaps. Returns whether the monoid is another one.
    ///
    /// # Errors
    ///
    /// If the quotient is not found within the budget. The quotient is then that of the smaller heaps.
    pub(super) fn add_heap(
        &mut self,
        options: impl IntoIterator<Item = Vec<usize>>,
        budget: &mut Budget,
    ) -> Result<bool, OverBudget> {
        self.heaps.add_heap(options)?;
        let heap = self.heaps.largest();
        if !self.heaps.has_moves(heap) {
            self.quotient.add_heap(&self.heaps, heap, 0);
            self.presentation.extend(&self.heaps, &self.quotient, &Refuted::default())?;
            return Ok(false);
        }
        for element in self.quotient.elements() {
            self.quotient.add_heap(&self.heaps, heap, element);
            match fits(&self.heaps, &self.quotient, budget) {
                Ok(true) => {
                    self.presentation.extend(&self.heaps, &self.quotient, &Refuted::default())?;
                    return Ok(false);
                }
                Ok(false) => self.quotient.remove_heap(),
                Err(error) => {
                    self.quotient.remove_heap();
                    return Err(error);
                }
            }
        }
        self.presentation.add_generator(heap, 0)?;
        self.quotient = self.learn(budget)?;
        Ok(true)
    }

    /// Searches for a candidate that is right.
    ///
    /// The outcomes that follow from the assumed relations are learned as a monoid, by the method by which D. Angluin
    /// (1987, "Learning regular sets from queries and counterexamples") learns an automaton. If the monoid is wrong, a
    /// counterexample shows two products that it must not identify, or a relation that does not hold. In the second case
    /// the relations of the monoid are assumed next, without those that are refuted.
    fn learn(&mut self, budget: &mut Budget) -> Result<Candidate, OverBudget> {
        let mut refuted = Refuted::default();
        loop {
            let presentation = self.presentation.clone();
            let mut outcomes = Outcomes::new(&self.heaps, &presentation);
            let wrong = loop {
                let candidate = monoid(&self.heaps, &mut outcomes, &mut self.contexts, budget)?;
                let Some(sum) = counterexample(&self.heaps, &candidate, budget)? else {
                    self.present(&candidate, &Refuted::default())?;
                    return Ok(candidate);
                };
                let contexts = self.separating(&candidate, &mut outcomes, &sum, budget)?;
                if contexts.is_empty() {
                    let relation = self.wrong_relation(&mut outcomes, &sum, budget)?;
                    refuted.insert(&presentation, relation);
                    break candidate;
                }
                for context in contexts {
                    add_context(&mut self.contexts, context);
                }
            };
            self.present(&wrong, &refuted)?;
        }
    }

    /// Assumes the relations of a candidate that are not refuted.
    fn present(&mut self, candidate: &Candidate, refuted: &Refuted) -> Result<(), OverBudget> {
        let mut presentation = Presentation::default();
        presentation.extend(&self.heaps, candidate, refuted)?;
        let mut contexts = BTreeSet::new();
        for context in &self.contexts {
            let heaps = self.presentation.heaps_of(context);
            add_context(&mut contexts, presentation.of_heaps(&heaps));
        }
        self.contexts = contexts;
        self.presentation = presentation;
        Ok(())
    }

    /// Returns products that separate two products with the same element, if the candidate gives the counterexample or
    /// one of its options another outcome than the relations.
    fn separating(
        &self,
        candidate: &Candidate,
        outcomes: &mut Outcomes<'_>,
        sum: &[usize],
        budget: &mut Budget,
    ) -> Result<Vec<Product>, OverBudget> {
        let mut sums = vec![sum.to_vec()];
        for (index, &heap) in sum.iter().enumerate() {
            for option in self.heaps.of(heap) {
                sums.push([&sum[..index], option, &sum[index + 1..]].concat());
            }
        }
        let presentation = outcomes.presentation();
        for sum in sums {
            let heaps = sum.iter().flat_map(|&heap| presentation.heaps_of(&presentation.of_heap(heap)));
            let heaps: Vec<usize> = heaps.collect();
            let mut contexts = Vec::new();
            let mut element = 0;
            let mut previous = outcomes.is_p(&presentation.of_heaps(&heaps), budget)?;
            for (index, &heap) in heaps.iter().enumerate() {
                element = candidate.product(element, candidate.map()[heap]);
                let rest = presentation.of_heaps(&heaps[index + 1..]);
                let least = presentation.of_heaps(&candidate.heaps_of(element));
                let next = outcomes.is_p(&presentation.multiply(&least, &rest), budget)?;
                if next != previous {
                    contexts.push(rest);
                }
                previous = next;
            }
            if !contexts.is_empty() {
                return Ok(contexts);
            }
        }
        Ok(Vec::new())
    }

    /// Returns a relation that does not hold, because a sum with the options of the counterexample has another outcome
    /// before it is used than after.
    fn wrong_relation(
        &self,
        outcomes: &mut Outcomes<'_>,
        sum: &[usize],
        budget: &mut Budget,
    ) -> Result<Relation, OverBudget> {
        let mut previous = None;
        for (heaps, relation) in outcomes.presentation().steps(sum) {
            let is_p = outcomes.is_p_by_options(&self.heaps, &heaps, budget)?;
            if previous.is_some_and(|previous| previous != is_p) {
                return relation.ok_or(OverBudget);
            }
            previous = Some(is_p);
        }
        Err(OverBudget)
    }
}

/// Returns whether a candidate is right that was right without the largest heap.
fn fits(heaps: &HeapOptions, candidate: &Candidate, budget: &mut Budget) -> Result<bool, OverBudget> {
    let heap = heaps.largest();
    budget.spend(10 * candidate.order())?;
    Ok(fits_least_sums(candidate, heap)
        && (is_covered(heaps, candidate, heap) || counterexample(heaps, candidate, budget)?.is_none()))
}

/// Returns whether the sums of the least sums and a new heap have the right outcomes.
fn fits_least_sums(candidate: &Candidate, heap: usize) -> bool {
    let heap = candidate.with_heap(&candidate.empty_sum(), heap);
    candidate.elements().all(|element| {
        let sum = candidate.least_sum(element);
        candidate.no_option_is_p(sum, &heap) == candidate.p_partners(heap.element).contains(element)
    })
}

/// Returns whether a smaller heap with the same element leaves as much unanswered as a new heap. Then every sum with
/// the new heap has the right outcome, because it has with the smaller heap.
fn is_covered(heaps: &HeapOptions, candidate: &Candidate, heap: usize) -> bool {
    let single = |heap| candidate.with_heap(&candidate.empty_sum(), heap);
    let new = single(heap);
    let unanswered = candidate.unanswered(&new);
    let mut smaller = heaps.with_moves().filter(|&smaller| smaller < heap).map(single);
    smaller.any(|sum| sum.element == new.element && unanswered.is_subset(&candidate.unanswered(&sum)))
}

/// Returns the monoid of the products that the contexts distinguish. Adds contexts until the products do not depend on
/// the order of their factors.
fn monoid(
    heaps: &HeapOptions,
    outcomes: &mut Outcomes<'_>,
    contexts: &mut BTreeSet<Product>,
    budget: &mut Budget,
) -> Result<Candidate, OverBudget> {
    loop {
        let table = Table::fill(heaps, outcomes, contexts, budget)?;
        let new = table.contexts_of_order(outcomes, budget)?;
        if new.is_empty() {
            let order = table.products.len();
            budget.spend(10 * order * order)?;
            return Ok(Candidate::of(heaps, &table.actions(heaps, outcomes.presentation())));
        }
        for context in new {
            add_context(contexts, context);
        }
    }
}

/// Adds a context, and those that are left of it if its first factors are removed one by one. With these, all elements
/// of a [`Table`] are different: if a context zg separates two elements, z separates their products with g.
fn add_context(contexts: &mut BTreeSet<Product>, mut context: Product) {
    while contexts.insert(context)
        && let Some(exponent) = context.iter_mut().find(|exponent| **exponent > 0)
    {
        *exponent -= 1;
    }
}

/// An observation table: the outcomes of products with each context. Products with different rows get different
/// elements.
struct Table {
    contexts: Vec<Product>,
    /// The least product of each element, its last factor, and the contexts with which it is a P-position.
    products: Vec<Product>,
    last: Vec<Option<(Element, usize)>>,
    rows: Vec<BitSet>,
    /// For each element its products with the generators.
    multiples: Vec<Vec<Element>>,
}

impl Table {
    fn fill(
        heaps: &HeapOptions,
        outcomes: &mut Outcomes<'_>,
        contexts: &BTreeSet<Product>,
        budget: &mut Budget,
    ) -> Result<Self, OverBudget> {
        let presentation = outcomes.presentation();
        let mut table = Self {
            contexts: contexts.iter().copied().collect(),
            products: Vec::new(),
            last: Vec::new(),
            rows: Vec::new(),
            multiples: Vec::new(),
        };
        let mut elements: HashMap<BitSet, Element> = HashMap::new();
        let mut queue = BinaryHeap::from([Reverse((0, None))]);
        while let Some(Reverse((plies, last))) = queue.pop() {
            let product = last.map_or(ONE, |(rest, number): (Element, usize)| {
                presentation.multiply(&table.products[usize::from(rest)], &generator(number))
            });
            let mut row = BitSet::new(table.contexts.len());
            for (index, context) in (0..).zip(&table.contexts) {
                budget.spend(100)?;
                if outcomes.is_p(&presentation.multiply(&product, context), budget)? {
                    row.insert(index);
                }
            }
            let next = Element::try_from(table.products.len()).map_err(|_| OverBudget)?;
            let element = *elements.entry(row.clone()).or_insert(next);
            if element == next {
                if table.products.len() == budget.elements {
                    return Err(OverBudget);
                }
                table.products.push(product);
                table.last.push(last);
                table.rows.push(row);
                table.multiples.push(vec![0; presentation.len()]);
                let plies = |number| plies + heaps.plies(presentation.heap(number));
                queue.extend(
                    (0..presentation.len()).map(|number| Reverse((plies(number), Some((next, number))))),
                );
            }
            if let Some((rest, number)) = last {
                table.multiples[usize::from(rest)][number] = element;
            }
        }
        Ok(table)
    }

    /// Returns contexts that separate products which differ only in the order of two factors; none if all such
    /// products have the same element.
    ///
    /// If (xg)h and (xh)g have different elements, a context z separates them. The outcome of xghz differs from one of
    /// the two. Then hz separates xg from the least product of its element, or gz separates xh from that of its element.
    fn contexts_of_order(
        &self,
        outcomes: &mut Outcomes<'_>,
        budget: &mut Budget,
    ) -> Result<BTreeSet<Product>, OverBudget> {
        /// Maximum number of contexts, because each takes time and few are needed.
        const MOST: usize = 16;
        let presentation = outcomes.presentation();
        let mut contexts = BTreeSet::new();
        for (product, multiples) in self.products.iter().zip(&self.multiples) {
            for g in 0..presentation.len() {
                for h in 0..g {
                    let [g_first, h_first] = [(g, h), (h, g)]
                        .map(|(first, second)| self.multiples[usize::from(multiples[first])][second]);
                    if g_first == h_first {
                        continue;
                    }
                    let [g_first, h_first] =
                        [g_first, h_first].map(|element| &self.rows[usize::from(element)]);
                    let differs = |&(index, _): &(u16, _)| g_first.contains(index) != h_first.contains(index);
                    let Some((index, context)) = (0..).zip(&self.contexts).find(differs) else { continue };
                    let [by_g, by_h] =
                        [g, h].map(|number| presentation.multiply(context, &generator(number)));
                    let both = presentation.multiply(&presentation.multiply(product, &generator(h)), &by_g);
                    let is_p = outcomes.is_p(&both, budget)?;
                    contexts.insert(if is_p == g_first.contains(index) { by_g } else { by_h });
                    if contexts.len() == MOST {
                        return Ok(contexts);
                    }
                }
            }
        }
        Ok(contexts)
    }

    fn actions(&self, heaps: &HeapOptions, presentation: &Presentation) -> Actions {
        let numbers: HashMap<usize, usize> =
            (0..presentation.len()).map(|number| (presentation.heap(number), number)).collect();
        let products = (0..=heaps.largest()).map(|heap| presentation.heaps_of(&presentation.of_heap(heap)));
        let factors: Vec<Vec<usize>> =
            products.map(|heaps| heaps.iter().map(|heap| numbers[heap]).collect()).collect();
        let times = |element: Element, &number: &usize| self.multiples[usize::from(element)][number];
        let sums = (0..).take(self.products.len());
        let sums = sums.map(|element: Element| {
            factors.iter().map(|factors| factors.iter().fold(element, times)).collect()
        });
        let least = self.last.iter().map(|last| last.map(|(rest, number)| (rest, presentation.heap(number))));
        let mut p_portion = BitSet::new(self.products.len());
        let alone = (0..).zip(&self.contexts).find(|&(_, &context)| context == ONE);
        for (element, row) in (0..).zip(&self.rows) {
            if alone.is_some_and(|(index, _)| row.contains(index)) {
                p_portion.insert(element);
            }
        }
        Actions { sums: sums.collect(), least_sums: least.collect(), p_portion }
    }
}
