//! Stretches of a row: cards still there, or places that have been emptied.

use itertools::Itertools;
use zeroxor::position::{Component, PlacedHeap};

/// A run of places of a row.
pub(crate) struct Stretch {
    pub(crate) first: u64,
    /// At least one.
    places: u64,
    is_free: bool,
}

/// The stretches of a row in which these heaps lie, from the first place to the last.
pub(crate) fn stretches(part: &Component, seats: &[PlacedHeap<'_>]) -> Vec<Stretch> {
    let mut stretches = Vec::with_capacity(2 * seats.len() + 1);
    let mut first = part.place;
    for seat in seats {
        stretches.push(Stretch { first, places: seat.place - first, is_free: false });
        stretches.push(Stretch { first: seat.place, places: seat.heap.size, is_free: true });
        first = seat.place + seat.heap.size;
    }
    stretches.push(Stretch { first, places: part.place + part.width - first, is_free: false });
    stretches.retain(|stretch| stretch.places > 0);
    stretches
}

impl Stretch {
    /// Every card by its number, every emptied place by a dot as wide as its number.
    pub(crate) fn whole(&self) -> String {
        let places = self.first..self.first + self.places;
        let draw = |place: u64| {
            let number = place.to_string();
            if self.is_free { number } else { format!("{:>1$}", '.', number.len()) }
        };
        places.map(draw).join(" ")
    }

    /// The same, without the middle of a long stretch.
    pub(crate) fn shortened(&self) -> String {
        const LONGEST: u64 = 4;
        let Self { first, places, .. } = self;
        match (self.is_free, *places <= LONGEST) {
            (true, true) => self.whole(),
            (true, false) => format!("{first} {} … {}", first + 1, first + places - 1),
            (false, true) => (0..*places).map(|_| '.').join(" "),
            (false, false) => format!("({places} taken)"),
        }
    }
}
