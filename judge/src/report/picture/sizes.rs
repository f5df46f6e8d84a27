//! Heaps that are drawn as places and sizes: a pile, a pair of numbers.

use itertools::Itertools;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Rules, Shape};

/// Whether the heaps of these rules are segments of a row, where every card has a place of its own.
pub(crate) fn is_row(rules: &dyn Rules) -> bool {
    rules.shape() == Shape::Row
}

/// The size at each place of a heap: `4: 20` for a pile, `4: 14  5: 6` for a pair.
pub(crate) fn place_sizes(placed: &PlacedHeap<'_>) -> String {
    let width = placed.rules.width(placed.heap);
    let places = placed.place..placed.place + width;
    let sizes = places.zip([placed.heap.size, placed.heap.second]);
    sizes.map(|(place, size)| format!("{place}: {size}")).join("  ")
}
