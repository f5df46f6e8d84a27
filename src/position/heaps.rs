//! The heaps of a position, where they lie.

use crate::Move;
use crate::rules::{Heap, HeapMove, Rules};

/// One of the games of the sum, where it was set up.
///
/// ```
/// use zeroxor::Position;
///
/// let position = Position::new(&"6 1 2 + nim 3 9 + 4 1 2".parse()?)?;
/// let [_, piles, row] = position.components() else { unreachable!("three games") };
/// assert_eq!((piles.place, piles.width), (7, 2));
/// // Both rows are played by the same rules.
/// assert_eq!((row.place, row.rules), (9, 0));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Component {
    /// Its first place, from 1.
    pub place: u64,
    /// How many places it was given.
    pub width: u64,
    /// The index of its rules, see [`Position::rules`](super::Position::rules).
    pub rules: usize,
}

/// A heap where it lies in a position.
///
/// ```
/// use zeroxor::{Move, Position};
///
/// let mut position = Position::new(&"9 2 3".parse()?)?;
/// position.play(Move { place: 3, take: 2 })?;
/// let heaps: Vec<_> = position.heaps().map(|placed| (placed.place, placed.heap.size)).collect();
/// assert_eq!(heaps, [(1, 2), (5, 5)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlacedHeap<'a> {
    /// The heap's first place, from 1.
    pub place: u64,
    /// The index of its rules, see [`Position::rules`](super::Position::rules).
    pub index: usize,
    /// The rules themselves.
    pub rules: &'a dyn Rules,
    /// The heap.
    pub heap: Heap,
}

impl PlacedHeap<'_> {
    /// The index of the rules, and the heap.
    pub(crate) fn key(&self) -> (usize, Heap) {
        (self.index, self.heap)
    }

    /// A move within this heap as a move in the position.
    ///
    /// ```
    /// use zeroxor::rules::HeapMove;
    /// use zeroxor::{Move, Position};
    ///
    /// let position = Position::new(&"nim 3 + 20 3 5".parse()?)?;
    /// let row = position.heaps().last().unwrap();
    /// // The row begins at place 2.
    /// assert_eq!(row.at(HeapMove { offset: 4, count: 5 }), Move { place: 6, take: 5 });
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn at(&self, mv: HeapMove) -> Move {
        Move { place: self.place + mv.offset, take: mv.count }
    }
}

/// Heaps that are equal and played by the same rules.
///
/// ```
/// use zeroxor::Position;
///
/// let position = Position::new(&"nim 4 7 4 4".parse()?)?;
/// let classes: Vec<_> = position.live_classes().map(|class| (class.first.heap.size, class.copies)).collect();
/// assert_eq!(classes, [(4, 3), (7, 1)]);
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HeapClass<'a> {
    /// The first of them.
    pub first: PlacedHeap<'a>,
    /// How many there are, at least one.
    pub copies: usize,
}
