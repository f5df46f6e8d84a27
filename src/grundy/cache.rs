//! The Grundy tables that a solver has computed.

use std::sync::Arc;

use log::debug;

use super::limit::Limit;
use super::{GrundyTable, Nimber, TooLarge, ValueKind, engine};
use crate::position::{PlacedHeap, Position};
use crate::rules::{Heap, Rules};

/// The computed tables, and what tables may still cost.
pub(crate) struct TableCache {
    /// The rules of the last position.
    rules: Option<Arc<[Arc<dyn Rules>]>>,
    /// Whether all positions share the limit. Otherwise other rules begin with a new limit, and the tables are dropped.
    is_shared: bool,
    tables: Vec<CachedTable>,
    /// What is left for tables that decide who wins.
    limit: Limit,
    /// What is left for tables that only choose a delaying move.
    delaying: Limit,
}

struct CachedTable {
    rules: Arc<dyn Rules>,
    largest: Heap,
    kind: ValueKind,
    table: Arc<dyn GrundyTable>,
}

#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Winning,
    Delaying,
}

/// The tables for the heaps of a position, by rules index: an index in the list of the position's rules.
pub(crate) struct HeapTables(Vec<Option<Arc<dyn GrundyTable>>>);

impl TableCache {
    pub(crate) fn new(is_shared: bool) -> Self {
        Self { rules: None, is_shared, tables: Vec::new(), limit: Limit::GAME, delaying: Limit::DELAYING }
    }

    pub(crate) fn limit(&mut self, purpose: Purpose) -> &mut Limit {
        match purpose {
            Purpose::Winning => &mut self.limit,
            Purpose::Delaying => &mut self.delaying,
        }
    }

    /// Begins a new game if these rules are not those of the last position. It has a new limit if games do not share one.
    pub(crate) fn begin(&mut self, rules: &Arc<[Arc<dyn Rules>]>) {
        if self.rules.as_ref().is_some_and(|last| Arc::ptr_eq(last, rules)) {
            return;
        }
        if !self.is_shared {
            *self = Self::new(false);
        }
        self.rules = Some(Arc::clone(rules));
    }

    /// Returns the tables for `heaps` of `position`, and for all heaps that moves can make of them. The costs of all
    /// missing tables count together: if they cost more than is left, none is computed.
    pub(crate) fn values<'a>(
        &mut self,
        position: &Position,
        heaps: impl IntoIterator<Item = &'a PlacedHeap<'a>>,
        kind: ValueKind,
        purpose: Purpose,
    ) -> Result<HeapTables, TooLarge> {
        let rules = position.shared_rules();
        self.begin(rules);
        let mut largest: Vec<Option<Heap>> = vec![None; rules.len()];
        for placed in heaps {
            let largest = &mut largest[placed.rules_index];
            *largest = Some(placed.heap).max(*largest);
        }
        let needed = rules.iter().zip(&largest).filter_map(|(rules, &largest)| Some((rules, largest?)));
        let missing = needed.filter(|&(rules, largest)| self.find(rules, largest, kind).is_none());
        let missing: Vec<(&Arc<dyn Rules>, Heap)> = missing.collect();
        let mut left = *self.limit(purpose);
        for &(rules, largest) in &missing {
            let engine = engine(rules);
            left.spend(engine, || rules.words(), largest, engine.value_kind(kind))?;
        }
        for (rules, largest) in missing {
            let engine = engine(rules);
            let kind = engine.value_kind(kind);
            let table = Arc::from(engine.table(largest, kind)?);
            debug!("made a table up to {largest} of {kind:?} values under {:?}", rules.words());
            self.tables.push(CachedTable { rules: Arc::clone(rules), largest, kind, table });
        }
        *self.limit(purpose) = left;
        let found = rules.iter().zip(&largest).map(|(rules, &largest)| self.find(rules, largest?, kind));
        Ok(HeapTables(found.collect()))
    }

    /// A table of nimbers serves as one of outcomes too.
    fn find(&self, rules: &Arc<dyn Rules>, largest: Heap, kind: ValueKind) -> Option<Arc<dyn GrundyTable>> {
        let kind = engine(rules).value_kind(kind);
        let mut tables = self.tables.iter().filter(|table| table.largest >= largest && table.kind >= kind);
        let found = tables.find(|table| table.rules.is_same(rules.as_ref()));
        found.map(|found| Arc::clone(&found.table))
    }
}

impl HeapTables {
    pub(crate) fn table(&self, rules: usize) -> &dyn GrundyTable {
        match &self.0[rules] {
            Some(table) => table.as_ref(),
            None => unreachable!("no heap has these rules"),
        }
    }

    pub(crate) fn xor(&self, heaps: &[PlacedHeap<'_>]) -> Nimber {
        heaps.iter().map(|placed| self.table(placed.rules_index).nimber(placed.heap)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;

    fn position(header: &str) -> Position {
        Position::new(&header.parse().unwrap()).unwrap()
    }

    fn values(cache: &mut TableCache, position: &Position, kind: ValueKind) -> Result<HeapTables, TooLarge> {
        let heaps: Vec<_> = position.live_heaps().collect();
        cache.values(position, &heaps, kind, Purpose::Winning)
    }

    #[test]
    fn a_table_is_reused_after_a_move_and_in_another_game() {
        let mut cache = TableCache::new(true);
        let mut row = position("3000 3 3");
        values(&mut cache, &row, ValueKind::Nimber).unwrap();
        row.play(Move { place: 1001, take: 3 }).unwrap();
        values(&mut cache, &row, ValueKind::Nimber).unwrap();
        values(&mut cache, &position("2000 3 3"), ValueKind::Nimber).unwrap();
        assert_eq!(cache.tables.len(), 1);
        values(&mut cache, &position("2000 3 4"), ValueKind::Nimber).unwrap();
        assert_eq!(cache.tables.len(), 2);
    }

    /// Subtract-a-square has tables of outcomes and of nimbers. A table of nimbers serves as one of outcomes.
    #[test]
    fn nimbers_serve_as_outcomes() {
        let mut cache = TableCache::new(false);
        let piles = position("square 1000 1");
        let two = values(&mut cache, &piles, ValueKind::Nimber).unwrap();
        assert!(two.table(0).nimber(Heap::of(25)) > Nimber(1), "25 is worth 3");
        values(&mut cache, &piles, ValueKind::Outcome).unwrap();
        assert_eq!(cache.tables.len(), 1);
    }
}
