//! The frame of a plot: title, axes and source, in colours for light and dark.

use plotters::prelude::*;

use super::marks::Mark;

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

const SIZE: (u32, u32) = (960, 600);

/// From the lightest to the darkest: one colour, so that readers who see few colours tell them apart.
const COLOURS: [RGBColor; 5] = [
    RGBColor(0xb7, 0xd3, 0xe6),
    RGBColor(0x8b, 0xb8, 0xd6),
    RGBColor(0x5b, 0x98, 0xc2),
    RGBColor(0x2f, 0x6f, 0x9f),
    RGBColor(0x12, 0x3f, 0x63),
];

const INK: RGBColor = RGBColor(0x1d, 0x1f, 0x21);
const PAPER: RGBColor = RGBColor(0xfb, 0xfb, 0xf8);
const GRID: RGBColor = RGBColor(0xd5, 0xd7, 0xd2);

/// The colours where the reader's system is dark: those of the light ones, and what replaces them.
const DARK: [(&str, &str); 8] = [
    ("#1D1F21", "#e8e8e4"),
    ("#FBFBF8", "#16181b"),
    ("#D5D7D2", "#3a3f45"),
    ("#B7D3E6", "#1e4258"),
    ("#8BB8D6", "#2a6286"),
    ("#5B98C2", "#3f87b5"),
    ("#2F6F9F", "#6aaee0"),
    ("#123F63", "#b9dcf5"),
];

/// Draws marks in a frame with a title, the axes, and the command that makes the plot.
///
/// # Errors
///
/// If it cannot be drawn.
pub(super) fn draw(title: &str, axes: &Axes, marks: &[Mark], source: &str) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&PAPER)?;
        let text = |size: u32| ("sans-serif", size).into_font().color(&INK);
        let [right, top] = axes.ends;
        let mut chart = ChartBuilder::on(&area)
            .caption(shortened(title), text(20))
            .margin(12)
            .margin_bottom(30)
            .margin_right(24)
            .x_label_area_size(50)
            .y_label_area_size(80)
            .build_cartesian_2d(0..right, 0..top)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(axes.names[0]).y_desc(axes.names[1]).axis_style(INK).label_style(text(14));
        mesh.axis_desc_style(text(15)).bold_line_style(GRID).light_line_style(PAPER).draw()?;
        let points = marks.iter().filter_map(|mark| match *mark {
            Mark::Point(x, y) => Some(Circle::new((x, y), 2, COLOURS[3].filled())),
            Mark::Cell { .. } | Mark::Bar { .. } => None,
        });
        chart.draw_series(points)?;
        let cells = marks.iter().filter_map(|mark| match *mark {
            Mark::Cell { from, to, shade } => {
                let colour =
                    usize::try_from(shade).ok().and_then(|shade| COLOURS.get(shade.saturating_sub(1)));
                let corners = [(from[0], from[1]), (to[0].min(right), to[1].min(top))];
                Some(Rectangle::new(corners, colour.unwrap_or(&COLOURS[4]).filled()))
            }
            Mark::Bar { from, to, height } => {
                let mut bar = Rectangle::new([(from, 0), (to, height)], COLOURS[3].filled());
                bar.set_margin(0, 0, 1, 1);
                Some(bar)
            }
            Mark::Point(..) => None,
        });
        chart.draw_series(cells)?;
        area.draw(&Text::new(shortened(source), (16, 578), text(13)))?;
        area.present()?;
    }
    Ok(with_dark_colours(&svg, title))
}

/// A picture with a title for those who cannot see it, and other colours where the reader's system is dark.
fn with_dark_colours(svg: &str, title: &str) -> String {
    let rules = DARK.map(|(light, dark)| {
        format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
    });
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    let style = format!(
        "<title>{escaped}</title>\n<style>@media (prefers-color-scheme: dark){{{}}}</style>",
        rules.concat()
    );
    match svg.split_once(">\n") {
        Some((head, rest)) => format!("{head} role=\"img\">\n{style}\n{rest}"),
        None => svg.to_owned(),
    }
}

/// A line that fits.
fn shortened(line: &str) -> String {
    const SHOWN: usize = 90;
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
