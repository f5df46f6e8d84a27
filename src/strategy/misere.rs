//! Misère play: the solver of the game, and the best delaying move.

use std::cmp::Reverse;

use super::Solver;
use crate::Move;
use crate::grundy::cache::Purpose;
use crate::misere;
use crate::position::{HeapClass, Position};

impl Solver {
    /// Asks the misère solver, or a new one if it does not cover the heaps of `position`. The steps that it uses are
    /// subtracted from the limit for `purpose`. A step takes less than a nanosecond on a slow machine.
    pub(super) fn misere<T>(
        &mut self,
        position: &Position,
        purpose: Purpose,
        ask: impl FnOnce(&mut misere::Solver) -> T,
    ) -> T {
        self.cache.begin(position.shared_rules());
        let known = self.misere.take().filter(|solver| solver.covers(position));
        let solver = known.unwrap_or_else(|| {
            let steps = self.cache.limit(Purpose::Winning).steps_left();
            let solver = misere::Solver::new(position, misere::Budget { steps, ..misere::Budget::PER_HEAP });
            self.cache.limit(Purpose::Winning).set_steps_left(solver.searched.left.steps);
            solver
        });
        let solver = self.misere.insert(solver);
        let limit = self.cache.limit(purpose);
        solver.searched.left.steps = limit.steps_left();
        let answer = ask(solver);
        limit.set_steps_left(solver.searched.left.steps);
        answer
    }

    /// Returns the move from a lost position after which the fewest replies win; of several such moves, the one that
    /// leaves the longest play. `None` if counting the replies would take too long.
    pub(super) fn fewest_misere_replies(
        &mut self,
        position: &Position,
        classes: &[HeapClass<'_>],
    ) -> Option<Move> {
        /// Maximum number of compared moves. Each has about as many replies, so the time grows with the square.
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
            let winning =
                self.misere(&after, Purpose::Delaying, |solver| solver.winning_moves(&after)).ok()?;
            // A move that ends the game loses at once in misère play, so rank it last.
            let replies = if after.is_over() { usize::MAX } else { winning.len() };
            let plies = after.heaps().map(|placed| placed.rules.max_plies(placed.heap));
            compared.push((replies, Reverse(plies.fold(0, u64::saturating_add)), mv));
        }
        compared.into_iter().min().map(|(.., mv)| mv)
    }
}
