//! Stretches of a row: consecutive cards, or consecutive empty places.

use itertools::Itertools;
use zeroxor::position::{Component, PlacedHeap};

/// Consecutive places of a row, either all with cards or all empty.
pub(crate) struct Stretch {
    pub(crate) first: u64,
    /// How many places there are, at least one.
    places: u64,
    has_cards: bool,
    /// Whether it is a row that begins directly behind the cards of another.
    begins_row: bool,
}

/// The stretches of a row with these heaps, from the first place to the last.
pub(crate) fn stretches(component: &Component, heaps: &[PlacedHeap<'_>]) -> Vec<Stretch> {
    let mut stretches = Vec::with_capacity(2 * heaps.len() + 1);
    let empty = |first, end| Stretch { first, places: end - first, has_cards: false, begins_row: false };
    let mut first = component.place;
    for placed in heaps {
        stretches.push(empty(first, placed.place));
        let begins_row = placed.place == first && first > component.place;
        stretches.push(Stretch {
            first: placed.place,
            places: placed.heap.size,
            has_cards: true,
            begins_row,
        });
        first = placed.place + placed.heap.size;
    }
    stretches.push(empty(first, component.place + component.width));
    stretches.retain(|stretch| stretch.places > 0);
    stretches
}

impl Stretch {
    /// What divides a row from the one before.
    fn divider(&self) -> &'static str {
        if self.begins_row { "| " } else { "" }
    }

    /// The stretch as text: every card is drawn as its number, every empty place as a dot, as wide as its number.
    pub(crate) fn full(&self) -> String {
        let places = self.first..self.first + self.places;
        let draw = |place: u64| {
            let number = place.to_string();
            if self.has_cards { number } else { format!("{:>1$}", '.', number.len()) }
        };
        self.divider().to_owned() + &places.map(draw).join(" ")
    }

    /// The stretch as text without its middle, if it is long.
    pub(crate) fn shortened(&self) -> String {
        const MAX_FULL: u64 = 4;
        let Self { first, places, .. } = self;
        match (self.has_cards, *places <= MAX_FULL) {
            (true, true) => self.full(),
            (true, false) => format!("{}{first} {} … {}", self.divider(), first + 1, first + places - 1),
            (false, true) => (0..*places).map(|_| '.').join(" "),
            (false, false) => format!("({places} taken)"),
        }
    }
}
