//! The referee: the rules of a conversation as a pure state machine. No clock, no process, no I/O.

use zeroxor::SpecError;
use zeroxor::wire::protocol::{self, Header, SyntaxError};
use zeroxor::wire::quoted;
use zeroxor::{IllegalMove, Move, Position, Side};

use crate::referee::rules::Rules;

/// What is due next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// The bot's side.
    Side,
    /// The bot's move.
    BotMove,
    /// The opponent's move.
    OpponentMove,
}

/// How the bot ended the game by what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Foul {
    /// It has no move left and said so.
    Lost,
    /// It said that it has no move, but has, for instance this one.
    Resigned(Move),
    /// Its move breaks the rules.
    Illegal(IllegalMove),
    /// Its line is not what was due.
    Malformed(SyntaxError),
    /// Nobody's foul: the judge's rules and the library's disagree on its move.
    Disputed(Move),
}

/// One game between a bot, whose lines come in as they are, and an opponent, whose moves come from the judge.
///
/// What is legal is decided by the judge's own [`Rules`]. The table is kept beside them for those who play
/// and draw.
pub(crate) struct Referee {
    rules: Rules,
    table: Position,
    seat: Option<Side>,
    side: Option<Side>,
    moves: Vec<Move>,
}

/// Why a move was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It breaks a rule.
    Illegal(IllegalMove),
    /// The judge's rules and the library's disagree on it: the judge's fault.
    Disputed(Move),
}

impl Referee {
    pub(crate) fn new(header: &Header) -> Result<Self, SpecError> {
        let table = Position::new(&header.game)?;
        let rules = Rules::new(&header.game).ok_or_else(|| {
            let got = quoted(header.to_string().as_bytes());
            SpecError::new("a game whose rules the judge knows".to_owned(), got)
        })?;
        Ok(Self { rules, table, seat: header.side, side: None, moves: Vec::new() })
    }

    pub(crate) fn table(&self) -> &Position {
        &self.table
    }

    /// The bot's side, once it has said it.
    pub(crate) fn side(&self) -> Option<Side> {
        self.side
    }

    /// How many moves have been made.
    pub(crate) fn plies(&self) -> u64 {
        self.moves.len() as u64
    }

    /// The moves that were made.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    pub(crate) fn due(&self) -> Due {
        let first_to_move = self.moves.len().is_multiple_of(2);
        match self.side {
            None => Due::Side,
            Some(side) if (side == Side::First) == first_to_move => Due::BotMove,
            Some(_) => Due::OpponentMove,
        }
    }

    /// Takes the side that the bot says.
    pub(crate) fn receive_side(&mut self, line: &[u8]) -> Result<Side, Foul> {
        let side = protocol::parse_side(line).map_err(Foul::Malformed)?;
        if let Some(seat) = self.seat.filter(|&seat| seat != side) {
            let expected = format!("the assigned side \"{seat}\"");
            return Err(Foul::Malformed(SyntaxError { expected, got: quoted(line) }));
        }
        self.side = Some(side);
        Ok(side)
    }

    /// Makes the move that the bot says.
    pub(crate) fn receive_move(&mut self, line: &[u8]) -> Result<Move, Foul> {
        match protocol::parse_bot_turn(line).map_err(Foul::Malformed)? {
            Some(mv) => match self.play(mv) {
                Ok(()) => Ok(mv),
                Err(Refusal::Illegal(illegal)) => Err(Foul::Illegal(illegal)),
                Err(Refusal::Disputed(mv)) => Err(Foul::Disputed(mv)),
            },
            None => Err(self.table.nth_move(0).map_or(Foul::Lost, Foul::Resigned)),
        }
    }

    /// Makes a move of either side.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), Refusal> {
        let judged = self.rules.play(mv).map_err(|rule| IllegalMove { mv, rule });
        match (judged, self.table.play(mv)) {
            (Ok(()), Ok(())) => {
                self.moves.push(mv);
                Ok(())
            }
            (Err(illegal), Err(_)) => Err(Refusal::Illegal(illegal)),
            _ => Err(Refusal::Disputed(mv)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referee(header: &str) -> Referee {
        Referee::new(&protocol::parse_header(header.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn turns_alternate_from_the_side() {
        let mut first = referee("6 1 2");
        assert_eq!(first.due(), Due::Side);
        assert_eq!(first.receive_side(b"First"), Ok(Side::First));
        assert_eq!(first.due(), Due::BotMove);
        assert_eq!(first.receive_move(b"3 2"), Ok(Move { place: 3, take: 2 }));
        assert_eq!(first.due(), Due::OpponentMove);
        first.play(Move { place: 1, take: 1 }).unwrap();
        assert_eq!(first.due(), Due::BotMove);
        let mut second = referee("6 1 2");
        second.receive_side(b"Second").unwrap();
        assert_eq!(second.due(), Due::OpponentMove);
    }

    #[test]
    fn each_foul_has_its_name() {
        let mut game = referee("6 1 2 seat second");
        assert!(matches!(game.receive_side(b"First"), Err(Foul::Malformed(_))), "the seat is assigned");
        assert!(matches!(game.receive_side(b"second"), Err(Foul::Malformed(_))));
        game.receive_side(b"Second").unwrap();
        game.play(Move { place: 3, take: 2 }).unwrap();
        assert!(matches!(game.receive_move(b"3 1"), Err(Foul::Illegal(_))));
        assert!(matches!(game.receive_move(b"1 3"), Err(Foul::Illegal(_))));
        assert!(matches!(game.receive_move(b"-1 -1"), Err(Foul::Malformed(_))));
        assert_eq!(game.receive_move(b"0 0"), Err(Foul::Resigned(Move { place: 1, take: 1 })));
        assert_eq!(game.plies(), 1, "a foul changes nothing");
        let mut over = referee("1 1 1 seat second");
        over.receive_side(b"Second").unwrap();
        over.play(Move { place: 1, take: 1 }).unwrap();
        assert_eq!(over.receive_move(b"0 0"), Err(Foul::Lost));
    }
}
