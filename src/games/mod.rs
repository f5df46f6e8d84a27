//! The games: one file each, and what they have in common.
//!
//! Every game here is a sum of *heaps*: a free segment of a row, a pile. A [`Game`] is the rules of one heap,
//! a [`Theory`] its Grundy values; where the heaps lie is for [`Table`](crate::Table) to know. A new game is
//! a new file and one line in `GAMES`; the judge also has its own rules of each.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::crates::Few;
use crate::{Nimber, quote};

mod budget;
pub mod euclid;
mod illegal;
mod pile;
pub mod segment;

pub use budget::{Budget, TooLarge};
pub use illegal::Illegal;
pub use pile::{divisor, nim, square, subtract};

/// The largest size of anything in a header: a row's length, a window's bound, a pile.
pub const MAX_SIZE: u64 = 1_000_000_000_000_000_000;

/// A part of a header as it was read, before any rule has been checked: `NAME sizes... [KEYWORD numbers...]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The game's name.
    pub name: String,
    /// The numbers behind the name.
    pub sizes: Vec<u64>,
    /// A keyword and the numbers behind it.
    pub list: Option<(String, Vec<u64>)>,
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.sizes.iter().try_for_each(|size| write!(f, " {size}"))?;
        let Some((keyword, numbers)) = &self.list else { return Ok(()) };
        write!(f, " {keyword}")?;
        numbers.iter().try_for_each(|number| write!(f, " {number}"))
    }
}

impl Setup {
    /// The error that something else was expected.
    pub(crate) fn unfit(&self, expected: &str) -> SetupError {
        SetupError { expected: expected.to_owned(), got: quote(self.to_string().as_bytes()) }
    }
}

/// A header whose words are well formed but set up no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// What was due.
    pub expected: String,
    /// What came.
    pub got: String,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {}", self.expected, self.got)
    }
}

impl Error for SetupError {}

/// What moves are made in: a free segment, a pile, a pair of numbers. Equal heaps of the same rules are equal
/// games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Heap {
    /// How many cards or stones; the first number of a pair.
    pub size: u64,
    /// The second number of a pair, 0 in all other games.
    pub partner: u64,
}

impl Heap {
    /// A heap of so many cards or stones.
    pub const fn of(size: u64) -> Self {
        Self { size, partner: 0 }
    }
}

impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.partner {
            0 => write!(f, "{}", self.size),
            partner => write!(f, "{},{partner}", self.size),
        }
    }
}

/// A move within a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take {
    /// The place within the heap, from 0.
    pub offset: u64,
    /// How many are taken.
    pub count: u64,
}

/// What a move leaves of a heap: at most two heaps, each with its first place within the old one.
pub type Followers = Few<(u64, Heap)>;

/// The rules of a game: what may be taken from one heap, and what that leaves.
///
/// Moves of a heap are numbered from 0 in ascending order of how many they take, then of the place, so the
/// first is a smallest and the last a largest.
pub trait Game: fmt::Debug + Send + Sync {
    /// The rules in the header's words, sizes left out: equal words are equal rules.
    fn rules(&self) -> String;

    /// How many places a heap fills.
    fn span(&self, heap: Heap) -> u64;

    /// What a move leaves.
    ///
    /// # Errors
    ///
    /// If the rules forbid it.
    fn follow(&self, heap: Heap, take: Take) -> Result<Followers, Illegal>;

    /// Whether a heap has a move.
    fn is_live(&self, heap: Heap) -> bool {
        self.move_count(heap) > 0
    }

    /// How many moves a heap has.
    fn move_count(&self, heap: Heap) -> u128;

    /// The move of that number, `None` from [`move_count`](Self::move_count) on.
    fn nth_move(&self, heap: Heap, n: u128) -> Option<Take>;

    /// All moves, in the order of their numbers.
    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = Take> + '_>;

    /// An upper bound on the number of moves still to be made in a heap, whoever makes them.
    fn longest(&self, heap: Heap) -> u64;

    /// A move that leaves, up to heaps without a move and up to two heaps that are equal, exactly `wanted`:
    /// then the heap's remains and `wanted`, lying elsewhere on the table, cancel in pairs.
    ///
    /// The heaps of `wanted` have moves and differ. No Grundy value is computed.
    fn match_move(&self, heap: Heap, wanted: &[Heap]) -> Option<Take>;

    /// How many steps [`Theory::stand`] takes to compare all moves of a heap.
    fn effort(&self, heap: Heap) -> u128;

    /// How much a theory tells that is asked for in this detail.
    fn detail(&self, _asked: Detail) -> Detail {
        Detail::Nimber
    }

    /// The Grundy values of all heaps up to the size of `largest`; what the tables cost is taken from
    /// `budget`.
    ///
    /// # Errors
    ///
    /// If they cost more.
    fn theory(&self, largest: Heap, detail: Detail, budget: &mut Budget)
    -> Result<Box<dyn Theory>, TooLarge>;

    /// The same, telling from time to time up to which size the values are known, if it takes long enough.
    ///
    /// # Errors
    ///
    /// As [`theory`](Self::theory).
    fn theory_reporting(
        &self,
        largest: Heap,
        detail: Detail,
        budget: &mut Budget,
        _progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn Theory>, TooLarge> {
        self.theory(largest, detail, budget)
    }
}

/// How much of a Grundy value is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Whether it is zero: all that matters while there is only one heap. Any other value may stand for all
    /// that are not.
    Outcome,
    /// The value itself.
    Nimber,
}

/// The Grundy values of a game's heaps, up to the size it was asked for with [`Game::theory`]; a larger heap
/// is the caller's mistake and panics.
pub trait Theory: Send + Sync {
    /// The heap's Grundy value.
    fn nimber(&self, heap: Heap) -> Nimber;

    /// The P-positions among the heaps of less than so many, in ascending order: where they are few, in less time
    /// than to ask for each nimber.
    fn p_positions(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new((0..below).filter(|&size| self.nimber(Heap::of(size)) == Nimber::ZERO))
    }

    /// The moves that leave heaps whose nimbers XOR to `target`; each is found when it is asked for.
    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Take> + '_>;

    /// One of them, if there is one.
    fn move_to(&self, heap: Heap, target: Nimber) -> Option<Take> {
        self.moves_to(heap, target).next()
    }

    /// How many there are; `None` if counting is out of reach.
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128>;

    /// The same for a fight, which asks for many: where there are very many moves they need not be told from
    /// more.
    fn wins_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        self.count_to(heap, target)
    }

    /// The best stand to make in this heap of a lost position; `None` if it has no move, or counting is out
    /// of reach. `elsewhere` tells how many replies win in the other heaps, by the XOR that a move leaves.
    fn stand(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<Stand>;
}

/// A move from a lost position, ordered by how good a fight it makes: the first, the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stand {
    /// How many replies win.
    pub wins: u128,
    /// By how much the move shortens the longest play in its heap.
    pub shortens: u64,
    /// The move.
    pub take: Take,
}

/// A game that has been set up: its rules, and its heaps with their first places from 0.
pub(crate) struct Opened {
    pub(crate) game: Arc<dyn Game>,
    pub(crate) heaps: Vec<(u64, Heap)>,
    pub(crate) places: u64,
}

/// The greatest common divisor (Euclid, Elements VII.2).
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

type Open = fn(&Setup) -> Result<Opened, SetupError>;

/// Every game, as the header names it.
const GAMES: [(&str, Open); 6] = [
    ("segment", segment::open),
    ("square", square::open),
    ("divisor", divisor::open),
    ("subtract", subtract::open),
    ("nim", nim::open),
    ("euclid", euclid::open),
];

/// Sets up the game that the words name.
///
/// # Errors
///
/// If there is no such game, or the numbers do not fit its rules.
pub(crate) fn open(setup: &Setup) -> Result<Opened, SetupError> {
    match GAMES.iter().find(|(name, _)| *name == setup.name) {
        Some((_, open)) => open(setup),
        None => Err(setup.unfit(&format!("a game ({})", GAMES.map(|(name, _)| name).join(", ")))),
    }
}
