//! The frame of a plot: title, axes, legend and command. Text has the same size in narrow and wide plots.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::marks::{Colour, Legend, Mark};
use common::charts::text::{TEXT_SIZE, TITLE_SIZE, draw_lines, height_of, legend_places, lines, text_width};
use common::charts::{CATEGORIES, GRID, INK, PAPER, SHADES, as_file};

/// The names and the ends of the axes. Both axes begin at 0.
pub(super) struct Axes {
    names: [&'static str; 2],
    ends: [u64; 2],
}

impl Axes {
    pub(super) fn new(names: [&'static str; 2], ends: [u64; 2]) -> Self {
        Self { names, ends: ends.map(|end| end.max(1)) }
    }
}

/// A chart: its title, its axes and its marks.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) axes: Axes,
    pub(super) marks: Vec<Mark>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The default width, in pixels, of a plot with one panel and of a plot with several panels.
const WIDTHS: [u32; 2] = [720, 1080];

/// Minimum width, in pixels, of panels that are side by side. In narrower plots the panels are below each other.
const MIN_PANEL_WIDTH: u32 = 340;

/// Maximum number of marks of a chart in which all points are large.
const FEW_MARKS: usize = 100;

/// The space at the borders, in pixels.
const MARGIN: i32 = 12;

/// The left edge of text, in pixels.
const LEFT: i32 = 16;

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

/// Draws panels, with a common title, a legend of the colours, and the command that makes the plot. The panels are
/// side by side if the width, in pixels, suffices.
///
/// # Errors
///
/// If the plot cannot be drawn.
pub(super) fn draw(
    title: &str,
    panels: &[Panel],
    legend: &Legend,
    source: &str,
    width: Option<u32>,
) -> anyhow::Result<String> {
    let count = u32::try_from(panels.len())?.max(1);
    let width = width.unwrap_or(WIDTHS[usize::from(count > 1)]);
    let columns = (width / MIN_PANEL_WIDTH).clamp(1, count);
    let panel = width / columns;
    let panel_height = (panel * 5 / 8).clamp(300, 450);
    let rows = count.div_ceil(columns);
    let names = legend.iter().map(|(name, _)| name.as_str());
    let (entries, legend_height) = legend_places(names, LEFT, i32::try_from(width)? - MARGIN);
    let source = lines(source, TEXT_SIZE, width.saturating_sub(30));
    let foot = legend_height + height_of(&source) + MARGIN + 4;
    let height = rows * panel_height + u32::try_from(foot)?;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        area.fill(&PAPER)?;
        let (charts, foot) = area.split_vertically(rows * panel_height);
        for (part, panel) in charts.split_evenly((rows as usize, columns as usize)).iter().zip(panels) {
            draw_panel(part, panel)?;
        }
        for ((x, y), (entry, colour)) in entries.into_iter().zip(legend) {
            let y = y + 4;
            foot.draw(&Rectangle::new([(x, y), (x + 12, y + 12)], colour.rgb().filled()))?;
            draw_lines(&foot, std::slice::from_ref(entry), (x + 18, y - 1), TEXT_SIZE)?;
        }
        draw_lines(&foot, &source, (LEFT, legend_height + 4), TEXT_SIZE)?;
        area.present()?;
    }
    Ok(as_file(&svg, title))
}

fn draw_panel(area: &Area<'_>, Panel { title, axes, marks }: &Panel) -> anyhow::Result<()> {
    let text = |size: u32| ("sans-serif", size).into_font().color(&INK);
    let [right, top] = axes.ends;
    let (width, height) = area.dim_in_pixel();
    let title = lines(title, TITLE_SIZE, width.saturating_sub(30));
    draw_lines(area, &title, (LEFT, MARGIN), TITLE_SIZE)?;
    let head = MARGIN + height_of(&title);
    // Leave room for the numbers of the vertical axis at the left, and for half of the last number of the horizontal
    // axis at the right.
    let number = |end: u64| text_width(&end.to_string(), TEXT_SIZE);
    let left = number(top) + 36;
    let border = (number(right) / 2 + 4).max(24);
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(head + 4)
        .margin_right(border)
        .x_label_area_size(48)
        .y_label_area_size(left)
        .build_cartesian_2d(0..right, 0..top)?;
    let across = width.saturating_sub(left + border) / (number(right) + 24);
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(axes.names[0]).y_desc(axes.names[1]).axis_style(INK).label_style(text(TEXT_SIZE));
    mesh.x_labels(across.clamp(2, 11) as usize).y_labels((height / 40).clamp(2, 11) as usize);
    mesh.axis_desc_style(text(TEXT_SIZE)).bold_line_style(GRID).light_line_style(PAPER).draw()?;
    chart.draw_series(marks.iter().map(|mark| match mark {
        Mark::Point { at: [x, y], colour, is_rare } => {
            let radius = if *is_rare || marks.len() <= FEW_MARKS { 4 } else { 2 };
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
