//! Games of piles: a move takes a number of stones from one pile, and a pile is a heap of one place.
//!
//! Each game has one file with its rules and its [`PileEntry`], which has everything that headers, the judge, tables
//! and pages need. [`PileGame`] lists the games.

use std::fmt;
use std::sync::Arc;

use itertools::Itertools;

use super::{Followers, GameEntry, Heap, HeapMove, MAX_SIZE, Rules, Shape, Violation, Window, is_equal};
pub use clause::Clause;
pub(crate) use clause::TAKE;
pub(crate) use divisor::Divisor;
pub(crate) use sequence::FromSequence;
use starts::Random;

mod clause;
mod divisor;
pub(crate) mod factor;
mod prime;
mod sequence;
mod square;
pub(crate) mod starts;
pub(crate) mod subtract;

/// A game of piles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PileGame {
    /// A move takes a perfect square that is not banned.
    Square,
    /// A move takes a divisor of the pile's current size that is not banned.
    Divisor,
    /// A move takes one of the listed numbers, or at most a part of the pile's current size.
    Subtract,
    /// A move takes any number of stones.
    Nim,
    /// A move takes a prime number that is not banned.
    Prime,
}

impl PileGame {
    /// All games of piles.
    pub const ALL: &'static [Self] = &[Self::Square, Self::Divisor, Self::Subtract, Self::Nim, Self::Prime];

    pub(crate) fn entry(self) -> &'static PileEntry {
        match self {
            Self::Square => &square::ENTRY,
            Self::Divisor => &divisor::ENTRY,
            Self::Subtract => &subtract::ENTRY,
            Self::Nim => &subtract::NIM,
            Self::Prime => &prime::ENTRY,
        }
    }

    /// Returns the word that a header of this game begins with.
    pub fn name(self) -> &'static str {
        self.entry().game.name
    }

    /// Returns the game called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|game| game.name() == name)
    }

    /// Returns the keywords that may follow the piles of a header, in this order.
    pub fn keywords(self) -> &'static [&'static str] {
        self.entry().keywords
    }

    /// Returns the largest size of a pile.
    pub fn max_pile(self) -> u64 {
        self.entry().max_pile
    }

    /// Returns whether outcomes can be computed for larger piles than nimbers can. If so, tables list outcomes by
    /// default.
    pub fn has_outcome_tables(self) -> bool {
        matches!(self, Self::Square | Self::Prime)
    }
}

pub(crate) struct PileEntry {
    pub(crate) game: GameEntry,
    pub(crate) keywords: &'static [&'static str],
    pub(crate) max_pile: u64,
    /// The reason why a number may not be taken if no clause forbids it. `{size}` is replaced by the size of the pile.
    pub(crate) refusal: &'static str,
    /// The advice for a bot that takes such a number.
    pub(crate) advice: &'static str,
    pub(crate) rules: fn(&[Clause]) -> Arc<dyn Rules>,
    /// The starts that the judge uses as components of small sums, as words after the name. A bar separates starts.
    pub(crate) in_sums: &'static str,
    /// One start of each extreme kind, with the size N.
    pub(crate) extremes: &'static str,
    /// The small starts: the number of piles, their largest size, and the clauses.
    pub(crate) small: &'static [(usize, u64, &'static str)],
    /// Returns random clauses for piles up to the given size.
    pub(crate) random_clauses: fn(u64, &mut dyn Random) -> Vec<Clause>,
}

/// The numbers that the rules allow to take from a pile.
pub(crate) trait Takes: fmt::Debug + Send + Sync {
    fn words(&self) -> String;

    /// Checks that `take`, which is at most `n`, may be taken from a pile of `n`.
    fn check(&self, n: u64, take: u64) -> Result<(), Violation>;

    /// Returns the numbers that may be taken from a pile of `n`, in ascending order.
    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_>;

    /// Returns whether any number may be taken from a pile of `n`.
    fn has_takes(&self, n: u64) -> bool {
        self.count(n) > 0
    }

    fn count(&self, n: u64) -> u64 {
        self.takes(n).count() as u64
    }

    /// Returns the number with index `k`, from 0, among the numbers that may be taken from a pile of `n`.
    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        self.takes(n).nth(usize::try_from(k).ok()?)
    }

    /// Returns an upper bound for the number of moves until a pile of `n` has no move.
    fn max_plies(&self, n: u64) -> u64;
}

/// The rules of a pile from which the numbers of `T` may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pile<T>(pub(crate) T);

pub(crate) fn take(count: u64) -> HeapMove {
    HeapMove { offset: 0, count }
}

impl<T: Takes + PartialEq + 'static> Rules for Pile<T> {
    fn words(&self) -> String {
        self.0.words()
    }

    fn shape(&self) -> Shape {
        Shape::Pile
    }

    fn is_same(&self, other: &dyn Rules) -> bool {
        is_equal(self, other)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new(self.0.takes(heap.size).map(take))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let size = heap.size;
        let left = size.checked_sub(mv.count).ok_or(Violation::LargerThanPile { size })?;
        self.0.check(size, mv.count)?;
        Ok(Followers::from_iter([(0, Heap::of(left))]))
    }

    fn move_count(&self, heap: Heap) -> u128 {
        self.0.count(heap.size).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        self.0.nth(heap.size, u64::try_from(n).ok()?).map(take)
    }

    fn has_moves(&self, heap: Heap) -> bool {
        self.0.has_takes(heap.size)
    }

    fn max_plies(&self, heap: Heap) -> u64 {
        self.0.max_plies(heap.size)
    }

    fn cancelling_move(&self, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
        let left = match *wanted {
            [] => 0,
            [Heap { size, .. }] => size,
            _ => return None,
        };
        let count = heap.size.checked_sub(left).filter(|&count| count > 0)?;
        self.0.check(heap.size, count).ok().map(|()| take(count))
    }
}

fn with_clauses(name: &str, clauses: &[Clause]) -> String {
    clauses.iter().fold(name.to_owned(), |words, clause| format!("{words} {clause}"))
}

/// Returns the numbers after `ban`, in ascending order and without duplicates.
fn banned(clauses: &[Clause]) -> Vec<u64> {
    let banned = clauses.iter().filter_map(|clause| match clause {
        Clause::Ban(numbers) => Some(numbers),
        _ => None,
    });
    banned.flatten().copied().sorted().dedup().collect()
}
