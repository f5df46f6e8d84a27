//! What a plot marks: the pre-period, the first period and the rest, and rare values.

use zeroxor::grundy::segment::Period;

use super::frame::Legend;
use super::marks::{Colour, Mark};
use crate::value_structure::ValueStructure;

/// The colours of the pre-period, of the first period and of the rest, and of rare values.
const PARTS: [Colour; 3] = [Colour::Category(3), Colour::Category(0), Colour::Category(2)];
const RARE: Colour = Colour::Category(1);

impl ValueStructure {
    /// Whether a nimber is rare.
    pub(super) fn is_rare(self, nimber: u64) -> bool {
        self.space.is_some_and(|space| (nimber & space.mask).count_ones().is_multiple_of(2))
    }

    /// The colour of a nimber of a size: that of rare values, or else of its part, or else this one.
    pub(super) fn colour(self, n: u64, nimber: u64, plain: Colour) -> Colour {
        if self.is_rare(nimber) { RARE } else { self.part(n).unwrap_or(plain) }
    }

    /// The colour of a nimber where parts have none.
    pub(super) fn rare_or(self, nimber: u64, plain: Colour) -> Colour {
        if self.is_rare(nimber) { RARE } else { plain }
    }

    fn part(self, n: u64) -> Option<Colour> {
        let Period { start, length } = self.period?;
        Some(PARTS[usize::from(n >= start) + usize::from(n >= start.saturating_add(length))])
    }

    /// Where the first period begins and where it ends, as far as these are sizes up to `to`.
    pub(super) fn borders(self, to: u64) -> impl Iterator<Item = u64> {
        let ends = self.period.map(|Period { start, length }| [start, start.saturating_add(length)]);
        ends.into_iter().flatten().filter(move |&at| at <= to)
    }

    /// A strip in the colours of the parts, for a plot whose cells have other colours.
    pub(super) fn strip(self, to: u64, [low, high]: [u64; 2]) -> Vec<Mark> {
        let Some(_) = self.period else { return Vec::new() };
        let borders: Vec<u64> = [0].into_iter().chain(self.borders(to)).chain([to + 1]).collect();
        let parts = borders.windows(2).filter(|ends| ends[0] < ends[1]);
        let cell = |ends: &[u64]| {
            Some(Mark::Cell { from: [ends[0], low], to: [ends[1], high], colour: self.part(ends[0])? })
        };
        parts.filter_map(cell).collect()
    }

    /// What the colours mean.
    pub(super) fn legend(self, has_parts: bool, rare: &str) -> Legend {
        let mut legend = Legend::new();
        if self.period.is_some() && has_parts {
            let names = ["pre-period", "first period", "after it"];
            legend.extend(names.map(str::to_owned).into_iter().zip(PARTS));
        }
        if self.period.is_some() && !has_parts {
            legend.push(("first period between the lines".to_owned(), Colour::Ink));
        }
        if self.space.is_some() {
            legend.push((rare.to_owned(), RARE));
        }
        legend
    }

    /// What is added to the title.
    pub(super) fn title(self) -> String {
        match self.period {
            Some(Period { start, length }) => format!("; period {length} from n = {start} on"),
            None if self.is_looked_for => "; no period proven".to_owned(),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use zeroxor::grundy::segment::SparseSpace;

    use super::*;

    #[test]
    fn sizes_have_the_colours_of_their_parts() {
        let period = Some(Period { start: 3, length: 2 });
        let space = Some(SparseSpace { mask: 0b11, rares: 1, last: 0 });
        let structure = ValueStructure { is_looked_for: true, period, space };
        let plain = Colour::Shade(1);
        let colours: Vec<_> = (0..7).map(|n| structure.colour(n, 1, plain)).collect();
        let [before, first, after] = PARTS;
        assert_eq!(colours, [before, before, before, first, first, after, after]);
        assert_eq!((structure.colour(4, 3, plain), structure.colour(4, 2, plain)), (RARE, first));
        assert_eq!(ValueStructure::default().colour(4, 3, plain), plain);
        assert_eq!(structure.borders(4).collect::<Vec<_>>(), [3]);
        let strip = structure.strip(9, [5, 6]);
        let cell = |from, to, colour| Mark::Cell { from: [from, 5], to: [to, 6], colour };
        assert_eq!(strip, [cell(0, 3, before), cell(3, 5, first), cell(5, 10, after)]);
    }
}
