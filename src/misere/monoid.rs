//! A finite commutative monoid with outcomes, and an element for each heap: a candidate for the misère quotient.

use std::iter;

use super::heaps::HeapOptions;
use crate::integers::{narrow, ones};

/// An element of a monoid, numbered from 0. Element 0 is the identity.
pub type Element = u16;

/// A candidate for the misère quotient of the heaps up to some size.
///
/// The *least sum* of an element is a sum of heaps with this element and the fewest plies.
#[derive(Clone, Debug)]
pub(crate) struct Monoid {
    /// Each heap as a sum of one heap. Heap 0 is the empty sum.
    pub(super) heaps: Vec<Sum>,
    products: Vec<Vec<Element>>,
    /// The last heap of the least sum of each element.
    pub(super) last_heaps: Vec<LastHeap>,
    least_sums: Vec<Sum>,
    pub(super) p_portion: BitSet,
    /// For each element x the elements whose products with x are in the P-portion.
    p_partners: Vec<BitSet>,
}

/// A least sum, stored as a pair: the element of all its heaps except the last, and the last heap. The heaps before the
/// last heap are the least sum of their element. `None` for the identity, whose least sum is empty.
pub(crate) type LastHeap = Option<(Element, usize)>;

/// The element of a sum of heaps, and the elements of its options, under a candidate.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub(super) element: Element,
    /// The elements of the options of the sum. It is empty only if the sum has no heap with a move.
    options: BitSet,
}

impl Monoid {
    /// Returns the monoid in which `sums[x][h]` is the element of the sum of the element x and the heap h. The elements
    /// are in ascending order of the plies of their least sums, which `last_heaps` has.
    ///
    /// Time: the square of the number of elements, plus the number of options of each least sum.
    pub(crate) fn of(
        heaps: &HeapOptions,
        sums: &[Vec<Element>],
        last_heaps: Vec<LastHeap>,
        p_portion: BitSet,
    ) -> Self {
        let order = sums.len();
        let products = (0..).take(order).map(|element| {
            let mut row: Vec<Element> = vec![element; order];
            for (other, last) in last_heaps.iter().enumerate() {
                if let &Some((rest, heap)) = last {
                    row[other] = sums[usize::from(row[usize::from(rest)])][heap];
                }
            }
            row
        });
        let products = products.collect();
        let (sums_of_heaps, least_sums, p_partners) = Default::default();
        let mut candidate =
            Self { heaps: sums_of_heaps, products, last_heaps, least_sums, p_portion, p_partners };
        for (heap, &element) in sums[0].iter().enumerate() {
            candidate.add_heap(heaps, heap, element);
        }
        for element in 0..order {
            let sum = match candidate.last_heaps[element] {
                Some((rest, heap)) => candidate.with_heap(candidate.least_sum(rest), heap),
                None => candidate.heaps[0].clone(),
            };
            candidate.least_sums.push(sum);
        }
        let p_partners = candidate.products.iter().map(|row| {
            let p_products = (0..).zip(row).filter(|&(_, &product)| candidate.is_p(product));
            BitSet::of(order, p_products.map(|(partner, _)| partner))
        });
        candidate.p_partners = p_partners.collect();
        candidate
    }

    pub(crate) fn add_heap(&mut self, heaps: &HeapOptions, heap: usize, element: Element) {
        let options = heaps.of(heap).iter().map(|option| self.element_of(option));
        self.heaps.push(Sum { element, options: BitSet::of(self.order(), options) });
    }

    pub(crate) fn element_of(&self, sum: &[usize]) -> Element {
        sum.iter().fold(0, |product, &heap| self.product(product, self.heaps[heap].element))
    }

    pub(crate) fn map(&self) -> Vec<Element> {
        self.heaps.iter().map(|heap| heap.element).collect()
    }

    pub(crate) fn order(&self) -> usize {
        self.products.len()
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        (0..).take(self.order())
    }

    pub(crate) fn product(&self, a: Element, b: Element) -> Element {
        self.products[usize::from(a)][usize::from(b)]
    }

    pub(crate) fn multiples(&self, element: Element) -> &[Element] {
        &self.products[usize::from(element)]
    }

    pub(crate) fn is_p(&self, element: Element) -> bool {
        self.p_portion.contains(element)
    }

    pub(crate) fn p_partners(&self, element: Element) -> &BitSet {
        &self.p_partners[usize::from(element)]
    }

    pub(crate) fn least_sum(&self, element: Element) -> &Sum {
        &self.least_sums[usize::from(element)]
    }

    pub(crate) fn heaps_of(&self, element: Element) -> Vec<usize> {
        let last = |element: Element| self.last_heaps[usize::from(element)];
        iter::successors(last(element), |&(rest, _)| last(rest)).map(|(_, heap)| heap).collect()
    }

    /// Returns whether the candidate has a sum of heaps in the P-portion; `None` if it does not have all of the heaps.
    pub(crate) fn is_p_sum(&self, heaps: impl IntoIterator<Item = usize>) -> Option<bool> {
        let mut sums = heaps.into_iter().map(|heap| self.heaps.get(heap));
        let product = sums.try_fold(0, |product, sum| Some(self.product(product, sum?.element)));
        product.map(|product| self.is_p(product))
    }

    /// Returns the size n such that nim with heaps up to n has this quotient; `None` if there is no such n, so that the
    /// game is wild.
    ///
    /// For k >= 2, the quotient of nim with heaps below 2^k has 2^k + 2 elements: 1, an element a with aa = 1, and a
    /// group of 2^k elements x with xx = e, where e is the identity of the group. The P-portion is {a, e} (Plambeck and
    /// Siegel 2008).
    pub(crate) fn nim_heaps(&self) -> Option<usize> {
        let p_portion: Vec<Element> = self.p_portion.iter().collect();
        match p_portion[..] {
            [] => Some(0),
            [_] if self.order() == 2 => Some(1),
            [a, e] | [e, a] if self.product(a, a) == 0 => {
                let mut others = self.elements().filter(|&x| x != 0 && x != a);
                let is_group = others.all(|x| self.product(x, x) == e && self.product(x, e) == x);
                is_group.then(|| self.order() - 3)
            }
            _ => None,
        }
    }

    fn with_heap(&self, sum: &Sum, heap: usize) -> Sum {
        let heap = &self.heaps[heap];
        let (by_heap, by_sum) = (self.multiples(heap.element), self.multiples(sum.element));
        let in_sum = sum.options.iter().map(|option| by_heap[usize::from(option)]);
        let in_heap = heap.options.iter().map(|option| by_sum[usize::from(option)]);
        let options = BitSet::of(self.order(), in_sum.chain(in_heap));
        Sum { element: by_sum[usize::from(heap.element)], options }
    }

    /// Returns whether the sum of `a` and `b` has options, and none of them is in the P-portion. If the candidate is
    /// right about the options, the sum is a P-position exactly in this case.
    pub(crate) fn no_option_is_p(&self, a: &Sum, b: &Sum) -> bool {
        !(a.options.is_empty() && b.options.is_empty())
            && a.options.is_disjoint(self.p_partners(b.element))
            && b.options.is_disjoint(self.p_partners(a.element))
    }

    /// Returns the elements x for which the sum of `sum` and x is an N-position, but no move in `sum` wins.
    pub(crate) fn unanswered(&self, sum: &Sum) -> BitSet {
        let mut answered = self.p_partners(sum.element).clone();
        sum.options.iter().for_each(|option| answered.insert_all(self.p_partners(option)));
        BitSet::of(self.order(), self.elements().filter(|&element| !answered.contains(element)))
    }
}

/// A set of numbers below a bound: elements of a monoid, or columns of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub(crate) fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
    }

    /// Returns the set of `numbers`, which are below `bound`.
    pub(crate) fn of(bound: usize, numbers: impl IntoIterator<Item = u16>) -> Self {
        let mut set = Self::new(bound);
        numbers.into_iter().for_each(|n| set.insert(n));
        set
    }

    pub(crate) fn insert(&mut self, n: u16) {
        self.words[usize::from(n / 64)] |= 1 << (n % 64);
    }

    pub(crate) fn contains(&self, n: u16) -> bool {
        self.words[usize::from(n / 64)] >> (n % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub(crate) fn insert_all(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & other == 0)
    }

    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & !other == 0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..)
            .zip(&self.words)
            .flat_map(|(index, &word): (u16, _)| ones(word).map(move |bit| 64 * index + narrow::<u16>(bit)))
    }
}
