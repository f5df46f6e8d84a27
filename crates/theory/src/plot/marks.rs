//! The marks of plots: points, or cells that are darker if they contain more values. The pre-period, the first period,
//! the values after it, and rare values have their own colours.

use std::collections::BTreeMap;

use itertools::Itertools;
use zeroxor::Nimber;
use zeroxor::grundy::segment::Period;
use zeroxor::rules::Heap;

use super::Marks;
use crate::table::Table;
use crate::value::ValueStructure;

/// Maximum number of cells of a plot of many values, horizontally and vertically.
const CELLS: [u64; 2] = [110, 70];

/// Number of shades.
pub(super) const SHADES: u64 = 5;

/// A colour of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    /// A shade from 1, which is the lightest, to [`SHADES`].
    Shade(u64),
    /// A colour that distinguishes one kind of mark, by its index.
    Category(usize),
    /// The colour of lines and text.
    Ink,
}

/// The colours that a plot explains, each with its name.
pub(super) type Legend = Vec<(String, Colour)>;

/// The colour of marks without their own colour.
const PLAIN: Colour = Colour::Shade(4);

/// A mark: a point, a bar from 0 up, a rectangle between two corners, or a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Point { at: [u64; 2], colour: Colour, is_rare: bool },
    Bar { from: u64, to: u64, height: u64 },
    Cell { from: [u64; 2], to: [u64; 2], colour: Colour },
    Line(Vec<[u64; 2]>),
}

/// Returns the shade of `count`, which is at most `most`. The scale is logarithmic, so that small counts stay visible.
fn shade(count: u64, most: u64) -> u64 {
    let steps = u64::from(most.max(1).ilog2()) + 1;
    (u64::from(count.max(1).ilog2()) * SHADES / steps + 1).min(SHADES)
}

/// Returns the marks of a scatter plot, and the end of its vertical axis. The nimbers are points, or cells if the
/// largest size is `max_points` or more. Lines show the period, and so does a strip above the cells.
pub(super) fn density(table: &Table, max_points: u64) -> (Marks, u64) {
    let largest = table.nimbers().map(|nimber| nimber.0).max().unwrap_or(0);
    let values = (0..).zip(table.nimbers());
    let (to, structure) = (table.heaps.to(), table.structure);
    if to < max_points {
        let point = |(n, nimber): (u64, Nimber)| Mark::Point {
            at: [n, nimber.0],
            colour: structure.colour(n, nimber.0, PLAIN),
            is_rare: structure.is_rare(n, nimber.0),
        };
        let lines = structure.borders(to).map(|n| Mark::Line(vec![[n, 0], [n, largest + 1]]));
        return (lines.chain(values.map(point)).collect(), largest + 1);
    }
    let [width, height] = [to / CELLS[0] + 1, largest / CELLS[1] + 1];
    // The number of values in each cell, and whether one of them is rare.
    let mut counts: BTreeMap<[u64; 2], (u64, bool)> = BTreeMap::new();
    for (n, nimber) in values {
        let (count, has_rare) = counts.entry([n / width, nimber.0 / height]).or_default();
        *count += 1;
        *has_rare |= structure.is_rare(n, nimber.0);
    }
    let most = counts.values().map(|&(count, _)| count).max().unwrap_or(1);
    let cell = |(&[x, y], &(count, has_rare)): (&[u64; 2], &(u64, bool))| {
        let shade = Colour::Shade(shade(count, most));
        Mark::Cell {
            from: [x * width, y * height],
            to: [(x + 1) * width, (y + 1) * height],
            colour: if has_rare { RARE } else { shade },
        }
    };
    // The strip starts above all cells, because a cell may extend beyond the largest nimber.
    let above = (largest / height + 1) * height;
    let (low, top) = (above + above / 50, above + above / 20 + 1);
    let strip = structure.strip(to, [low, top]);
    let end = if strip.is_empty() { largest + 1 } else { top };
    let lines = structure.borders(to).map(|n| Mark::Line(vec![[n, 0], [n, end]]));
    (counts.iter().map(cell).chain(strip).chain(lines).collect(), end)
}

/// Returns a bar for each nimber, or for several adjacent nimbers if there are many. Also returns the ends of the
/// axes.
pub(super) fn bars(table: &Table) -> (Marks, u64, u64) {
    let largest = table.nimbers().map(|nimber| nimber.0).max().unwrap_or(0);
    let width = largest / 200 + 1;
    let counts = table.nimbers().map(|nimber| nimber.0 / width).counts();
    let bar = |(&at, &count): (&u64, &usize)| Mark::Bar {
        from: at * width,
        to: (at + 1) * width,
        height: count as u64,
    };
    let most = counts.values().copied().max().unwrap_or(0) as u64;
    (counts.iter().sorted().map(bar).collect(), largest + width, most + most / 20 + 1)
}

/// Returns a cell for each size, placed by its residue, and lines around the first period.
pub(super) fn residues(table: &Table, modulus: u64) -> Marks {
    // A line between the cells before n and the cells from n on.
    let edge = |n: u64| {
        let [x, y] = [n % modulus, n / modulus];
        Mark::Line(vec![[0, y + 1], [x, y + 1], [x, y], [modulus, y]])
    };
    let largest = table.nimbers().map(|nimber| nimber.0).max().unwrap_or(0).max(1);
    let values = (0..).zip(table.nimbers()).filter(|(_, nimber)| *nimber != Nimber::ZERO);
    values
        .map(|(n, nimber): (u64, Nimber)| {
            let [x, y] = [n % modulus, n / modulus];
            let shade = Colour::Shade((1 + (nimber.0 - 1) * SHADES / largest).min(SHADES));
            let colour = if table.structure.is_rare(n, nimber.0) { RARE } else { shade };
            Mark::Cell { from: [x, y], to: [x + 1, y + 1], colour }
        })
        .chain(table.structure.borders(table.heaps.to()).map(edge))
        .collect()
}

/// Returns the P-positions of the sizes in rows of cells: the cells, the number of cells in a row, the number of rows,
/// and the number of sizes in a cell.
pub(super) fn outcomes(table: &Table) -> (Marks, u64, u64, u64) {
    let sizes = table.heaps.count();
    let columns = 100.min(sizes);
    let per_cell = sizes / (columns * CELLS[1]) + 1;
    let counts = table.p_positions().map(|n| n / per_cell).counts();
    let most = counts.values().copied().max().unwrap_or(1) as u64;
    let cell = |(&at, &count): (&u64, &usize)| {
        let [x, y] = [at % columns, at / columns];
        Mark::Cell { from: [x, y], to: [x + 1, y + 1], colour: darkest_if_one(count as u64, most) }
    };
    let rows = sizes.div_ceil(per_cell * columns);
    (counts.iter().sorted().map(cell).collect(), columns, rows, per_cell)
}

/// Returns the P-positions among the pairs as cells, and how many numbers each side of a cell spans.
pub(super) fn pair_outcomes(table: &Table) -> (Marks, u64) {
    let to = table.heaps.to();
    let side = to / CELLS[1] + 1;
    let pairs = (1..=to).cartesian_product(1..=to);
    let lost = pairs.filter(|&(size, second)| table.nimber(Heap { size, second }) == Nimber::ZERO);
    let counts = lost.map(|(size, second)| [size / side, second / side]).counts();
    let most = counts.values().copied().max().unwrap_or(1) as u64;
    let cell = |(&[x, y], &count): (&[u64; 2], &usize)| Mark::Cell {
        from: [x * side, y * side],
        to: [(x + 1) * side, (y + 1) * side],
        colour: darkest_if_one(count as u64, most),
    };
    (counts.iter().sorted().map(cell).collect(), side)
}

/// Returns the shade of a cell with `count` values; the darkest shade if no cell has more than one value.
fn darkest_if_one(count: u64, most: u64) -> Colour {
    Colour::Shade(if most == 1 { SHADES } else { shade(count, most) })
}

/// The colours of the pre-period, the first period and the values after it.
const PARTS: [Colour; 3] = [Colour::Category(3), Colour::Category(0), Colour::Category(2)];
/// The colour of rare values.
const RARE: Colour = Colour::Category(1);

impl ValueStructure {
    /// Checks whether a nimber of a size is rare in the sparse space.
    pub(super) fn is_rare(self, n: u64, nimber: u64) -> bool {
        self.space.is_some_and(|space| space.is_rare(n, nimber))
    }

    /// Returns the colour of the nimber of size `n`: the colour of rare values, or else the colour of the part of the
    /// sequence that contains `n`. Returns `plain` for a common value without a period.
    pub(super) fn colour(self, n: u64, nimber: u64, plain: Colour) -> Colour {
        if self.is_rare(n, nimber) { RARE } else { self.part(n).unwrap_or(plain) }
    }

    fn part(self, n: u64) -> Option<Colour> {
        let Period { start, length } = self.period?;
        Some(PARTS[usize::from(n >= start) + usize::from(n >= start.saturating_add(length))])
    }

    /// Returns the start and the end of the first period, if they are at most `to`.
    pub(super) fn borders(self, to: u64) -> impl Iterator<Item = u64> {
        let ends = self.period.map(|Period { start, length }| [start, start.saturating_add(length)]);
        ends.into_iter().flatten().filter(move |&at| at <= to)
    }

    /// Returns a strip in the colours of [`PARTS`] at the heights from `low` to `high`, for a plot whose cells do not
    /// show these colours.
    pub(super) fn strip(self, to: u64, [low, high]: [u64; 2]) -> Vec<Mark> {
        let Some(_) = self.period else { return Vec::new() };
        let borders: Vec<u64> = [0].into_iter().chain(self.borders(to)).chain([to + 1]).collect();
        let parts = borders.windows(2).filter(|ends| ends[0] < ends[1]);
        let cell = |ends: &[u64]| {
            Some(Mark::Cell { from: [ends[0], low], to: [ends[1], high], colour: self.part(ends[0])? })
        };
        parts.filter_map(cell).collect()
    }

    /// Returns the names of the colours.
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

    /// Returns the end of the title, which names the period.
    pub(super) fn title(self) -> String {
        match self.period {
            Some(Period { start, length }) => format!("; period {length} from n = {start} on"),
            None if self.is_period_wanted => "; no period proven".to_owned(),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heaps::Heaps;
    use zeroxor::grundy::segment::SparseSpace;
    use zeroxor::grundy::{Budget, ValueKind};

    fn table(game: &str, heaps: Heaps, kind: ValueKind) -> Table {
        Table::compute(&game.parse().unwrap(), heaps, kind, Budget::GAME).unwrap()
    }

    /// Checks the bars of the nimbers of 0 to 10 stones, which are 0, 1, 2, 0, and so on.
    #[test]
    fn a_bar_for_each_nimber() {
        let table = table("subtract 10 take 1 2", Heaps::Sizes(10), ValueKind::Nimber);
        let bar = |from, to, height| Mark::Bar { from, to, height };
        assert_eq!(bars(&table), (vec![bar(0, 1, 4), bar(1, 2, 4), bar(2, 3, 3)], 3, 5));
    }

    #[test]
    fn outcomes_fill_rows_of_a_hundred_cells() {
        let table = table("subtract 249 take 1 2", Heaps::Sizes(249), ValueKind::Outcome);
        let (marks, columns, rows, per_cell) = outcomes(&table);
        assert_eq!((marks.len(), columns, rows, per_cell), (84, 100, 3, 1));
        let cell = |x, y| Mark::Cell { from: [x, y], to: [x + 1, y + 1], colour: Colour::Shade(SHADES) };
        // A pile of 105 stones is lost, and a pile of 101 is not.
        assert!(marks.contains(&cell(5, 1)) && !marks.contains(&cell(1, 1)));
    }

    /// Checks some pairs. A pair is lost if the larger number is less than 1.618... times the smaller number.
    #[test]
    fn outcomes_of_pairs() {
        let table = table("euclid 10 10", Heaps::Pairs(10), ValueKind::Outcome);
        let (marks, side) = pair_outcomes(&table);
        let cell = |x, y| Mark::Cell { from: [x, y], to: [x + 1, y + 1], colour: Colour::Shade(SHADES) };
        let is_lost = |x, y| marks.contains(&cell(x, y));
        assert_eq!(side, 1);
        assert!(is_lost(2, 3) && is_lost(8, 5) && is_lost(1, 1));
        assert!(!is_lost(3, 5) && !is_lost(1, 2) && !is_lost(0, 1));
    }

    #[test]
    fn shades_grow_with_the_number() {
        let shades = [1, 2, 30, 1000, 100_000].map(|count| shade(count, 100_000));
        assert!(shades.is_sorted() && shades[0] == 1 && shades[4] == SHADES, "{shades:?}");
        assert_eq!(shade(1, 1), 1);
    }

    #[test]
    fn sizes_have_the_colours_of_their_parts() {
        let period = Some(Period { start: 3, length: 2 });
        let space = Some(SparseSpace { mask: 0b11, exchanged: None, rares: 1, last: 0 });
        let structure = ValueStructure { is_period_wanted: true, period, space };
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
