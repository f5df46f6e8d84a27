//! The tables that a solver has computed.

use std::sync::Arc;

use super::{Budget, GrundyTable, Nimber, TableRequest, TooLarge, ValueKind, engine};
use crate::compat::debug;
use crate::rules::{Heap, Rules};

/// The rules of a position; other types refer to rules by the index in this list.
type RulesList = Arc<[Arc<dyn Rules>]>;

/// The Grundy tables for the rules of one position, within one budget.
#[derive(Default)]
pub(crate) struct TableCache {
    rules: Option<RulesList>,
    /// By the index of the rules.
    known: Vec<Known>,
}

/// The tables of one game.
#[derive(Default)]
struct Known {
    outcomes: Option<Made>,
    nimbers: Option<Made>,
    /// The last table that was too large. The same table is not tried again.
    refused: Option<Refused>,
}

/// A table that was refused.
struct Refused {
    largest: Heap,
    kind: ValueKind,
    left: Budget,
    error: TooLarge,
}

/// A table, the largest heap it has, and its cost.
struct Made {
    largest: Heap,
    table: Arc<dyn GrundyTable>,
    cost: Budget,
    /// Whether no answer depended on the table. The cost of an optional table does not reduce the budget of needed
    /// tables.
    is_optional: bool,
}

/// Tables for all heaps of a position, by the index of the rules.
pub(crate) struct Values(Vec<Arc<dyn GrundyTable>>);

impl TableCache {
    /// Returns tables for `heaps`, each given with the index of its rules, and for all heaps that they can become;
    /// computes those that are missing. Optional tables, on which no answer depends, never reduce the budget of
    /// needed ones.
    ///
    /// # Errors
    ///
    /// If the tables cost more than `budget`.
    pub(crate) fn values(
        &mut self,
        rules: &RulesList,
        heaps: impl IntoIterator<Item = (usize, Heap)>,
        kind: ValueKind,
        budget: &mut Budget,
        is_optional: bool,
    ) -> Result<Values, TooLarge> {
        if !self.rules.as_ref().is_some_and(|known| Arc::ptr_eq(known, rules)) {
            // Drop the tables of another position.
            self.rules = Some(Arc::clone(rules));
            self.known = rules.iter().map(|_| Known::default()).collect();
        }
        let mut largest = vec![Heap::of(0); rules.len()];
        for (index, heap) in heaps {
            largest[index] = largest[index].max(heap);
        }
        let expected = self.foresee(rules, &largest, kind, is_optional, budget)?;
        let mut left = self.left(budget, is_optional);
        left.pending = expected.iter().sum();
        let known = self.known.iter_mut().enumerate();
        let tables = known
            .map(|(index, known)| {
                left.pending -= expected[index];
                known.table(&rules[index], largest[index], kind, is_optional, &mut left)
            })
            .collect::<Result<_, _>>();
        budget.keep_clock(&left);
        tables.map(Values)
    }

    /// Returns `budget` without the costs of the tables that are kept.
    fn left(&self, budget: &Budget, is_optional: bool) -> Budget {
        let spent = self.known.iter().flat_map(|known| known.costs(is_optional));
        spent.fold(*budget, |left, cost| left.less(cost))
    }

    /// Returns the expected steps of each missing table, 0 for tables that exist.
    ///
    /// If the cost of a table is not known in advance, the table is probed: computing stops after some steps, and the
    /// total is estimated from these.
    ///
    /// # Errors
    ///
    /// If one table or all together cost more than `budget`. The error comes before any table has taken long.
    fn foresee(
        &mut self,
        rules: &RulesList,
        largest: &[Heap],
        kind: ValueKind,
        is_optional: bool,
        budget: &mut Budget,
    ) -> Result<Vec<u128>, TooLarge> {
        let (mut expected, mut unknown, mut missing) = (vec![0; rules.len()], Vec::new(), 0);
        let mut left = self.left(budget, is_optional);
        for (index, (rules, known)) in rules.iter().zip(&mut self.known).enumerate() {
            let (engine, largest) = (engine(rules), largest[index]);
            let table_kind = engine.value_kind(kind);
            if known.made(largest, table_kind).is_some() {
                continue;
            }
            missing += 1;
            let [steps, bytes] = engine.least_cost(largest, table_kind);
            if left.spend(String::new, steps, bytes).is_err() {
                // Let the table produce the error.
                known.table(rules, largest, kind, is_optional, &mut left)?;
            } else if steps > 0 {
                expected[index] = steps;
            } else {
                unknown.push(index);
            }
        }
        if missing < 2 {
            unknown.clear();
        }
        // The memory of these tables is subtracted when they are computed.
        left = self.left(budget, is_optional).with_steps(left.steps());
        let probe = left.steps() / 10 / unknown.len().max(1) as u128;
        for index in unknown {
            let mut probed = left.probing(Some(probe));
            let made = self.known[index].table(&rules[index], largest[index], kind, is_optional, &mut probed);
            budget.keep_clock(&probed);
            match made {
                Ok(_) => left = probed,
                Err(error) if error.is_within_limit() => {
                    // The end of a probe is not a refusal.
                    self.known[index].refused = None;
                    expected[index] = error.asked;
                    left.keep_clock(&probed);
                    left.spend(|| error.what.clone(), error.asked, 0)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(expected)
    }
}

impl Known {
    /// Returns the costs of the needed tables, or of all tables.
    fn costs(&self, of_all: bool) -> impl Iterator<Item = &Budget> {
        let made = self.outcomes.iter().chain(&self.nimbers);
        made.filter(move |made| of_all || !made.is_optional).map(|made| &made.cost)
    }

    /// Returns the table for heaps up to `largest` with values of this kind, if it exists.
    fn made(&self, largest: Heap, kind: ValueKind) -> Option<&Made> {
        let is_enough = |made: &&Made| made.largest >= largest;
        let outcomes = self.outcomes.as_ref().filter(|_| kind == ValueKind::Outcome);
        self.nimbers.as_ref().filter(is_enough).or(outcomes.filter(is_enough))
    }

    /// Returns the table for heaps up to `largest`, computed if it does not exist; its cost is subtracted from `left`.
    fn table(
        &mut self,
        rules: &Arc<dyn Rules>,
        largest: Heap,
        kind: ValueKind,
        is_optional: bool,
        left: &mut Budget,
    ) -> Result<Arc<dyn GrundyTable>, TooLarge> {
        let engine = engine(rules);
        let kind = engine.value_kind(kind);
        if let Some(made) = self.made(largest, kind) {
            return Ok(Arc::clone(&made.table));
        }
        let slot = if kind == ValueKind::Outcome { &mut self.outcomes } else { &mut self.nimbers };
        let is_credited = |smaller: &Made| is_optional || !smaller.is_optional;
        if let Some(smaller) = slot.take().filter(is_credited) {
            *left = left.plus(&smaller.cost);
        }
        let before = *left;
        let is_in_vain = |refused: &&Refused| {
            refused.kind == kind && refused.largest <= largest && before.is_within(&refused.left)
        };
        if let Some(refused) = self.refused.as_ref().filter(is_in_vain) {
            return Err(refused.error.clone());
        }
        left.start_clock();
        let table: Arc<dyn GrundyTable> =
            match engine.table(TableRequest { largest, kind, budget: left, progress: &mut |_| () }) {
                Ok(table) => Arc::from(table),
                Err(error) => {
                    if !error.is_within_limit() {
                        self.refused = Some(Refused { largest, kind, left: before, error: error.clone() });
                    }
                    return Err(error);
                }
            };
        let cost = before.less(left);
        debug!(
            "made a table up to {largest} of {kind:?} values under {:?}: {} steps, {} bytes",
            rules.words(),
            cost.steps(),
            cost.bytes()
        );
        *slot = Some(Made { largest, table: Arc::clone(&table), cost, is_optional });
        Ok(table)
    }
}

impl Values {
    /// Returns the table for the rules with this index.
    pub(crate) fn table(&self, rules: usize) -> &dyn GrundyTable {
        self.0[rules].as_ref()
    }

    /// Returns the XOR of the nimbers of `heaps`, each given with the index of its rules.
    pub(crate) fn xor(&self, heaps: impl IntoIterator<Item = (usize, Heap)>) -> Nimber {
        heaps.into_iter().map(|(rules, heap)| self.table(rules).nimber(heap)).sum()
    }
}

// The tests use games that need the engines.
#[cfg(test)]
#[cfg(feature = "engines")]
mod tests {
    use super::*;
    use crate::grundy::Nimber;
    use crate::{Move, Position, Solver};

    fn position(header: &str) -> Position {
        Position::new(&header.parse().unwrap()).unwrap()
    }

    fn values(cache: &mut TableCache, position: &Position, kind: ValueKind) -> Values {
        let heaps = position.live_heaps().map(|placed| placed.key());
        cache.values(position.shared_rules(), heaps, kind, &mut Budget::GAME.clone(), false).unwrap()
    }

    /// A table for one heap is used for the two heaps that it becomes, and its cost is counted once.
    #[test]
    fn a_table_serves_to_the_end() {
        let mut cache = TableCache::default();
        let mut row = position("3000 3 3");
        let first = values(&mut cache, &row, ValueKind::Nimber);
        row.play(Move { place: 1001, take: 3 }).unwrap();
        let second = values(&mut cache, &row, ValueKind::Nimber);
        assert!(Arc::ptr_eq(&first.0[0], &second.0[0]));
        // The tables of another position are dropped, and their cost is not counted.
        values(&mut cache, &position("3000 3 3"), ValueKind::Nimber);
        assert_eq!(cache.known.iter().flat_map(|known| known.costs(true)).count(), 1);
    }

    /// Square has two tables. Outcomes are not enough for two piles; nimbers are enough for one.
    #[test]
    fn the_kind_of_values_that_is_needed() {
        let mut cache = TableCache::default();
        let mut piles = position("square 1000 1");
        let two = values(&mut cache, &piles, ValueKind::Nimber);
        assert!(two.table(0).nimber(Heap::of(25)) > Nimber(1), "25 is worth 3");
        piles.play(Move { place: 2, take: 1 }).unwrap();
        let one = values(&mut cache, &piles, ValueKind::Outcome);
        assert!(Arc::ptr_eq(&one.0[0], &two.0[0]));
        let only = values(&mut TableCache::default(), &position("square 1000"), ValueKind::Outcome);
        assert_eq!(only.table(0).nimber(Heap::of(25)), Nimber(1));
    }

    /// A table that is too large is refused before the others are computed.
    #[test]
    fn what_cannot_be_had_is_refused_first() {
        for refused in ["segment 4294967296 1 49", "divisor 100000000 ban 1", "square 30000000"] {
            let position = position(&format!("segment 5000 1 50 + {refused}"));
            let heaps: Vec<_> = position.heaps().map(|placed| placed.key()).collect();
            let mut cache = TableCache::default();
            let mut budget = Budget::GAME;
            let rules = position.shared_rules();
            assert!(cache.values(rules, heaps, ValueKind::Nimber, &mut budget, false).is_err(), "{refused}");
            assert!(cache.known.iter().all(|known| known.nimbers.is_none()), "{refused}");
        }
    }

    /// Only unpaired heaps need values, and for a single unpaired heap the outcome is enough.
    #[test]
    fn values_of_unpaired_heaps_only() {
        assert!(Solver::new().outcome(&position("square 9999999")).is_ok());
        assert!(Solver::new().outcome(&position("square 9999999 5 5")).is_ok());
        assert!(Solver::new().outcome(&position("square 9999999 6 5")).is_err());
    }
}
