//! Heaps that are drawn in figures: a pile, a pair of numbers.

use itertools::Itertools;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Rules, Shape};

/// Whether a heap is a row, in which every card has a place of its own.
pub(crate) fn is_row(rules: &dyn Rules) -> bool {
    rules.shape() == Shape::Row
}

/// What lies at each place of the heap: `4: 20`, or of a pair `4: 14  5: 6`.
pub(crate) fn figures(seat: &PlacedHeap<'_>) -> String {
    let span = seat.rules.width(seat.heap);
    let places = seat.place..seat.place + span;
    let numbers = places.zip([seat.heap.size, seat.heap.second]);
    numbers.map(|(place, number)| format!("{place}: {number}")).join("  ")
}
