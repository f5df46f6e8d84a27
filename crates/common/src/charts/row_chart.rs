//! A chart with a row for each name.

use plotters::coord::ranged1d::SegmentValue;
use plotters::prelude::*;

use super::text::{TEXT_SIZE, draw_text, legend_places, text_width};
use super::{Area, CATEGORIES, GRID, INK, PAPER, as_part, draw_svg};
use crate::text::shortened_to;

/// The width of the chart, in pixels.
const WIDTH: u32 = 720;
/// The height of a row, in pixels.
const ROW_HEIGHT: u32 = 34;
/// The height of the chart without its rows and its legend, in pixels.
const FRAME_HEIGHT: u32 = 72;
/// Maximum number of characters that are shown of a name.
const MAX_NAME_LENGTH: usize = 26;

/// The meaning of the numbers on the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// The numbers are logarithms to base 10.
    Logarithmic,
}

/// A mark in a row of a chart. `colour` is the index of an entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub enum RowMark {
    /// A thin horizontal line with a short stroke at each end.
    Interval {
        row: usize,
        from: f64,
        to: f64,
    },
    Dot {
        row: usize,
        at: f64,
        colour: usize,
    },
    Bar {
        row: usize,
        from: f64,
        to: f64,
        colour: usize,
    },
}

/// A chart with a row for each name, and an axis below.
#[derive(Clone, Debug)]
pub struct RowChart {
    pub title: String,
    /// The meaning of the axis, with its unit.
    pub axis: &'static str,
    pub scale: Scale,
    pub names: Vec<String>,
    pub marks: Vec<RowMark>,
    /// The meaning of the colours.
    pub legend: Vec<String>,
    /// The range that the axis must include.
    pub required_range: (f64, f64),
}

impl RowChart {
    /// Returns the chart as an SVG for a page.
    ///
    /// # Errors
    ///
    /// If the chart cannot be drawn.
    pub fn svg(&self) -> anyhow::Result<String> {
        let rows = self.names.len();
        let names =
            self.names.iter().map(|name| text_width(&shortened_to(name, MAX_NAME_LENGTH), TEXT_SIZE)).max();
        let names = i32::try_from(names.unwrap_or(0))? + 20;
        let entries = self.legend.iter().map(String::as_str);
        let (entries, legend_height) = legend_places(entries, names, i32::try_from(WIDTH)? - 12);
        let plane_height = FRAME_HEIGHT + ROW_HEIGHT * u32::try_from(rows)?;
        let height = plane_height + u32::try_from(legend_height)?;
        let svg = draw_svg((WIDTH, height), |area| {
            let text = |size: u32| ("sans-serif", size).into_font().color(&INK);
            let (low, high) = self.range();
            let mut chart = ChartBuilder::on(area)
                .margin(10)
                .margin_bottom(10 + legend_height)
                .margin_right(30)
                .x_label_area_size(48)
                .y_label_area_size(names)
                .build_cartesian_2d(low..high, (0..rows.saturating_sub(1)).into_segmented())?;
            let label = |at: &f64| self.label(*at);
            let name = |value: &SegmentValue<usize>| match value {
                SegmentValue::CenterOf(place) => self.name_from_below(*place),
                _ => String::new(),
            };
            let mut mesh = chart.configure_mesh();
            mesh.x_desc(self.axis).x_label_formatter(&label).y_label_formatter(&name).y_labels(rows);
            if self.scale == Scale::Logarithmic {
                mesh.x_labels(decade_count(low, high));
            }
            mesh.axis_style(INK).label_style(text(TEXT_SIZE)).axis_desc_style(text(TEXT_SIZE));
            mesh.disable_y_mesh().bold_line_style(GRID).light_line_style(PAPER).draw()?;
            let plane = chart.plotting_area();
            for mark in &self.marks {
                draw_mark(
                    mark,
                    &|row, at| {
                        let center = SegmentValue::CenterOf(rows - 1 - row);
                        plane.map_coordinate(&(at, center))
                    },
                    area,
                )?;
            }
            self.draw_legend(area, &entries, i32::try_from(plane_height)? - 4)
        })?;
        Ok(as_part(&svg, &self.title))
    }

    /// Returns the start and the end of the axis.
    fn range(&self) -> (f64, f64) {
        let ends = self.marks.iter().flat_map(|mark| match *mark {
            RowMark::Interval { from, to, .. } | RowMark::Bar { from, to, .. } => [from, to],
            RowMark::Dot { at, .. } => [at, at],
        });
        let (low, high) = ends
            .filter(|end| end.is_finite())
            .fold(self.required_range, |(low, high), end| (low.min(end), high.max(end)));
        match self.scale {
            Scale::Logarithmic => (low.floor(), high.ceil().max(low.floor() + 1.0)),
            Scale::Linear => {
                let space = (high - low).max(1e-9) * 0.04;
                // An axis that begins at 0 gets no space before the 0.
                (if low == 0.0 { 0.0 } else { low - space }, high + space)
            }
        }
    }

    fn label(&self, at: f64) -> String {
        match self.scale {
            Scale::Logarithmic => format!("{}", 10_f64.powf(at.round())),
            Scale::Linear => format!("{}", (at * 1000.0).round() / 1000.0),
        }
    }

    /// Returns the name of the row at `place`, where 0 is the bottom row.
    fn name_from_below(&self, place: usize) -> String {
        let row = self.names.len().checked_sub(place + 1);
        row.map_or_else(String::new, |row| shortened_to(&self.names[row], MAX_NAME_LENGTH))
    }

    fn draw_legend(&self, area: &Area<'_>, places: &[(i32, i32)], top: i32) -> anyhow::Result<()> {
        let dots = self.marks.iter().any(|mark| matches!(mark, RowMark::Dot { .. }));
        for (number, (entry, &(x, y))) in self.legend.iter().zip(places).enumerate() {
            let y = top + y;
            let sample = if dots {
                RowMark::Dot { row: 0, at: 0.0, colour: number }
            } else {
                RowMark::Bar { row: 0, from: 0.0, to: 12.0, colour: number }
            };
            draw_mark(&sample, &|_, at| (if at > 0.0 { x + 12 } else { x }, y + 6), area)?;
            draw_text(area, entry, (x + 18, y - 1), TEXT_SIZE)?;
        }
        Ok(())
    }
}

/// Draws a mark. `pixel` maps a row and a value on the axis to a position in pixels.
fn draw_mark(
    mark: &RowMark,
    pixel: &dyn Fn(usize, f64) -> (i32, i32),
    area: &Area<'_>,
) -> anyhow::Result<()> {
    let colour = |number: usize| CATEGORIES[number.min(CATEGORIES.len() - 1)];
    match *mark {
        RowMark::Interval { row, from, to } => {
            let [(from, y), (to, _)] = [pixel(row, from), pixel(row, to)];
            area.draw(&PathElement::new([(from, y), (to, y)], INK.stroke_width(2)))?;
            for end in [from, to] {
                area.draw(&PathElement::new([(end, y - 5), (end, y + 5)], INK.stroke_width(2)))?;
            }
        }
        // The first four entries also differ in shape, for colour-blind readers.
        RowMark::Dot { row, at, colour: number } => {
            let (center, style) = (pixel(row, at), colour(number).filled());
            match number {
                0 => area.draw(&Circle::new(center, 6, style))?,
                1 => area.draw(&TriangleMarker::new(center, 7, style))?,
                2 => area.draw(&square(center, 5, style))?,
                _ => area.draw(&Cross::new(center, 5, colour(number).stroke_width(3)))?,
            }
        }
        RowMark::Bar { row, from, to, colour: number } => {
            let [(from, y), (to, _)] = [pixel(row, from), pixel(row, to)];
            area.draw(&Rectangle::new([(from, y - 9), (to, y + 9)], colour(number).filled()))?;
        }
    }
    Ok(())
}

/// Counts the numbers `low`, `low` + 1 and so on that are at most `high`.
fn decade_count(low: f64, high: f64) -> usize {
    std::iter::successors(Some(low), |at| Some(at + 1.0)).take_while(|at| *at <= high).count()
}

fn square((x, y): (i32, i32), half: i32, style: ShapeStyle) -> Rectangle<(i32, i32)> {
    Rectangle::new([(x - half, y - half), (x + half, y + half)], style)
}
