//! Assumed relations between sums of heaps, and the outcomes that follow from them.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::{iter, mem};

use super::heaps::{Budget, HeapOptions, OverBudget};
use super::monoid::{BitSet, Element, Monoid, Sum};

/// The heaps whose copies are counted, each with a number, its *index*: from `index` copies on, two more copies make no
/// difference.
pub(super) type Indices = BTreeMap<usize, usize>;

/// Two sums that were assumed to be equal, but are not equal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refuted {
    sums: [Vec<usize>; 2],
    /// The heap whose copies distinguish the sums, and the index that it gets in [`Indices`]: the larger of the numbers
    /// of copies in the two sums.
    count: (usize, usize),
}

impl Refuted {
    /// Returns the refutation of the relation that two sums of generators are equal. The largest heap that has
    /// different numbers of copies in the two sums distinguishes them. Returns `None` if there is no such heap.
    fn of_sums(sums: [Vec<usize>; 2]) -> Option<Self> {
        let copies = |heap| sums.each_ref().map(|sum| sum.iter().filter(|&&other| other == heap).count());
        let differ = |heap: &usize| copies(*heap)[0] != copies(*heap)[1];
        let heap = sums.iter().flatten().copied().filter(differ).max()?;
        let index = copies(heap).into_iter().max()?;
        Some(Self { sums, count: (heap, index) })
    }

    /// If `candidate` has the same element for both sums, adds the heap that distinguishes them to `indices`.
    pub(super) fn add_index(&self, candidate: &Monoid, indices: &mut Indices) {
        let [a, b] = &self.sums;
        if candidate.element_of(a) == candidate.element_of(b) {
            let (heap, index) = self.count;
            let known = indices.entry(heap).or_default();
            *known = index.max(*known);
        }
    }
}

/// As [`LastHeap`](super::monoid::LastHeap), for the elements of [`Relations`].
type Last = Option<(usize, usize)>;

/// A finite monoid of sums of heaps. Its relations are assumed: two sums are equal if they have the same element of a
/// candidate, and the same numbers of copies of the counted heaps.
///
/// Counted heaps are *generators*, and so are the heaps of the least sums of the candidate. Each other heap equals a
/// sum of generators with at most as many plies. The elements are numbered in ascending order of the plies of their
/// least sums of generators. The outcome of an element follows from the options of its least sum, because the options
/// have fewer plies.
#[derive(Debug)]
pub(super) struct Relations<'a> {
    heaps: &'a HeapOptions,
    generators: Vec<usize>,
    /// For each heap the generators whose sum it equals.
    equal: Vec<Vec<usize>>,
    /// `sums[x][h]` is the element of the sum of the element x and the heap h.
    sums: Vec<Vec<usize>>,
    last: Vec<Last>,
    is_p: Vec<bool>,
}

impl<'a> Relations<'a> {
    pub(super) fn new(
        heaps: &'a HeapOptions,
        candidate: &Monoid,
        indices: &Indices,
        budget: &mut Budget,
    ) -> Result<Self, OverBudget> {
        /// Maximum number of sums of an element and a heap: about 64 MiB.
        const MAX_SUMS: usize = 1 << 23;
        let equal = sums_of_generators(heaps, candidate, indices);
        let generators: Vec<usize> = heaps.with_moves().filter(|&heap| equal[heap] == [heap]).collect();
        let numbering = Numbering::new(candidate, indices)?;
        // The elements by their numbers, and in ascending order of the plies of their least sums.
        let (mut elements, mut numbers, mut last) = (HashMap::new(), Vec::new(), Vec::new());
        let mut queue = BinaryHeap::from([Reverse((0, 0, None))]);
        while let Some(Reverse((plies, number, by))) = queue.pop() {
            let Entry::Vacant(new) = elements.entry(number) else { continue };
            budget.spend(100 * heaps.largest())?;
            let element = numbers.len();
            if element == MAX_SUMS / heaps.largest() {
                return Err(OverBudget);
            }
            new.insert(element);
            numbers.push(number);
            last.push(by);
            for &heap in &generators {
                let next = numbering.sum(number, heap);
                if !elements.contains_key(&next) {
                    queue.push(Reverse((plies + heaps.plies(heap), next, Some((element, heap)))));
                }
            }
        }
        let sums = numbers.iter().map(|&number| {
            let sum = |heaps: &Vec<usize>| heaps.iter().fold(number, |sum, &heap| numbering.sum(sum, heap));
            equal.iter().map(|heaps| elements[&sum(heaps)]).collect()
        });
        let sums = sums.collect();
        let mut relations = Self { heaps, generators, equal, sums, last, is_p: Vec::new() };
        for element in 0..relations.last.len() {
            let least = relations.least_sum(element);
            budget.spend(20 * least.iter().map(|&heap| heaps.of(heap).len()).sum::<usize>())?;
            relations.is_p.push(relations.is_p_by_options(&least));
        }
        Ok(relations)
    }

    fn sum(&self, element: usize, heaps: &[usize]) -> usize {
        heaps.iter().fold(element, |sum, &heap| self.sums[sum][heap])
    }

    fn least_sum(&self, element: usize) -> Vec<usize> {
        iter::successors(self.last[element], |&(rest, _)| self.last[rest]).map(|(_, heap)| heap).collect()
    }

    /// Returns whether a sum is a P-position, by the outcomes of its options. Each heap of the sum must have a move.
    fn is_p_by_options(&self, sum: &[usize]) -> bool {
        let no_option_is_p = |(at, &heap): (usize, &usize)| {
            let rest = self.sum(self.sum(0, &sum[..at]), &sum[at + 1..]);
            self.heaps.of(heap).iter().all(|option| !self.is_p[self.sum(rest, option)])
        };
        // In misère play the sum without moves is an N-position.
        !sum.is_empty() && sum.iter().enumerate().all(no_option_is_p)
    }

    /// Returns two sums that are not equal although their equality was assumed. Turns `sum` into the least sum of its
    /// element by replacing one part after another, and determines the outcome from the options after each replacement.
    /// The first replacement that changes the outcome shows that the replaced part and its replacement are not equal.
    /// Returns `None` if no replacement changes the outcome.
    pub(super) fn refuted(&self, sum: &[usize]) -> Option<Refuted> {
        let is_p = self.is_p_by_options(sum);
        let mut rest = sum.to_vec();
        for &heap in sum {
            rest.remove(0);
            rest.extend(&self.equal[heap]);
            if self.is_p_by_options(&rest) != is_p {
                let sums = [vec![heap], self.equal[heap].clone()];
                return Some(Refuted { sums, count: (heap, 1) });
            }
        }
        let mut least = Vec::new();
        for (at, &heap) in rest.iter().enumerate() {
            least.push(heap);
            let equal = self.least_sum(self.sum(0, &least));
            if self.is_p_by_options(&[&equal, &rest[at + 1..]].concat()) != is_p {
                return Refuted::of_sums([least, equal]);
            }
            least = equal;
        }
        None
    }

    /// Returns the monoid of the outcomes: two elements are equal if no third element, added to both, gives them
    /// different outcomes.
    ///
    /// Time: the number of elements times the number of generators in each round. There are few rounds.
    pub(super) fn reduced(&self, budget: &mut Budget) -> Result<Monoid, OverBudget> {
        // E. F. Moore (1956, "Gedanken-experiments on sequential machines"): classes are split until each generator,
        // added to all elements of a class, leads to a single class. Classes are numbered in the order of their first
        // elements.
        let mut classes: Vec<usize> = self.is_p.iter().map(|&is_p| usize::from(is_p)).collect();
        let mut order = 0;
        loop {
            budget.spend(20 * classes.len() * (self.generators.len() + 1))?;
            let mut numbers = HashMap::new();
            let split = self.sums.iter().zip(&classes).map(|(sums, &class)| {
                let by_generators = self.generators.iter().map(|&heap| classes[sums[heap]]);
                let row: Vec<usize> = by_generators.chain([class]).collect();
                let next = numbers.len();
                *numbers.entry(row).or_insert(next)
            });
            classes = split.collect();
            if mem::replace(&mut order, numbers.len()) == numbers.len() {
                break;
            }
        }
        if order > budget.elements {
            return Err(OverBudget);
        }
        budget.spend(5 * order * order)?;
        let classes = classes.into_iter().map(Element::try_from).collect::<Result<Vec<Element>, _>>();
        let classes = classes.map_err(|_| OverBudget)?;
        let (mut sums, mut last_heaps, mut p_portion) = (Vec::new(), Vec::new(), BitSet::new(order));
        for (element, &class) in classes.iter().enumerate() {
            if usize::from(class) == sums.len() {
                if self.is_p[element] {
                    p_portion.insert(class);
                }
                sums.push(self.sums[element].iter().map(|&sum| classes[sum]).collect());
                last_heaps.push(self.last[element].map(|(rest, heap)| (classes[rest], heap)));
            }
        }
        Ok(Monoid::of(self.heaps, &sums, last_heaps, p_portion))
    }
}

/// Returns for each heap the generators whose sum it equals: only the heap itself if it is a generator.
fn sums_of_generators(heaps: &HeapOptions, candidate: &Monoid, indices: &Indices) -> Vec<Vec<usize>> {
    let mut are_generators: BTreeSet<usize> =
        candidate.last_heaps.iter().flatten().map(|&(_, heap)| heap).collect();
    are_generators.extend(indices.keys());
    let generators = |(heap, sum): (usize, &Sum)| {
        let least = candidate.heaps_of(sum.element);
        let is_larger = least.iter().map(|&heap| heaps.plies(heap)).sum::<u64>() > heaps.plies(heap);
        if is_larger || are_generators.contains(&heap) { vec![heap] } else { least }
    };
    candidate.heaps.iter().enumerate().map(generators).collect()
}

/// Encodes each element of [`Relations`] as a number in a mixed radix. The lowest digit is the element of the
/// candidate. Each other digit is the number of copies of a counted heap.
struct Numbering<'a> {
    candidate: &'a Monoid,
    digits: Vec<Digit>,
}

/// The digit for the number of copies of a heap. A number of copies above `index + 1` is decreased by 2 until it is
/// `index` or `index + 1`.
struct Digit {
    heap: usize,
    index: usize,
    place: usize,
}

impl<'a> Numbering<'a> {
    fn new(candidate: &'a Monoid, indices: &Indices) -> Result<Self, OverBudget> {
        let mut place = candidate.order();
        let mut digits = Vec::new();
        for (&heap, &index) in indices {
            digits.push(Digit { heap, index, place });
            place = place.checked_mul(index + 2).ok_or(OverBudget)?;
        }
        Ok(Self { candidate, digits })
    }

    fn sum(&self, number: usize, heap: usize) -> usize {
        let order = self.candidate.order();
        let by_heap = self.candidate.multiples(self.candidate.heaps[heap].element);
        let sum = number - number % order + usize::from(by_heap[number % order]);
        match self.digits.iter().find(|digit| digit.heap == heap) {
            Some(&Digit { index, place, .. }) if number / place % (index + 2) == index + 1 => sum - place,
            Some(&Digit { place, .. }) => sum + place,
            None => sum,
        }
    }
}
