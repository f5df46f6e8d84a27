//! The frame of a plot: title, axes, legend and source.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::marks::{Colour, Mark};
use crate::report::charts::theme::{CATEGORIES, GRID, INK, PAPER, SHADES, as_file, shortened};

/// What the axes mean, and where they end. Both begin at 0.
pub(super) struct Axes {
    names: [&'static str; 2],
    ends: [u64; 2],
}

impl Axes {
    pub(super) fn new(names: [&'static str; 2], ends: [u64; 2]) -> Self {
        Self { names, ends: ends.map(|end| end.max(1)) }
    }
}

/// A chart: what it is about, its axes, and what is drawn.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) axes: Axes,
    pub(super) marks: Vec<Mark>,
}

/// What a colour means.
pub(super) type Legend = Vec<(String, Colour)>;

const SIZE: (u32, u32) = (960, 600);

/// The height of the line of the legend.
const LEGEND: u32 = 24;

impl Colour {
    fn rgb(self) -> RGBColor {
        match self {
            Self::Shade(shade) => {
                let place = usize::try_from(shade.saturating_sub(1)).unwrap_or(usize::MAX);
                SHADES[place.min(SHADES.len() - 1)]
            }
            Self::Ink => INK,
            Self::Category(number) => CATEGORIES[number.min(CATEGORIES.len() - 1)],
        }
    }
}

/// Draws panels side by side, with a title for all, what the colours mean, and the command that makes the plot.
///
/// # Errors
///
/// If it cannot be drawn.
pub(super) fn draw(title: &str, panels: &[Panel], legend: &Legend, source: &str) -> anyhow::Result<String> {
    let mut svg = String::new();
    let legend_height = if legend.is_empty() { 0 } else { LEGEND };
    let count = u32::try_from(panels.len())?.max(1);
    // Several are narrower each.
    let size = if count == 1 { SIZE } else { (520 * count, SIZE.1) };
    let size = (size.0, size.1 + legend_height);
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&PAPER)?;
        for (part, panel) in area.split_evenly((1, panels.len().max(1))).iter().zip(panels) {
            draw_panel(part, panel, legend_height)?;
        }
        let bottom = i32::try_from(size.1)? - 22;
        let text = || ("sans-serif", 13).into_font().color(&INK);
        let mut x = 16;
        let y = bottom - i32::try_from(LEGEND)?;
        for (entry, colour) in legend {
            area.draw(&Rectangle::new([(x, y), (x + 12, y + 12)], colour.rgb().filled()))?;
            area.draw(&Text::new(entry.clone(), (x + 18, y), text()))?;
            x += 40 + i32::try_from(entry.chars().count())? * 7;
        }
        area.draw(&Text::new(shortened(source, 130), (16, bottom), text()))?;
        area.present()?;
    }
    Ok(as_file(&svg, title))
}

fn draw_panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    Panel { title, axes, marks }: &Panel,
    legend_height: u32,
) -> anyhow::Result<()> {
    let text = |size: u32| ("sans-serif", size).into_font().color(&INK);
    let [right, top] = axes.ends;
    let is_narrow = area.dim_in_pixel().0 < SIZE.0;
    let mut chart = ChartBuilder::on(area)
        .caption(shortened(title, 100), text(if is_narrow { 16 } else { 20 }))
        .margin(12)
        .margin_bottom(30 + legend_height)
        .margin_right(40)
        .x_label_area_size(50)
        .y_label_area_size(80)
        .build_cartesian_2d(0..right, 0..top)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(axes.names[0]).y_desc(axes.names[1]).axis_style(INK).label_style(text(14));
    mesh.axis_desc_style(text(15)).bold_line_style(GRID).light_line_style(PAPER).draw()?;
    chart.draw_series(marks.iter().map(|mark| match mark {
        Mark::Point { at: [x, y], colour, is_rare } => {
            let radius = if *is_rare { 4 } else { 2 };
            Circle::new((*x, *y), radius, colour.rgb().filled()).into_dyn()
        }
        Mark::Cell { from, to, colour } => {
            let corners = [(from[0], from[1]), (to[0].min(right), to[1].min(top))];
            Rectangle::new(corners, colour.rgb().filled()).into_dyn()
        }
        Mark::Bar { from, to, height } => {
            let mut bar = Rectangle::new([(*from, 0), (*to, *height)], SHADES[3].filled());
            bar.set_margin(0, 0, 1, 1);
            bar.into_dyn()
        }
        Mark::Line(points) => {
            let points = points.iter().map(|&[x, y]| (x.min(right), y.min(top)));
            PathElement::new(points.collect::<Vec<_>>(), INK.stroke_width(2)).into_dyn()
        }
    }))?;
    Ok(())
}
