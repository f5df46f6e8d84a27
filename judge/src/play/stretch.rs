//! Stretches of a row: consecutive cards, or consecutive empty places.

use itertools::Itertools;
use zeroxor::position::{Component, PlacedHeap};

/// Consecutive places of a row, either all with cards or all empty.
pub(crate) struct Stretch {
    pub(crate) first: u64,
    /// How many places there are, at least one.
    places: u64,
    has_cards: bool,
}

/// The stretches of a row with these heaps, from the first place to the last.
pub(crate) fn stretches(component: &Component, heaps: &[PlacedHeap<'_>]) -> Vec<Stretch> {
    let mut stretches = Vec::with_capacity(2 * heaps.len() + 1);
    let mut first = component.place;
    for placed in heaps {
        stretches.push(Stretch { first, places: placed.place - first, has_cards: false });
        stretches.push(Stretch { first: placed.place, places: placed.heap.size, has_cards: true });
        first = placed.place + placed.heap.size;
    }
    stretches.push(Stretch { first, places: component.place + component.width - first, has_cards: false });
    stretches.retain(|stretch| stretch.places > 0);
    stretches
}

impl Stretch {
    /// The stretch as text: every card is drawn as its number, every empty place as a dot, as wide as its number.
    pub(crate) fn full(&self) -> String {
        let places = self.first..self.first + self.places;
        let draw = |place: u64| {
            let number = place.to_string();
            if self.has_cards { number } else { format!("{:>1$}", '.', number.len()) }
        };
        places.map(draw).join(" ")
    }

    /// The stretch as text without its middle, if it is long.
    pub(crate) fn shortened(&self) -> String {
        const MAX_FULL: u64 = 4;
        let Self { first, places, .. } = self;
        match (self.has_cards, *places <= MAX_FULL) {
            (true, true) => self.full(),
            (true, false) => format!("{first} {} … {}", first + 1, first + places - 1),
            (false, true) => (0..*places).map(|_| '.').join(" "),
            (false, false) => format!("({places} taken)"),
        }
    }
}
