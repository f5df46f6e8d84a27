//! Shortening a long line to the width of the terminal.

use std::ops::Range;

/// The width of a line if there is no terminal.
const DEFAULT_WIDTH: usize = 100;

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
