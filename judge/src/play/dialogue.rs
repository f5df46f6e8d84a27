//! The texts of a game for a person, such as hints and why it was lost, and the commands that a person can type.

use itertools::Itertools;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::Shape;
use zeroxor::wire::protocol::parse_bot_turn;
use zeroxor::{GameKind, GameSpec, Move, Position, Side};

use crate::play::board::draw_position;
use crate::referee::game::review::{Blunder, Choice};

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
                "a move \"x y\" with x at least 1 and y at least 0, or a command such as help",
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
    /// Numbers that are not a move, because one of them does not fit into a `u64`.
    TooLarge,
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

/// Returns the texts of a hint. Each says more than the previous one: whether the position is won, in which heap, and by
/// which move. The heap is left out if no other heap has moves. `winning_move` is `None` in a lost position.
pub(crate) fn hints(position: &Position, winning_move: Option<Move>, dialogue: Dialogue) -> Vec<String> {
    let Some(mv) = winning_move else { return vec!["no move wins against perfect play.".to_owned()] };
    let heap = position.live_heaps().filter(|heap| heap.place <= mv.place).last();
    let heap = heap.filter(|_| position.live_heaps().nth(1).is_some());
    let won = |what| format!("a move wins from here. Type hint again to see {what}.");
    let last = format!("{} wins.", dialogue.format_move(mv));
    match heap.map(|heap| describe_heap(&heap)) {
        Some(heap) => vec![won("where"), format!("a move in {heap} wins. Type hint again to see it."), last],
        None => vec![won("it"), last],
    }
}

pub(crate) fn player_name(side: Side) -> &'static str {
    match side {
        Side::First => "Player 1",
        Side::Second => "Player 2",
    }
}

fn describe_heap(placed: &PlacedHeap<'_>) -> String {
    let first = placed.place;
    let last = first + placed.rules.width(placed.heap) - 1;
    match placed.rules.shape() {
        Shape::Row if first == last => format!("card {first}"),
        Shape::Row => format!("cards {first} to {last}"),
        Shape::Pair => format!("the pair at places {first} and {last}"),
        _ => format!("the pile at place {first}"),
    }
}

/// Describes why `loser` has lost: by resigning although the move `winning` wins the position, by the last blunder, after
/// which the other player kept the win, or from the start.
pub(crate) fn describe_loss(
    winning: Option<Move>,
    blunder: Option<&Blunder>,
    loser: Side,
    bot: Option<Side>,
    dialogue: Dialogue,
) -> String {
    let (name, whose) = match bot {
        None => (player_name(loser), format!("{}'s", player_name(loser))),
        Some(bot) if bot == loser => ("The bot", "the bot's".to_owned()),
        Some(_) => ("You", "your".to_owned()),
    };
    if let Some(mv) = winning {
        format!("{name} could have won: {} was a winning move.", dialogue.format_move(mv))
    } else if let Some(Blunder { ply, choice: Choice::Move(mv), better, .. }) = blunder {
        let mv = dialogue.format_move(*mv);
        let kept = better.map(|mv| format!("; {} would have kept it", dialogue.format_move(mv)));
        format!("Move {ply} ({mv}) threw {whose} win away{}.", kept.unwrap_or_default())
    } else {
        let order = loser.to_string().to_lowercase();
        format!("{name} made no mistake: whoever moves {order} loses this game against perfect play.")
    }
}

#[cfg(test)]
mod tests {
    use zeroxor::Solver;

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
        for line in ["", "9", "0 0", "0 1", "-1 -1", "1 2 3", "1,2", "1 x99999999999999999999"] {
            assert_eq!(parse_command(line.as_bytes(), board), None, "{line}");
        }
        let too_large = Some(TypedCommand::TooLarge);
        assert_eq!(parse_command(b" 1 99999999999999999999\r", board), too_large);
        assert_eq!(
            parse_command(b"99999999999999999999", Dialogue::Classic { is_read_by_program: false }),
            too_large
        );
    }

    #[test]
    fn hints_of_rows_and_lost_positions() {
        let hints = |header: &str| {
            let position = Position::new(&header.parse().unwrap()).unwrap();
            let winning_move = Solver::new().winning_move(&position).unwrap();
            hints(&position, winning_move, Dialogue::Board { width: 80 })
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
            let loss = game.describe_loss(Side::First, CLASSIC);
            assert!(loss.starts_with(expected), "{header}: {loss}");
        }
    }
}
