//! Sets of small numbers: elements of a monoid, or columns of a table.

/// A set of numbers below a bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Returns the empty set of numbers below `bound`.
    pub(crate) fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)] }
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

    pub(crate) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
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

    /// Returns the numbers in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..).zip(&self.words).flat_map(|(index, &word): (u16, _)| {
            // Each word lacks the lowest bit of the previous one.
            let words = std::iter::successors(Some(word), |word| Some(word & word.checked_sub(1)?));
            words
                .take_while(|&word| word > 0)
                .map(move |word| 64 * index + u16::try_from(word.trailing_zeros()).unwrap_or_default())
        })
    }
}
