//! The dialogue of any game: cards are drawn as their numbers, piles as their places and sizes.

use std::iter;

use itertools::Itertools;
use zeroxor::position::{Component, PlacedHeap};
use zeroxor::wire::protocol::parse_bot_turn;
use zeroxor::{Move, Position};

use super::dialogue::Dialogue;
use super::row::draw_with_ruler;
use super::stretch::{Stretch, stretches};
use crate::report::picture::fit::fit;
use crate::report::picture::runs::{Run, runs};
use crate::report::picture::sizes::{is_row, place_sizes};

/// The largest number of components that are drawn, each on a line.
const MAX_COMPONENTS: usize = 20;

/// The largest number of characters of a component's rules.
const MAX_RULES: usize = 40;

/// A dialogue that draws the position.
pub(crate) struct BoardDialogue {
    pub(crate) width: usize,
}

impl Dialogue for BoardDialogue {
    fn describe_position(&self, position: &Position, last: Option<Move>) -> String {
        let mut heaps = position.heaps().peekable();
        let runs = runs(position, last);
        let components = position.components();
        let mut lines = Vec::new();
        for component in components.iter().take(MAX_COMPONENTS) {
            let places = component.place..component.place + component.width;
            let placed = heaps.peeking_take_while(|placed| placed.place < places.end).collect_vec();
            let from = runs.partition_point(|run| run.first < places.start);
            let to = runs.partition_point(|run| run.first < places.end);
            lines.extend(self.draw_component(position, component, &placed, &runs[from..to], last));
        }
        if let Some(more @ 1..) = components.len().checked_sub(MAX_COMPONENTS) {
            lines.push(format!("  … and {more} more games"));
        }
        lines.join("\n")
    }

    fn prompt(&self) -> &'static str {
        "Enter a move \"x y\" or \"help\": "
    }

    fn move_form(&self) -> (&'static str, &'static str) {
        ("x y", "take y at place x; in a row, take the y cards x, x+1, ...")
    }

    fn expected_input(&self) -> &'static str {
        "a move \"x y\" with both at least 1, or a command such as help"
    }

    fn parse_move(&self, line: &[u8]) -> Option<Move> {
        parse_bot_turn(line).ok()?
    }

    fn format_move(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn describe_move(&self, player: &str, mv: Move, _position: &Position) -> String {
        format!("{player} takes {} at place {}.", mv.take, mv.place)
    }

    fn describe_loss(&self, player: &str, position: &Position) -> Option<String> {
        Some(format!("{}\n{player} has no legal move.", self.describe_position(position, None)))
    }
}

impl BoardDialogue {
    /// Draws a component with its rules: on a line, or a row that is too long for a line below a ruler.
    fn draw_component(
        &self,
        position: &Position,
        component: &Component,
        heaps: &[PlacedHeap<'_>],
        runs: &[Run],
        last: Option<Move>,
    ) -> Vec<String> {
        let Some(rules) = position.rules(component.rules) else { return Vec::new() };
        let mut head = format!("  {}", rules.words());
        if head.len() > MAX_RULES {
            head = head.chars().take(MAX_RULES).chain(['…']).collect();
        }
        head += ": ";
        let width = self.width.saturating_sub(head.chars().count());
        let (places, texts) = if !is_row(rules) {
            heaps.iter().map(|placed| (placed.place, place_sizes(placed))).unzip()
        } else if let Some(numbers) = numbered_row(component, heaps, width) {
            return vec![head + &numbers];
        } else if let Some(rows) = self.draw_rows(runs) {
            return iter::once(head.trim_end().to_owned()).chain(rows).collect();
        } else {
            shortened_row(component, heaps)
        };
        let gap = if is_row(rules) { " " } else { "  " };
        let pieces = (0..).zip(texts).map(|(at, text)| if at == 0 { text } else { gap.to_owned() + &text });
        // The place of the last move is always drawn.
        let center =
            last.map_or(0, |mv| places.partition_point(|&place| place <= mv.place).saturating_sub(1));
        vec![head + &fit(&pieces.collect_vec(), center, width)]
    }

    /// Draws rows below each other, each with a ruler; `None` if one of them is too long even so.
    fn draw_rows(&self, runs: &[Run]) -> Option<Vec<String>> {
        let rows = runs.chunk_by(|_, next| !next.begins_row());
        let rows: Option<Vec<_>> = rows.map(|row| draw_with_ruler(row, self.width)).collect();
        Some(rows?.concat())
    }
}

/// A row with the number of every card; `None` if it is longer than `width`.
fn numbered_row(component: &Component, heaps: &[PlacedHeap<'_>], width: usize) -> Option<String> {
    if component.width > width as u64 {
        return None;
    }
    let text = stretches(component, heaps).iter().map(Stretch::full).join(" ");
    (text.len() <= width).then_some(text)
}

/// The first places of the stretches of a row, and the stretches as text, the long ones shortened.
fn shortened_row(component: &Component, heaps: &[PlacedHeap<'_>]) -> (Vec<u64>, Vec<String>) {
    let stretches = stretches(component, heaps);
    let texts = stretches.iter().map(Stretch::shortened).collect();
    (stretches.iter().map(|stretch| stretch.first).collect(), texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_drawn(header: &str, moves: &[(u64, u64)], width: usize, expected: &str) {
        let header = zeroxor::wire::protocol::parse_header(header.as_bytes()).unwrap();
        let mut position = Position::new(&header.game).unwrap();
        let moves = moves.iter().map(|&(place, take)| Move { place, take }).collect_vec();
        for &mv in &moves {
            position.play(mv).unwrap();
        }
        assert_eq!(BoardDialogue { width }.describe_position(&position, moves.last().copied()), expected);
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
    fn rows_with_many_gaps_are_shortened() {
        let moves = (1..50).map(|k| (20 * k, 1)).chain([(511, 1)]).collect_vec();
        assert_drawn("1000 1 1", &moves, 50, "  segment 1 1: … . 512 513 … 519 . 521 522 … 539…");
    }

    #[test]
    fn piles_are_drawn_as_places_and_sizes() {
        assert_drawn("square 20 7", &[(1, 9)], 60, "  square: 1: 11  2: 7");
        assert_drawn("4 2 2 + euclid 14 6", &[(5, 12)], 60, "  segment 2 2: 1 2 3 4\n  euclid: 5: 2  6: 6");
        let rules = format!("subtract 9 take{}", " 1000".repeat(50));
        assert_drawn(&rules, &[], 60, "  subtract take 1000: 1: 9");
        let rules = format!("square 9 ban {}", (1..50).map(|root| root * root).join(" "));
        assert_drawn(&rules, &[], 60, "  square ban 1 4 9 16 25 36 49 64 81 100…: 1: 9");
    }

    #[test]
    fn only_some_of_many_components_are_drawn() {
        let games = ["nim 1"; 22].join(" + ");
        let header = zeroxor::wire::protocol::parse_header(games.as_bytes()).unwrap();
        let drawn =
            BoardDialogue { width: 60 }.describe_position(&Position::new(&header.game).unwrap(), None);
        assert!(drawn.ends_with("\n  nim: 20: 1\n  … and 2 more games"), "{drawn}");
    }
}
