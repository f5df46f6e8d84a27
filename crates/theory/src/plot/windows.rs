//! The heat maps of all windows.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use itertools::Itertools;
use zeroxor::grundy::segment::{Period, Sequence, Window, known_period};

use super::frame::{Axes, Panel, draw};
use super::marks::{Colour, Mark, SHADES};
use super::with_width;
use common::progress::Progress;

/// Maximum R of the maps: there are five thousand windows up to it.
const MAX_R: u64 = 100;

/// Maximum length, in cards, of the rows whose values are searched for a period.
const MAX_ROW: u64 = 2000;

/// The largest nimber of each shade except the last.
const NIMBERS: [u64; 4] = [2, 4, 8, 16];

/// The longest period of each shade except the last.
const PERIODS: [u64; 4] = [8, 32, 128, 512];

/// The values that the maps show.
struct Cells {
    /// The rows that Second wins if L = R: the length, and L.
    lost: Vec<[u64; 2]>,
    /// The largest nimber of a row of up to N cards, keyed by R and L.
    largest: BTreeMap<[u64; 2], u64>,
    /// The length of the proven period, keyed by R and L.
    periods: BTreeMap<[u64; 2], u64>,
}

/// Draws three maps of the windows 1 <= L <= R <= n: who wins if L = R, the largest nimbers, and the periods. The plot
/// is `width` pixels wide if `width` is given. Time: n^2/2 tables of rows of up to 2000 cards.
///
/// # Errors
///
/// If there are too many windows, or the maps cannot be drawn.
pub fn windows_svg(n: u64, width: Option<u32>) -> anyhow::Result<String> {
    ensure!(
        (1..=MAX_R).contains(&n),
        "expected --plot windows with --to 1 to {MAX_R}, got {n}: larger maps would be unreadable"
    );
    let cells = cells(n)?;
    let ends = [n + 1, n + 1];
    let lost = cells.lost.iter().map(|&[row, l]| ([l, row], SHADES)).collect();
    let largest = cells.largest.iter().map(|(&at, &nimber)| (at, shade(nimber, NIMBERS))).collect();
    let periods = cells.periods.iter().map(|(&at, &period)| (at, shade(period, PERIODS))).collect();
    let panels = [
        Panel {
            title: "Rows that Second wins, L = R".to_owned(),
            axes: Axes::new(["cards n", "L = R"], ends),
            marks: merged(&lost),
        },
        Panel {
            title: format!("Largest nimber of {n} cards: to 2, 4, 8, 16, more"),
            axes: Axes::new(["L", "R"], ends),
            marks: merged(&largest),
        },
        Panel {
            title: format!("Least period; blank: open after {MAX_ROW} cards"),
            axes: Axes::new(["L", "R"], ends),
            marks: merged(&periods),
        },
    ];
    let names = PERIODS.iter().map(|period| format!("period up to {period}"));
    let names = names.chain([format!("period above {}", PERIODS[PERIODS.len() - 1])]);
    let legend = names.zip((1..).map(Colour::Shade)).collect();
    let source = with_width(&format!("grundy table segment --all --to {n} --plot windows"), width);
    draw(&format!("All windows 1 <= L <= R <= {n}"), &panels, &legend, &source, width)
}

fn cells(n: u64) -> anyhow::Result<Cells> {
    let mut cells = Cells { lost: Vec::new(), largest: BTreeMap::new(), periods: BTreeMap::new() };
    let progress = Progress::new(n);
    for (r, l) in (1..=n).flat_map(|r| (1..=r).map(move |l| (r, l))) {
        let window = Window::new(l, r).context("L is at most R")?;
        let sequence = Sequence::up_to(window, MAX_ROW.max(n));
        let values = sequence.values();
        let rows = (0..=n).zip(values);
        cells.largest.insert([r, l], rows.clone().map(|(_, &value)| value).max().unwrap_or(0).into());
        let period = known_period(window).or_else(|| Period::proven(window.move_bounds(), values));
        cells.periods.extend(period.map(|period| ([r, l], period.length)));
        if l == r {
            let lost = rows.filter(|&(row, &value)| row >= l && value == 0);
            cells.lost.extend(lost.map(|(row, _)| [row, l]));
        }
        if l == r {
            progress.reach(r);
        }
    }
    Ok(cells)
}

/// Returns the shade of a number, given the largest number of each shade except the last.
fn shade(number: u64, largest: [u64; 4]) -> u64 {
    1 + largest.iter().filter(|&&most| number > most).count() as u64
}

/// Returns one cell for each horizontal run of equal shades, to keep the file small. The keys of `shades` are [y, x].
fn merged(shades: &BTreeMap<[u64; 2], u64>) -> Vec<Mark> {
    let cells = shades.iter().map(|(&[y, x], &shade)| (y, x, x + 1, shade));
    let runs = cells.coalesce(|one, next| {
        let continues = one.0 == next.0 && one.2 == next.1 && one.3 == next.3;
        if continues { Ok((one.0, one.1, next.2, one.3)) } else { Err((one, next)) }
    });
    runs.map(|(y, from, to, shade)| Mark::Cell {
        from: [from, y],
        to: [to, y + 1],
        colour: Colour::Shade(shade),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks some values of the maps of the windows with R <= 12.
    #[test]
    fn values_of_the_maps() {
        let cells = cells(12).unwrap();
        assert_eq!(cells.largest.len(), 78);
        // Under (1, N) the value of a row of at most N cards is its length.
        assert_eq!(cells.largest[&[12, 1]], 12);
        assert_eq!((cells.periods[&[2, 1]], cells.periods[&[2, 2]], cells.periods[&[1, 1]]), (12, 34, 2));
        assert!(!cells.periods.contains_key(&[3, 1]), "nobody knows a period of (1, 3)");
        let ones: Vec<u64> = cells.lost.iter().filter(|[_, l]| *l == 1).map(|[row, _]| *row).collect();
        assert_eq!(ones, [2, 4, 6, 8, 10, 12]);
    }

    #[test]
    fn runs_of_one_shade_are_one_cell() {
        let shades = [([1, 1], 2), ([1, 2], 2), ([1, 3], 4), ([2, 4], 4), ([1, 5], 4)].into();
        let cell = |from, to, shade| Mark::Cell { from, to, colour: Colour::Shade(shade) };
        assert_eq!(
            merged(&shades),
            [
                cell([1, 1], [3, 2], 2),
                cell([3, 1], [4, 2], 4),
                cell([5, 1], [6, 2], 4),
                cell([4, 2], [5, 3], 4)
            ]
        );
        assert_eq!([1, 8, 9, 512, 513].map(|period| shade(period, PERIODS)), [1, 1, 2, 4, 5]);
    }
}
