//! The dialogue of the classic game: one pile, from which squares are subtracted.

use zeroxor::GameSpec;
use zeroxor::wire::protocol::parse_bot_turn;
use zeroxor::{Move, Position};

use super::dialogue::Dialogue;

/// The dialogue of GMT-003.
pub(crate) struct ClassicDialogue {
    /// Whether other programs read it, so that nothing is added.
    pub(crate) is_exact: bool,
}

/// Whether a game is a single pile of squares.
pub(crate) fn is_classic(game: &GameSpec) -> bool {
    matches!(game, GameSpec::Square { piles, .. } if piles.len() == 1)
}

/// The size of the pile.
fn total(position: &Position) -> u64 {
    position.heaps().next().map_or(0, |placed| placed.heap.size)
}

impl Dialogue for ClassicDialogue {
    fn is_exact(&self) -> bool {
        self.is_exact
    }

    fn describe_position(&self, position: &Position, _last: Option<Move>) -> String {
        format!(
            "Current Total: {}\nAvailable squares to subtract: {}",
            total(position),
            self.list_moves(position)
        )
    }

    fn prompt(&self) -> &'static str {
        "Enter the square number to subtract: "
    }

    fn move_form(&self) -> (&'static str, &'static str) {
        ("9", "subtract 9, or any other available square")
    }

    fn expected_input(&self) -> &'static str {
        "a square number or a command such as help"
    }

    fn parse_move(&self, line: &[u8]) -> Option<Move> {
        // Only the number of the protocol's move is typed, because there is only one place.
        parse_bot_turn(&[b"1 ", line].concat()).ok()?
    }

    fn format_move(&self, mv: Move) -> String {
        mv.take.to_string()
    }

    fn describe_move(&self, player: &str, mv: Move, position: &Position) -> String {
        format!("{player} subtracts {}. New total is {}.", mv.take, total(position))
    }

    fn describe_loss(&self, player: &str, position: &Position) -> Option<String> {
        let total = total(position);
        (total > 0).then(|| format!("{player} is stuck: no available square can be subtracted from {total}."))
    }
}
