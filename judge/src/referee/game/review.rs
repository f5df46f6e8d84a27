//! The result of a game, and its review: a comparison of its moves with perfect play.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};
use zeroxor::grundy::TooLarge;
use zeroxor::{Analysis, Move, Outcome, Position, Side, Solver, SpecError};

use crate::conversation::decide::Referee;
use crate::conversation::facts::ProgramRecord;
use crate::conversation::verdict::{Ruling, Verdict};
use crate::referee::game::exchange::side_to_move;
use crate::referee::game::game_state::{GameState, Timing};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::transcript::SetupLine;

/// Maximum number of blunders that are described, besides the last one. A bot that plays at random may make thousands, and
/// finding a better move is slow.
const MAX_DESCRIBED: usize = 50;

#[derive(Debug)]
pub(crate) struct Review {
    /// The side that wins the start position.
    pub(crate) winner: Side,
    /// The bot's blunders. The choice of the losing side comes first.
    pub(crate) blunders: Vec<Blunder>,
    pub(crate) opponent_blunders: u64,
    /// The outcome of the last position.
    pub(crate) last: Outcome,
}

/// A choice in a position that the bot or its opponent could win, after which the other side can win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Blunder {
    /// The number of the move; 0 for the choice of the side.
    pub(crate) ply: u64,
    #[serde(flatten)]
    pub(crate) choice: Choice,
    /// The side that can win after the choice.
    #[serde(skip)]
    pub(crate) winner: Side,
    /// The nimber of the position after a move, if its tables are small enough and the blunder is described.
    nimber: Option<u64>,
    /// A move that would have kept the win, if the blunder is described; of a choice of the side a winning move of First, if
    /// First wins.
    #[serde(serialize_with = "as_pair")]
    pub(crate) better: Option<Move>,
    /// A winning move of the other side, if the blunder is described.
    #[serde(skip)]
    refutation: Option<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Choice {
    Side(#[serde(serialize_with = "collect_str")] Side),
    Move(#[serde(serialize_with = "as_pair")] Move),
}

fn collect_str<S: Serializer>(side: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(side)
}

fn as_pair<S: Serializer>(mv: &(impl Copy + Into<Option<Move>>), serializer: S) -> Result<S::Ok, S::Error> {
    let mv: Option<Move> = (*mv).into();
    mv.map(|Move { place, take }| [place, take]).serialize(serializer)
}

impl fmt::Display for Blunder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.choice {
            Choice::Side(side) => {
                write!(f, "you chose {side}; {} wins here", self.winner)?;
                match self.better {
                    Some(better @ Move { place, take: 0 }) => {
                        write!(
                            f,
                            ", for instance by splitting the row before card {place} (print \"{better}\")"
                        )
                    }
                    Some(better @ Move { place, take }) => {
                        write!(f, ", for instance by taking {take} at place {place} (print \"{better}\")")
                    }
                    None => Ok(()),
                }
            }
            Choice::Move(mv) => {
                write!(f, "move {}, \"{mv}\", was a blunder: after it {} can win", self.ply, self.winner)?;
                if let Some(refutation) = self.refutation {
                    write!(f, ", for instance by \"{refutation}\"")?;
                }
                match self.better {
                    Some(better) => write!(f, "; \"{better}\" would have kept the win"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl Review {
    /// Compares moves with perfect play, by the outcomes before and after each move. The moves begin at `position`, and
    /// the first illegal move ends the comparison. `bot` is the bot's side, and `has_chosen` whether the bot chose it.
    pub(crate) fn of(
        mut position: Position,
        bot: Side,
        has_chosen: bool,
        moves: &[Move],
        solver: &mut Solver,
    ) -> Result<Self, TooLarge> {
        let mut before = solver.outcome(&position)?;
        let winner = side_to_move(if before == Outcome::N { 1 } else { 2 });
        let mut review = Self { winner, blunders: Vec::new(), opponent_blunders: 0, last: before };
        let start = position.clone();
        for (ply, &mv) in (1..).zip(moves) {
            if position.play(mv).is_err() {
                break;
            }
            let after = solver.outcome(&position)?;
            if (before, after) == (Outcome::N, Outcome::N) {
                if side_to_move(ply) == bot {
                    review.blunders.push(Blunder::new(ply, Choice::Move(mv), bot.other()));
                } else {
                    review.opponent_blunders += 1;
                }
            }
            before = after;
        }
        review.last = before;
        let described = MAX_DESCRIBED.min(review.blunders.len());
        let (first, others) = review.blunders.split_at_mut(described);
        let mut described = first.iter_mut().chain(others.last_mut());
        described.try_for_each(|blunder| blunder.describe(&start, moves, solver))?;
        if has_chosen && bot != winner {
            let better = solver.winning_move(&start)?;
            let blunder = Blunder { better, ..Blunder::new(0, Choice::Side(bot), winner) };
            review.blunders.insert(0, blunder);
        }
        Ok(review)
    }
}

impl Blunder {
    fn new(ply: u64, choice: Choice, winner: Side) -> Self {
        Self { ply, choice, winner, nimber: None, better: None, refutation: None }
    }

    /// Finds a move that would have kept the win, and the reply that wins after the blunder.
    fn describe(&mut self, start: &Position, moves: &[Move], solver: &mut Solver) -> Result<(), TooLarge> {
        // Storing a copy of each position of the game would take time quadratic in the number of moves.
        let (mut position, mut moves) = (start.clone(), moves.iter());
        for (_, &mv) in (1..self.ply).zip(&mut moves) {
            let _ = position.play(mv);
        }
        self.better = solver.winning_move(&position)?;
        let _ = moves.next().map(|&mv| position.play(mv));
        self.nimber = Analysis::of(&position, solver, 0)?.nimber.map(|nimber| nimber.0);
        self.refutation = solver.winning_move(&position)?;
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct GameResult {
    pub(crate) ruling: Ruling,
    /// Whether the time of the game is in doubt, so that the game should be repeated.
    pub(crate) doubtful: bool,
    /// Whether the bot won by the moves, whatever it did afterwards.
    pub(crate) has_won: bool,
    /// The bot's side; `None` if the bot never named one.
    pub(crate) side: Option<Side>,
    pub(crate) moves: Vec<Move>,
    /// The beginning of the refused line, or the first line that the bot printed after it had won; may be empty.
    pub(crate) last_line: Vec<u8>,
    pub(crate) timing: Timing,
    pub(crate) bot: ProgramRecord,
}

impl GameResult {
    pub(crate) fn new(state: &GameState, wall: Duration) -> Self {
        let has_won = state.has_won();
        let first_extra = || state.extra.split(|&byte| byte == b'\n').next().unwrap_or_default();
        Self {
            ruling: state.ruling(),
            doubtful: state.facts().is_doubtful(),
            has_won,
            side: state.exchange.side,
            moves: state.exchange.moves.clone(),
            last_line: if has_won { first_extra() } else { &state.refused_line[..] }.to_vec(),
            timing: state.timing.clone(),
            bot: ProgramRecord { wall, ..state.bot.clone() },
        }
    }
}

pub(crate) struct FinishedGame {
    pub(crate) setup: SetupLine,
    pub(crate) result: GameResult,
    /// The comparison with perfect play; `None` if the bot never named its side.
    pub(crate) review: Option<Result<Review, TooLarge>>,
}

impl FinishedGame {
    /// Fails if the header names no game that the judge can play.
    pub(crate) fn new(setup: SetupLine, result: GameResult) -> Result<Self, SpecError> {
        let header = &setup.game.header;
        let (start, has_chosen) = (Position::new(header.game())?, header.side().is_none());
        let review =
            result.side.map(|side| Review::of(start, side, has_chosen, &result.moves, &mut Solver::new()));
        Ok(Self { setup, result, review })
    }

    /// Returns the command that plays this game again, see [`SetupLine::command`]. If the opponent was another
    /// bot, the command names the perfect opponent, which first repeats the moves of that bot.
    pub(crate) fn command(&self) -> Option<String> {
        if self.setup.game.opponent != OpponentKind::Bot {
            return self.setup.command();
        }
        let moves = self.result.moves.iter();
        let opponents = (1..).zip(moves).filter(|&(ply, _)| Some(side_to_move(ply)) != self.result.side);
        let line = opponents.map(|(_, mv)| [mv.place, mv.take]).collect();
        let game = GameSetup { opponent: OpponentKind::Perfect, line, ..self.setup.game.clone() };
        SetupLine { game, ..self.setup.clone() }.command()
    }

    pub(crate) fn has_resigned_a_won_position(&self) -> bool {
        let review = self.review.as_ref().and_then(|review| review.as_ref().ok());
        self.result.ruling.verdict == Verdict::Resigned
            && review.is_some_and(|review| review.last == Outcome::N)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(header: &str) -> Position {
        Position::new(&header.parse().unwrap()).unwrap()
    }

    fn review(header: &str, bot: Side, moves: &[(u64, u64)]) -> Review {
        let moves: Vec<_> = moves.iter().map(|&(place, take)| Move { place, take }).collect();
        Review::of(start(header), bot, true, &moves, &mut Solver::new()).unwrap()
    }

    #[test]
    fn the_wrong_side_is_a_blunder() {
        let words = |header, side| review(header, side, &[]).blunders.first().map(Blunder::to_string);
        assert_eq!(words("6 1 2", Side::First), None);
        assert_eq!(
            words("6 1 2", Side::Second).unwrap(),
            "you chose Second; First wins here, for instance by taking 2 at place 3 (print \"3 2\")"
        );
        assert_eq!(words("2 1 1", Side::First).unwrap(), "you chose First; Second wins here");
        let assigned = Review::of(start("6 1 2"), Side::Second, false, &[], &mut Solver::new());
        assert_eq!(assigned.unwrap().blunders, []);
    }

    #[test]
    fn both_sides_make_blunders() {
        // 1 1 leaves Kayles 5, which has nimber 4. Then 2 1 leaves Kayles 4, which has nimber 1.
        let moves = [(1, 1), (2, 1), (3, 1)];
        let first = review("6 1 2", Side::First, &moves);
        assert_eq!((first.blunders.len(), first.opponent_blunders), (2, 1));
        assert_eq!(
            first.blunders[0].to_string(),
            "move 1, \"1 1\", was a blunder: after it Second can win, for instance by \"4 1\"; \"3 2\" would have kept the \
             win"
        );
        let second = review("6 1 2", Side::Second, &moves);
        let chosen: Vec<_> = second.blunders.iter().map(|blunder| (blunder.ply, blunder.winner)).collect();
        assert_eq!((chosen, second.opponent_blunders), (vec![(0, Side::First), (2, Side::First)], 2));
    }

    /// Checks that the better move and the refutation win, for each blunder as the first move.
    #[test]
    fn better_moves_and_refutations_win() {
        for header in ["9 1 2", "8 2 3", "square 11", "nim 2 3 4", "euclid 9 2 + 4 1 1"] {
            let start = start(header);
            let wins = |position: &Position, mv: Move| {
                let mut after = position.clone();
                after.play(mv).unwrap();
                Solver::new().outcome(&after) == Ok(Outcome::P)
            };
            for mv in start.moves() {
                let review = review(header, Side::First, &[(mv.place, mv.take)]);
                assert_eq!(review.winner, Side::First, "{header}");
                assert_eq!(review.blunders.is_empty(), wins(&start, mv), "{header}: {mv}");
                for blunder in review.blunders {
                    let mut after = start.clone();
                    after.play(mv).unwrap();
                    assert!(wins(&start, blunder.better.unwrap()), "{header}: {blunder}");
                    assert!(wins(&after, blunder.refutation.unwrap()), "{header}: {blunder}");
                }
            }
        }
    }

    #[test]
    fn many_blunders() {
        // In nim with one pile, a move that leaves anything is a blunder.
        let moves = vec![(1, 1); 399];
        let review = review("nim 400", Side::First, &moves);
        assert_eq!((review.blunders.len(), review.opponent_blunders), (200, 199));
        for (n, blunder) in review.blunders.iter().enumerate() {
            assert_eq!(blunder.refutation.is_some(), n < MAX_DESCRIBED || n == 199, "{blunder}");
        }
    }

    #[test]
    fn a_game_whose_tables_would_be_too_large() {
        assert!(Review::of(start("1000000000 3 3"), Side::First, true, &[], &mut Solver::new()).is_err());
    }
}
