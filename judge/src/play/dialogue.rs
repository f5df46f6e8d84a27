//! The trait `Dialogue`, its implementation for the classic game, and the commands that a person can type.

use itertools::Itertools;
use zeroxor::rules::PileGame;
use zeroxor::wire::protocol::parse_bot_turn;
use zeroxor::{GameSpec, Move, Position};

/// The texts of a game for a person, and the form in which moves are typed.
pub(crate) trait Dialogue {
    /// Describes a position for the player to move; `last` is the last move.
    fn describe_position(&self, position: &Position, last: Option<Move>) -> String;

    /// Returns the text that asks for a move.
    fn prompt(&self) -> &'static str;

    /// Returns the form in which a move is typed, and what the form means.
    fn move_form(&self) -> (&'static str, &'static str);

    /// Returns what can be typed, for an error message.
    fn expected_input(&self) -> &'static str;

    /// Parses a move, which may be illegal; returns `None` if the line does not have the form of a move.
    fn parse_move(&self, line: &[u8]) -> Option<Move>;

    fn format_move(&self, mv: Move) -> String;

    /// Describes a move that was made, and the position after it.
    fn describe_move(&self, player: &str, mv: Move, position: &Position) -> String;

    /// Describes why the game is over for the player to move; returns `None` if no text is needed.
    fn describe_end(&self, player: &str, position: &Position) -> Option<String>;

    /// Returns whether another program reads the dialogue. If so, nothing may be added to it, such as a review.
    fn is_read_by_program(&self) -> bool {
        false
    }

    /// Lists the legal moves. If there are more than `SHOWN`, lists the first `SHOWN` moves and the number of all
    /// moves.
    fn list_moves(&self, position: &Position) -> String {
        const SHOWN: u8 = 40;
        let shown = position.moves().take(SHOWN.into()).map(|mv| self.format_move(mv)).join(", ");
        match position.move_count() {
            count if count > SHOWN.into() => format!("{shown}, ... ({count} in all)"),
            _ => shown,
        }
    }
}

/// The dialogue of the classic game: subtract-a-square with a single pile, as in the problem GMT-003, see
/// docs/games.md.
pub(crate) struct ClassicDialogue {
    /// Whether another program reads the dialogue. If so, nothing may be added to it.
    pub(crate) is_read_by_program: bool,
}

/// Returns whether a game is subtract-a-square with a single pile.
pub(crate) fn is_classic(game: &GameSpec) -> bool {
    matches!(game, GameSpec::Piles { game: PileGame::Square, piles, .. } if piles.len() == 1)
}

/// Returns the size of the pile.
fn total(position: &Position) -> u64 {
    position.heaps().next().map_or(0, |placed| placed.heap.size)
}

impl Dialogue for ClassicDialogue {
    fn is_read_by_program(&self) -> bool {
        self.is_read_by_program
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
        // There is only one place, so only the second number of the protocol's move is typed.
        parse_bot_turn(&[b"1 ", line].concat()).ok()?.filter(|mv| mv.take > 0)
    }

    fn format_move(&self, mv: Move) -> String {
        mv.take.to_string()
    }

    fn describe_move(&self, player: &str, mv: Move, position: &Position) -> String {
        format!("{player} subtracts {}. New total is {}.", mv.take, total(position))
    }

    fn describe_end(&self, player: &str, position: &Position) -> Option<String> {
        let total = total(position);
        (total > 0).then(|| format!("{player} is stuck: no available square can be subtracted from {total}."))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedCommand {
    Move(Move),
    Hint,
    Undo,
    Moves,
    Resign,
    Help,
    Quit,
    /// Numbers that are not a move, because one of them does not fit into a `u64`.
    TooLarge,
}

/// The commands that are words, with their help.
const WORDS: [(&str, TypedCommand, &str); 6] = [
    (
        "hint",
        TypedCommand::Hint,
        "say whether you can win; typed again: in which heap; typed again: by which move",
    ),
    ("moves", TypedCommand::Moves, "list the legal moves"),
    ("undo", TypedCommand::Undo, "take back your last move, and the bot's reply to it"),
    ("resign", TypedCommand::Resign, "give up the game: the other player wins"),
    ("help", TypedCommand::Help, "show this list"),
    ("quit", TypedCommand::Quit, "end the game; nobody wins"),
];

/// Parses a line; returns `None` if the line is not a command and does not have the form of a move.
pub(crate) fn parse_command(line: &[u8], dialogue: &dyn Dialogue) -> Option<TypedCommand> {
    let typed = line.trim_ascii();
    let word = WORDS.iter().find(|(word, ..)| typed.eq_ignore_ascii_case(word.as_bytes()));
    let mv = || dialogue.parse_move(line).map(TypedCommand::Move);
    let too_large =
        || (!dialogue.is_read_by_program() && is_too_large(typed)).then_some(TypedCommand::TooLarge);
    word.map(|&(_, command, _)| command).or_else(mv).or_else(too_large)
}

/// Returns whether a line has only numbers, and one of them does not fit into a `u64`.
fn is_too_large(line: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(line) else { return false };
    let words = || text.split_ascii_whitespace();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    words().all(is_number) && words().any(|word| word.parse::<u64>().is_err())
}

/// Returns the help text: the form of a move, and the commands that are words.
pub(crate) fn command_help(dialogue: &dyn Dialogue) -> String {
    let (form, what) = dialogue.move_form();
    let words = WORDS.iter().map(|(word, _, what)| format!("\n  {word:<7} {what}"));
    format!("You may type:\n  {form:<7} {what}{}", words.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::board::BoardDialogue;

    const CLASSIC: ClassicDialogue = ClassicDialogue { is_read_by_program: true };

    #[test]
    fn a_command_is_a_single_word() {
        for (word, command, _) in WORDS {
            assert_eq!(parse_command(word.as_bytes(), &CLASSIC), Some(command));
            assert_eq!(
                parse_command(format!(" {}\t\r", word.to_uppercase()).as_bytes(), &CLASSIC),
                Some(command)
            );
            assert_eq!(parse_command(format!("{word} 1").as_bytes(), &CLASSIC), None);
        }
    }

    #[test]
    fn a_move_has_the_form_of_its_dialogue() {
        let board = BoardDialogue { width: 80 };
        let mv = |place, take| Some(TypedCommand::Move(Move { place, take }));
        assert_eq!(parse_command(b" 9 \r", &CLASSIC), mv(1, 9));
        assert_eq!(parse_command(b"7 9", &board), mv(7, 9));
        assert_eq!(parse_command(b"7 0", &board), mv(7, 0));
        for line in ["", "0", "-4", "+4", "4.0", "9 9", "99999999999999999999", "\0", "\u{664}"] {
            assert_eq!(parse_command(line.as_bytes(), &CLASSIC), None, "{line}");
        }
        for line in ["", "9", "0 0", "0 1", "-1 -1", "1 2 3", "1,2", "1 x99999999999999999999"] {
            assert_eq!(parse_command(line.as_bytes(), &board), None, "{line}");
        }
        let too_large = Some(TypedCommand::TooLarge);
        assert_eq!(parse_command(b" 1 99999999999999999999\r", &board), too_large);
        assert_eq!(
            parse_command(b"99999999999999999999", &ClassicDialogue { is_read_by_program: false }),
            too_large
        );
    }
}
