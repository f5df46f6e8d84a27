//! How a game is talked about.

use itertools::Itertools;
use zeroxor::{Move, Position};

/// The words for a table and for what is done on it.
pub(crate) trait Dialogue {
    /// What the player to move sees; `last` is the move that led here.
    fn position(&self, table: &Position, last: Option<Move>) -> String;

    /// Asks for a move.
    fn prompt(&self) -> &'static str;

    /// The form in which a move is typed, and what it means.
    fn form(&self) -> (&'static str, &'static str);

    /// What may be typed, for who has typed something else.
    fn expected(&self) -> &'static str;

    /// Reads a move; whether it is legal is for the table to say.
    fn read(&self, line: &[u8]) -> Option<Move>;

    /// A move as it is typed.
    fn typed(&self, mv: Move) -> String;

    /// A move that has just been made, and what it has left.
    fn moved(&self, player: &str, mv: Move, table: &Position) -> String;

    /// Why the player to move has lost, if it does not go without saying.
    fn stuck(&self, player: &str, table: &Position) -> Option<String>;

    /// The legal moves: the first of them, and how many there are.
    fn moves(&self, table: &Position) -> String {
        const SHOWN: u8 = 40;
        let shown = table.moves().take(SHOWN.into()).map(|mv| self.typed(mv)).join(", ");
        match table.move_count() {
            count if count > SHOWN.into() => format!("{shown}, ... ({count} in all)"),
            _ => shown,
        }
    }
}
