//! Heaps that are drawn in figures: a pile, a pair of numbers.

use itertools::Itertools;
use zeroxor::Seat;
use zeroxor::games::{Game, Heap};

/// Whether a heap is a row, in which every card has a place of its own. A pile has one place however large it
/// is, and a pair has two.
pub(crate) fn is_row(rules: &dyn Game) -> bool {
    const CARDS: u64 = 3;
    rules.span(Heap::of(CARDS)) == CARDS
}

/// What lies at each place of the heap: `4: 20`, or of a pair `4: 14  5: 6`.
pub(crate) fn figures(seat: &Seat<'_>) -> String {
    let span = seat.rules.span(seat.heap);
    let places = seat.place..seat.place + span;
    let numbers = places.zip([seat.heap.size, seat.heap.partner]);
    numbers.map(|(place, number)| format!("{place}: {number}")).join("  ")
}
