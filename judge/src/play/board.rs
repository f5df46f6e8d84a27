//! Any table, drawn: cards by their numbers, piles by their places and sizes.

use itertools::Itertools;
use zeroxor::position::{Component, PlacedHeap};
use zeroxor::wire::protocol::parse_bot_turn;
use zeroxor::{Move, Position};

use super::dialogue::Dialogue;
use super::stretch::{Stretch, stretches};
use crate::report::picture::figures::{figures, is_row};
use crate::report::picture::fit::fit;

/// As many games of a sum are drawn, a line each.
const GAMES: usize = 20;

/// Long rules are cut to that many characters.
const RULES: usize = 40;

pub(crate) struct Board {
    pub(crate) width: usize,
}

impl Dialogue for Board {
    fn position(&self, table: &Position, last: Option<Move>) -> String {
        let mut heaps = table.heaps().peekable();
        let parts = table.components();
        let mut lines = Vec::new();
        for part in parts.iter().take(GAMES) {
            let end = part.place + part.width;
            let seats = heaps.peeking_take_while(|seat| seat.place < end).collect_vec();
            lines.push(self.line(table, part, &seats, last));
        }
        if let Some(more @ 1..) = parts.len().checked_sub(GAMES) {
            lines.push(format!("  … and more games, {more} of them"));
        }
        lines.join("\n")
    }

    fn prompt(&self) -> &'static str {
        "Enter a move \"x y\" or \"help\": "
    }

    fn form(&self) -> (&'static str, &'static str) {
        ("x y", "takes y at place x; of a row, the cards x, x+1, ..., y in all")
    }

    fn expected(&self) -> &'static str {
        "a move \"x y\" with both at least 1, or a command such as help"
    }

    fn read(&self, line: &[u8]) -> Option<Move> {
        parse_bot_turn(line).ok()?
    }

    fn typed(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn moved(&self, player: &str, mv: Move, _table: &Position) -> String {
        format!("{player} takes {} at place {}.", mv.take, mv.place)
    }

    fn stuck(&self, player: &str, table: &Position) -> Option<String> {
        Some(format!("{}\n{player} is stuck: there is no legal move left.", self.position(table, None)))
    }
}

impl Board {
    /// One game of the sum, with what it is played by.
    fn line(
        &self,
        table: &Position,
        part: &Component,
        seats: &[PlacedHeap<'_>],
        last: Option<Move>,
    ) -> String {
        let Some(rules) = table.rules(part.rules) else { return String::new() };
        let mut head = format!("  {}", rules.words());
        if head.len() > RULES {
            head = head.chars().take(RULES).chain(['…']).collect();
        }
        head += ": ";
        let width = self.width.saturating_sub(head.chars().count());
        let (places, texts) = if is_row(rules) {
            row(part, seats, width)
        } else {
            seats.iter().map(|seat| (seat.place, figures(seat))).unzip()
        };
        let gap = if is_row(rules) { " " } else { "  " };
        let pieces = (0..).zip(texts).map(|(at, text)| if at == 0 { text } else { gap.to_owned() + &text });
        // What has just changed is shown whatever must be left out.
        let center =
            last.map_or(0, |mv| places.partition_point(|&place| place <= mv.place).saturating_sub(1));
        head + &fit(&pieces.collect_vec(), center, width)
    }
}

/// The stretches of a row with their first places, whole if they have room.
fn row(part: &Component, seats: &[PlacedHeap<'_>], width: usize) -> (Vec<u64>, Vec<String>) {
    let stretches = stretches(part, seats);
    let whole = (part.width <= width as u64).then(|| stretches.iter().map(Stretch::whole).collect_vec());
    // The fit keeps two characters for the marks of what it leaves out.
    let whole = whole.filter(|texts| texts.iter().map(|text| text.len() + 1).sum::<usize>() + 2 <= width);
    let texts = whole.unwrap_or_else(|| stretches.iter().map(Stretch::shortened).collect());
    (stretches.iter().map(|it| it.first).collect(), texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_drawn(header: &str, moves: &[(u64, u64)], width: usize, expected: &str) {
        let header = zeroxor::wire::protocol::parse_header(header.as_bytes()).unwrap();
        let mut table = Position::new(&header.game).unwrap();
        let moves = moves.iter().map(|&(place, take)| Move { place, take }).collect_vec();
        for &mv in &moves {
            table.play(mv).unwrap();
        }
        assert_eq!(Board { width }.position(&table, moves.last().copied()), expected);
    }

    #[test]
    fn cards_have_their_numbers() {
        assert_drawn("6 1 2", &[], 60, "  segment 1 2: 1 2 3 4 5 6");
        assert_drawn("11 1 2", &[(10, 2), (1, 1)], 60, "  segment 1 2: . 2 3 4 5 6 7 8 9  .  .");
        assert_drawn("3 1 1 + 3 1 1", &[(4, 1)], 60, "  segment 1 1: 1 2 3\n  segment 1 1: . 5 6");
    }

    #[test]
    fn long_rows_are_shortened() {
        assert_drawn("2000 1 9", &[(1000, 9)], 80, "  segment 1 9: 1 2 … 999 (9 taken) 1009 1010 … 2000");
        let longest = "  segment 1 2: . 2 3 … 1000000000000000000";
        assert_drawn("1000000000000000000 1 2", &[(1, 1)], 60, longest);
        let moves = (1..50).map(|k| (20 * k, 1)).chain([(511, 1)]).collect_vec();
        assert_drawn("1000 1 1", &moves, 50, "  segment 1 1: … . 512 513 … 519 . 521 522 … 539…");
    }

    #[test]
    fn piles_have_places_and_sizes() {
        assert_drawn("square 20 7", &[(1, 9)], 60, "  square: 1: 11  2: 7");
        assert_drawn("4 2 2 + euclid 14 6", &[(5, 12)], 60, "  segment 2 2: 1 2 3 4\n  euclid: 5: 2  6: 6");
        let rules = format!("subtract 9 take{}", " 1000".repeat(50));
        assert_drawn(&rules, &[], 60, "  subtract take 1000: 1: 9");
        let rules = format!("square 9 ban {}", (1..50).map(|root| root * root).join(" "));
        assert_drawn(&rules, &[], 60, "  square ban 1 4 9 16 25 36 49 64 81 100…: 1: 9");
    }

    #[test]
    fn many_games_are_cut() {
        let games = ["nim 1"; 22].join(" + ");
        let header = zeroxor::wire::protocol::parse_header(games.as_bytes()).unwrap();
        let drawn = Board { width: 60 }.position(&Position::new(&header.game).unwrap(), None);
        assert!(drawn.ends_with("\n  nim: 20: 1\n  … and more games, 2 of them"), "{drawn}");
    }
}
