//! The options of heaps.

use crate::rules::{Heap, Rules};

/// Returns the options of a heap, as lists of the sizes that a move leaves.
pub(super) fn options(rules: &dyn Rules, heap: usize) -> impl Iterator<Item = Vec<usize>> {
    let heap = Heap::of(heap as u64);
    let left = rules.moves(heap).filter_map(move |mv| rules.apply(heap, mv).ok());
    left.map(|left| left.iter().filter_map(|(_, heap)| usize::try_from(heap.size).ok()).collect())
}

/// Maximum number of options that are stored, summed over all heaps: about 100 MiB.
pub(super) const MAX_OPTIONS: usize = 2_000_000;

/// Heaps and their options. A heap has a larger number than the heaps of its options, and heap 0 has no move.
///
/// An option is a sorted list of heaps. Heaps without moves are left out of it, because they change no game.
#[derive(Debug)]
pub(crate) struct HeapOptions {
    heaps: Vec<HeapMoves>,
}

#[derive(Debug, Default)]
struct HeapMoves {
    options: Vec<Vec<usize>>,
    /// Maximum number of plies until the heap has no move.
    plies: u64,
}

impl HeapOptions {
    /// Returns only heap 0, which has no options.
    pub(crate) fn new() -> Self {
        Self { heaps: vec![HeapMoves::default()] }
    }

    /// Adds the next heap, with its options as lists of known heaps, unless too many options would have to be stored.
    pub(crate) fn add_heap(
        &mut self,
        options: impl IntoIterator<Item = Vec<usize>>,
    ) -> Result<(), OverBudget> {
        let stored: usize = self.heaps.iter().map(|heap| heap.options.len()).sum();
        let mut found = Vec::new();
        for mut option in options {
            option.retain(|&heap| self.has_moves(heap));
            option.sort_unstable();
            found.push(option);
            if stored + found.len() > MAX_OPTIONS {
                return Err(OverBudget);
            }
        }
        found.sort_unstable();
        found.dedup();
        let plies = |option: &Vec<usize>| 1 + option.iter().map(|&heap| self.plies(heap)).sum::<u64>();
        let plies = found.iter().map(plies).max().unwrap_or(0);
        self.heaps.push(HeapMoves { options: found, plies });
        Ok(())
    }

    pub(crate) fn largest(&self) -> usize {
        self.heaps.len() - 1
    }

    pub(crate) fn of(&self, heap: usize) -> &[Vec<usize>] {
        &self.heaps[heap].options
    }

    /// Returns the maximum number of plies of a known heap. Each move in a sum decreases the total of these numbers.
    pub(crate) fn plies(&self, heap: usize) -> u64 {
        self.heaps[heap].plies
    }

    pub(crate) fn has_moves(&self, heap: usize) -> bool {
        self.plies(heap) > 0
    }

    pub(crate) fn with_moves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.heaps.len()).filter(|&heap| self.has_moves(heap))
    }
}

/// The remaining budget of a search.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The steps that are left. A step is about a nanosecond.
    pub steps: u64,
    /// Maximum number of elements of each candidate for the quotient.
    pub elements: usize,
}

/// The error of a search that needs more than its budget, or more memory than a constant allows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OverBudget;

impl Budget {
    /// The budget that `grundy misere` has for each heap: at most a minute.
    pub const PER_HEAP: Self = Self { steps: 60_000_000_000, elements: 8192 };

    pub(super) fn spend(&mut self, steps: usize) -> Result<(), OverBudget> {
        self.steps = self.steps.checked_sub(steps as u64).ok_or(OverBudget)?;
        Ok(())
    }
}
