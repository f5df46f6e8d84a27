//! The exchange of lines in a game as a state machine: which line is expected next, and whether a line is legal.

use std::fmt;

use zeroxor::SpecError;
use zeroxor::wire::protocol;
use zeroxor::wire::quoted;
use zeroxor::{IllegalMove, Move, Position, Side};

use crate::conversation::facts::End;
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

/// The cause that ended a game. The verdict is derived from it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EndCause {
    /// Normal play: the opponent has no move left. Misère play: the bot printed `0 0` and has no move left. Both: the
    /// opponent is another bot and forfeited the game.
    Won,
    /// Normal play: the bot printed `0 0` and has no move left. Misère play: the opponent has no move left.
    Lost,
    /// The bot printed `0 0` although it had a legal move. The value is such a move.
    Resigned(Move),
    Illegal(IllegalMove),
    Malformed(SpecError),
    /// The expected line did not come. The end is that of a conversation with any referee.
    Missing(End),
}

impl EndCause {
    /// Checks whether the bot knows that the game is over, so that it can play another one.
    pub(crate) fn is_known_to_bot(&self) -> bool {
        matches!(self, Self::Won | Self::Lost | Self::Resigned(_) | Self::Illegal(_))
    }
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

    /// Reads the bot's line: its side, or a move, which is played. A line that is refused changes nothing.
    pub(crate) fn receive(&mut self, line: &[u8]) -> Result<(), EndCause> {
        if self.side.is_some() {
            return self.receive_move(line);
        }
        let side = protocol::parse_side(line).map_err(EndCause::Malformed)?;
        if let Some(seat) = self.seat.filter(|&seat| seat != side) {
            let expected = format!("the assigned side \"{seat}\"");
            return Err(EndCause::Malformed(SpecError::new(expected, quoted(line))));
        }
        self.side = Some(side);
        Ok(())
    }

    fn receive_move(&mut self, line: &[u8]) -> Result<(), EndCause> {
        match protocol::parse_bot_turn(line).map_err(EndCause::Malformed)? {
            Some(mv) => self.play(mv).map_err(EndCause::Illegal),
            None => Err(match self.position.nth_move(0) {
                Some(mv) => EndCause::Resigned(mv),
                None if self.position.is_misere() => EndCause::Won,
                None => EndCause::Lost,
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
        let mut game = exchange("6 1 2 seat second");
        assert!(matches!(game.receive(b"First"), Err(EndCause::Malformed(_))), "the seat is assigned");
        assert!(matches!(game.receive(b"second"), Err(EndCause::Malformed(_))));
        game.receive(b"Second").unwrap();
        game.play(Move { place: 3, take: 2 }).unwrap();
        assert!(matches!(game.receive(b"3 1"), Err(EndCause::Illegal(_))));
        assert!(matches!(game.receive(b"1 3"), Err(EndCause::Illegal(_))));
        assert!(matches!(game.receive(b"-1 -1"), Err(EndCause::Malformed(_))));
        assert_eq!(game.receive(b"0 0"), Err(EndCause::Resigned(Move { place: 1, take: 1 })));
        assert_eq!(game.moves.len(), 1, "a refused line changes nothing");
        for (header, end) in
            [("1 1 1 seat second", EndCause::Lost), ("misere 1 1 1 seat second", EndCause::Won)]
        {
            let mut over = exchange(header);
            over.receive(b"Second").unwrap();
            over.play(Move { place: 1, take: 1 }).unwrap();
            assert_eq!(over.receive(b"0 0"), Err(end));
        }
        let mut resigned = exchange("misere nim 2 seat first");
        resigned.receive(b"First").unwrap();
        assert!(matches!(resigned.receive(b"0 0"), Err(EndCause::Resigned(_))));
    }
}
