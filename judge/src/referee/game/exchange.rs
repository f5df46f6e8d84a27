//! The exchange of lines in a game as a state machine: which line is expected next, and whether a line is legal.

use std::fmt;

use zeroxor::SpecError;
use zeroxor::wire::protocol;
use zeroxor::wire::quoted;
use zeroxor::{IllegalMove, Move, Position, Side};

use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::referee::game::setup::GameHeader;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpectedLine {
    /// First or Second, from the bot.
    Side,
    BotMove,
    OpponentMove,
}

/// The expected line: First or Second, or the move number `ply`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) expected: ExpectedLine,
    pub(crate) ply: u64,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expected {
            ExpectedLine::Side => f.write_str("the side"),
            ExpectedLine::BotMove | ExpectedLine::OpponentMove => write!(f, "move {}", self.ply),
        }
    }
}

/// Returns the side that makes the move number `ply`, counted from 1.
pub(crate) fn side_to_move(ply: u64) -> Side {
    if ply.is_multiple_of(2) { Side::Second } else { Side::First }
}

/// Says why a player wins in misère play; follows the player's name in a reason.
pub(crate) const NO_MOVE_WINS: &str = "has no move left, which wins in misère play";

pub(crate) fn won(reason: impl Into<String>) -> Ruling {
    Ruling { verdict: Verdict::Won, ..Ruling::new(Class::Accepted, reason) }
}

/// One game between a bot and its opponent. Only the lines of the bot are parsed here.
pub(crate) struct Exchange {
    pub(crate) position: Position,
    /// The side that the header assigns to the bot; `None` if the bot chooses its side.
    seat: Option<Side>,
    /// The side that the bot has named; `None` before.
    pub(crate) side: Option<Side>,
    pub(crate) moves: Vec<Move>,
}

impl Exchange {
    /// Fails if the header names no valid game, or one that the judge cannot play.
    pub(crate) fn new(header: &GameHeader) -> Result<Self, SpecError> {
        let position = Position::new(header.game())?;
        Ok(Self { position, seat: header.side(), side: None, moves: Vec::new() })
    }

    pub(crate) fn turn(&self) -> Turn {
        let ply = self.moves.len() as u64 + 1;
        let expected = match self.side {
            None => ExpectedLine::Side,
            Some(side) if side == side_to_move(ply) => ExpectedLine::BotMove,
            Some(_) => ExpectedLine::OpponentMove,
        };
        Turn { expected, ply }
    }

    /// Reads the bot's line: its side, or a move, which is played. A line that ends the game changes nothing.
    pub(crate) fn receive(&mut self, line: &[u8]) -> Result<(), Box<Ruling>> {
        let turn = self.turn();
        let ended = |class, reason: String| Box::new(Ruling::new(class, reason));
        let malformed = |error: SpecError| ended(Class::MalformedLine, format!("{turn}: {error}"));
        if self.side.is_none() {
            let side = protocol::parse_side(line).map_err(malformed)?;
            if let Some(seat) = self.seat.filter(|&seat| seat != side) {
                let expected = format!("the assigned side \"{seat}\"");
                return Err(malformed(SpecError::new(expected, quoted(line))));
            }
            self.side = Some(side);
            return Ok(());
        }
        match protocol::parse_bot_turn(line).map_err(malformed)? {
            Some(mv) => {
                self.play(mv).map_err(|illegal| ended(Class::IllegalMove, format!("{turn}: {illegal}")))
            }
            None => Err(match self.position.nth_move(0) {
                Some(mv) => {
                    let reason = format!("{turn}: the bot printed \"0 0\", but it could play \"{mv}\"");
                    ended(Class::Resigned, reason)
                }
                None if self.position.is_misere() => Box::new(won(format!("the bot {NO_MOVE_WINS}"))),
                None => ended(Class::Lost, "the bot has no move left".to_owned()),
            }),
        }
    }

    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.position.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    Bot,
    Judge,
}

impl Mover {
    pub(crate) fn of(ply: u64, bot: Option<Side>) -> Self {
        if bot == Some(side_to_move(ply)) { Self::Bot } else { Self::Judge }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(header: &str) -> Exchange {
        Exchange::new(&header.parse().unwrap()).unwrap()
    }

    #[test]
    fn causes_of_refused_lines() {
        let class = |game: &mut Exchange, line| game.receive(line).map_err(|ruling| ruling.class);
        let mut game = exchange("6 1 2 seat second");
        assert_eq!(class(&mut game, b"First"), Err(Class::MalformedLine), "the seat is assigned");
        assert_eq!(class(&mut game, b"second"), Err(Class::MalformedLine));
        game.receive(b"Second").unwrap();
        game.play(Move { place: 3, take: 2 }).unwrap();
        assert_eq!(class(&mut game, b"3 1"), Err(Class::IllegalMove));
        assert_eq!(class(&mut game, b"1 3"), Err(Class::IllegalMove));
        assert_eq!(class(&mut game, b"-1 -1"), Err(Class::MalformedLine));
        let resigned = game.receive(b"0 0").unwrap_err();
        assert_eq!(resigned.class, Class::Resigned);
        assert_eq!(resigned.reason, "move 2: the bot printed \"0 0\", but it could play \"1 1\"");
        assert_eq!(game.moves.len(), 1, "a refused line changes nothing");
        for (header, end) in
            [("1 1 1 seat second", Class::Lost), ("misere 1 1 1 seat second", Class::Accepted)]
        {
            let mut over = exchange(header);
            over.receive(b"Second").unwrap();
            over.play(Move { place: 1, take: 1 }).unwrap();
            assert_eq!(class(&mut over, b"0 0"), Err(end));
        }
        let mut resigned = exchange("misere nim 2 seat first");
        resigned.receive(b"First").unwrap();
        assert_eq!(class(&mut resigned, b"0 0"), Err(Class::Resigned));
    }
}
