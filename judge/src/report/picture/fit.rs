//! Shortening or dividing a long line to the width of the terminal.

use std::mem;
use std::ops::Range;

/// The width of a line if there is no terminal.
const DEFAULT_WIDTH: usize = 100;

/// The space before a line that goes on.
pub(crate) const INDENT: &str = "    ";

/// How many characters a line may have.
pub(crate) fn line_width() -> usize {
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

/// Joins as many pieces around the one at `center` as fit in `width` characters, with `…` for the rest.
pub(crate) fn fit(pieces: &[String], center: usize, width: usize) -> String {
    let shown = fitting_range(pieces, center, width);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let (before, after) = (cut(shown.start > 0), cut(shown.end < pieces.len()));
    format!("{before}{}{after}", pieces.get(shown).unwrap_or_default().concat())
}

/// The range of the pieces that fit, together with the marks for the rest.
fn fitting_range(pieces: &[String], center: usize, width: usize) -> Range<usize> {
    let length = |piece: &String| piece.chars().count();
    let (mut start, mut end) = (center, center);
    let mut room = width.saturating_sub(2);
    loop {
        let before = start;
        if let Some(next) = pieces.get(end).map(length).filter(|&next| next <= room || end == center) {
            room = room.saturating_sub(next);
            end += 1;
        } else if let Some(next) = pieces[..start].last().map(length).filter(|&next| next <= room) {
            room -= next;
            start -= 1;
        } else {
            return before..end;
        }
    }
}

/// Writes pieces behind `head`, on lines of at most `width` characters, each with the place where it begins.
pub(crate) fn wrap(
    head: String,
    pieces: impl Iterator<Item = (u64, String)>,
    gap: &str,
    width: usize,
) -> Vec<(u64, String)> {
    let (mut lines, mut first, mut line) = (Vec::new(), None, head);
    let mut length = line.chars().count();
    for (place, piece) in pieces {
        let longer = length + piece.chars().count();
        if first.is_some() && longer + gap.len() > width {
            lines.extend(first.map(|first| (first, mem::replace(&mut line, INDENT.to_owned()))));
            (first, length) = (Some(place), INDENT.len() + piece.chars().count());
        } else if first.is_some() {
            line += gap;
            length = longer + gap.len();
        } else {
            (first, length) = (Some(place), longer);
        }
        line += &piece;
    }
    lines.extend(first.map(|first| (first, line)));
    lines
}
