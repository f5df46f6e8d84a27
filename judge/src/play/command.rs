//! What a person may type when it is their turn.

use zeroxor::Move;

use super::dialogue::Dialogue;

/// What a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Move(Move),
    Hint,
    Undo,
    Moves,
    Resign,
    Help,
    Quit,
}

/// The commands that are words, and what they do.
const WORDS: [(&str, Command, &str); 6] = [
    ("hint", Command::Hint, "a move that wins, if there is one"),
    ("moves", Command::Moves, "the legal moves"),
    ("undo", Command::Undo, "takes back your last move, and the bot's reply to it"),
    ("resign", Command::Resign, "gives the game up: the other player wins"),
    ("help", Command::Help, "this list"),
    ("quit", Command::Quit, "ends the game; no one wins"),
];

/// Reads a line; `None` if it is neither a command nor has the form of a move.
pub(crate) fn parse(line: &[u8], dialogue: &dyn Dialogue) -> Option<Command> {
    let typed = line.trim_ascii();
    let word = WORDS.iter().find(|(word, ..)| typed.eq_ignore_ascii_case(word.as_bytes()));
    word.map(|&(_, command, _)| command).or_else(|| dialogue.read(line).map(Command::Move))
}

/// The list of all commands, the form of a move first.
pub(crate) fn help(dialogue: &dyn Dialogue) -> String {
    let (form, what) = dialogue.form();
    let words = WORDS.iter().map(|(word, _, what)| format!("\n  {word:<7} {what}"));
    format!("You may type:\n  {form:<7} {what}{}", words.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::board::Board;
    use crate::play::classic::Classic;

    #[test]
    fn commands_are_words_alone() {
        for (word, command, _) in WORDS {
            assert_eq!(parse(word.as_bytes(), &Classic), Some(command));
            assert_eq!(parse(format!(" {}\t\r", word.to_uppercase()).as_bytes(), &Classic), Some(command));
            assert_eq!(parse(format!("{word} 1").as_bytes(), &Classic), None);
        }
    }

    #[test]
    fn a_move_has_the_form_of_its_dialogue() {
        let board = Board { width: 80 };
        let mv = |place, take| Some(Command::Move(Move { place, take }));
        assert_eq!(parse(b" 9 \r", &Classic), mv(1, 9));
        assert_eq!(parse(b"7 9", &board), mv(7, 9));
        for line in ["", "0", "-4", "+4", "4.0", "9 9", "99999999999999999999", "\0", "\u{664}"] {
            assert_eq!(parse(line.as_bytes(), &Classic), None, "{line}");
        }
        for line in ["", "9", "0 0", "0 1", "-1 -1", "1 2 3", "1,2", "1 99999999999999999999"] {
            assert_eq!(parse(line.as_bytes(), &board), None, "{line}");
        }
    }
}
