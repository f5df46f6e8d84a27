//! The theories a player has worked out so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Nimber;
use crate::games::{Budget, Detail, Heap, Theory, TooLarge};
use crate::table::{Seat, Table};

/// Grundy tables of one table's games, by their rules and their detail, within one budget.
#[derive(Default)]
pub(crate) struct Theories {
    known: BTreeMap<(String, Detail), Known>,
}

/// A theory, up to a size, and what it cost.
struct Known {
    largest: Heap,
    theory: Arc<dyn Theory>,
    cost: Budget,
}

/// The theories of a table's games, in the order of [`Table::games`].
pub(crate) struct Learned(Vec<Arc<dyn Theory>>);

impl Theories {
    /// Works out what is missing to find good moves in these heaps of the table, and smaller ones; where there is
    /// only one, its outcome is enough.
    pub(crate) fn learn(&mut self, table: &Table, heaps: &[Seat<'_>]) -> Result<Learned, TooLarge> {
        let detail = if heaps.len() == 1 { Detail::Outcome } else { Detail::Nimber };
        self.learn_in(detail, table, heaps)
    }

    /// Works out what is missing to answer for these heaps of the table in this detail.
    pub(crate) fn learn_in(
        &mut self,
        detail: Detail,
        table: &Table,
        heaps: &[Seat<'_>],
    ) -> Result<Learned, TooLarge> {
        let mut largest = vec![Heap::of(0); table.games().len()];
        for seat in heaps {
            largest[seat.game] = largest[seat.game].max(seat.heap);
        }
        let rules: Vec<String> = table.games().iter().map(|game| game.rules()).collect();
        // Another table's theories would only fill the memory.
        self.known.retain(|(known, _), _| rules.contains(known));
        let mut learned = Vec::with_capacity(rules.len());
        for ((game, rules), largest) in table.games().iter().zip(rules).zip(largest) {
            let key = (rules, detail);
            if let Some(known) = self.known.get(&key).filter(|known| known.largest >= largest) {
                learned.push(Arc::clone(&known.theory));
                continue;
            }
            self.known.remove(&key);
            let before = self.known.values().fold(Budget::TABLE, |left, known| left.less(&known.cost));
            let mut left = before;
            let theory: Arc<dyn Theory> = Arc::from(game.theory(largest, detail, &mut left)?);
            learned.push(Arc::clone(&theory));
            self.known.insert(key, Known { largest, theory, cost: before.less(&left) });
        }
        Ok(Learned(learned))
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
