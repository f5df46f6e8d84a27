//! Positions drawn for a person: rows are drawn as the numbers of their cards or below a ruler, piles as places and sizes.

use std::iter;

use itertools::Itertools;
use zeroxor::position::Component;
use zeroxor::{Move, Position};

use crate::play::row::{draw_with_ruler, numbered, shortened};
use crate::report::picture::{INDENT, Run, is_row, runs, wrap};
use crate::text::shortened_to;

const MAX_COMPONENTS: usize = 20;

/// Maximum number of characters of a component's rules, with their indentation.
const MAX_RULES: usize = 40;

/// Maximum number of lines for the piles of a component, or for a shortened row.
const MAX_LINES: usize = 24;

/// Maximum number of rows of a component that are drawn below each other.
const MAX_ROWS: usize = 8;

pub(crate) fn draw_position(position: &Position, last: Option<Move>, width: usize) -> String {
    let (plain, marked) = (runs(position, None), runs(position, last));
    let components = position.components();
    let mut lines = Vec::new();
    for component in components.iter().take(MAX_COMPONENTS) {
        let [plain, marked] = [&plain, &marked].map(|runs| {
            let from = runs.partition_point(|run| run.places.start < component.place);
            let to = runs.partition_point(|run| run.places.start < component.place + component.width);
            &runs[from..to]
        });
        lines.extend(draw_component(position, component, (plain, marked), last, width));
    }
    if let Some(more @ 1..) = components.len().checked_sub(MAX_COMPONENTS) {
        lines.push(format!("  … and {more} more games"));
    }
    lines.join("\n")
}

/// Draws a component with its rules. A row is drawn in the first of these forms that fits: with all its numbers on
/// one line, below a ruler, or shortened. Piles and shortened rows use several lines if necessary. The runs are those
/// without and with the last move.
fn draw_component(
    position: &Position,
    component: &Component,
    (plain, marked): (&[Run], &[Run]),
    last: Option<Move>,
    line_width: usize,
) -> Vec<String> {
    let Some(rules) = position.rules(component.rules_index) else { return Vec::new() };
    let head = shortened_to(&format!("  {}", rules.words()), MAX_RULES) + ": ";
    let width = line_width.saturating_sub(head.chars().count());
    let divided = |run: &Run, text: String| {
        let divider = if run.begins_row() && run.places.start > component.place { "| " } else { "" };
        divider.to_owned() + &text
    };
    if is_row(rules) {
        let numbers = || plain.iter().map(|run| divided(run, numbered(run))).join(" ");
        let numbers = (component.width <= width as u64).then(numbers);
        if let Some(numbers) = numbers.filter(|numbers| numbers.len() <= width) {
            return vec![head + &numbers];
        }
        if let Some(rows) = draw_rows(marked, line_width) {
            return iter::once(head.trim_end().to_owned()).chain(rows).collect();
        }
    }
    let gap = if is_row(rules) { " " } else { "  " };
    let texts = plain.iter().map(|run| (run.places.start, divided(run, shortened(run))));
    limit_lines(wrap(&head, texts, gap, line_width), component, last)
}

/// Draws rows below each other, each with a ruler; `None` if there are too many, or one needs too many lines.
fn draw_rows(runs: &[Run], line_width: usize) -> Option<Vec<String>> {
    let rows = runs.chunk_by(|_, next| !next.begins_row()).collect_vec();
    let drawn = rows.iter().map(|row| draw_with_ruler(row, line_width)).collect::<Option<Vec<_>>>()?;
    (rows.len() <= MAX_ROWS).then(|| drawn.concat())
}

/// Returns at most `MAX_LINES` lines around the last move, and names the places before and after that are not shown.
fn limit_lines(lines: Vec<(u64, String)>, component: &Component, last: Option<Move>) -> Vec<String> {
    let center = last.map_or(0, |mv| lines.partition_point(|&(first, _)| first <= mv.place));
    let from = center.saturating_sub(MAX_LINES / 2).min(lines.len().saturating_sub(MAX_LINES));
    let end = component.place + component.width;
    let begins = |at: usize| lines.get(at).map_or(end, |&(first, _)| first);
    let left_out = |first: u64, end: u64| {
        (first < end).then(|| format!("{INDENT}… places {first} to {} are not shown", end - 1))
    };
    let before = left_out(component.place, begins(from));
    let after = left_out(begins(from + MAX_LINES), end);
    let shown = lines.into_iter().skip(from).take(MAX_LINES).map(|(_, line)| line);
    before.into_iter().chain(shown).chain(after).collect()
}

#[cfg(test)]
mod tests {
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
        assert_drawn("6 1 2", &[], 60, "  segment 1 2: 1 2 3 4 5 6");
        assert_drawn("11 1 2", &[(10, 2), (1, 1)], 60, "  segment 1 2: . 2 3 4 5 6 7 8 9  .  .");
        assert_drawn("3 1 1 + 3 1 1", &[(4, 1)], 60, "  segment 1 1: 1 2 3\n  segment 1 1: . 5 6");
    }

    #[test]
    fn rows_side_by_side_are_divided() {
        assert_drawn("octal 0.77 3 4", &[], 60, "  octal 0.77: 1 2 3 | 4 5 6 7");
        assert_drawn("octal 0.77 3 4", &[(4, 1)], 60, "  octal 0.77: 1 2 3 . 5 6 7");
        let rows = ["  octal 0.77:", "        '", "    #########", "    |    '", "    #########"];
        assert_drawn("octal 0.77 9 9", &[], 45, &rows.join("\n"));
    }

    #[test]
    fn a_split_divides_a_row() {
        assert_drawn("grundy 9", &[(4, 0)], 60, "  grundy: 1 2 3 | 4 5 6 7 8 9");
        assert_drawn("octal 4.7 7", &[(4, 0), (4, 1), (3, 0)], 60, "  octal 4.7: 1 2 | 3 . 5 6 7");
        let rows = ["  grundy:", "    ####", "        10", "    '    |", "    ##########"];
        assert_drawn("grundy 14", &[(5, 0)], 30, &rows.join("\n"));
        // Nine rows are too many to be drawn with rulers.
        let splits = (2..10).map(|place| (place, 0)).collect_vec();
        let rows = ["  grundy: 1 | 2 | 3 | 4 | 5 | 6", "    | 7 | 8 | 9 10 … 30"];
        assert_drawn("grundy 30", &splits, 32, &rows.join("\n"));
    }

    #[test]
    fn rows_with_many_gaps_are_shortened() {
        let moves = (1..50).map(|k| (20 * k, 1)).chain([(511, 1)]).collect_vec();
        let lines = [
            "  segment 1 1: 1 2 … 19 . 21 22 … 39 . 41 42 … 59",
            "    . 61 62 … 79 . 81 82 … 99 . 101 102 … 119 .",
        ];
        let first = lines.join("\n");
        let drawn = describe("1000 1 1", &moves, 50);
        assert!(drawn.starts_with(&first) && drawn.contains(" 502 … 510 .\n    512 513 "), "{drawn}");
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
    fn places_of_omitted_piles_are_named() {
        let piles = format!("nim 1 + nim{}", " 9".repeat(1000));
        let ends = |moves: &[(u64, u64)]| {
            let drawn = describe(&piles, moves, 80);
            let lines: Vec<&str> = drawn.lines().skip(1).collect();
            let ends = [lines[0], lines[lines.len() - 1]].map(str::to_owned);
            assert!(lines.len() <= MAX_LINES + 2 && lines.iter().all(|line| line.chars().count() <= 80));
            (ends, drawn)
        };
        let (shown, _) = ends(&[]);
        assert_eq!(shown[0], "  nim: 2: 9  3: 9  4: 9  5: 9  6: 9  7: 9  8: 9  9: 9  10: 9  11: 9  12: 9");
        assert_eq!(shown[1], "    … places 236 to 1001 are not shown");
        let (shown, drawn) = ends(&[(500, 4)]);
        assert_eq!(shown[0], "    … places 2 to 397 are not shown");
        assert_eq!(shown[1], "    … places 614 to 1001 are not shown");
        assert!(drawn.contains("  499: 9  500: 5  501: 9"), "{drawn}");
        let (shown, _) = ends(&[(1001, 4)]);
        assert!(shown[1].ends_with("1001: 5"), "{shown:?}");
    }

    #[test]
    fn only_some_of_many_components_are_drawn() {
        let games = ["nim 1"; 22].join(" + ");
        let drawn = describe(&games, &[], 60);
        assert!(drawn.ends_with("\n  nim: 20: 1\n  … and 2 more games"), "{drawn}");
    }
}
