//! The legal moves of a position: how many there are, and each by its number.

use super::{Copies, Position, RuledHeap};
use crate::Move;

impl Position {
    /// How many legal moves there are.
    ///
    /// Rows of 10^18 cards have fewer than 10^36 moves each, and the places bound how many such rows there
    /// are, so the sum fits.
    ///
    /// ```
    /// use zeroxor::Position;
    ///
    /// // 18 moves take 3 cards, 17 take 4 and 16 take 5.
    /// assert_eq!(Position::new(&"20 3 5".parse()?)?.move_count(), 51);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn move_count(&self) -> u128 {
        let classes = self.classes.iter();
        classes.map(|(&ruled, copies)| copies.places.len() as u128 * self.moves_of(ruled, copies)).sum()
    }

    /// The legal move of that number, counted heap by heap; `None` from [`move_count`](Self::move_count) on.
    ///
    /// ```
    /// use zeroxor::{Move, Position};
    ///
    /// let row = Position::new(&"1000000000000 1 1000000000000".parse()?)?;
    /// let last = row.move_count() - 1;
    /// assert_eq!(row.nth_move(last), Some(Move { place: 1, take: 1_000_000_000_000 }));
    /// assert_eq!(row.nth_move(last + 1), None);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn nth_move(&self, mut n: u128) -> Option<Move> {
        for (&place, &ruled) in &self.heaps {
            let count = self.classes.get(&ruled).map_or(0, |copies| self.moves_of(ruled, copies));
            if n < count {
                let placed = self.placed(place, ruled);
                return placed.rules.nth_move(placed.heap, n).map(|mv| placed.at(mv));
            }
            n -= count;
        }
        None
    }

    /// How many legal moves each heap of a class has.
    fn moves_of(&self, RuledHeap { rules, heap }: RuledHeap, copies: &Copies) -> u128 {
        *copies.moves.get_or_init(|| self.rules[rules].move_count(heap))
    }

    /// Every legal move.
    ///
    /// ```
    /// use zeroxor::Position;
    ///
    /// let position = Position::new(&"divisor 4 + 3 2 2".parse()?)?;
    /// let moves: Vec<String> = position.moves().map(|mv| mv.to_string()).collect();
    /// assert_eq!(moves, ["1 1", "1 2", "1 4", "2 2", "3 2"]);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.heaps().flat_map(|placed| placed.rules.moves(placed.heap).map(move |mv| placed.at(mv)))
    }
}
