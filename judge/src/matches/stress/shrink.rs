//! Shrinking a game that was not won: to a smaller start, then to fewer moves of the opponent.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::ValueEnum;
use zeroxor::{GameSpec, Move, OctalCode, Position};

use super::ensure_uninterrupted;
use crate::matches::session::BotSession;
use crate::referee::conversation::side_to_move;
use crate::referee::finished_game::FinishedGame;
use crate::referee::setup::{GameHeader, GameSetup, OpponentKind};
use crate::referee::verdict::Verdict;

/// The largest number of games that are played to shrink one.
const MAX_RUNS: u32 = 1000;

/// The longest time to shrink a game.
const MAX_TIME: Duration = Duration::from_secs(60);

/// How often a game is played again to see whether it fails each time.
pub(crate) const REPEATS: u32 = 3;

/// The largest number of moves of the opponent that are tried in one position.
const MAX_OPTIONS: u128 = 200;

/// Plays games against the bot in search of a smaller one that fails in the same way.
pub(crate) struct Shrinker<'a> {
    session: &'a mut BotSession,
    verdict: Verdict,
    runs: u32,
    started: Instant,
}

/// The result of shrinking a game.
pub(crate) struct Shrunk {
    /// The smallest game that failed in the same way; `None` if the failure did not happen again.
    pub(crate) game: Option<FinishedGame>,
    /// How many games were played.
    pub(crate) runs: u32,
    /// How many of the last [`REPEATS`] games did not fail in the same way.
    pub(crate) others: u32,
}

impl<'a> Shrinker<'a> {
    pub(crate) fn new(session: &'a mut BotSession, verdict: Verdict) -> Self {
        Self { session, verdict, runs: 0, started: Instant::now() }
    }

    /// Finds a smallest game that fails in the same way as this one. A game that does not fail each time is not
    /// shrunk.
    ///
    /// # Errors
    ///
    /// If a game cannot be played or judged, or the search is interrupted.
    pub(crate) fn shrink(mut self, setup: GameSetup) -> anyhow::Result<Shrunk> {
        let mut setup = setup;
        let mut game = match self.repeat(&setup)? {
            (Some(game), 0) => game,
            (game, others) => return Ok(Shrunk { game, runs: self.runs, others }),
        };
        while let Some((smaller, found)) = self.find_smaller_start(&setup)? {
            (setup, game) = (smaller, found);
        }
        if let Some((shorter, found)) = self.find_shorter_line(&setup, &game)? {
            (setup, game) = (shorter, found);
        }
        let (again, others) = self.repeat(&setup)?;
        Ok(Shrunk { game: again.or(Some(game)), runs: self.runs, others })
    }

    fn is_at_limit(&self) -> bool {
        self.runs >= MAX_RUNS || self.started.elapsed() > MAX_TIME
    }

    fn play(&mut self, setup: &GameSetup) -> anyhow::Result<FinishedGame> {
        ensure_uninterrupted()?;
        self.runs += 1;
        let game = self.session.play(setup.clone(), &mut ())?;
        ensure_uninterrupted()?;
        ensure!(
            game.result.verdict != Verdict::JudgeError,
            "{}, could not be judged: {}",
            setup.header,
            game.result.reason
        );
        Ok(game)
    }

    fn fails(&self, game: &FinishedGame) -> bool {
        game.result.verdict == self.verdict
    }

    /// Plays a game again several times. Returns one game that failed in the same way, if there is one, and how many
    /// did not.
    fn repeat(&mut self, setup: &GameSetup) -> anyhow::Result<(Option<FinishedGame>, u32)> {
        let (mut game, mut others) = (None, 0);
        for _ in 0..REPEATS {
            let again = self.play(setup)?;
            if self.fails(&again) {
                game = Some(again);
            } else {
                others += 1;
            }
        }
        Ok((game, others))
    }

    /// Finds a smaller start that fails in the same way, against the same opponent or another.
    fn find_smaller_start(&mut self, setup: &GameSetup) -> anyhow::Result<Option<(GameSetup, FinishedGame)>> {
        let others = OpponentKind::value_variants().iter().copied().filter(|&kind| kind != setup.opponent);
        let opponents: Vec<OpponentKind> = Some(setup.opponent).into_iter().chain(others).collect();
        for header in smaller_headers(&setup.header) {
            for &opponent in &opponents {
                if self.is_at_limit() {
                    return Ok(None);
                }
                let candidate = GameSetup { header: header.clone(), opponent, ..setup.clone() };
                let game = self.play(&candidate)?;
                if self.fails(&game) {
                    return Ok(Some((candidate, game)));
                }
            }
        }
        Ok(None)
    }

    /// Finds the fewest moves of the opponent with which the same start fails in the same way.
    fn find_shorter_line(
        &mut self,
        setup: &GameSetup,
        game: &FinishedGame,
    ) -> anyhow::Result<Option<(GameSetup, FinishedGame)>> {
        let longest = opponents_moves(game).len();
        let mut lines = VecDeque::from([Vec::new()]);
        while let Some(line) = lines.pop_front() {
            if self.is_at_limit() || line.len() >= longest {
                break;
            }
            let candidate = GameSetup { opponent: OpponentKind::Slow, line: line.clone(), ..setup.clone() };
            let game = self.play(&candidate)?;
            let played = opponents_moves(&game);
            if self.fails(&game) && played.len() <= line.len() {
                return Ok(Some((candidate, game)));
            }
            if played.len() > line.len() {
                lines.extend(
                    opponents_options(&game, line.len())
                        .into_iter()
                        .map(|mv| [&line[..], &[[mv.place, mv.take]]].concat()),
                );
            }
        }
        Ok(None)
    }
}

/// The moves of the opponent.
fn opponents_moves(game: &FinishedGame) -> Vec<Move> {
    let moves = (1..).zip(&game.result.moves);
    moves.filter(|&(ply, _)| Some(side_to_move(ply)) != game.result.side).map(|(_, &mv)| mv).collect()
}

/// The legal moves of the opponent after its first `made` moves.
fn opponents_options(game: &FinishedGame, made: usize) -> Vec<Move> {
    let Ok(mut position) = Position::new(game.setup.game.header.game()) else { return Vec::new() };
    let mut left = made;
    for (ply, &mv) in (1..).zip(&game.result.moves) {
        if Some(side_to_move(ply)) != game.result.side {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        if position.play(mv).is_err() {
            return Vec::new();
        }
    }
    (0..position.move_count().min(MAX_OPTIONS)).filter_map(|n| position.nth_move(n)).collect()
}

/// Starts that are smaller than this one: without a component, without a number, or with a smaller number. The
/// smallest of each kind are first.
fn smaller_headers(header: &GameHeader) -> Vec<GameHeader> {
    let write = if header.has_names() { GameHeader::with_names } else { GameHeader::new };
    let mut found = Vec::new();
    let components = header.game().components();
    let mut offer = |components: Vec<GameSpec>| {
        let game = GameSpec::Sum(components);
        if game.validate().is_ok() {
            found.push(write(game, header.side()));
        }
    };
    for (at, component) in components.iter().enumerate() {
        let with = |replaced: Option<GameSpec>| {
            let mut components = components.to_vec();
            components.splice(at..=at, replaced);
            components
        };
        if components.len() > 1 {
            offer(with(None));
        }
        for smaller in smaller_games(component) {
            offer(with(Some(smaller)));
        }
    }
    found
}

/// Games in which one number is missing or smaller. Some of them are not valid.
fn smaller_games(game: &GameSpec) -> Vec<GameSpec> {
    match game {
        &GameSpec::Segment { n, l, r } => {
            // L and R are at most N.
            let rows = below(n).map(|n| GameSpec::Segment { n, l: l.min(n), r: r.min(n) });
            let from = below(l).map(|l| GameSpec::Segment { n, l, r });
            rows.chain(from).chain(below(r).map(|r| GameSpec::Segment { n, l, r })).collect()
        }
        &GameSpec::Euclid { a, b } => {
            let first = below(a).map(|a| GameSpec::Euclid { a, b });
            first.chain(below(b).map(|b| GameSpec::Euclid { a, b })).collect()
        }
        GameSpec::Octal { code, heaps } => {
            let with_heaps = smaller_piles(heaps).map(|heaps| GameSpec::Octal { code: *code, heaps });
            let codes = smaller_codes(code);
            with_heaps.chain(codes.map(|code| GameSpec::Octal { code, heaps: heaps.clone() })).collect()
        }
        GameSpec::Nim { piles } => smaller_piles(piles).map(|piles| GameSpec::Nim { piles }).collect(),
        GameSpec::Square { piles, banned } => {
            with_smaller_list(piles, banned, |piles, banned| GameSpec::Square { piles, banned })
        }
        GameSpec::Divisor { piles, banned } => {
            with_smaller_list(piles, banned, |piles, banned| GameSpec::Divisor { piles, banned })
        }
        GameSpec::Subtract { piles, takes } => {
            with_smaller_list(piles, takes, |piles, takes| GameSpec::Subtract { piles, takes })
        }
        _ => Vec::new(),
    }
}

/// The codes in which one digit allows one thing less.
fn smaller_codes(code: &OctalCode) -> impl Iterator<Item = OctalCode> {
    let digits = code.digits();
    let bits = (0..digits.len()).flat_map(|take| (0..4).map(move |bit| (take, 1_u8 << bit)));
    bits.filter(|&(take, bit)| digits[take] & bit > 0).filter_map(|(take, bit)| {
        let mut digits = digits.to_vec();
        digits[take] -= bit;
        OctalCode::new(&digits)
    })
}

/// Games of piles and a list in which a pile or a number of the list is missing, or a pile is smaller.
fn with_smaller_list(
    piles: &[u64],
    list: &[u64],
    game: impl Fn(Vec<u64>, Vec<u64>) -> GameSpec,
) -> Vec<GameSpec> {
    let games = smaller_piles(piles).map(|piles| game(piles, list.to_vec()));
    games.chain((0..list.len()).map(|at| game(piles.to_vec(), without(list, at)))).collect()
}

/// The piles without one of them, or with one of them smaller.
fn smaller_piles(piles: &[u64]) -> impl Iterator<Item = Vec<u64>> {
    piles.iter().enumerate().flat_map(move |(at, &size)| {
        let smaller = below(size).map(move |less| {
            let mut piles = piles.to_vec();
            piles[at] = less;
            piles
        });
        std::iter::once(without(piles, at)).chain(smaller)
    })
}

fn without(numbers: &[u64], at: usize) -> Vec<u64> {
    let mut numbers = numbers.to_vec();
    numbers.remove(at);
    numbers
}

/// Numbers from 1 to `size` - 1, of which each halves the distance to `size`.
fn below(size: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(size.saturating_sub(1)), |&gap| Some(gap / 2).filter(|&gap| gap > 0))
        .filter(|&gap| gap > 0)
        .map(move |gap| size - gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smaller(header: &str) -> Vec<String> {
        super::smaller_headers(&header.parse().unwrap()).into_iter().map(String::from).collect()
    }

    #[test]
    fn numbers_below() {
        assert_eq!(below(1).count(), 0);
        assert_eq!(below(2).collect::<Vec<_>>(), [1]);
        assert_eq!(below(20).collect::<Vec<_>>(), [1, 11, 16, 18, 19]);
    }

    /// Every smaller start is valid, and the smallest start has none.
    #[test]
    fn smaller_starts() {
        assert_eq!(smaller("1 1 1"), Vec::<String>::new());
        assert_eq!(smaller("3 2 3"), ["1 1 1", "2 2 2", "3 1 3", "3 2 2"]);
        assert_eq!(smaller("segment 2 1 1 seat first"), ["segment 1 1 1 seat first"]);
        assert_eq!(smaller("nim 2 + 1 1 1"), ["1 1 1", "nim 1 + 1 1 1", "nim 2"]);
        assert_eq!(
            smaller("square 2 9 ban 4"),
            [
                "square 9 ban 4",
                "square 1 9 ban 4",
                "square 2 ban 4",
                "square 2 1 ban 4",
                "square 2 5 ban 4",
                "square 2 7 ban 4",
                "square 2 8 ban 4",
                "square 2 9"
            ]
        );
        assert_eq!(smaller("octal 0.05 3"), ["octal 0.05 1", "octal 0.05 2", "octal 0.04 3", "octal 0.01 3"]);
        assert_eq!(smaller("nim 1 + nim 2"), ["nim 2", "nim 1", "nim 1 + nim 1"]);
        assert_eq!(smaller("subtract 1 take 2"), Vec::<String>::new(), "a subtraction set is never empty");
    }
}
