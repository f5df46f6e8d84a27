//! The commands that a person can type at their turn.

use zeroxor::Move;

use super::dialogue::Dialogue;

/// A command that was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedCommand {
    Move(Move),
    Hint,
    Undo,
    Moves,
    Resign,
    Help,
    Quit,
    /// Numbers that are no move, for one is larger than any number of a game.
    TooLarge,
}

/// The commands that are words, with their help.
const WORDS: [(&str, TypedCommand, &str); 6] = [
    ("hint", TypedCommand::Hint, "say whether you can win; again: in which heap; again: by which move"),
    ("moves", TypedCommand::Moves, "list the legal moves"),
    ("undo", TypedCommand::Undo, "take back your last move, and the bot's reply to it"),
    ("resign", TypedCommand::Resign, "give up the game: the other player wins"),
    ("help", TypedCommand::Help, "show this list"),
    ("quit", TypedCommand::Quit, "end the game; nobody wins"),
];

/// Parses a line; `None` if it is neither a command nor has the form of a move.
pub(crate) fn parse(line: &[u8], dialogue: &dyn Dialogue) -> Option<TypedCommand> {
    let typed = line.trim_ascii();
    let word = WORDS.iter().find(|(word, ..)| typed.eq_ignore_ascii_case(word.as_bytes()));
    let mv = || dialogue.parse_move(line).map(TypedCommand::Move);
    let too_large = || (!dialogue.is_exact() && is_too_large(typed)).then_some(TypedCommand::TooLarge);
    word.map(|&(_, command, _)| command).or_else(mv).or_else(too_large)
}

/// Whether a line has nothing but numbers, and a number that is too large to be read.
fn is_too_large(line: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(line) else { return false };
    let words = || text.split_ascii_whitespace();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    words().all(is_number) && words().any(|word| word.parse::<u64>().is_err())
}

/// The list of all commands, which begins with the form of a move.
pub(crate) fn help(dialogue: &dyn Dialogue) -> String {
    let (form, what) = dialogue.move_form();
    let words = WORDS.iter().map(|(word, _, what)| format!("\n  {word:<7} {what}"));
    format!("You may type:\n  {form:<7} {what}{}", words.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::board::BoardDialogue;
    use crate::play::classic::ClassicDialogue;

    const CLASSIC: ClassicDialogue = ClassicDialogue { is_exact: true };

    #[test]
    fn a_command_is_a_single_word() {
        for (word, command, _) in WORDS {
            assert_eq!(parse(word.as_bytes(), &CLASSIC), Some(command));
            assert_eq!(parse(format!(" {}\t\r", word.to_uppercase()).as_bytes(), &CLASSIC), Some(command));
            assert_eq!(parse(format!("{word} 1").as_bytes(), &CLASSIC), None);
        }
    }

    #[test]
    fn a_move_has_the_form_of_its_dialogue() {
        let board = BoardDialogue { width: 80 };
        let mv = |place, take| Some(TypedCommand::Move(Move { place, take }));
        assert_eq!(parse(b" 9 \r", &CLASSIC), mv(1, 9));
        assert_eq!(parse(b"7 9", &board), mv(7, 9));
        for line in ["", "0", "-4", "+4", "4.0", "9 9", "99999999999999999999", "\0", "\u{664}"] {
            assert_eq!(parse(line.as_bytes(), &CLASSIC), None, "{line}");
        }
        for line in ["", "9", "0 0", "0 1", "-1 -1", "1 2 3", "1,2", "1 x99999999999999999999"] {
            assert_eq!(parse(line.as_bytes(), &board), None, "{line}");
        }
        let too_large = Some(TypedCommand::TooLarge);
        assert_eq!(parse(b" 1 99999999999999999999\r", &board), too_large);
        assert_eq!(parse(b"99999999999999999999", &ClassicDialogue { is_exact: false }), too_large);
    }
}
