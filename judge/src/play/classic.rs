//! The classic dialogue: one pile, from which squares are subtracted.

use zeroxor::GameSpec;
use zeroxor::wire::protocol::parse_bot_turn;
use zeroxor::{Move, Position};

use super::dialogue::Dialogue;

pub(crate) struct Classic;

/// Whether the games are a single pile of squares.
pub(crate) fn is_classic(game: &GameSpec) -> bool {
    matches!(game, GameSpec::Square { piles, .. } if piles.len() == 1)
}

fn total(table: &Position) -> u64 {
    table.heaps().next().map_or(0, |seat| seat.heap.size)
}

impl Dialogue for Classic {
    fn position(&self, table: &Position, _last: Option<Move>) -> String {
        format!("Current Total: {}\nAvailable squares to subtract: {}", total(table), self.moves(table))
    }

    fn prompt(&self) -> &'static str {
        "Enter the square number to subtract: "
    }

    fn form(&self) -> (&'static str, &'static str) {
        ("9", "subtracts 9, or any other available square")
    }

    fn expected(&self) -> &'static str {
        "a square number or a command such as help"
    }

    fn read(&self, line: &[u8]) -> Option<Move> {
        // The protocol's move, of which only "how many" is typed: there is but one place.
        parse_bot_turn(&[b"1 ", line].concat()).ok()?
    }

    fn typed(&self, mv: Move) -> String {
        mv.take.to_string()
    }

    fn moved(&self, player: &str, mv: Move, table: &Position) -> String {
        format!("{player} subtracts {}. New total is {}.", mv.take, total(table))
    }

    fn stuck(&self, player: &str, table: &Position) -> Option<String> {
        let total = total(table);
        (total > 0).then(|| format!("{player} is stuck: no available square can be subtracted from {total}."))
    }
}
