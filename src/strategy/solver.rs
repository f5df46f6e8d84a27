//! The solver: who wins a position, the move that makes the XOR zero, and the best delaying move from a lost
//! position.

use std::fmt;

use super::delaying;
use super::symmetry::{Symmetry, cancelling_move, symmetry};
use crate::compat::{Itertools, debug};
use crate::grundy::cache::{TableCache, Values};
use crate::grundy::{Budget, TooLarge, ValueKind};
use crate::position::{HeapClass, PlacedHeap, Position};
use crate::{Move, Nimber, Side};

/// Who wins a position when both play well.
///
/// ```
/// use zeroxor::{Outcome, Position, Solver};
///
/// let mut solver = Solver::new();
/// let mut outcome = |header: &str| -> Result<Outcome, Box<dyn std::error::Error>> {
///     Ok(solver.outcome(&Position::new(&header.parse()?)?)?)
/// };
/// // The next player wins a row of 3 by taking all, the previous one a row of 4.
/// assert_eq!(outcome("3 1 3")?, Outcome::N);
/// assert_eq!(outcome("4 1 1")?, Outcome::P);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// An N-position: the next player, who is to move, wins.
    N,
    /// A P-position: the previous player wins, and the player to move loses.
    P,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::N => "N",
            Self::P => "P",
        })
    }
}

/// What tables may take that only serve to choose among lost moves: a fraction of a second.
const MAX_OPTIONAL_STEPS: u128 = 300_000_000;

/// Who wins a position, and by which move. It keeps the Grundy tables it has made, so use one for a whole game.
///
/// No value is computed for heaps that cancel in pairs or have no moves. To keep a win where the other heaps'
/// values are out of reach too, play with a [`Player`](crate::Player), which knows the last move.
///
/// ```
/// use zeroxor::{GameSpec, Outcome, Position, Solver};
///
/// let spec: GameSpec = "segment 20 3 5 + nim 3 5".parse()?;
/// let mut position = Position::new(&spec)?;
/// let mut solver = Solver::new();
/// assert_eq!(solver.outcome(&position)?, Outcome::N);
/// let mv = solver.winning_move(&position)?.unwrap();
/// position.play(mv)?;
/// assert_eq!(solver.outcome(&position)?, Outcome::P);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    pub(super) cache: TableCache,
    pub(super) budget: Budget,
}

impl Default for Solver {
    fn default() -> Self {
        Self::with_budget(Budget::GAME)
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver whose tables may cost as much as those of the contest bot.
    ///
    /// ```
    /// use zeroxor::grundy::Budget;
    /// use zeroxor::{Outcome, Position, Solver};
    ///
    /// let position = Position::new(&"20 3 3".parse()?)?;
    /// assert_eq!(Solver::new().outcome(&position), Solver::with_budget(Budget::GAME).outcome(&position));
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// A solver whose tables for one game, a sum included, may cost this much.
    ///
    /// ```
    /// use zeroxor::grundy::Budget;
    /// use zeroxor::{Position, Solver};
    ///
    /// // Without tables: what symmetry decides, and games whose values have a formula.
    /// let mut solver = Solver::with_budget(Budget::new(0, 0));
    /// assert!(solver.outcome(&Position::new(&"2000 1 3".parse()?)?).is_ok());
    /// assert!(solver.outcome(&Position::new(&"nim 3 5".parse()?)?).is_ok());
    /// assert!(solver.outcome(&Position::new(&"2000 3 3".parse()?)?).is_err());
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn with_budget(budget: Budget) -> Self {
        Self { cache: TableCache::default(), budget }
    }

    /// Lets the limit on CPU time begin now, if there is one.
    pub(super) fn begin_anew(&mut self) {
        self.budget = self.budget.restarted();
    }

    /// Who wins from here.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach, or it takes too long to find which heaps have moves.
    ///
    /// ```
    /// use zeroxor::{Outcome, Position, Solver};
    ///
    /// // 3 xor 5 xor 6 is 0.
    /// let position = Position::new(&"nim 3 5 6".parse()?)?;
    /// assert_eq!(Solver::new().outcome(&position)?, Outcome::P);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&mut self, position: &Position) -> Result<Outcome, TooLarge> {
        self.allow_liveness(position)?;
        Ok(match symmetry(position) {
            Symmetry::Cancelled => {
                debug!("{position}: all heaps cancel in pairs, XOR 0");
                Outcome::P
            }
            Symmetry::Reply(_) => {
                debug!("{position}: one move lets all heaps cancel in pairs");
                Outcome::N
            }
            Symmetry::Unsettled(heaps) => match self.values(position, &heaps, u128::MAX) {
                Ok(values) => {
                    let xor = xor(&values, &heaps);
                    debug!("{position}: XOR {xor}");
                    if xor == Nimber::ZERO { Outcome::P } else { Outcome::N }
                }
                Err(error) => self.beside_zero(position, &heaps).map(|_| Outcome::N).ok_or(error)?,
            },
        })
    }

    /// The side that wins, before the first move.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach.
    ///
    /// ```
    /// use zeroxor::{Position, Side, Solver};
    ///
    /// let start = Position::new(&"divisor 12 4".parse()?)?;
    /// // Both piles have the nimber 3: 12 = 4 * 3.
    /// assert_eq!(Solver::new().winning_side(&start)?, Side::Second);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_side(&mut self, position: &Position) -> Result<Side, TooLarge> {
        Ok(match self.outcome(position)? {
            Outcome::N => Side::First,
            Outcome::P => Side::Second,
        })
    }

    /// The move to make: one that wins, else the best delaying move; `None` if there is no move.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach.
    ///
    /// ```
    /// use zeroxor::{Position, Solver};
    ///
    /// let mut solver = Solver::new();
    /// // 2 stones are lost, and one can be taken; 3 stones are won by taking one.
    /// for (pile, take) in [(2, 1), (3, 1), (4, 4)] {
    ///     let position = Position::new(&format!("square {pile}").parse()?)?;
    ///     assert_eq!(solver.best_move(&position)?.map(|mv| mv.take), Some(take));
    /// }
    /// let stuck = Position::new(&"square 3 ban 1".parse()?)?;
    /// assert_eq!(solver.best_move(&stuck)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_move(&mut self, position: &Position) -> Result<Option<Move>, TooLarge> {
        match self.winning_move(position)? {
            Some(mv) => Ok(Some(mv)),
            None => Ok(self.best_delaying_move(position)),
        }
    }

    /// A move that makes the XOR zero, `None` from a P-position.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach.
    ///
    /// ```
    /// use zeroxor::{Move, Position, Solver};
    ///
    /// let mut solver = Solver::new();
    /// let position = Position::new(&"nim 3 5 7".parse()?)?;
    /// assert_eq!(solver.winning_move(&position)?, Some(Move { place: 1, take: 1 }));
    /// assert_eq!(solver.winning_move(&Position::new(&"nim 3 5 6".parse()?)?)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn winning_move(&mut self, position: &Position) -> Result<Option<Move>, TooLarge> {
        self.allow_liveness(position)?;
        match symmetry(position) {
            Symmetry::Cancelled => {
                debug!("{position}: all heaps cancel in pairs, XOR 0");
                Ok(None)
            }
            Symmetry::Reply(mv) => {
                debug!("{position}: after {mv} all heaps cancel in pairs, XOR 0");
                Ok(Some(mv))
            }
            Symmetry::Unsettled(heaps) => match self.values(position, &heaps, u128::MAX) {
                Ok(values) => Ok(zero_move(position, &heaps, &values)),
                Err(error) => self.beside_zero(position, &heaps).map(Some).ok_or(error),
            },
        }
    }

    /// The XOR of the nimbers of all heaps. Heaps that cancel in pairs need no values.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach.
    ///
    /// ```
    /// use zeroxor::{Nimber, Position, Solver};
    ///
    /// let position = Position::new(&"1000000000 3 3 + 1000000000 3 3 + nim 7".parse()?)?;
    /// assert_eq!(Solver::new().nimber(&position)?, Nimber(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "analysis")]
    pub fn nimber(&mut self, position: &Position) -> Result<Nimber, TooLarge> {
        self.allow_liveness(position)?;
        let heaps = super::symmetry::unpaired(position);
        let keys = heaps.iter().map(PlacedHeap::key);
        let kind = ValueKind::Nimber;
        let values = self.cache.values(position.shared_rules(), keys, kind, &mut self.budget, false)?;
        Ok(xor(&values, &heaps))
    }

    /// Makes the tables for the [best delaying move](Self::best_delaying_move) from here, so that it is found
    /// sooner. It is worth while for a player who does not win.
    ///
    /// ```
    /// use zeroxor::{Position, Solver};
    ///
    /// let lost = Position::new(&"9 2 2".parse()?)?;
    /// let mut solver = Solver::new();
    /// solver.prepare_delaying(&lost);
    /// assert_eq!(solver.best_delaying_move(&lost), Solver::new().best_delaying_move(&lost));
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn prepare_delaying(&mut self, position: &Position) {
        let classes = position.live_classes().collect_vec();
        if let Some(values) = self.optional_values(position, &classes) {
            delaying::can_count(&classes, &values);
        }
    }

    /// From a lost position, the move that makes the win hardest to find; `None` if there is no move.
    ///
    /// Of the moves it takes one after which the fewest replies win, of these one that leaves the longest play, of
    /// these the one at the lowest place that takes least. docs/games.md says where the longest play is estimated, and
    /// where not all moves are compared.
    ///
    /// ```
    /// use zeroxor::{Position, Solver};
    ///
    /// // 20 is lost. After 16 one reply wins, after 1, 9 and 4 two to four.
    /// let lost = Position::new(&"square 20".parse()?)?;
    /// assert_eq!(Solver::new().best_delaying_move(&lost).map(|mv| mv.take), Some(16));
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn best_delaying_move(&mut self, position: &Position) -> Option<Move> {
        let classes = position.live_classes().collect_vec();
        let values = self.optional_values(position, &classes);
        let compared = values.and_then(|values| delaying::fewest_winning_replies(&classes, &values));
        let mv = compared.or_else(|| delaying::most_play(&classes))?;
        debug!("{position}: XOR 0, no move wins; {mv} delays best");
        Some(mv)
    }

    /// Whether it may be found out which heaps have moves. Symmetry asks for all, before there is any table.
    fn allow_liveness(&self, position: &Position) -> Result<(), TooLarge> {
        let what = || "to tell which of the heaps have moves".to_owned();
        self.budget.allows(what, position.liveness_cost(), 0)
    }

    /// The values of unpaired heaps, within `most_steps`. Of one heap the outcome is enough.
    fn values(
        &mut self,
        position: &Position,
        heaps: &[PlacedHeap<'_>],
        most_steps: u128,
    ) -> Result<Values, TooLarge> {
        let kind = if heaps.len() == 1 { ValueKind::Outcome } else { ValueKind::Nimber };
        let mut budget = self.budget.with_steps(most_steps);
        let heaps = heaps.iter().map(PlacedHeap::key);
        let values = self.cache.values(position.shared_rules(), heaps, kind, &mut budget, false);
        self.budget.keep_clock(&budget);
        values
    }

    /// A move after which the unpaired heaps of one game cancel in pairs, where those of all others have XOR 0;
    /// the values of the one game are not needed. `heaps` are in the order of their games.
    fn beside_zero(&mut self, position: &Position, heaps: &[PlacedHeap<'_>]) -> Option<Move> {
        heaps.chunk_by(|a, b| a.index == b.index).find_map(|group| {
            let mv = cancelling_move(group)?;
            let others = heaps.iter().filter(|placed| placed.index != group[0].index).copied().collect_vec();
            // These steps may not lead to an answer: then the game is refused within a second.
            let values = self.values(position, &others, Budget::MAX_SPECULATIVE_STEPS).ok()?;
            (xor(&values, &others) == Nimber::ZERO).then_some(mv)
        })
    }

    /// The values of all heaps that have moves, where nothing depends on them.
    fn optional_values(&mut self, position: &Position, classes: &[HeapClass<'_>]) -> Option<Values> {
        if !delaying::is_comparable(position, classes) {
            return None;
        }
        let heaps = classes.iter().map(|class| class.first.key());
        let is_one = classes.iter().map(|class| class.copies).sum::<usize>() == 1;
        let kind = if is_one { ValueKind::Outcome } else { ValueKind::Nimber };
        let mut budget = self.budget.with_steps(MAX_OPTIONAL_STEPS);
        self.cache.values(position.shared_rules(), heaps, kind, &mut budget, true).ok()
    }
}

/// The XOR of the nimbers of these heaps.
pub(super) fn xor(values: &Values, heaps: &[PlacedHeap<'_>]) -> Nimber {
    values.xor(heaps.iter().map(PlacedHeap::key))
}

/// The move that brings one heap to the XOR of the others.
///
/// At least one nimber has the highest bit of the XOR. The others XOR to less than that one, so by the
/// definition of mex its heap has an option of that value.
fn zero_move(position: &Position, heaps: &[PlacedHeap<'_>], values: &Values) -> Option<Move> {
    let xor = xor(values, heaps);
    let left = heaps.iter().map(|placed| placed.heap).format(" ");
    debug!("{position}: heaps that do not cancel: {left}; XOR {xor}");
    heaps.iter().find_map(|placed| {
        let table = values.table(placed.index);
        let nimber = table.nimber(placed.heap);
        let target = nimber ^ xor;
        if target >= nimber {
            return None;
        }
        let heap_move = table.move_to(placed.heap, target)?;
        let mv = placed.at(heap_move);
        let left = placed.rules.apply(placed.heap, heap_move).ok()?;
        debug!(
            "heap {} at place {} has nimber {nimber}; {mv} leaves ({}) of nimber {target}: XOR {xor} before, 0 after",
            placed.heap,
            placed.place,
            left.iter().map(|(_, heap)| heap).format(", "),
        );
        Some(mv)
    })
}
