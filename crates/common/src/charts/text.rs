//! Text in plots and charts: its width, its lines, and the positions of a legend's entries.

use plotters::prelude::*;

use super::{Area, INK};

/// The size of normal text, as a font size of plotters: about 13 pixels.
pub const TEXT_SIZE: u32 = 16;

/// The size of titles, as a font size of plotters.
pub const TITLE_SIZE: u32 = 18;

/// The distance from one line of text to the next, in pixels.
const LINE_HEIGHT: i32 = 19;

/// The distance from one line of a legend to the next, in pixels.
const LEGEND_LINE_HEIGHT: i32 = 23;

/// The width of the coloured mark of a legend entry with the gap after it, in pixels.
const MARK_WIDTH: u32 = 18;
/// The gap between two entries of a legend, in pixels.
const ENTRY_GAP: i32 = 16;

/// Maximum number of lines of a text, including an ellipsis in place of further lines.
const MAX_LINES: usize = 4;

/// Returns the approximate width of a text, in pixels. For most fonts the result is slightly too large.
pub fn text_width(text: &str, size: u32) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX).saturating_mul(size) / 2
}

/// Splits a text into lines of at most `width` pixels. Breaks lines between words, and inside a word that is wider than
/// `width`. A text with more than `MAX_LINES` lines is cut, and its last line becomes an ellipsis.
pub fn lines(text: &str, size: u32, width: u32) -> Vec<String> {
    let max_length = (width / text_width("m", size)).max(1) as usize;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let length = word.chars().count();
        if let Some(line) = lines.last_mut().filter(|line| !line.is_empty())
            && line.chars().count() + 1 + length <= max_length
        {
            line.push(' ');
            line.push_str(word);
            continue;
        }
        let symbols: Vec<char> = word.chars().collect();
        let pieces = symbols.chunks(max_length).map(|piece| piece.iter().collect::<String>());
        lines.extend(pieces);
    }
    lines.retain(|line| !line.is_empty());
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES - 1);
        lines.push("…".to_owned());
    }
    lines
}

/// Arranges legend entries in lines between `left` and `right`. Returns the top left corner of each entry and the total
/// height of the lines, in pixels.
pub fn legend_places<'a>(
    entries: impl IntoIterator<Item = &'a str>,
    left: i32,
    right: i32,
) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut y) = (left, 0);
    let mut places = Vec::new();
    for entry in entries {
        let width = i32::try_from(MARK_WIDTH + text_width(entry, TEXT_SIZE)).unwrap_or(right);
        if x > left && x + width > right {
            (x, y) = (left, y + LEGEND_LINE_HEIGHT);
        }
        places.push((x, y));
        x += width + ENTRY_GAP;
    }
    let height = if places.is_empty() { 0 } else { y + LEGEND_LINE_HEIGHT };
    (places, height)
}

/// Returns the height of these lines, in pixels.
pub fn height_of(lines: &[String]) -> i32 {
    i32::try_from(lines.len()).unwrap_or_default() * LINE_HEIGHT
}

/// Draws lines below each other, the first at this position.
///
/// # Errors
///
/// If the chart cannot be drawn.
pub fn draw_lines(
    area: &Area<'_>,
    lines: &[String],
    (x, mut y): (i32, i32),
    size: u32,
) -> anyhow::Result<()> {
    for line in lines {
        draw_text(area, line, (x, y), size)?;
        y += LINE_HEIGHT;
    }
    Ok(())
}

/// Draws one line of text that begins at this position.
///
/// # Errors
///
/// If the chart cannot be drawn.
pub fn draw_text(area: &Area<'_>, text: &str, at: (i32, i32), size: u32) -> anyhow::Result<()> {
    area.draw(&Text::new(text.to_owned(), at, ("sans-serif", size).into_font().color(&INK)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        // A character counts as eight pixels wide.
        let lines = |text: &str, width| lines(text, 16, width);
        assert_eq!(lines("one two three", 80), ["one two", "three"]);
        assert_eq!(lines("one two three", 900), ["one two three"]);
        assert_eq!(lines("abcdefgh ij", 32), ["abcd", "efgh", "ij"]);
        assert_eq!(lines(&"x ".repeat(100), 32), ["x x", "x x", "x x", "…"]);
        assert_eq!(lines("", 90), [""; 0]);
    }

    #[test]
    fn a_legend_has_as_many_lines_as_it_needs() {
        // The entries are 18 + 24 and 18 + 48 pixels wide, with 16 pixels between them.
        assert_eq!(legend_places(["one", "twelve"], 10, 140).0, [(10, 0), (68, 0)]);
        assert_eq!(legend_places(["one", "twelve"], 10, 120), (vec![(10, 0), (10, 23)], 46));
        assert_eq!(legend_places([], 10, 120), (vec![], 0));
    }
}
