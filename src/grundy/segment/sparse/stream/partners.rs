//! Segments whose pairs with all others are looked at.

use super::super::split::COMMON;
use super::codes::Codes;

/// Places in ascending order, and their codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Partners {
    places: Vec<usize>,
    codes: Vec<u16>,
}

impl Partners {
    /// The rare ones among these codes, from the first place on.
    pub(super) fn rare_of(codes: &[u16]) -> Self {
        let mut rares = Self::default();
        let rare = codes.iter().enumerate().filter(|(_, code)| **code < COMMON);
        rare.for_each(|(place, &code)| rares.push(place, code));
        rares
    }

    /// Adds one behind all others.
    pub(super) fn push(&mut self, place: usize, code: u16) {
        self.places.push(place);
        self.codes.push(code);
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The last place; 0 if there is none.
    #[inline]
    pub(super) fn last(&self) -> usize {
        self.places.last().copied().unwrap_or(0)
    }

    /// How many places are below this one, and the last of them.
    pub(super) fn below(&self, place: usize) -> (usize, Option<usize>) {
        let below = &self.places[..self.places.partition_point(|&known| known < place)];
        (below.len(), below.last().copied())
    }

    /// The places and codes in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, u16)> {
        self.places.iter().copied().zip(self.codes.iter().copied())
    }

    /// The XORs with the common codes among the other parts of a sum, the top bit left out.
    pub(super) fn with_commons(&self, sum: usize, codes: &Codes) -> impl Iterator<Item = u16> {
        let top = sum - codes.base();
        let pairs = self.iter().take_while(move |(place, _)| *place <= sum);
        let others = pairs.map(move |(place, code)| (code, codes.last()[top - place]));
        others.filter(|(_, other)| *other >= COMMON).map(|(code, other)| (code ^ other) & !COMMON)
    }

    /// The XORs with the other parts of a sum, by the codes of the last segments from `base` on.
    #[inline]
    pub(super) fn xors(&self, sum: usize, base: usize, last: &[u16]) -> impl Iterator<Item = u16> {
        let all = self.places.len();
        let end = if self.last() <= sum { all } else { self.places.partition_point(|&place| place <= sum) };
        let top = sum - base;
        self.places[..end].iter().zip(&self.codes[..end]).map(move |(place, code)| code ^ last[top - place])
    }
}

impl FromIterator<(usize, u16)> for Partners {
    fn from_iter<I: IntoIterator<Item = (usize, u16)>>(all: I) -> Self {
        let (places, codes) = all.into_iter().unzip();
        Self { places, codes }
    }
}
