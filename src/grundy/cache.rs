//! A cache of the Grundy tables that a solver has computed.

use std::sync::Arc;

use super::{Budget, GrundyTable, Nimber, TableRequest, TooLarge, ValueKind, engine};
use crate::rules::{Heap, Rules};
use log::debug;

/// The rules of a position. A "rules index" is an index in this list.
type RulesList = Arc<[Arc<dyn Rules>]>;

/// The computed Grundy tables for the rules of one position.
#[derive(Default)]
pub(crate) struct TableCache {
    rules: Option<RulesList>,
    /// `tables[i]` has the tables for `rules[i]`.
    tables: Vec<RuleTables>,
}

/// The tables for one of the position's rules.
#[derive(Default)]
struct RuleTables {
    outcomes: Option<CachedTable>,
    nimbers: Option<CachedTable>,
    /// The last request that exceeded the budget. A later request that would fail too is refused without a computation.
    refused: Option<Refused>,
}

/// A request for a table that exceeded the budget `left`.
struct Refused {
    largest: Heap,
    kind: ValueKind,
    left: Budget,
    error: TooLarge,
}

/// A table with its largest heap and its cost.
struct CachedTable {
    largest: Heap,
    table: Arc<dyn GrundyTable>,
    cost: Budget,
    /// Whether the table was computed only to choose a delaying move. The cost of such a table does not reduce the
    /// budget of needed tables.
    is_optional: bool,
}

/// The tables for the heaps of a position, by rules index.
pub(crate) struct Values(Vec<Arc<dyn GrundyTable>>);

impl TableCache {
    /// Returns the tables for `heaps`, given as pairs of a rules index and a heap, and for all heaps that moves can
    /// make of them. Computes the missing tables. The cost of optional tables never reduces the budget of needed
    /// tables.
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
        if !self.rules.as_ref().is_some_and(|cached| Arc::ptr_eq(cached, rules)) {
            // Drop the tables of another position.
            self.rules = Some(Arc::clone(rules));
            self.tables = rules.iter().map(|_| RuleTables::default()).collect();
        }
        let mut largest = vec![Heap::of(0); rules.len()];
        for (index, heap) in heaps {
            largest[index] = largest[index].max(heap);
        }
        let expected = self.estimate_steps(rules, &largest, kind, is_optional, budget)?;
        let mut left = self.remaining(budget, is_optional);
        left.pending = expected.iter().sum();
        let cached = self.tables.iter_mut().enumerate();
        let tables = cached
            .map(|(index, cached)| {
                left.pending -= expected[index];
                cached.table(&rules[index], largest[index], kind, is_optional, &mut left)
            })
            .collect::<Result<_, _>>();
        budget.keep_clock(&left);
        tables.map(Values)
    }

    /// Returns `budget` minus the costs of the cached tables. Optional tables are included only if `is_optional` is
    /// set.
    fn remaining(&self, budget: &Budget, is_optional: bool) -> Budget {
        let spent = self.tables.iter().flat_map(|tables| tables.costs(is_optional));
        spent.fold(*budget, |left, cost| left.less(cost))
    }

    /// Returns the expected steps of the table of each rules index; 0 if the table exists, or if it is the only missing
    /// table and its cost is not known in advance.
    ///
    /// If several tables are missing, the tables of unknown cost are probed: the computation of a table stops after
    /// some steps, and the total is estimated from these steps. All probes together need at most about a tenth of the
    /// remaining steps.
    ///
    /// # Errors
    ///
    /// If one table, or all tables together, cost more than `budget`.
    fn estimate_steps(
        &mut self,
        rules: &RulesList,
        largest: &[Heap],
        kind: ValueKind,
        is_optional: bool,
        budget: &mut Budget,
    ) -> Result<Vec<u128>, TooLarge> {
        let (mut expected, mut unknown, mut missing) = (vec![0; rules.len()], Vec::new(), 0);
        let mut left = self.remaining(budget, is_optional);
        for (index, (rules, tables)) in rules.iter().zip(&mut self.tables).enumerate() {
            let (engine, largest) = (engine(rules), largest[index]);
            let table_kind = engine.value_kind(kind);
            if tables.find(largest, table_kind).is_some() {
                continue;
            }
            missing += 1;
            let [steps, bytes] = engine.least_cost(largest, table_kind);
            if left.spend(String::new, steps, bytes).is_err() {
                // Let the table produce the error.
                tables.table(rules, largest, kind, is_optional, &mut left)?;
            } else if steps > 0 {
                expected[index] = steps;
            } else {
                unknown.push(index);
            }
        }
        if missing < 2 {
            unknown.clear();
        }
        // Keep only the reduced steps: `RuleTables::table` subtracts the bytes of a table when the table is computed.
        left = self.remaining(budget, is_optional).with_steps(left.steps());
        let probe = left.steps() / 10 / unknown.len().max(1) as u128;
        for index in unknown {
            let mut probed = left.probing(Some(probe));
            let table =
                self.tables[index].table(&rules[index], largest[index], kind, is_optional, &mut probed);
            budget.keep_clock(&probed);
            match table {
                Ok(_) => left = probed,
                Err(error) if error.is_within_limit() => {
                    // Forget this error: only the probe ended, the table was not refused.
                    self.tables[index].refused = None;
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

impl RuleTables {
    /// Returns the costs of the needed tables and, if `of_all` is set, of the optional tables.
    fn costs(&self, of_all: bool) -> impl Iterator<Item = &Budget> {
        let tables = self.outcomes.iter().chain(&self.nimbers);
        tables.filter(move |table| of_all || !table.is_optional).map(|table| &table.cost)
    }

    /// Returns the table for heaps up to `largest`, if it exists. A table of nimbers serves as one of outcomes too.
    fn find(&self, largest: Heap, kind: ValueKind) -> Option<&CachedTable> {
        let is_enough = |table: &&CachedTable| table.largest >= largest;
        let outcomes = self.outcomes.as_ref().filter(|_| kind == ValueKind::Outcome);
        self.nimbers.as_ref().filter(is_enough).or(outcomes.filter(is_enough))
    }

    /// Returns the table for heaps up to `largest`. If it must be computed, its cost is subtracted from `left`.
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
        if let Some(found) = self.find(largest, kind) {
            return Ok(Arc::clone(&found.table));
        }
        let slot = if kind == ValueKind::Outcome { &mut self.outcomes } else { &mut self.nimbers };
        // Refund the smaller table if its cost was subtracted from `left`. The smaller table is dropped even if the
        // larger one is refused.
        let was_subtracted = |smaller: &CachedTable| is_optional || !smaller.is_optional;
        if let Some(smaller) = slot.take().filter(was_subtracted) {
            *left = left.plus(&smaller.cost);
        }
        let before = *left;
        let would_fail_again = |refused: &&Refused| {
            refused.kind == kind && refused.largest <= largest && before.is_within(&refused.left)
        };
        if let Some(refused) = self.refused.as_ref().filter(would_fail_again) {
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
        *slot = Some(CachedTable { largest, table: Arc::clone(&table), cost, is_optional });
        Ok(table)
    }
}

impl Values {
    /// Returns the table for the rules index `rules`.
    pub(crate) fn table(&self, rules: usize) -> &dyn GrundyTable {
        self.0[rules].as_ref()
    }

    /// Returns the XOR of the nimbers of `heaps`, given as pairs of a rules index and a heap.
    pub(crate) fn xor(&self, heaps: impl IntoIterator<Item = (usize, Heap)>) -> Nimber {
        heaps.into_iter().map(|(rules, heap)| self.table(rules).nimber(heap)).sum()
    }
}

// The tests use games that need the engines.
#[cfg(test)]
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

    /// After a move has split a heap, its table is reused for both parts.
    #[test]
    fn a_table_is_reused_after_a_move() {
        let mut cache = TableCache::default();
        let mut row = position("3000 3 3");
        let first = values(&mut cache, &row, ValueKind::Nimber);
        row.play(Move { place: 1001, take: 3 }).unwrap();
        let second = values(&mut cache, &row, ValueKind::Nimber);
        assert!(Arc::ptr_eq(&first.0[0], &second.0[0]));
        // The tables of another position are dropped, and their cost is not counted.
        values(&mut cache, &position("3000 3 3"), ValueKind::Nimber);
        assert_eq!(cache.tables.iter().flat_map(|tables| tables.costs(true)).count(), 1);
    }

    /// Subtract-a-square has tables of outcomes and of nimbers. A table of nimbers serves as one of outcomes.
    #[test]
    fn nimbers_serve_as_outcomes() {
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

    /// A table that is too large is refused before the other table is computed.
    #[test]
    fn a_refusal_comes_before_other_tables_are_computed() {
        for refused in ["segment 4294967296 1 49", "divisor 100000000 ban 1", "square 30000000"] {
            let position = position(&format!("segment 5000 1 50 + {refused}"));
            let heaps: Vec<_> = position.heaps().map(|placed| placed.key()).collect();
            let mut cache = TableCache::default();
            let mut budget = Budget::GAME;
            let rules = position.shared_rules();
            assert!(cache.values(rules, heaps, ValueKind::Nimber, &mut budget, false).is_err(), "{refused}");
            assert!(cache.tables.iter().all(|tables| tables.nimbers.is_none()), "{refused}");
        }
    }

    /// Equal heaps cancel, so only the remaining heaps need values. If one heap remains, its outcome is enough.
    #[test]
    fn values_of_unpaired_heaps_only() {
        assert!(Solver::new().outcome(&position("square 9999999")).is_ok());
        assert!(Solver::new().outcome(&position("square 9999999 5 5")).is_ok());
        assert!(Solver::new().outcome(&position("square 9999999 6 5")).is_err());
    }
}
