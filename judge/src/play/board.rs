//! Positions drawn for a person: rows as the numbers of their cards, piles as places and sizes.

use zeroxor::position::Component;
use zeroxor::{Move, Position};

use crate::report::picture::{Run, RunContent, is_row, runs};
use crate::text::shortened_to;

/// Maximum number of characters of a component's rules, with their indentation.
const MAX_RULES: usize = 40;

/// Maximum number of lines of a position, so that it fits into a terminal of usual height.
const MAX_LINES: usize = 24;

/// Maximum number of places of a component whose rows are drawn with the number of each card.
const MAX_NUMBERED: u64 = 200;

/// The indentation of a continued line.
const INDENT: &str = "    ";

pub(crate) fn draw_position(position: &Position, last: Option<Move>, width: usize) -> String {
    let runs = runs(position, None);
    let lines = position.components().iter().flat_map(|component| {
        let from = runs.partition_point(|run| run.places.start < component.place);
        let to = runs.partition_point(|run| run.places.start < component.place + component.width);
        draw_component(position, component, &runs[from..to], width)
    });
    limit_lines(lines.collect(), position.places(), last).join("\n")
}

/// Draws a component after its rules, on lines of `width` if possible. Each line has the place of its first piece.
fn draw_component(
    position: &Position,
    component: &Component,
    runs: &[Run],
    width: usize,
) -> Vec<(u64, String)> {
    let Some(rules) = position.rules(component.rules_index) else { return Vec::new() };
    let head = shortened_to(&format!("  {}", rules.words()), MAX_RULES) + ": ";
    let gap = if is_row(rules) { " " } else { "  " };
    let is_numbered = component.width <= MAX_NUMBERED;
    let length = |text: &str| text.chars().count();
    let mut lines: Vec<(u64, String)> = Vec::new();
    for (place, piece) in runs.iter().flat_map(|run| pieces(run, is_numbered)) {
        match lines.last_mut() {
            Some((_, line)) if length(line) + gap.len() + length(&piece) <= width => {
                *line += gap;
                *line += &piece;
            }
            Some(_) => lines.push((place, INDENT.to_owned() + &piece)),
            None => lines.push((place, format!("{head}{}", piece.trim_start_matches("| ")))),
        }
    }
    lines
}

/// Returns the texts of a run with their places. If the run `is_numbered` or short, each card is its number, and each
/// empty place a dot as wide as its number. Of a long run, only the first two cards and the last are numbers, and empty
/// places are counted. The first text of a row after another row begins with `| `.
fn pieces(run: &Run, is_numbered: bool) -> Vec<(u64, String)> {
    const MAX_FULL: u64 = 4;
    let (first, length) = (run.places.start, run.length());
    let mut pieces = match &run.content {
        RunContent::Sizes(text) => vec![(first, text.clone())],
        RunContent::Row(symbol) if is_numbered || length <= MAX_FULL => {
            let draw = |place: u64| match symbol {
                '#' => place.to_string(),
                _ => format!("{:>1$}", '.', place.to_string().len()),
            };
            run.places.clone().map(|place| (place, draw(place))).collect()
        }
        RunContent::Row('#') => {
            vec![(first, format!("{first} {} … {}", first + 1, run.places.end - 1))]
        }
        RunContent::Row(_) => vec![(first, format!("({length} taken)"))],
    };
    if run.begins_row() {
        pieces[0].1.insert_str(0, "| ");
    }
    pieces
}

/// Returns at most `MAX_LINES` lines around the last move, and names the places before and after that are not shown.
fn limit_lines(lines: Vec<(u64, String)>, places: u64, last: Option<Move>) -> Vec<String> {
    let center = last.map_or(0, |mv| lines.partition_point(|&(first, _)| first <= mv.place));
    let from = center.saturating_sub(MAX_LINES / 2).min(lines.len().saturating_sub(MAX_LINES));
    let begins = |at: usize| lines.get(at).map_or(places + 1, |&(first, _)| first);
    let left_out = |first: u64, end: u64| {
        (first < end).then(|| format!("{INDENT}… places {first} to {} are not shown", end - 1))
    };
    let before = left_out(1, begins(from));
    let after = left_out(begins(from + MAX_LINES), places + 1);
    let shown = lines.into_iter().skip(from).take(MAX_LINES).map(|(_, line)| line);
    before.into_iter().chain(shown).chain(after).collect()
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;
    use crate::report::picture::tests::played;

    fn describe(header: &str, moves: &[(u64, u64)], width: usize) -> String {
        let (position, last) = played(header, moves);
        draw_position(&position, last, width)
    }

    #[track_caller]
    fn assert_drawn(header: &str, moves: &[(u64, u64)], width: usize, expected: &str) {
        assert_eq!(describe(header, moves, width), expected);
    }

    #[test]
    fn cards_are_drawn_as_numbers() {
        assert_drawn("11 1 2", &[(10, 2), (1, 1)], 60, "  segment 1 2: . 2 3 4 5 6 7 8 9  .  .");
        assert_drawn("3 1 1 + 3 1 1", &[(4, 1)], 60, "  segment 1 1: 1 2 3\n  segment 1 1: . 5 6");
        let lines = ["  segment 1 2: 1 2 3 4 5", "    6 7 8 9 10 11 12 13", "    14"];
        assert_drawn("14 1 2", &[], 24, &lines.join("\n"));
    }

    #[test]
    fn rows_that_follow_each_other_are_divided() {
        assert_drawn("octal 0.77 3 4", &[], 60, "  octal 0.77: 1 2 3 | 4 5 6 7");
        assert_drawn("octal 0.77 3 4", &[(4, 1)], 60, "  octal 0.77: 1 2 3 . 5 6 7");
        assert_drawn("octal 4.7 7", &[(4, 0), (4, 1), (3, 0)], 60, "  octal 4.7: 1 2 | 3 . 5 6 7");
        assert_drawn("grundy 300", &[(4, 0)], 60, "  grundy: 1 2 3 | 4 5 … 300");
    }

    #[test]
    fn long_rows_are_shortened() {
        let long = "  segment 3 5: 1 . . . 5 6 … 1000000000000000000";
        assert_drawn("1000000000000000000 3 5", &[(2, 3)], 60, long);
        let moves: Vec<_> = (1..50).map(|k| (20 * k, 1)).chain([(511, 5)]).collect();
        let drawn = describe("1000 1 5", &moves, 50);
        assert!(drawn.contains("\n    501 502 … 510 (5 taken) 516 517 518 519   .\n    521 "), "{drawn}");
    }

    #[test]
    fn piles_are_drawn_as_places_and_sizes() {
        assert_drawn("square 20 7", &[(1, 9)], 60, "  square: 1: 11  2: 7");
        assert_drawn("4 2 2 + euclid 14 6", &[(5, 12)], 60, "  segment 2 2: 1 2 3 4\n  euclid: 5: 2  6: 6");
        let rules = format!("subtract 9 take{}", " 1000".repeat(50));
        assert_drawn(&rules, &[], 60, "  subtract take 1000: 1: 9");
        let rules = format!("square 9 ban {}", (1..50).map(|root| root * root).join(" "));
        assert_drawn(&rules, &[], 60, "  square ban 1 4 9 16 25 36 49 64 81 100…: 1: 9");
        // Piles take as many lines as they need.
        let lines = ["  nim: 1: 10  2: 11", "    3: 12  4: 13", "    5: 14"];
        assert_drawn("nim 10 11 12 13 14", &[], 19, &lines.join("\n"));
        // A pile is not divided, even if it is too long for a line.
        assert_drawn(
            "nim 5 1234567 + euclid 14 6",
            &[],
            9,
            "  nim: 1: 5\n    2: 1234567\n  euclid: 3: 14  4: 6",
        );
    }

    #[test]
    fn places_of_omitted_lines_are_named() {
        let piles = format!("nim 9 + nim{}", " 9".repeat(1000));
        for (moves, first, last) in [
            (&[][..], "  nim: 1: 9", "    … places 227 to 1001 are not shown"),
            (&[(500, 4)], "    … places 1 to 397 are not shown", "    … places 614 to 1001 are not shown"),
            (&[(1001, 4)], "    … places 1 to 793 are not shown", "    1001: 5"),
        ] {
            let drawn = describe(&piles, moves, 80);
            let lines: Vec<&str> = drawn.lines().collect();
            assert_eq!((lines[0], lines[lines.len() - 1]), (first, last));
            assert!(lines.len() <= MAX_LINES + 2 && lines.iter().all(|line| line.chars().count() <= 80));
        }
        assert!(describe(&piles, &[(500, 4)], 80).contains("  499: 9  500: 5  501: 9"));
    }
}
