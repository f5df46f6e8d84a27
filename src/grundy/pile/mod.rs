//! The values of piles.

use std::thread;

use super::{Budget, DelayMove, Engine, GrundyTable, Nimber, TooLarge, ValueKind};
use crate::rules::{Heap, HeapMove, Pile, Takes, take};
use crate::words::quoted;

mod divisor;
mod nim;
#[expect(clippy::cast_possible_truncation, reason = "no pile of the sieve has more than 2^30 stones")]
mod sieve;
mod square;
mod subtract;
mod tabulated;
mod values;

#[cfg(feature = "analysis")]
pub use subtract::subtraction_period;

/// The steps of comparing all moves of a pile, where those of each follower are gone through.
fn cost_of_all_replies(takes: &impl Takes, n: u64) -> u128 {
    u128::from(takes.count(n)).pow(2)
}

/// A table in the words of a refusal.
fn table_of(what: &str, largest: u64, rules: &impl Takes) -> String {
    format!("a table of the {what} of piles up to {largest} under {}", quoted(rules.words().as_bytes()))
}

/// The threads for a table in blocks: no more than can be kept busy while one of them settles a block alone.
fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(8)
}
