//! The result of a game, and its review: a comparison of its moves with perfect play.

use std::fmt;
use std::iter;
use std::time::Duration;

use itertools::Itertools;
use serde::{Serialize, Serializer};
use zeroxor::grundy::TooLarge;
use zeroxor::{Move, Outcome, Position, Side, Solver, SpecError};

use crate::conversation::decide::Referee;
use crate::conversation::facts::ProgramRecord;
use crate::conversation::verdict::{Ruling, Verdict};
use crate::referee::game::exchange::{Exchange, side_to_move};
use crate::referee::game::game_state::{GameState, Timing};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::transcript::SetupLine;

/// Maximum number of blunders that are described, besides the last one. A bot that plays at random may make thousands, and
/// finding a better move is slow.
const MAX_DESCRIBED: usize = 50;

/// Maximum number of classes of equal heaps in all positions of a game whose winners are computed. The time grows with it:
/// in a long row, each move may leave one more class.
pub(crate) const MAX_CLASSES: u64 = 10_000_000;

#[derive(Debug)]
pub(crate) struct Review {
    /// The side that wins the start position.
    pub(crate) winner: Side,
    /// The bot's blunders. The choice of the losing side comes first.
    pub(crate) blunders: Vec<Blunder>,
    pub(crate) opponent_blunders: u64,
    /// The side that wins the last position.
    last_winner: Side,
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
    pub(crate) refutation: Option<Move>,
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
                let Some(better @ Move { place, take }) = self.better else { return Ok(()) };
                let how = match take {
                    0 => format!("splitting the row before card {place}"),
                    _ => format!("taking {take} at place {place}"),
                };
                write!(f, ", for instance by {how} (print \"{better}\")")
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

/// Returns the side that wins the start, and the one that wins after each move, up to the first illegal move. Fails after
/// `limit` classes of equal heaps, see [`MAX_CLASSES`].
pub(crate) fn winners<'a>(
    start: &Position,
    moves: &'a [Move],
    solver: &'a mut Solver,
    limit: u64,
) -> impl Iterator<Item = Result<Side, TooLarge>> + use<'a> {
    let (mut position, mut classes) = (start.clone(), 0);
    let played = iter::once(None).chain(moves.iter().map(Some));
    (1..).zip(played).map_while(move |(next, mv)| {
        if let Some(&mv) = mv {
            position.play(mv).ok()?;
        }
        classes += position.live_classes().count() as u64;
        if classes > limit {
            let what = "comparing all moves with perfect play".to_owned();
            return Some(Err(TooLarge::Work { what, limit, unit: "heaps in all positions together" }));
        }
        let outcome = solver.outcome(&position);
        Some(outcome.map(|outcome| side_to_move(if outcome == Outcome::N { next } else { next + 1 })))
    })
}

/// Returns the numbers of the moves that are blunders, by the sides that win the positions, as far as they are known.
pub(crate) fn blunder_plies(winners: &[Option<Side>]) -> impl Iterator<Item = u64> {
    let plies = (1..).zip(winners.windows(2));
    plies
        .filter(|&(ply, winners)| winners == [ply, ply + 1].map(|ply| Some(side_to_move(ply))))
        .map(|(ply, _)| ply)
}

/// Returns the blunders with these numbers. Describes those for whose index `is_described` is true, with the nimbers if
/// `has_nimbers`.
pub(crate) fn blunders(
    start: &Position,
    moves: &[Move],
    plies: &[u64],
    solver: &mut Solver,
    has_nimbers: bool,
    is_described: impl Fn(usize) -> bool,
) -> Vec<Blunder> {
    let mut position = start.clone();
    let until_last = (1..).zip(moves).take_while(|(ply, _)| Some(ply) <= plies.last());
    let blunders = until_last.filter_map(|(ply, &mv)| {
        let index = plies.binary_search(&ply);
        let is_described = index.is_ok_and(&is_described);
        let mut winning_move =
            |position: &Position| if is_described { solver.winning_move(position).ok()? } else { None };
        let better = winning_move(&position);
        position.play(mv).ok()?;
        let refutation = winning_move(&position);
        let has_nimber = has_nimbers && is_described && !position.is_misere();
        let nimber = if has_nimber { solver.nimber(&position).ok().map(|nimber| nimber.0) } else { None };
        let (choice, winner) = (Choice::Move(mv), side_to_move(ply + 1));
        index.is_ok().then_some(Blunder { ply, choice, winner, nimber, better, refutation })
    });
    blunders.collect()
}

impl Review {
    /// Compares moves with perfect play. The moves begin at `start`, and the first illegal move ends the comparison. `bot`
    /// is the bot's side, and `has_chosen` whether the bot chose it.
    pub(crate) fn of(
        start: &Position,
        bot: Side,
        has_chosen: bool,
        moves: &[Move],
        solver: &mut Solver,
    ) -> Result<Self, TooLarge> {
        let winners: Vec<Side> = winners(start, moves, solver, MAX_CLASSES).collect::<Result<_, _>>()?;
        let (winner, last_winner) = (winners[0], winners[winners.len() - 1]);
        let known = winners.into_iter().map(Some).collect_vec();
        let (own, others): (Vec<u64>, Vec<u64>) =
            blunder_plies(&known).partition(|&ply| side_to_move(ply) == bot);
        let is_described = |index| index < MAX_DESCRIBED || index + 1 == own.len();
        let mut blunders = blunders(start, moves, &own, solver, true, is_described);
        if has_chosen && bot != winner {
            let (choice, better) = (Choice::Side(bot), solver.winning_move(start)?);
            blunders.insert(0, Blunder { ply: 0, choice, winner, nimber: None, better, refutation: None });
        }
        Ok(Self { winner, blunders, opponent_blunders: others.len() as u64, last_winner })
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

pub(crate) struct FinishedGame {
    pub(crate) setup: SetupLine,
    pub(crate) result: GameResult,
    /// The comparison with perfect play; `None` if the bot never named its side.
    pub(crate) review: Option<Result<Review, TooLarge>>,
}

impl FinishedGame {
    /// `wall` is the time until the bot ended or was ready for the next game. Fails if the header names no game that the
    /// judge can play.
    pub(crate) fn new(state: GameState, wall: Duration) -> Result<Self, SpecError> {
        let (ruling, doubtful, has_won) = (state.ruling(), state.facts().is_doubtful(), state.has_won());
        let GameState { setup, exchange, bot, timing, extra, refused_line, .. } = state;
        let Exchange { side, moves, .. } = exchange;
        let first_extra = || extra.split(|&byte| byte == b'\n').next().unwrap_or_default().to_vec();
        let last_line = if has_won { first_extra() } else { refused_line };
        let (start, has_chosen) =
            (Position::new(setup.game.header.game())?, setup.game.header.side().is_none());
        let review = side.map(|side| Review::of(&start, side, has_chosen, &moves, &mut Solver::new()));
        let bot = ProgramRecord { wall, ..bot };
        let result = GameResult { ruling, doubtful, has_won, side, moves, last_line, timing, bot };
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
            && review.is_some_and(|review| Some(review.last_winner) == self.result.side)
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
        Review::of(&start(header), bot, true, &moves, &mut Solver::new()).unwrap()
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
        let assigned = Review::of(&start("6 1 2"), Side::Second, false, &[], &mut Solver::new());
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
    fn positions_with_too_many_heaps() {
        // The position after each move has a segment more, each of another length, so the sums are 1, 3, 6, 10 and so on.
        let moves = [2, 5, 9, 14].map(|place| Move { place, take: 1 });
        let start = start("1000000000000000000 1 1");
        let known = |limit| winners(&start, &moves, &mut Solver::new(), limit).flatten().count();
        assert_eq!([0, 1, 9, 10, 15].map(known), [0, 1, 3, 4, 5]);
    }

    #[test]
    fn a_game_whose_tables_would_be_too_large() {
        assert!(Review::of(&start("1000000000 3 3"), Side::First, true, &[], &mut Solver::new()).is_err());
    }
}
