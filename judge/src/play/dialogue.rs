//! The texts of a game for a person, such as hints and why it was lost, and the commands that a person can type.

use itertools::Itertools;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::Shape;
use zeroxor::wire::protocol::parse_bot_turn;
use zeroxor::{GameKind, GameSpec, Move, Position, Side};

use crate::play::board::draw_position;

/// The texts of a game, and the form in which moves are typed.
#[derive(Clone, Copy)]
pub(crate) enum Dialogue {
    /// The classic game: subtract-a-square with a single pile, as in the problem GMT-003, see docs/games.md.
    Classic {
        /// Whether another program reads the dialogue. If so, nothing may be added to it, such as a review.
        is_read_by_program: bool,
    },
    /// Any game, drawn on lines of this width.
    Board { width: usize },
}

pub(crate) fn is_classic(game: &GameSpec) -> bool {
    matches!(game, GameSpec::Single { kind: GameKind::Square, heaps, .. } if heaps.len() == 1)
}

fn total(position: &Position) -> u64 {
    position.heaps().next().map_or(0, |placed| placed.heap.size)
}

impl Dialogue {
    pub(crate) fn is_read_by_program(self) -> bool {
        matches!(self, Self::Classic { is_read_by_program: true })
    }

    pub(crate) fn describe_position(self, position: &Position, last: Option<Move>) -> String {
        match self {
            Self::Classic { .. } => {
                let (total, moves) = (total(position), self.list_moves(position));
                format!("Current Total: {total}\nAvailable squares to subtract: {moves}")
            }
            Self::Board { width } => draw_position(position, last, width),
        }
    }

    /// Returns what to ask for a move, and what is expected, for the refusal of another line.
    pub(crate) fn prompt(self) -> (&'static str, &'static str) {
        match self {
            Self::Classic { .. } => {
                ("Enter the square number to subtract: ", "a square number or a command such as help")
            }
            Self::Board { .. } => (
                "Enter a move \"x y\" or \"help\": ",
                "a move \"x y\" with x at least 1 and y at least 0, both below 2^64, or a command such as help",
            ),
        }
    }

    /// Parses a move, which may be illegal; returns `None` if the line does not have the form of a move.
    fn parse_move(self, line: &[u8]) -> Option<Move> {
        match self {
            // There is only one place, so only the second number of the protocol's move is typed.
            Self::Classic { .. } => parse_bot_turn(&[b"1 ", line].concat()).ok()?.filter(|mv| mv.take > 0),
            Self::Board { .. } => parse_bot_turn(line).ok()?,
        }
    }

    pub(crate) fn format_move(self, mv: Move) -> String {
        match self {
            Self::Classic { .. } => mv.take.to_string(),
            Self::Board { .. } => mv.to_string(),
        }
    }

    /// Describes a move that was made, and in the classic game the position after it.
    pub(crate) fn describe_move(self, player: &str, mv: Move, position: &Position) -> String {
        match (self, mv) {
            (Self::Classic { .. }, Move { take, .. }) => {
                format!("{player} subtracts {take}. New total is {}.", total(position))
            }
            (_, Move { place, take: 0 }) => format!("{player} splits the row before card {place}."),
            (_, Move { place, take }) => format!("{player} takes {take} at place {place}."),
        }
    }

    /// Describes why the game is over for the player to move; returns `None` if no text is needed.
    pub(crate) fn describe_end(self, player: &str, position: &Position) -> Option<String> {
        match (self, total(position)) {
            (Self::Classic { .. }, 0) => None,
            (Self::Classic { .. }, total) => {
                Some(format!("{player} is stuck: no available square can be subtracted from {total}."))
            }
            (Self::Board { width }, _) => {
                let wins = if position.is_misere() { ", which wins in misère play" } else { "" };
                let drawn = draw_position(position, None, width);
                Some(format!("{drawn}\n{player} has no legal move{wins}."))
            }
        }
    }

    /// Lists the first `SHOWN` legal moves, and the number of all if there are more.
    pub(crate) fn list_moves(self, position: &Position) -> String {
        const SHOWN: u8 = 40;
        let shown = position.moves().take(SHOWN.into()).map(|mv| self.format_move(mv)).join(", ");
        match position.move_count() {
            count if count > SHOWN.into() => format!("{shown}, ... ({count} in all)"),
            _ => shown,
        }
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
}

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
pub(crate) fn parse_command(line: &[u8], dialogue: Dialogue) -> Option<TypedCommand> {
    let typed = line.trim_ascii();
    let word = WORDS.iter().find(|(word, ..)| typed.eq_ignore_ascii_case(word.as_bytes()));
    word.map(|&(_, command, _)| command).or_else(|| dialogue.parse_move(line).map(TypedCommand::Move))
}

pub(crate) fn command_help(dialogue: Dialogue) -> String {
    let (form, what) = match dialogue {
        Dialogue::Classic { .. } => ("9", "subtract 9, or any other available square"),
        Dialogue::Board { .. } => (
            "x y",
            "take y at place x; in a row, take the cards x to x+y-1, or split the row before card x if y is 0",
        ),
    };
    let words = WORDS.iter().map(|(word, _, what)| format!("\n  {word:<7} {what}"));
    format!("You may type:\n  {form:<7} {what}{}", words.collect::<String>())
}

pub(crate) fn player_name(side: Side) -> &'static str {
    match side {
        Side::First => "Player 1",
        Side::Second => "Player 2",
    }
}

pub(crate) fn describe_heap(placed: &PlacedHeap<'_>) -> String {
    let first = placed.place;
    let last = first + placed.rules.width(placed.heap) - 1;
    match placed.rules.shape() {
        Shape::Row if first == last => format!("card {first}"),
        Shape::Row => format!("cards {first} to {last}"),
        Shape::Pair => format!("the pair at places {first} and {last}"),
        _ => format!("the pile at place {first}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::GameInPlay;

    const CLASSIC: Dialogue = Dialogue::Classic { is_read_by_program: true };

    #[test]
    fn a_command_is_a_single_word() {
        for (word, command, _) in WORDS {
            assert_eq!(parse_command(word.as_bytes(), CLASSIC), Some(command));
            assert_eq!(
                parse_command(format!(" {}\t\r", word.to_uppercase()).as_bytes(), CLASSIC),
                Some(command)
            );
            assert_eq!(parse_command(format!("{word} 1").as_bytes(), CLASSIC), None);
        }
    }

    #[test]
    fn a_move_has_the_form_of_its_dialogue() {
        let board = Dialogue::Board { width: 80 };
        let mv = |place, take| Some(TypedCommand::Move(Move { place, take }));
        assert_eq!(parse_command(b" 9 \r", CLASSIC), mv(1, 9));
        assert_eq!(parse_command(b"7 9", board), mv(7, 9));
        assert_eq!(parse_command(b"7 0", board), mv(7, 0));
        for line in ["", "0", "-4", "+4", "4.0", "9 9", "99999999999999999999", "\0", "\u{664}"] {
            assert_eq!(parse_command(line.as_bytes(), CLASSIC), None, "{line}");
        }
        for line in ["", "9", "0 0", "0 1", "-1 -1", "1 2 3", "1,2", "1 99999999999999999999"] {
            assert_eq!(parse_command(line.as_bytes(), board), None, "{line}");
        }
    }

    #[test]
    fn hints_of_rows_and_lost_positions() {
        let hints = |header: &str| {
            let position = Position::new(&header.parse().unwrap()).unwrap();
            GameInPlay::new(position, None).hints(Dialogue::Board { width: 80 }).unwrap()
        };
        assert_eq!(hints("nim 3 5 6"), ["no move wins against perfect play."]);
        assert!(hints("nim 1 + 7 1 2 + nim 1")[1].contains("in cards 2 to 8 wins."));
    }

    /// First resigns after moves in the first heap. The P-positions of subtract-a-square are 0, 2, 5, 7, 10, 12, 15, 17, 20.
    #[test]
    fn the_last_blunder_decides() {
        let no_mistake = "Player 1 made no mistake: whoever moves first loses";
        for (header, takes, expected) in [
            // From 18, taking 1 wins, but First takes 4. From 14, 4 wins, but Second takes 1. From 13, 1 wins, but First
            // takes 9, and Second takes the remaining 4.
            ("square 18", &[4, 1, 9, 4][..], "Move 3 (9) threw Player 1's win away; 1 would have kept it."),
            ("square 4 2", &[1, 1], "Move 1 (1) threw Player 1's win away"),
            ("square 4", &[], "Player 1 could have won: 4 was a winning move."),
            ("square 20", &[9, 9, 1, 1], no_mistake),
            ("square 3 ban 1", &[], no_mistake),
            ("square 20", &[], no_mistake),
        ] {
            let mut game = GameInPlay::new(Position::new(&header.parse().unwrap()).unwrap(), None);
            for &take in takes {
                game.play(Move { place: 1, take }).unwrap();
            }
            game.is_resigned = true;
            let loss = game.describe_loss(Side::First, CLASSIC).unwrap();
            assert!(loss.starts_with(expected), "{header}: {loss}");
        }
    }
}
