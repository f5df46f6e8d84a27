//! Rows as text: numbered, or below a ruler as `#` (a card), `x` (a card that was just taken) and `.` (an empty place).

use std::collections::BTreeSet;
use std::ops::Range;

use itertools::Itertools;

use crate::report::picture::{INDENT, Run, RunContent};

/// Maximum number of lines of a row that must be drawn: those that differ from the previous line, and the last line. A
/// single line between two of them that is equal to the previous line is drawn too, but not counted.
const MAX_LINES: usize = 24;

/// Draws the runs of a row in lines of at most `width` characters, below a ruler. As in a hex dump, `…` replaces two or
/// more lines that are equal to the previous line. Returns `None` if more than `MAX_LINES` lines must be drawn.
pub(crate) fn draw_with_ruler(runs: &[Run], width: usize) -> Option<Vec<String>> {
    let places = runs.first()?.places.start..runs.last()?.places.end;
    let room = width.saturating_sub(INDENT.len());
    if places.end - places.start <= room as u64 {
        let [numbers, ticks] = ruler(places.clone());
        let lines = [numbers, ticks, cells(runs, places)].map(|line| INDENT.to_owned() + &line);
        // In a short row the ruler may have no room for a number.
        return Some(lines.into_iter().filter(|line| !line.trim().is_empty()).collect());
    }
    let label_width = (places.end - 1).to_string().len();
    let line_width = [100, 50, 20].into_iter().find(|&line| line + label_width < room).unwrap_or(10);
    draw_lines(runs, places, label_width, line_width as u64)
}

/// Draws a row in lines of `line_width` places, each after the number of its first place, if `MAX_LINES` suffice.
fn draw_lines(runs: &[Run], places: Range<u64>, label_width: usize, line_width: u64) -> Option<Vec<String>> {
    let line_of = |place: u64| (place - 1) / line_width;
    let last = line_of(places.end - 1);
    // A line differs from the previous line if a run begins in it, or if it is the first line that a run fills
    // completely. These lines and the last line are drawn.
    let begins = runs.iter().flat_map(|run| {
        let line = line_of(run.places.start);
        let first_full = (run.places.start - 1) % line_width != 0 && line_of(run.places.end - 1) > line;
        [Some(line), first_full.then_some(line + 1)]
    });
    let drawn: BTreeSet<u64> = begins.flatten().chain([last]).collect();
    if drawn.len() > MAX_LINES {
        return None;
    }
    let label = |text: &str| format!("{INDENT}{text:>label_width$} ");
    let draw_line = |line: u64| {
        let first = line * line_width + 1;
        let shown = first.max(places.start)..(first + line_width).min(places.end);
        let blank = " ".repeat(usize::try_from(shown.start - first).unwrap_or(0));
        format!("{}{blank}{}", label(&first.to_string()), cells(runs, shown))
    };
    let mut lines = ruler(1..line_width + 1).map(|line| label("") + &line).to_vec();
    let mut next = line_of(places.start);
    for line in drawn {
        if next + 1 == line {
            lines.push(draw_line(next));
        } else if next < line {
            lines.push(label("…").trim_end().to_owned());
        }
        lines.push(draw_line(line));
        next = line + 1;
    }
    Some(lines)
}

/// Returns a character for each of the `places`, which the runs must cover.
fn cells(runs: &[Run], places: Range<u64>) -> String {
    let from = runs.partition_point(|run| run.places.end <= places.start);
    let shown = runs[from..].iter().take_while(|run| run.places.start < places.end);
    let characters = shown.flat_map(|run| {
        let symbol = if let RunContent::Row(symbol) = run.content { symbol } else { '?' };
        let count = run.places.end.min(places.end) - run.places.start.max(places.start);
        std::iter::repeat_n(symbol, usize::try_from(count).unwrap_or(0))
    });
    characters.collect()
}

/// Returns the ruler of `places`: a line of numbers and a line of ticks. A multiple of 10 is shown if there is room for
/// it, with its last digit above its place. Each multiple of 5 has a tick.
fn ruler(places: Range<u64>) -> [String; 2] {
    let mut numbers = String::new();
    let mut ticks = String::new();
    for (at, place) in places.enumerate() {
        ticks.push(match place % 10 {
            0 => '|',
            5 => '\'',
            _ => ' ',
        });
        let number = place.to_string();
        if place % 10 == 0 && numbers.len() + number.len() < at + 2 {
            numbers = format!("{numbers:width$}{number}", width = at + 1 - number.len());
        }
    }
    [numbers, ticks.trim_end().to_owned()]
}

/// Returns a run without a move: each card as its number, each empty place as a dot as wide as its number.
pub(crate) fn numbered(run: &Run) -> String {
    let draw = |place: u64| match run.content {
        RunContent::Row('#') => place.to_string(),
        _ => format!("{:>1$}", '.', place.to_string().len()),
    };
    run.places.clone().map(draw).join(" ")
}

/// Returns a run without a move, with long ones shortened to the first two cards and the last, or to a count.
pub(crate) fn shortened(run: &Run) -> String {
    const MAX_FULL: u64 = 4;
    let (first, length) = (run.places.start, run.length());
    match (&run.content, length > MAX_FULL) {
        (RunContent::Sizes(text), _) => text.clone(),
        (RunContent::Row('#'), false) => numbered(run),
        (RunContent::Row('#'), true) => format!("{first} {} … {}", first + 1, run.places.end - 1),
        (RunContent::Row(_), false) => (0..length).map(|_| '.').join(" "),
        (RunContent::Row(_), true) => format!("({length} taken)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::picture::runs;
    use crate::report::picture::tests::played;

    fn drawn(header: &str, moves: &[(u64, u64)], width: usize) -> Option<Vec<String>> {
        let (position, last) = played(header, moves);
        // The row is the last component.
        let first = position.components().last().unwrap().place;
        let mut runs = runs(&position, last);
        runs.retain(|run| run.places.start >= first);
        draw_with_ruler(&runs, width)
    }

    #[test]
    fn rows_with_a_ruler() {
        for (header, moves, width, expected) in [
            (
                "32 1 9",
                &[(1, 3), (20, 9)][..],
                40,
                &[
                    "            10        20        30",
                    "        '    |    '    |    '    |",
                    "    ...################xxxxxxxxx####",
                ][..],
            ),
            // The ruler numbers the places of the whole game, in which another game comes first.
            (
                "nim 1 1 1 + 20 1 2",
                &[(4, 2)],
                40,
                &["         10        20", "     '    |    '    |", "    xx##################"],
            ),
            // The first place of each line is a multiple of 20, plus one.
            (
                "nim 1 1 1 + 40 1 2",
                &[],
                30,
                &[
                    "               10        20",
                    "           '    |    '    |",
                    "     1    #################",
                    "    21 ####################",
                    "    41 ###",
                ],
            ),
            // Equal lines are drawn once.
            (
                "110 1 20",
                &[(20, 1), (45, 20)],
                20,
                &[
                    "                10",
                    "            '    |",
                    "      1 ##########",
                    "     11 #########.",
                    "     21 ##########",
                    "     31 ##########",
                    "     41 ####xxxxxx",
                    "     51 xxxxxxxxxx",
                    "     61 xxxx######",
                    "     71 ##########",
                    "      …",
                    "    101 ##########",
                ],
            ),
        ] {
            assert_eq!(drawn(header, moves, width).unwrap(), expected, "{header}");
        }
    }

    /// Draws a row of the maximum size, with 100 places in a line.
    #[test]
    fn the_longest_row() {
        let lines = drawn("1000000000000000000 3 5", &[(500_000_000_000_000_000, 5)], 130).unwrap();
        let cards = "#".repeat(100);
        assert_eq!(
            lines[2..],
            [
                format!("{:>23} {cards}", 1),
                format!("{:>23}", "…"),
                format!("     499999999999999901 {}x", "#".repeat(99)),
                format!("     500000000000000001 xxxx{}", "#".repeat(96)),
                format!("     500000000000000101 {cards}"),
                format!("{:>23}", "…"),
                format!("     999999999999999901 {cards}"),
            ]
        );
        assert!(lines.iter().all(|line| line.chars().count() <= 130));
    }
}
