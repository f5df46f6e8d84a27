//! What of a long line is shown.

use std::ops::Range;

/// The width of a line where there is no terminal to ask.
const WIDTH: usize = 100;

/// How many characters a line has.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.into())
}

/// As many of the pieces around the one at `center` as have room in `width` characters, and `…` for the rest.
pub(crate) fn fit(pieces: &[String], center: usize, width: usize) -> String {
    let shown = around(pieces, center, width);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let (before, after) = (cut(shown.start > 0), cut(shown.end < pieces.len()));
    format!("{before}{}{after}", pieces.get(shown).unwrap_or_default().concat())
}

/// As many pieces as have room, the cut marks included.
fn around(pieces: &[String], center: usize, width: usize) -> Range<usize> {
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
