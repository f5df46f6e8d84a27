//! The theories a player has worked out so far.

use std::sync::Arc;

use crate::Nimber;
use crate::games::{Budget, Detail, Game, Heap, Theory, TooLarge};
use crate::table::{Kind, Seat, Table};

/// Grundy tables of one table's games, within one budget.
#[derive(Default)]
pub(crate) struct Theories {
    /// The games they are for, in the order of [`Table::games`].
    games: Option<Arc<[Arc<dyn Game>]>>,
    known: Vec<Known>,
}

/// What is known of one game.
#[derive(Default)]
struct Known {
    outcomes: Option<Worked>,
    nimbers: Option<Worked>,
}

/// A theory, up to a size, and what it cost.
struct Worked {
    largest: Heap,
    theory: Arc<dyn Theory>,
    cost: Budget,
}

/// The theories of a table's games, in the order of [`Table::games`].
pub(crate) struct Learned(Vec<Arc<dyn Theory>>);

impl Theories {
    /// Works out what is missing to tell good moves on this table, and on all that it can become. Where there
    /// is only one heap, its outcome is enough.
    pub(crate) fn learn(&mut self, table: &Table, budget: Budget) -> Result<Learned, TooLarge> {
        let one = table.live_kinds().take(2).map(|kind| kind.copies).sum::<usize>() == 1;
        self.learn_in(if one { Detail::Outcome } else { Detail::Nimber }, table, budget)
    }

    /// The same in this detail.
    pub(crate) fn learn_in(
        &mut self,
        detail: Detail,
        table: &Table,
        budget: Budget,
    ) -> Result<Learned, TooLarge> {
        let games = table.games();
        if !self.games.as_ref().is_some_and(|known| Arc::ptr_eq(known, games)) {
            // Another table's theories would only fill the memory.
            self.games = Some(Arc::clone(games));
            self.known = games.iter().map(|_| Known::default()).collect();
        }
        let mut largest = vec![Heap::of(0); games.len()];
        for Kind { seat, .. } in table.live_kinds() {
            largest[seat.game] = largest[seat.game].max(seat.heap);
        }
        let spent = self.known.iter().flat_map(Known::costs);
        let mut left = spent.fold(budget, |left, cost| left.less(cost));
        let worked = games.iter().zip(&mut self.known).zip(largest);
        worked
            .map(|((game, known), largest)| known.learn(game.as_ref(), largest, detail, &mut left))
            .collect::<Result<_, _>>()
            .map(Learned)
    }
}

impl Known {
    fn costs(&self) -> impl Iterator<Item = &Budget> {
        self.outcomes.iter().chain(&self.nimbers).map(|worked| &worked.cost)
    }

    /// The theory up to `largest`, worked out if it is not known; its cost is taken from `left`.
    fn learn(
        &mut self,
        game: &dyn Game,
        largest: Heap,
        detail: Detail,
        left: &mut Budget,
    ) -> Result<Arc<dyn Theory>, TooLarge> {
        let detail = game.detail(detail);
        let enough = |worked: &&Worked| worked.largest >= largest;
        let outcomes = self.outcomes.as_ref().filter(|_| detail == Detail::Outcome);
        if let Some(worked) = self.nimbers.as_ref().filter(enough).or(outcomes.filter(enough)) {
            return Ok(Arc::clone(&worked.theory));
        }
        let slot = if detail == Detail::Outcome { &mut self.outcomes } else { &mut self.nimbers };
        if let Some(smaller) = slot.take() {
            *left = left.plus(&smaller.cost);
        }
        let before = *left;
        let theory: Arc<dyn Theory> = Arc::from(game.theory(largest, detail, left)?);
        *slot = Some(Worked { largest, theory: Arc::clone(&theory), cost: before.less(left) });
        Ok(theory)
    }
}

impl Learned {
    /// The theory of one of the table's games.
    pub(crate) fn of(&self, game: usize) -> &dyn Theory {
        self.0[game].as_ref()
    }

    /// The XOR of the nimbers of heaps on the table.
    pub(crate) fn xor(&self, heaps: &[Seat<'_>]) -> Nimber {
        heaps.iter().map(|seat| self.nimber(seat)).sum()
    }

    /// The nimber of a heap on the table.
    pub(crate) fn nimber(&self, seat: &Seat<'_>) -> Nimber {
        self.of(seat.game).nimber(seat.heap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::parse_header;
    use crate::{Move, Strategy};

    fn table(header: &str) -> Table {
        Table::open(&parse_header(header.as_bytes()).unwrap().parts).unwrap()
    }

    /// A table that was built for one heap serves for the two it becomes, and is not built or paid for twice.
    #[test]
    fn what_is_known_serves_to_the_end() {
        let mut theories = Theories::default();
        let mut row = table("3000 3 3");
        let first = theories.learn(&row, Budget::TABLE).unwrap();
        row.play(Move { place: 1001, take: 3 }).unwrap();
        let second = theories.learn(&row, Budget::TABLE).unwrap();
        assert!(Arc::ptr_eq(&first.0[0], &second.0[0]));
        // Another table's theories are forgotten, and so is what they cost.
        assert!(theories.learn(&table("3000 3 3"), Budget::TABLE).is_ok());
        assert_eq!(theories.known.iter().flat_map(Known::costs).count(), 1);
    }

    /// Squares have two theories: outcomes are not enough for two piles, nimbers are for one.
    #[test]
    fn the_detail_that_is_needed() {
        let mut theories = Theories::default();
        let mut piles = table("square 1000 1");
        let two = theories.learn(&piles, Budget::TABLE).unwrap();
        assert!(two.of(0).nimber(Heap::of(25)) > Nimber(1), "25 is worth 3");
        piles.play(Move { place: 2, take: 1 }).unwrap();
        let one = theories.learn(&piles, Budget::TABLE).unwrap();
        assert!(Arc::ptr_eq(&one.0[0], &two.0[0]));
        let only = Theories::default().learn(&table("square 1000"), Budget::TABLE).unwrap();
        assert_eq!(only.of(0).nimber(Heap::of(25)), Nimber(1));
    }

    /// A game that is begun never meets a table that is too large: all heaps are asked for at the start.
    #[test]
    fn hidden_heaps_are_asked_for_at_the_start() {
        assert!(Strategy::default().outcome(&table("square 99999999")).is_ok());
        assert!(Strategy::default().outcome(&table("square 99999999 5 5")).is_err());
    }
}
