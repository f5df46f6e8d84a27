//! The rules of the games: the legal moves of one heap. Each kind of game has its own file.
//!
//! Every game is a sum of *heaps*: free segments of a row, piles, or pairs of numbers. [`Rules`] list the moves of a
//! heap and the heaps that a move leaves. [`Position`](crate::Position) has the places of the heaps, and
//! [`Solver`](crate::Solver) finds who wins. To play and solve your own game, implement [`Rules`].

use std::any::Any;
use std::fmt;

pub use clause::Clause;
pub(crate) use clause::TAKE;
pub use code::OctalCode;
pub(crate) use euclid::{Euclid, ordered};
pub use kind::GameKind;
use kind::{GameEntry, Start};
pub(crate) use octal::{Octal, heaps_left};
pub(crate) use pile::{Divisor, FromSequence, Pile, Takes, factor, take};
pub use row::Window;
pub use starts::Random;
pub use violation::Violation;

use smallvec::SmallVec;

mod clause;
mod code;
mod euclid;
mod kind;
mod octal;
pub(crate) mod pile;
mod row;
pub(crate) mod starts;
mod violation;

/// The largest number in a specification: the length of a row, a bound of a window, the size of a pile, or a listed
/// number.
pub const MAX_SIZE: u64 = 1_000_000_000_000_000_000;

/// A free segment of a row, a pile, or a pair of numbers. A move is made in one heap. Equal heaps under the same rules
/// have equal values.
///
/// ```
/// use zeroxor::rules::Heap;
///
/// let pair = Heap { size: 34, second: 21 };
/// assert_eq!(pair.to_string(), "34,21");
/// assert_eq!(Heap::of(7), Heap { size: 7, second: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heap {
    /// The number of cards or stones; in a pair, the first number.
    pub size: u64,
    /// The second number of a pair; 0 in all other games.
    pub second: u64,
}

impl Heap {
    /// Returns a heap of `size` cards or stones.
    pub const fn of(size: u64) -> Self {
        Self { size, second: 0 }
    }
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.second {
            0 => self.size.fmt(f),
            second => write!(f, "{},{second}", self.size),
        }
    }
}

/// A move within a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeapMove {
    /// The place within the heap, from 0.
    pub offset: u64,
    /// The number of cards or stones that are taken; 0 if the move only splits the heap, before the card at `offset`.
    pub count: u64,
}

/// The shape of a heap, which determines its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// A segment of a row, with a place for each card.
    Row,
    /// A pile, which has one place.
    Pile,
    /// A pair of numbers, with a place for each number.
    Pair,
}

/// The rules of a game: the moves of one heap, and the heaps that a move leaves.
///
/// A move takes at least one card or stone, unless the rules say that moves [can split](Self::can_split) a heap.
///
/// Only the first four methods are required. The defaults of the other methods are correct. Override them if you have
/// faster or more precise ones. The moves of a heap are numbered from 0 in the order of [`moves`](Self::moves).
///
/// ```
/// use zeroxor::rules::{Followers, Heap, HeapMove, Rules, Shape, Violation};
/// use zeroxor::{Outcome, Position, Solver};
///
/// /// A move takes one or two stones from a pile.
/// #[derive(Debug)]
/// struct OneOrTwo;
///
/// impl Rules for OneOrTwo {
///     fn words(&self) -> String {
///         "one or two".to_owned()
///     }
///
///     fn shape(&self) -> Shape {
///         Shape::Pile
///     }
///
///     fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
///         Box::new((1..=heap.size.min(2)).map(|count| HeapMove { offset: 0, count }))
///     }
///
///     fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
///         if mv.count > 2 {
///             return Err(Violation::Other("a move takes one or two"));
///         }
///         let left = heap.size.checked_sub(mv.count).ok_or(Violation::LargerThanPile { size: heap.size })?;
///         Ok(Followers::from_iter([(0, Heap::of(left))]))
///     }
/// }
///
/// let position = Position::of_heaps(OneOrTwo, &[3, 4, 8])?;
/// assert_eq!(Solver::new().outcome(&position)?, Outcome::N);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Rules: Any + fmt::Debug + Send + Sync {
    /// Returns the rules in words, without the sizes of heaps.
    fn words(&self) -> String;

    /// Returns the shape of the heaps.
    fn shape(&self) -> Shape;

    /// Returns all moves of a heap, each once, in ascending order of the number taken, then of the place.
    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_>;

    /// Returns the heaps that a move leaves. They lie within the places of `heap` and are smaller.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move.
    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation>;

    /// Returns whether some moves take nothing and only split a heap. If not, which is the default, a
    /// [`Position`](crate::Position) refuses a move that takes nothing, without a call of [`apply`](Self::apply).
    fn can_split(&self) -> bool {
        false
    }

    /// Returns whether `other` are the same rules, which must have the same [`words`](Self::words). Heaps under the
    /// same rules share a Grundy table, and equal heaps cancel. By default, only the same object has the same rules.
    fn is_same(&self, other: &dyn Rules) -> bool {
        std::ptr::addr_eq(self, other)
    }

    /// Returns the number of places that a heap fills.
    fn width(&self, heap: Heap) -> u64 {
        match self.shape() {
            Shape::Row => heap.size,
            Shape::Pile => 1,
            Shape::Pair => 2,
        }
    }

    /// Returns the number of moves of a heap.
    fn move_count(&self, heap: Heap) -> u128 {
        self.moves(heap).count() as u128
    }

    /// Returns the move with index `n`, from 0; `None` if `n` is at least [`move_count`](Self::move_count).
    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        self.moves(heap).nth(usize::try_from(n).ok()?)
    }

    /// Returns whether a heap has a move.
    fn has_moves(&self, heap: Heap) -> bool {
        self.moves(heap).next().is_some()
    }

    /// Returns an upper bound for the number of moves that both players together can still make in a heap.
    fn max_plies(&self, heap: Heap) -> u64 {
        heap.size.saturating_add(heap.second)
    }

    /// Returns a move that leaves exactly the heaps `wanted`, apart from heaps without a move and pairs of equal heaps.
    /// If the other heaps of the position are the heaps `wanted`, all heaps cancel in pairs after the move.
    ///
    /// The heaps of `wanted` must have moves and be different. May return `None` although there is such a move, if the
    /// heap has very many moves.
    fn cancelling_move(&self, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
        first_cancelling_move(self, heap, wanted)
    }
}

fn first_cancelling_move<R: Rules + ?Sized>(rules: &R, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
    const MOST_MOVES: usize = 1 << 12;
    rules.moves(heap).take(MOST_MOVES).find(|&mv| leaves(rules, heap, mv, wanted))
}

/// Returns whether `other` has the same type as `rules` and is equal.
fn is_equal<R: Rules + PartialEq>(rules: &R, other: &dyn Rules) -> bool {
    let other: &dyn Any = other;
    other.downcast_ref() == Some(rules)
}

/// Returns whether a move leaves exactly the heaps `wanted`, apart from heaps without a move and pairs of equal heaps.
fn leaves<R: Rules + ?Sized>(rules: &R, heap: Heap, mv: HeapMove, wanted: &[Heap]) -> bool {
    let Ok(followers) = rules.apply(heap, mv) else { return false };
    let mut unpaired = wanted.to_vec();
    for &(_, follower) in &followers {
        if !rules.has_moves(follower) {
            continue;
        }
        match unpaired.iter().position(|&heap| heap == follower) {
            Some(at) => drop(unpaired.swap_remove(at)),
            None => unpaired.push(follower),
        }
    }
    unpaired.is_empty()
}

/// The heaps that a move leaves, each with its first place within the old heap, counted from 0. Usually there are 0 to 2.
pub type Followers = SmallVec<[(u64, Heap); 2]>;

/// Writes the rules of a game: its name and its clauses.
fn in_words(kind: GameKind, clauses: &[Clause]) -> String {
    clauses.iter().fold(kind.name().to_owned(), |words, clause| format!("{words} {clause}"))
}
