//! The misère quotient of the heaps of a game, as far as it is found.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::grundy::engine;
use crate::grundy::segment::{MoveBounds, Period};
use crate::rules::Rules;
use crate::{GameSpec, SpecError};

use super::heaps::{Budget, OverBudget, options};
use super::monoid::{Element, Monoid};
use super::search::Search;

/// The misère quotient of the heaps from 0 to some size, or of all heaps if a period is proven.
#[derive(Debug)]
pub struct Quotient {
    rules: Arc<dyn Rules>,
    monoid: Monoid,
    /// The elements of the heaps, from heap 0 on.
    pub map: Vec<Element>,
    /// The partial quotient of each heap that changes it, the smallest heap first.
    pub partial_quotients: Vec<PartialQuotient>,
    /// The period of the elements of the heaps, if one is proven. The quotient is then the quotient of all heaps.
    pub period: Option<Period>,
    /// Whether the computation stopped because no quotient with the next heap was found within the budget.
    pub is_stopped: bool,
}

/// The quotient of the heaps up to `heap`, if it differs from the quotient of the smaller heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialQuotient {
    /// The size of the largest heap.
    pub heap: usize,
    /// The number of elements.
    pub order: usize,
    /// Whether the quotient is the quotient of a game of nim.
    pub is_tame: bool,
}

impl Quotient {
    /// Computes the quotient of the heaps up to `to` under the rules of `game`, whose sizes are ignored. Stops as soon
    /// as a period is proven, or before the first heap that needs more than `budget`. Each heap has the whole `budget`.
    ///
    /// # Errors
    ///
    /// If the game is a sum, in misère play or not valid, or if its heaps are pairs.
    pub fn compute(game: &GameSpec, to: usize, budget: Budget) -> Result<Self, SpecError> {
        let rules = game.rules_of_sizes()?;
        let bounds = engine(&rules).move_bounds();
        let mut search = Search::new();
        let mut partial_quotients = Vec::new();
        let mut period = None;
        let mut is_stopped = false;
        for heap in 1..=to {
            match search.add_heap(options(rules.as_ref(), heap), &mut budget.clone()) {
                Ok(true) => {
                    let (order, is_tame) = (search.quotient.order(), search.quotient.nim_heaps().is_some());
                    partial_quotients.push(PartialQuotient { heap, order, is_tame });
                }
                Ok(false) => period = bounds.and_then(|bounds| proven_period(bounds, &search.quotient.map())),
                Err(OverBudget) => is_stopped = true,
            }
            if period.is_some() || is_stopped {
                break;
            }
        }
        let map = search.quotient.map();
        Ok(Self { rules, monoid: search.quotient, map, partial_quotients, period, is_stopped })
    }

    /// Returns the rules in the words of a header, without sizes.
    pub fn rules(&self) -> String {
        self.rules.words()
    }

    /// Describes the proven period, with the range of heaps that prove it; `None` if no period is proven.
    pub fn proof(&self) -> Option<String> {
        let (period, bounds) = (self.period?, engine(&self.rules).move_bounds()?);
        let length = period.length;
        Some(period.proof(bounds, &format!("heaps n and n+{length} are equal")))
    }

    /// Returns the largest heap for which the quotient was computed.
    pub fn largest_heap(&self) -> usize {
        self.map.len() - 1
    }

    /// Returns the number of elements.
    pub fn order(&self) -> usize {
        self.monoid.order()
    }

    /// Returns the elements in the P-portion.
    pub fn p_portion(&self) -> Vec<Element> {
        self.monoid.p_portion.iter().collect()
    }

    /// Returns the products of an element with all elements.
    pub fn multiples(&self, element: Element) -> &[Element] {
        self.monoid.multiples(element)
    }

    /// Returns whether a sum of heaps is a P-position; `None` if one of the heaps is not in the quotient.
    pub fn is_p(&self, heaps: &[u64]) -> Option<bool> {
        let earlier = |&heap: &u64| self.period.map_or(heap, |period| period.earlier(heap));
        self.monoid
            .is_p_sum(heaps.iter().map(earlier).map(|heap| usize::try_from(heap).unwrap_or(usize::MAX)))
    }

    /// Returns the size n such that nim with heaps up to n has this quotient; `None` if there is no such n, so that the
    /// game is wild.
    pub fn nim_heaps(&self) -> Option<usize> {
        self.monoid.nim_heaps()
    }

    /// Returns heaps whose elements generate the quotient: each heap whose element is no product of elements of smaller
    /// heaps.
    pub fn generators(&self) -> Vec<usize> {
        let mut generators: Vec<usize> = Vec::new();
        let mut generated = self.generated(&generators);
        for (heap, &element) in self.map.iter().enumerate() {
            if generated[usize::from(element)].is_none() {
                generators.push(heap);
                generated = self.generated(&generators);
            }
        }
        generators
    }

    /// Returns for each element the first product of elements of `generators` that equals it, as an ascending list of
    /// indices in `generators`; `None` if no product equals it. Products are in the order of their length, then of
    /// their indices.
    pub fn generated(&self, generators: &[usize]) -> Vec<Option<Vec<usize>>> {
        let mut products = vec![None; self.order()];
        products[0] = Some(Vec::new());
        let mut queue = VecDeque::from([(0, Vec::new())]);
        while let Some((element, factors)) = queue.pop_front() {
            let last = factors.last().copied().unwrap_or(0);
            for (index, &heap) in generators.iter().enumerate().skip(last) {
                let product = self.monoid.product(element, self.map[heap]);
                let found = &mut products[usize::from(product)];
                if found.is_none() {
                    let factors = [&factors[..], &[index]].concat();
                    *found = Some(factors.clone());
                    queue.push_back((product, factors));
                }
            }
        }
        products
    }

    /// Returns relations that define the monoid. A relation is a pair: a product of [generators](Self::generators), and
    /// the first product that equals the same element, in the order of [`generated`](Self::generated). Replace parts of
    /// a product by the relations until no relation applies: the result is the first product of its element.
    ///
    /// The first products of the pairs are minimal among the products that are not the first of their element: if any
    /// one factor is removed, the remaining product is the first of its element. The order of products is admissible,
    /// so the relations are a reduced Gröbner basis.
    pub fn relations(&self) -> Vec<(Vec<usize>, Vec<usize>)> {
        let generators = self.generators();
        let first: Vec<Vec<usize>> = self.generated(&generators).into_iter().flatten().collect();
        let is_first: HashSet<&Vec<usize>> = first.iter().collect();
        let mut relations = BTreeMap::new();
        for (factors, element) in first.iter().zip(0..) {
            for (index, &heap) in generators.iter().enumerate() {
                let mut product = [&factors[..], &[index]].concat();
                product.sort_unstable();
                let is_least = |product: &[usize]| {
                    (0..product.len())
                        .all(|at| is_first.contains(&[&product[..at], &product[at + 1..]].concat()))
                };
                if !is_first.contains(&product) && is_least(&product) {
                    let equal = self.monoid.product(element, self.map[heap]);
                    relations.insert((product.len(), product), first[usize::from(equal)].clone());
                }
            }
        }
        relations.into_iter().map(|((_, product), equal)| (product, equal)).collect()
    }
}

/// Returns the period that `map`, the elements of the heaps from heap 0 on, proves.
///
/// If the elements of heaps repeat as far as [`Period::proven`] needs, the options of a larger heap have the same
/// elements as the options of the heap one period before it. So the larger heap fits the quotient with the same element
/// (T. Plambeck 2005, "Taming the wild in impartial combinatorial games", INTEGERS 5 G05).
pub(super) fn proven_period(bounds: MoveBounds, map: &[Element]) -> Option<Period> {
    let period = Period::proven(bounds, map)?;
    // Begin at heap 1 or later: heap 0 must not take part in the repetition, because a move that leaves no heap may be
    // allowed when a move that leaves a heap is not.
    let without_zero = Period { start: period.start.max(1), ..period };
    (without_zero.values_needed(bounds) <= map.len() as u128).then_some(period)
}
