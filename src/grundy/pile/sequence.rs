//! The engine for games whose moves take a number of a sequence, such as the squares: a table for nimbers, and a sieve
//! for outcomes.

use super::sieve::PPositions;
use super::values::{BYTES, subtraction_values};
use super::{
    Engine, GrundyTable, Heap, Pile, TableRequest, Tabulated, TooLarge, ValueKind, Values,
    cost_of_all_replies, table_of,
};
use crate::integers::narrow;
use crate::rules::{FromSequence, Takes};

/// Maximum number of piles in a sieve of outcomes. For the squares, this sieve takes about ten seconds, and twice as
/// long if every square is banned, so that every pile is a P-position.
const MAX_OUTCOMES: u64 = 1 << 30;

/// The value of a losing pile is 0, and the value of a winning pile is 1.
impl Values for PPositions {
    fn value(&self, n: u64) -> u64 {
        u64::from(!self.contains(n))
    }

    fn zeros(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.below(below))
    }
}

impl Engine for Pile<FromSequence> {
    fn value_kind(&self, asked: ValueKind) -> ValueKind {
        asked
    }

    fn comparison_cost(&self, heap: Heap) -> u128 {
        cost_of_all_replies(&self.0, heap.size)
    }

    fn least_cost(&self, largest: Heap, kind: ValueKind) -> [u128; 2] {
        let n = largest.size;
        match kind {
            ValueKind::Nimber => [(self.0.sequence.moves)(n), (u128::from(n) + 1) * BYTES],
            ValueKind::Outcome => [0, u128::from(n) / 8],
        }
    }

    fn table(&self, request: TableRequest<'_>) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let TableRequest { largest: Heap { size: largest, .. }, kind, budget, progress } = request;
        let what = |values: &str| table_of(values, largest, &self.0);
        match kind {
            ValueKind::Nimber => {
                let [steps, bytes] = self.least_cost(Heap::of(largest), kind);
                budget.spend(|| what("nimbers"), steps, bytes)?;
                let mut cpu_watch = budget.watch_cpu();
                let numbers: Vec<usize> = self.0.takes(largest).map(narrow).collect();
                let mut check =
                    |done| cpu_watch.check(|| what("nimbers"), (self.0.sequence.moves)(done as u64), steps);
                let values = subtraction_values(&numbers, narrow(largest), &mut check)?;
                Ok(Box::new(Tabulated::new(self, move |n: u64| values[narrow::<usize>(n)].into())))
            }
            ValueKind::Outcome => {
                if largest > MAX_OUTCOMES {
                    let [asked, limit] = [largest, MAX_OUTCOMES].map(u128::from);
                    return Err(TooLarge {
                        what: what("outcomes"),
                        asked,
                        left: limit,
                        limit,
                        unit: "piles",
                    });
                }
                let numbers: Vec<u32> = self.0.takes(largest).map(narrow).collect();
                let positions =
                    PPositions::new(&numbers, narrow(largest), budget, || what("outcomes"), progress)?;
                Ok(Box::new(Tabulated::new(self, positions)))
            }
        }
    }
}
