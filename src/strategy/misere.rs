//! Misère play: the solver of the game, and the best delaying move.

use std::cmp::Reverse;

use super::Solver;
use super::delaying::most_play;
use crate::Move;
use crate::misere;
use crate::position::{HeapClass, Position};
use log::debug;

impl Solver {
    /// Returns the misère solver, or a new one if it does not cover the heaps of `position`.
    pub(super) fn misere(&mut self, position: &Position) -> &mut misere::Solver {
        /// Steps of each search, and of the quotient. A step takes less than a nanosecond on a slow machine.
        const STEPS: u64 = 3_000_000_000;
        let known = self.misere.take().filter(|solver| solver.covers(position));
        let solver = known.unwrap_or_else(|| {
            misere::Solver::new(position, misere::Budget { steps: STEPS, ..misere::Budget::PER_HEAP })
        });
        self.misere.insert(solver)
    }

    /// Returns the move from a lost position after which the fewest replies win; of several such moves, the one that
    /// leaves the longest play. If counting the replies would take too long, returns the smallest move in the heap with
    /// the longest play. `classes` must be all classes that have moves.
    pub(super) fn misere_delaying_move(
        &mut self,
        position: &Position,
        classes: &[HeapClass<'_>],
    ) -> Option<Move> {
        let mv = self.fewest_misere_replies(position, classes).or_else(|| most_play(classes))?;
        debug!("{position}: no move wins; {mv} is the best delaying move");
        Some(mv)
    }

    fn fewest_misere_replies(&mut self, position: &Position, classes: &[HeapClass<'_>]) -> Option<Move> {
        /// Maximum number of moves that are compared. Each move has about as many replies as there are moves, so the
        /// time grows with the square of this number.
        const MAX_COMPARED: u128 = 300;
        if position.move_count() > MAX_COMPARED {
            return None;
        }
        let moves = classes
            .iter()
            .flat_map(|class| class.first.rules.moves(class.first.heap).map(|mv| class.first.at(mv)));
        let mut compared = Vec::new();
        for mv in moves {
            let mut after = position.clone();
            after.play(mv).ok()?;
            // A move that ends the game loses at once in misère play, so rank it last.
            let replies = match self.misere(&after).winning_moves(&after).ok()?.len() {
                _ if after.is_over() => usize::MAX,
                replies => replies,
            };
            let plies = after.heaps().map(|placed| placed.rules.max_plies(placed.heap));
            compared.push((replies, Reverse(plies.fold(0, u64::saturating_add)), mv));
        }
        compared.into_iter().min().map(|(.., mv)| mv)
    }
}
