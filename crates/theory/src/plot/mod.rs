//! Plots of a table, as SVG.

mod frame;
mod marks;
mod windows;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use zeroxor::grundy::ValueKind;

use super::heaps::Heaps;
use super::table::Table;
use frame::{Axes, Panel, draw};
use marks::{Legend, Mark, bars, density, outcomes, pair_outcomes, residues};
pub use windows::windows_svg;

/// Maximum number of values that are drawn as points.
const MAX_POINTS: u64 = 3000;

/// Maximum number of values in a plot of residues, where each value is a cell.
const MAX_RESIDUES: u64 = 8000;

/// A kind of plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Plot {
    /// The nimber of each size; for many sizes, cells shaded by the number of sizes in them
    Scatter,
    /// The number of sizes with each nimber
    Bars,
    /// The nimbers by n mod P, with --modulus P: a period shows as columns of one colour
    Residues,
    /// Which heaps are P-positions
    Outcomes,
    /// Heat maps of all windows, with segment --all: who wins with L = R, the largest nimbers and the periods
    Windows,
}

impl Plot {
    /// Returns the plot of a table as SVG, `width` pixels wide if `width` is given.
    ///
    /// # Errors
    ///
    /// If the table does not have the values that the plot shows.
    pub fn svg(self, table: &Table, modulus: Option<u64>, width: Option<u32>) -> anyhow::Result<String> {
        ensure!(
            modulus.is_some() == (self == Self::Residues),
            "--modulus P is required with --plot residues, and cannot be used with other plots"
        );
        ensure!(self != Self::Windows, "expected --plot windows with grundy table segment --all");
        let (to, structure) = (table.heaps.to(), table.structure);
        let mut legend = Legend::new();
        if self != Self::Outcomes {
            ensure!(
                table.kind == ValueKind::Nimber && matches!(table.heaps, Heaps::Sizes(_)),
                "expected a table of nimbers for this plot, got one of outcomes: use --plot outcomes, or --nimber if the \
                 game has it"
            );
        }
        let (title, axes, marks) = match (self, table.heaps) {
            (Self::Scatter, _) => {
                let (marks, top) = density(table, MAX_POINTS);
                legend = structure
                    .legend(true, if to < MAX_POINTS { "rare value" } else { "cell with a rare value" });
                let note = if to < MAX_POINTS { "" } else { "; a stronger colour means more sizes" };
                let title = format!("nimbers{note}{}", structure.title());
                (title, Axes::new(["size n", "nimber"], [to + 1, top]), marks)
            }
            (Self::Bars, _) => {
                let (marks, nimbers, most) = bars(table);
                (
                    "How many sizes have each nimber".to_owned(),
                    Axes::new(["nimber", "sizes"], [nimbers, most]),
                    marks,
                )
            }
            (Self::Residues, _) => {
                let modulus = modulus.context("--modulus P is required with --plot residues")?;
                ensure!(
                    to < MAX_RESIDUES,
                    "expected --to below {MAX_RESIDUES} with --plot residues, got {to}"
                );
                legend = structure.legend(false, "rare value");
                let title = format!(
                    "nimbers by n mod {modulus}, blank if 0, stronger if larger{}",
                    structure.title()
                );
                let axes = Axes::new(["n mod P", "n div P"], [modulus.min(to + 1), to / modulus + 1]);
                (title, axes, residues(table, modulus))
            }
            (Self::Outcomes | Self::Windows, Heaps::Sizes(_)) => {
                let (marks, columns, rows, per_cell) = outcomes(table);
                let names = match (per_cell, columns) {
                    (1, 100) => ["n mod 100", "n div 100"],
                    _ => ["cells of this row", "rows of cells"],
                };
                let axes = Axes::new(names, [columns, rows]);
                (format!("P-positions, {per_cell} sizes in a cell, {columns} cells in a row"), axes, marks)
            }
            (Self::Outcomes | Self::Windows, Heaps::Pairs(_)) => {
                let (marks, per_cell) = pair_outcomes(table);
                let axes = Axes::new(["first number", "second number"], [to + 1, to + 1]);
                (format!("P-positions, cells of {per_cell} by {per_cell} pairs"), axes, marks)
            }
        };
        let name = self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        let nimber = if table.game.starts_with("square") && table.kind == ValueKind::Nimber {
            " --nimber"
        } else {
            ""
        };
        let modulus = modulus.map_or_else(String::new, |modulus| format!(" --modulus {modulus}"));
        let period = if structure.is_period_wanted { " --period" } else { "" };
        let source = format!("grundy table {}{nimber} --to {to}{period} --plot {name}{modulus}", table.game);
        let source = with_width(&source, width);
        let title = format!("{}: {title}", table.game);
        draw(&title, &[Panel { title: title.clone(), axes, marks }], &legend, &source, width)
    }
}

/// Returns the command that makes a plot of this width.
fn with_width(command: &str, width: Option<u32>) -> String {
    width.map_or_else(|| command.to_owned(), |width| format!("{command} --width {width}"))
}

type Marks = Vec<Mark>;
