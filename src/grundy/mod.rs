//! Who wins: the Grundy values of heaps, by an engine for each game.
//!
//! A [`GrundyTable`] has the values of one game's heaps up to a size. The engine that fits the rules and the size
//! computes it, within a [`Budget`]; rules that have no engine of their own get their values by the definition.

use std::any::Any;
use std::sync::Arc;

use crate::rules::{
    Divisor, Euclid, FromSequence, Grundy, Heap, HeapMove, Nim, Octal, Pile, Row, Rules, Subtract,
};

mod budget;
pub(crate) mod cache;
mod cpu_limit;
mod euclid;
mod game_table;
mod generic;
mod nimber;
#[cfg(feature = "engines")]
pub mod octal;
#[cfg(feature = "engines")]
mod pile;
mod repeats;
pub mod segment;

pub use budget::{Budget, TooLarge};
#[cfg(feature = "analysis")]
pub use euclid::winning_pairs;
pub use game_table::{TableError, nimbers, table};
pub use nimber::{Nimber, mex};
#[cfg(feature = "analysis")]
pub use pile::subtraction_period;

/// How much of a Grundy value is needed.
///
/// ```
/// use zeroxor::Nimber;
/// use zeroxor::grundy::{Budget, ValueKind, table};
/// use zeroxor::rules::Heap;
///
/// let game = "square 1".parse()?;
/// let [outcomes, nimbers] = [ValueKind::Outcome, ValueKind::Nimber]
///     .map(|kind| table(&game, Heap::of(100), kind, &mut Budget::GAME.clone(), &mut |_| ()));
/// // A pile of 25 is won; only the nimbers show what it is worth.
/// assert_ne!(outcomes?.nimber(Heap::of(25)), Nimber::ZERO);
/// assert_eq!(nimbers?.nimber(Heap::of(25)), Nimber(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueKind {
    /// Whether the value is zero, which is all that matters while there is only one heap. Any nonzero value may stand
    /// for all nonzero values.
    Outcome,
    /// The value itself.
    Nimber,
}

/// The Grundy values of a game's heaps, up to the size it was made for; a larger heap is the caller's mistake and
/// panics.
///
/// ```
/// use zeroxor::grundy::{Budget, ValueKind, table};
/// use zeroxor::rules::Heap;
///
/// let game = "segment 9 1 2".parse()?;
/// let table = table(&game, Heap::of(9), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
/// // Kayles, octal code 0.77.
/// let values: Vec<u64> = (0..=9).map(|n| table.nimber(Heap::of(n)).0).collect();
/// assert_eq!(values, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait GrundyTable: Send + Sync {
    /// The heap's Grundy value.
    ///
    /// ```
    /// use zeroxor::Nimber;
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "divisor 1".parse()?;
    /// let table = table(&game, Heap::of(96), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// // One more than the exponent of 2 in 96 = 32 * 3.
    /// assert_eq!(table.nimber(Heap::of(96)), Nimber(6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn nimber(&self, heap: Heap) -> Nimber;

    /// Writes down the Grundy values of the heaps of sizes `from`, `from` + 1 and so on: of many heaps, in less time
    /// than to ask for each.
    fn fill(&self, from: u64, nimbers: &mut [Nimber]) {
        for (size, nimber) in (from..).zip(nimbers) {
            *nimber = self.nimber(Heap::of(size));
        }
    }

    /// The P-positions among the heaps below `end`, in ascending order: if they are few, in less time
    /// than to ask for each nimber.
    ///
    /// ```
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "square 1".parse()?;
    /// let table = table(&game, Heap::of(50), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// let lost: Vec<u64> = table.p_positions(50).collect();
    /// assert_eq!(lost, [0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn p_positions(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new((0..below).filter(|&size| self.nimber(Heap::of(size)) == Nimber::ZERO))
    }

    /// The moves that leave heaps whose nimbers XOR to `target`, as they are searched for: there is an item for
    /// each few nanoseconds, `None` while nothing is found. So a search can be given up after any number of items.
    ///
    /// ```
    /// use zeroxor::Nimber;
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "subtract 9 take 1 2 3".parse()?;
    /// let table = table(&game, Heap::of(9), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// // 2 and 3 are tried first, and fail.
    /// let searched: Vec<_> = table.search(Heap::of(9), Nimber::ZERO).map(|found| found.map(|mv| mv.count)).collect();
    /// assert_eq!(searched, [Some(1), None, None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_>;

    /// The moves that leave heaps whose nimbers XOR to `target`; each is found when the iterator reaches it.
    ///
    /// ```
    /// use zeroxor::Nimber;
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "nim 9".parse()?;
    /// let table = table(&game, Heap::of(9), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// let moves: Vec<u64> = table.moves_to(Heap::of(9), Nimber(2)).map(|mv| mv.count).collect();
    /// assert_eq!(moves, [7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new(self.search(heap, target).flatten())
    }

    /// A move from a heap that leaves this Grundy value, if there is one.
    ///
    /// ```
    /// use zeroxor::Nimber;
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "segment 20 3 5".parse()?;
    /// let table = table(&game, Heap::of(20), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// let mv = table.move_to(Heap::of(20), Nimber::ZERO).unwrap();
    /// // Four cards from the middle, or whatever else leaves nimber 0.
    /// let left = [mv.offset, 20 - mv.offset - mv.count].map(|size| table.nimber(Heap::of(size)));
    /// assert_eq!(left[0], left[1]);
    /// assert!(table.move_to(Heap::of(2), Nimber::ZERO).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn move_to(&self, heap: Heap, target: Nimber) -> Option<HeapMove> {
        self.moves_to(heap, target).next()
    }

    /// The number of moves that leave heaps whose nimbers XOR to `target`; `None` if counting is out of reach.
    ///
    /// ```
    /// use zeroxor::Nimber;
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "segment 20 1 1".parse()?;
    /// let table = table(&game, Heap::of(20), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// // Taking one card from a row of an odd length always leaves nimber 0.
    /// assert_eq!(table.count_to(Heap::of(19), Nimber::ZERO), Some(19));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128>;

    /// About how many steps [`count_to`](Self::count_to) takes.
    ///
    /// ```
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "divisor 1".parse()?;
    /// let table = table(&game, Heap::of(720720), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// // The divisors are listed, and a prime has only two.
    /// assert!(table.count_cost(Heap::of(720_720)) > table.count_cost(Heap::of(720_743)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn count_cost(&self, heap: Heap) -> u128;

    /// Like [`count_to`](Self::count_to), but cheaper when it is called often; very large counts may be inexact. Used
    /// to compare the moves from a lost position.
    ///
    /// ```
    /// use zeroxor::Nimber;
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "subtract 30 take 2 3 7".parse()?;
    /// let table = table(&game, Heap::of(30), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// assert_eq!(table.replies_to(Heap::of(30), Nimber(9)), Some(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn replies_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        self.count_to(heap, target)
    }

    /// The best delaying move in this heap of a lost position; `None` if it has no move, or counting is out of
    /// reach. `elsewhere` returns the number of replies that win in the other heaps, by the XOR that a move leaves.
    ///
    /// ```
    /// use zeroxor::grundy::{Budget, ValueKind, table};
    /// use zeroxor::rules::Heap;
    ///
    /// let game = "nim 1".parse()?;
    /// let table = table(&game, Heap::of(8), ValueKind::Nimber, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// // Piles of 7 and 7 are lost. No reply in this pile wins, and of those in the other pile one, whatever is taken.
    /// let mv = table.best_delaying_move(Heap::of(7), &mut |_| 1).unwrap();
    /// assert_eq!((mv.winning_replies, mv.shortens, mv.mv.count), (1, 1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove>;
}

/// A move from a lost position. The first in order delays best.
///
/// ```
/// use zeroxor::grundy::DelayMove;
/// use zeroxor::rules::HeapMove;
///
/// let taking = |count, winning_replies| {
///     let mv = HeapMove { offset: 0, count };
///     DelayMove { winning_replies, shortens: count, mv }
/// };
/// // Fewer replies that win come first, then more play that is left.
/// let moves = [taking(1, 3), taking(4, 2), taking(2, 2)];
/// assert_eq!(moves.into_iter().min(), Some(taking(2, 2)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DelayMove {
    /// How many replies win.
    pub winning_replies: u128,
    /// By how much the move shortens the longest play in its heap; for some large heaps an estimate.
    pub shortens: u64,
    /// The move.
    pub mv: HeapMove,
}

/// What computes the values of a game.
pub(crate) trait Engine {
    /// The kind of values a table holds when `_asked` is requested.
    fn value_kind(&self, _asked: ValueKind) -> ValueKind {
        ValueKind::Nimber
    }

    /// How many steps it takes to compare all moves of a heap, see [`GrundyTable::best_delaying_move`].
    fn comparison_cost(&self, heap: Heap) -> u128;

    /// The steps and the bytes that a table takes at least, if they are known before it is computed, else 0.
    fn least_cost(&self, _largest: Heap, _kind: ValueKind) -> [u128; 2] {
        [0, 0]
    }

    /// The Grundy values of all heaps up to the size of `largest`; what they cost is taken from `budget`. From time
    /// to time `progress` receives the size up to which they are known, if it takes long enough.
    ///
    /// # Errors
    ///
    /// If they cost more.
    fn table(
        &self,
        largest: Heap,
        kind: ValueKind,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn GrundyTable>, TooLarge>;
}

/// The engine for these rules.
pub(crate) fn engine(rules: &Arc<dyn Rules>) -> &dyn Engine {
    fn is<E: Engine + 'static>(rules: &dyn Any) -> Option<&dyn Engine> {
        rules.downcast_ref::<E>().map(|engine| engine as &dyn Engine)
    }

    let any: &dyn Any = rules.as_ref();
    let own = is::<Row>(any).or_else(|| is::<Euclid>(any));
    #[cfg(feature = "engines")]
    let own = own
        .or_else(|| is::<Pile<FromSequence>>(any))
        .or_else(|| is::<Pile<Divisor>>(any))
        .or_else(|| is::<Pile<Subtract>>(any))
        .or_else(|| is::<Pile<Nim>>(any))
        .or_else(|| is::<Octal>(any))
        .or_else(|| is::<Grundy>(any));
    own.unwrap_or(rules)
}
