//! The dialogue with a person about a game.

use itertools::Itertools;
use zeroxor::{Move, Position};

/// The texts of a game for a person, and the form in which moves are typed.
pub(crate) trait Dialogue {
    /// Describes a position for the player to move; `last` is the last move.
    fn describe_position(&self, position: &Position, last: Option<Move>) -> String;

    /// The text that asks for a move.
    fn prompt(&self) -> &'static str;

    /// The form in which a move is typed, and its meaning.
    fn move_form(&self) -> (&'static str, &'static str);

    /// What can be typed, for an error message.
    fn expected_input(&self) -> &'static str;

    /// Parses a move, which need not be legal; `None` if the line does not have its form.
    fn parse_move(&self, line: &[u8]) -> Option<Move>;

    /// Formats a move as it is typed.
    fn format_move(&self, mv: Move) -> String;

    /// Describes a move that was made, and the position after it.
    fn describe_move(&self, player: &str, mv: Move, position: &Position) -> String;

    /// Describes why the player to move has lost; `None` if no text is needed.
    fn describe_loss(&self, player: &str, position: &Position) -> Option<String>;

    /// Whether nothing is printed but the dialogue itself: no review of the game.
    fn is_exact(&self) -> bool {
        false
    }

    /// Lists the legal moves, or the first of them and how many there are.
    fn list_moves(&self, position: &Position) -> String {
        const SHOWN: u8 = 40;
        let shown = position.moves().take(SHOWN.into()).map(|mv| self.format_move(mv)).join(", ");
        match position.move_count() {
            count if count > SHOWN.into() => format!("{shown}, ... ({count} in all)"),
            _ => shown,
        }
    }
}
