//! `grundy plot`: draws the nimbers against n as SVG, with the first period marked.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use itertools::Itertools;
use zeroxor::GameKind;
use zeroxor::grundy::segment::Period;

use super::table::{compute, game, windows};
use crate::cli;
use crate::number::number_in;
use crate::output;
use crate::rows::RowGame;
use crate::table::{Entries, Table};

/// Maximum size: more values than pixels show no more.
const MAX_TO: u64 = 10_000_000;

/// The picture, in pixels.
const WIDTH: u64 = 720;
const HEIGHT: u64 = 440;

/// The distances of the axes from the edges of the picture: left, top, right, bottom.
const MARGINS: [u64; 4] = [56, 48, 16, 48];

/// The intervals between ticks on an axis are one of these times a power of ten.
const STEPS: [u64; 3] = [1, 2, 5];

/// Maximum number of intervals between ticks on an axis.
const MAX_INTERVALS: u64 = 8;

const STYLE: &str = "\
text{font:13px sans-serif;fill:#1d1f21}.paper{fill:#fbfbf8}.axis{stroke:#808488}.points{stroke:#0072b2;stroke-width:3;\
stroke-linecap:round}.period{fill:#d5d7d2}@media(prefers-color-scheme:dark){text{fill:#e8e8e4}.paper{fill:#16181b}\
.points{stroke:#56b4e9}.period{fill:#3a3f45}}";

/// Draw the nimbers of a game against n as SVG, with the first period marked
#[derive(Debug, Args)]
#[command(after_help = "\
A band marks the first period of segment, octal or subtract, if the values up to \
N prove one.

Examples:
  grundy plot segment 1 2 --to 200 --output kayles.svg
  grundy plot octal 0.07 --to 150 > dawson.svg
  grundy plot square --to 2000 --output square.svg")]
pub(crate) struct PlotArgs {
    /// The rules of the game as in a header, without sizes: see grundy help table
    #[arg(value_name = "GAME", required = true, add = cli::rules_words())]
    rules: Vec<String>,

    /// The largest size
    #[arg(long, value_name = "N", value_parser = number_in(1..=MAX_TO))]
    to: u64,

    /// Write to this file ("-" for stdout). An existing file is replaced
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn plot(args: &PlotArgs) -> anyhow::Result<ExitCode> {
    let game = game(&args.rules)?;
    ensure!(game.kind() != Some(GameKind::Euclid), "expected a game with nimbers, got euclid");
    let may_have_period = RowGame::of(&game).is_some() || windows(&game).is_ok();
    let table = compute(&game, args.to, Entries::Nimbers, may_have_period)?;
    let svg = svg(&table, args.to);
    output::write(args.output.as_deref(), |out| out.write_all(svg.as_bytes()))?;
    Ok(ExitCode::SUCCESS)
}

/// An axis from 0 to `most`, drawn from pixel `from` to pixel `to`.
#[derive(Clone, Copy)]
struct Axis {
    most: u64,
    from: u64,
    to: u64,
}

impl Axis {
    fn pixel(self, value: u64) -> u64 {
        let distance = value * self.from.abs_diff(self.to) / self.most;
        if self.from < self.to { self.from + distance } else { self.from - distance }
    }

    fn ticks(self) -> impl Iterator<Item = u64> {
        let powers = (0..19).flat_map(|exponent| STEPS.map(|step| step * 10_u64.pow(exponent)));
        let step = powers.into_iter().find(|step| self.most / step <= MAX_INTERVALS).unwrap_or(self.most);
        (0..=self.most / step).map(move |k| k * step)
    }
}

fn svg(table: &Table, to: u64) -> String {
    let nimbers: Vec<u64> = table.nimbers().map(|nimber| nimber.0).collect();
    let largest = nimbers.iter().copied().max().unwrap_or(0);
    let [left, top, right, bottom] = MARGINS;
    let x = Axis { most: to, from: left, to: WIDTH - right };
    let y = Axis { most: largest.max(1), from: HEIGHT - bottom, to: top };
    let mut title = format!("{}: nimbers", table.game);
    let mut svg = String::new();
    let period = table.period.filter(|period| period.start <= to);
    if let Some(Period { start, length }) = period {
        title += &format!("; period {length} from n = {start} on");
        let (from, end) = (x.pixel(start), x.pixel(start.saturating_add(length).min(to)));
        let (width, height) = ((end - from).max(1), y.from - y.to);
        svg += &format!(
            "<rect class=\"period\" x=\"{from}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>\n"
        );
    }
    for n in x.ticks() {
        let (at, text_y) = (x.pixel(n), y.from + 18);
        svg += &format!("<text x=\"{at}\" y=\"{text_y}\" text-anchor=\"middle\">{n}</text>\n");
    }
    for nimber in y.ticks() {
        let (text_x, at) = (left - 8, y.pixel(nimber) + 4);
        svg += &format!("<text x=\"{text_x}\" y=\"{at}\" text-anchor=\"end\">{nimber}</text>\n");
    }
    let (axis_end, names_y) = (x.to, HEIGHT - 10);
    svg += &format!("<path class=\"axis\" fill=\"none\" d=\"M{left} {top}V{}H{axis_end}\"/>\n", y.from);
    svg += &format!("<text x=\"{axis_end}\" y=\"{names_y}\" text-anchor=\"end\">n</text>\n");
    svg += &format!("<text x=\"{left}\" y=\"24\">{title}</text>\n");
    // Points on the same pixel are drawn once, so the size of the file has a bound.
    let points: BTreeSet<(u64, u64)> =
        (0..).zip(&nimbers).map(|(n, &nimber)| (x.pixel(n), y.pixel(nimber))).collect();
    let points = points.iter().format_with("", |(x, y), write| write(&format_args!("M{x} {y}h0")));
    svg += &format!("<path class=\"points\" d=\"{points}\"/>\n");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n{svg}</svg>\n"
    )
}
