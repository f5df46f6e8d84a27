//! Assumed relations between heaps, and the outcomes of sums that follow from them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::{iter, mem};

use super::budget::{Budget, OverBudget};
use super::candidate::{Candidate, Element};
use super::heaps::HeapOptions;

/// Maximum number of generators.
const MAX_GENERATORS: usize = 32;

/// Maximum exponent of a generator.
const MAX_EXPONENT: u8 = 60;

/// A product of generators: the exponent of each.
pub(super) type Product = [u8; MAX_GENERATORS];

/// The product without factors.
pub(super) const ONE: Product = [0; MAX_GENERATORS];

/// Assumed relations: some heaps are *generators*, each other heap equals a product of generators with at most as many
/// plies, and two more copies of a generator make no difference to many copies.
#[derive(Clone, Debug, Default)]
pub(super) struct Presentation {
    generators: Vec<Generator>,
    /// For each heap the product that it equals.
    heaps: Vec<Product>,
}

#[derive(Clone, Debug)]
struct Generator {
    heap: usize,
    /// The number of copies from which two more make no difference.
    index: u8,
}

/// A relation of a [`Presentation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// A heap equals a product.
    Heap(usize),
    /// Two more copies of a generator make no difference.
    Power(usize),
}

/// Relations that do not hold.
#[derive(Debug, Default)]
pub(super) struct Refuted {
    /// Heaps with products that they do not equal, as lists of heaps.
    products: HashSet<(usize, Vec<usize>)>,
    /// For heaps the largest index that their powers do not have.
    powers: HashMap<usize, u8>,
}

impl Refuted {
    pub(super) fn insert(&mut self, presentation: &Presentation, relation: Relation) {
        match relation {
            Relation::Heap(heap) => {
                self.products.insert((heap, presentation.heaps_of(&presentation.heaps[heap])));
            }
            Relation::Power(number) => {
                let Generator { heap, index } = presentation.generators[number];
                self.powers.insert(heap, index);
            }
        }
    }
}

impl Presentation {
    pub(super) fn len(&self) -> usize {
        self.generators.len()
    }

    /// Returns the heap that is a generator.
    pub(super) fn heap(&self, generator: usize) -> usize {
        self.generators[generator].heap
    }

    /// Returns the product that a heap equals.
    pub(super) fn of_heap(&self, heap: usize) -> Product {
        self.heaps[heap]
    }

    /// Returns the presentation of the trivial monoid, with heap 0.
    pub(super) fn trivial() -> Self {
        Self { generators: Vec::new(), heaps: vec![ONE] }
    }

    /// Adds the heaps of a quotient that are missing, with relations that hold in it and are not refuted.
    ///
    /// Time: for each heap, the number of elements times that of the generators.
    pub(super) fn extend(
        &mut self,
        heaps: &HeapOptions,
        quotient: &Candidate,
        refuted: &Refuted,
    ) -> Result<(), OverBudget> {
        for heap in self.heaps.len()..quotient.map().len() {
            let element = quotient.map()[heap];
            let least = self.least_product(heaps, quotient, element).filter(|&(plies, product)| {
                plies <= heaps.plies(heap) && !refuted.products.contains(&(heap, self.heaps_of(&product)))
            });
            if let Some((_, product)) = least {
                self.heaps.push(product);
            } else {
                let refuted = refuted.powers.get(&heap).map_or(0, |index| index + 1);
                self.add_generator(heap, index(quotient, element).max(refuted))?;
            }
        }
        Ok(())
    }

    /// Returns the product of generators with the fewest plies that is this element of a quotient, and its plies.
    fn least_product(
        &self,
        heaps: &HeapOptions,
        quotient: &Candidate,
        element: Element,
    ) -> Option<(u64, Product)> {
        let mut is_known = vec![false; quotient.order()];
        let mut queue = BinaryHeap::from([Reverse((0, 0, ONE))]);
        while let Some(Reverse((plies, x, product))) = queue.pop() {
            if x == element {
                return Some((plies, product));
            }
            if mem::replace(&mut is_known[usize::from(x)], true) {
                continue;
            }
            for (number, by) in self.generators.iter().enumerate() {
                let mut next = product;
                next[number] += 1;
                queue.push(Reverse((
                    plies + heaps.plies(by.heap),
                    quotient.product(x, quotient.map()[by.heap]),
                    next,
                )));
            }
        }
        None
    }

    /// Adds the next heap as a generator; `index` is that of its powers.
    pub(super) fn add_generator(&mut self, heap: usize, index: u8) -> Result<(), OverBudget> {
        self.heaps.push(generator(self.generators.len()));
        self.generators.push(Generator { heap, index });
        if self.generators.len() < MAX_GENERATORS && index < MAX_EXPONENT { Ok(()) } else { Err(OverBudget) }
    }

    /// Returns the product of two products, with the least exponents.
    pub(super) fn multiply(&self, a: &Product, b: &Product) -> Product {
        let mut product = *a;
        for ((exponent, more), generator) in product.iter_mut().zip(b).zip(&self.generators) {
            *exponent += more;
            while *exponent >= generator.index + 2 {
                *exponent -= 2;
            }
        }
        product
    }

    /// Returns the product of heaps.
    pub(super) fn of_heaps(&self, heaps: &[usize]) -> Product {
        heaps.iter().fold(ONE, |product, &heap| self.multiply(&product, &self.heaps[heap]))
    }

    /// Returns the generators of a product with their multiplicity, as heaps.
    pub(super) fn heaps_of(&self, product: &Product) -> Vec<usize> {
        let heaps = self.generators.iter().zip(product);
        heaps.flat_map(|(generator, &count)| std::iter::repeat_n(generator.heap, count.into())).collect()
    }

    /// Returns the lists of heaps between a list and the generators of its product, each with the relation by which it
    /// is made from the one before.
    pub(super) fn steps(&self, heaps: &[usize]) -> Vec<(Vec<usize>, Option<Relation>)> {
        let mut steps = vec![(heaps.to_vec(), None)];
        let mut heaps = heaps.to_vec();
        while let Some(at) = heaps.iter().position(|&heap| self.heaps_of(&self.heaps[heap]) != [heap]) {
            let heap = heaps.swap_remove(at);
            heaps.extend(self.heaps_of(&self.heaps[heap]));
            steps.push((heaps.clone(), Some(Relation::Heap(heap))));
        }
        for (number, generator) in self.generators.iter().enumerate() {
            let copies = |heaps: &[usize]| heaps.iter().filter(|&&heap| heap == generator.heap).count();
            while copies(&heaps) >= usize::from(generator.index) + 2 {
                for _ in 0..2 {
                    let at = heaps.iter().position(|&heap| heap == generator.heap);
                    at.map(|at| heaps.swap_remove(at));
                }
                steps.push((heaps.clone(), Some(Relation::Power(number))));
            }
        }
        steps
    }
}

/// Returns the least i for which the powers of an element with exponents i and i + 2 are equal; 0 if there is none.
fn index(quotient: &Candidate, element: Element) -> u8 {
    let powers = iter::successors(Some(0), |&power| Some(quotient.product(power, element)));
    let powers: Vec<Element> = powers.take(usize::from(MAX_EXPONENT)).collect();
    powers.windows(3).zip(0..).find(|(powers, _)| powers[0] == powers[2]).map_or(0, |(_, index)| index)
}

/// Returns a generator as a product.
pub(super) fn generator(number: usize) -> Product {
    let mut product = ONE;
    product[number] = 1;
    product
}

/// A product whose options are visited one after the other.
struct Visit {
    product: Product,
    /// The number of the generator whose options are visited, and the index of the option.
    generator: usize,
    option: usize,
}

/// The outcomes of products, if the relations of a presentation hold.
pub(super) struct Outcomes<'a> {
    presentation: &'a Presentation,
    /// For each generator the products that its options equal.
    options: Vec<Vec<Product>>,
    /// Whether a product is a P-position.
    known: HashMap<Product, bool>,
}

impl<'a> Outcomes<'a> {
    pub(super) fn new(heaps: &HeapOptions, presentation: &'a Presentation) -> Self {
        let options = |generator: &Generator| {
            let options = heaps.of(generator.heap).iter().map(|option| presentation.of_heaps(option));
            let mut options: Vec<Product> = options.collect();
            options.sort_unstable();
            options.dedup();
            options
        };
        let options = presentation.generators.iter().map(options).collect();
        Self { presentation, options, known: HashMap::new() }
    }

    pub(super) fn presentation(&self) -> &'a Presentation {
        self.presentation
    }

    /// Returns whether a product is a P-position.
    ///
    /// Time: the options of all products that can be reached, unless their outcomes are known. The stack is explicit,
    /// because there may be many plies.
    pub(super) fn is_p(&mut self, product: &Product, budget: &mut Budget) -> Result<bool, OverBudget> {
        /// Maximum number of known outcomes: about 400 MiB.
        const MOST: usize = 4_000_000;
        if let Some(is_p) = self.known(product) {
            return Ok(is_p);
        }
        let mut stack = vec![Visit { product: *product, generator: 0, option: 0 }];
        while let Some(visit) = stack.last_mut() {
            budget.spend(100)?;
            let is_p = match self.option(visit) {
                None => true,
                Some(option) => match self.known(&option) {
                    Some(true) => false,
                    Some(false) => {
                        visit.option += 1;
                        continue;
                    }
                    None => {
                        stack.push(Visit { product: option, generator: 0, option: 0 });
                        continue;
                    }
                },
            };
            if self.known.len() == MOST {
                return Err(OverBudget);
            }
            self.known.insert(visit.product, is_p);
            stack.pop();
        }
        self.known(product).ok_or(OverBudget)
    }

    fn known(&self, product: &Product) -> Option<bool> {
        // In misère play the sum without moves is an N-position.
        if *product == ONE { Some(false) } else { self.known.get(product).copied() }
    }

    /// Returns the present option of a visit, or `None` after the last one.
    fn option(&self, visit: &mut Visit) -> Option<Product> {
        loop {
            let options = self.options.get(visit.generator)?;
            match options.get(visit.option) {
                Some(option) if visit.product[visit.generator] > 0 => {
                    let mut rest = visit.product;
                    rest[visit.generator] -= 1;
                    return Some(self.presentation.multiply(&rest, option));
                }
                _ => {
                    visit.generator += 1;
                    visit.option = 0;
                }
            }
        }
    }

    /// Returns whether a list of heaps is a P-position, by the outcomes of its options.
    pub(super) fn is_p_by_options(
        &mut self,
        heaps: &HeapOptions,
        sum: &[usize],
        budget: &mut Budget,
    ) -> Result<bool, OverBudget> {
        for (index, &heap) in sum.iter().enumerate() {
            let rest = [&sum[..index], &sum[index + 1..]].concat();
            let rest = self.presentation.of_heaps(&rest);
            for option in heaps.of(heap) {
                let option = self.presentation.multiply(&rest, &self.presentation.of_heaps(option));
                if self.is_p(&option, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(!sum.is_empty())
    }
}
