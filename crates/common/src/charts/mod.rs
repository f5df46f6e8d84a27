//! The common parts of all plots: colours for light and dark themes, text, and a chart with a row for each name.

pub mod text;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::file_kind::FileKind;
use crate::text::html_escaped;

/// The beginning of each SVG file that `judge` or `grundy` writes. Without `--force`, only an empty file or a file with
/// this beginning is replaced.
const SVG_START: &str = "<!-- judge -->\n";

/// The kind of an SVG file.
pub const SVG: FileKind = FileKind::new("an SVG", &[SVG_START]);

/// Shades of one colour from the lightest to the darkest, so that colour-blind readers can distinguish them.
pub const SHADES: [RGBColor; 5] = [
    RGBColor(0xb7, 0xd3, 0xe6),
    RGBColor(0x8b, 0xb8, 0xd6),
    RGBColor(0x5b, 0x98, 0xc2),
    RGBColor(0x2f, 0x6f, 0x9f),
    RGBColor(0x12, 0x3f, 0x63),
];

/// Colours for categories: five of the colours of M. Okabe and K. Ito (2008, "Color Universal Design"), which
/// colour-blind readers can distinguish. The last colour, grey, is for all categories without a colour of their own.
pub const CATEGORIES: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x80, 0x84, 0x88),
];

pub const INK: RGBColor = RGBColor(0x1d, 0x1f, 0x21);
pub const PAPER: RGBColor = RGBColor(0xfb, 0xfb, 0xf8);
pub const GRID: RGBColor = RGBColor(0xd5, 0xd7, 0xd2);

/// The colours that are replaced if the system has a dark theme, with their replacements.
const DARK: [(&str, &str); 13] = [
    ("#1D1F21", "#e8e8e4"),
    ("#FBFBF8", "#16181b"),
    ("#D5D7D2", "#3a3f45"),
    ("#B7D3E6", "#1e4258"),
    ("#8BB8D6", "#2a6286"),
    ("#5B98C2", "#3f87b5"),
    ("#2F6F9F", "#6aaee0"),
    ("#123F63", "#b9dcf5"),
    ("#0072B2", "#56b4e9"),
    ("#D55E00", "#ff8c3a"),
    ("#009E73", "#2fc79b"),
    ("#CC79A7", "#e79cc6"),
    ("#808488", "#9a9ea3"),
];

/// Returns the CSS for systems with a dark theme, for a page with SVGs or for a single SVG file.
pub fn dark_style() -> String {
    let rules = DARK.map(|(light, dark)| {
        format!("svg [fill=\"{light}\"]{{fill:{dark}}}svg [stroke=\"{light}\"]{{stroke:{dark}}}")
    });
    format!("@media (prefers-color-scheme: dark){{{}}}", rules.concat())
}

/// The area on which an SVG is drawn.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws an SVG of `size` (width and height in pixels) on a background of the colour [`PAPER`].
///
/// # Errors
///
/// If the SVG cannot be drawn.
pub fn draw_svg(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&PAPER)?;
        draw(&area)?;
        area.present()?;
    }
    Ok(svg)
}

/// Returns an SVG as a file, with its own style and with a title for readers who cannot see the picture.
pub fn as_file(svg: &str, title: &str) -> String {
    format!("{SVG_START}{}", with_title(svg, title, &format!("<style>{}</style>\n", dark_style())))
}

/// Returns an SVG as a part of a page whose style contains the [`dark_style`].
pub fn as_part(svg: &str, title: &str) -> String {
    with_title(svg, title, "")
}

/// Inserts `title` and `style` after the opening tag of an SVG.
fn with_title(svg: &str, title: &str, style: &str) -> String {
    let escaped = html_escaped(title);
    match svg.split_once(">\n") {
        Some((head, rest)) => format!("{head} role=\"img\">\n<title>{escaped}</title>\n{style}{rest}"),
        None => svg.to_owned(),
    }
}
