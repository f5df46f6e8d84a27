//! The smallest game that still fails: a smaller start, then a shorter line of the opponent's.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::ValueEnum;
use zeroxor::GameSpec;
use zeroxor::wire::protocol::{Header, parse_header};
use zeroxor::{Move, Position};

use super::ensure_uninterrupted;
use crate::matches::opponent::Kind;
use crate::matches::series::{Arena, Fixture};
use crate::referee::review::turn;
use crate::referee::verdict::Verdict;
use crate::report::Record;

/// How many games are played for it at most, and for how long.
const RUNS: u32 = 1000;
const TIME: Duration = Duration::from_secs(60);

/// How often a failure is played again to be sure of it.
pub(crate) const CHECKS: u32 = 3;

/// The most options of an opponent that are tried in one position.
const OPTIONS: u128 = 200;

/// The name of a row of cards, which a header may leave out.
const ROW: &str = "segment";

/// Plays games against the bot in search of a smaller one that fails in the same way.
pub(crate) struct Shrinker<'a> {
    arena: &'a mut Arena,
    verdict: Verdict,
    runs: u32,
    started: Instant,
}

/// What came of it.
pub(crate) struct Shrunk {
    /// The smallest game that failed in the same way; `None` if the failure did not repeat even once.
    pub(crate) record: Option<Record>,
    /// How many games were played for it.
    pub(crate) runs: u32,
    /// How many of the last [`CHECKS`] games did not fail in the same way.
    pub(crate) others: u32,
}

impl<'a> Shrinker<'a> {
    pub(crate) fn new(arena: &'a mut Arena, verdict: Verdict) -> Self {
        Self { arena, verdict, runs: 0, started: Instant::now() }
    }

    /// The smallest game that is found to fail as this one does. A failure that does not repeat each time is
    /// left as it is.
    ///
    /// # Errors
    ///
    /// If a game cannot be played or judged, or the search is interrupted.
    pub(crate) fn shrink(mut self, fixture: Fixture) -> anyhow::Result<Shrunk> {
        let mut fixture = fixture;
        let mut record = match self.check(&fixture)? {
            (Some(record), 0) => record,
            (record, others) => return Ok(Shrunk { record, runs: self.runs, others }),
        };
        while let Some((smaller, found)) = self.smaller_start(&fixture)? {
            (fixture, record) = (smaller, found);
        }
        if let Some((shorter, found)) = self.shorter_line(&fixture, &record)? {
            (fixture, record) = (shorter, found);
        }
        let (again, others) = self.check(&fixture)?;
        Ok(Shrunk { record: again.or(Some(record)), runs: self.runs, others })
    }

    fn is_spent(&self) -> bool {
        self.runs >= RUNS || self.started.elapsed() > TIME
    }

    fn play(&mut self, fixture: &Fixture) -> anyhow::Result<Record> {
        ensure_uninterrupted()?;
        self.runs += 1;
        let record = self.arena.play(fixture.clone(), &mut ())?;
        ensure_uninterrupted()?;
        ensure!(
            record.outcome.verdict != Verdict::JudgeError,
            "{}, could not be judged: {}",
            fixture.game,
            record.outcome.reason
        );
        Ok(record)
    }

    fn fails(&self, record: &Record) -> bool {
        record.outcome.verdict == self.verdict
    }

    /// Plays a game again, and counts how often it does not fail in the same way. The record is of a failure.
    fn check(&mut self, fixture: &Fixture) -> anyhow::Result<(Option<Record>, u32)> {
        let (mut record, mut others) = (None, 0);
        for _ in 0..CHECKS {
            let again = self.play(fixture)?;
            if self.fails(&again) {
                record = Some(again);
            } else {
                others += 1;
            }
        }
        Ok((record, others))
    }

    /// A smaller start that fails in the same way, against the same opponent or another.
    fn smaller_start(&mut self, fixture: &Fixture) -> anyhow::Result<Option<(Fixture, Record)>> {
        let others = Kind::value_variants().iter().copied().filter(|&kind| kind != fixture.opponent);
        let opponents: Vec<Kind> = Some(fixture.opponent).into_iter().chain(others).collect();
        for game in smaller(&fixture.game) {
            for &opponent in &opponents {
                if self.is_spent() {
                    return Ok(None);
                }
                let candidate = Fixture { game: game.clone(), opponent, ..fixture.clone() };
                let record = self.play(&candidate)?;
                if self.fails(&record) {
                    return Ok(Some((candidate, record)));
                }
            }
        }
        Ok(None)
    }

    /// The shortest line of the opponent's by which the same start fails in the same way, the shortest first.
    fn shorter_line(
        &mut self,
        fixture: &Fixture,
        record: &Record,
    ) -> anyhow::Result<Option<(Fixture, Record)>> {
        let longest = opponents_moves(record).len();
        let mut lines = VecDeque::from([Vec::new()]);
        while let Some(line) = lines.pop_front() {
            if self.is_spent() || line.len() >= longest {
                break;
            }
            let candidate = Fixture { opponent: Kind::Slow, line: line.clone(), ..fixture.clone() };
            let record = self.play(&candidate)?;
            let played = opponents_moves(&record);
            if self.fails(&record) && played.len() <= line.len() {
                return Ok(Some((candidate, record)));
            }
            if played.len() > line.len() {
                lines.extend(
                    options(&record, line.len())
                        .into_iter()
                        .map(|mv| [&line[..], &[[mv.place, mv.take]]].concat()),
                );
            }
        }
        Ok(None)
    }
}

fn opponents_moves(record: &Record) -> Vec<Move> {
    let moves = (1..).zip(&record.outcome.moves);
    moves.filter(|&(ply, _)| Some(turn(ply)) != record.outcome.side).map(|(_, &mv)| mv).collect()
}

/// The opponent's options where it had made so many moves.
fn options(record: &Record, made: usize) -> Vec<Move> {
    let header = parse_header(record.opening.game.as_bytes()).ok();
    let Some(mut table) = header.and_then(|header| Position::new(&header.game).ok()) else {
        return Vec::new();
    };
    let mut left = made;
    for (ply, &mv) in (1..).zip(&record.outcome.moves) {
        if Some(turn(ply)) != record.outcome.side {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        if table.play(mv).is_err() {
            return Vec::new();
        }
    }
    (0..table.move_count().min(OPTIONS)).filter_map(|n| table.nth_move(n)).collect()
}

/// Smaller starts, those that are smallest by far first: without a part, with a smaller number or without
/// one.
fn smaller(game: &str) -> Vec<String> {
    let Ok(header) = parse_header(game.as_bytes()) else { return Vec::new() };
    let is_named = game.contains(ROW);
    let mut found = Vec::new();
    let components = header.game.components();
    let mut offer = |components: Vec<GameSpec>| {
        let game = GameSpec::Sum(components);
        if game.validate().is_ok() {
            let header = Header { game, side: header.side }.to_string();
            // A bot for the contest alone reads three numbers.
            found.push(if is_named { header } else { header.replace(&format!("{ROW} "), "") });
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

/// A game with one number less or one that is smaller; some of them are no games.
fn smaller_games(game: &GameSpec) -> Vec<GameSpec> {
    match game {
        &GameSpec::Segment { n, l, r } => {
            // A window is at most as long as the row.
            let rows = below(n).map(|n| GameSpec::Segment { n, l: l.min(n), r: r.min(n) });
            let from = below(l).map(|l| GameSpec::Segment { n, l, r });
            rows.chain(from).chain(below(r).map(|r| GameSpec::Segment { n, l, r })).collect()
        }
        &GameSpec::Euclid { a, b } => {
            let first = below(a).map(|a| GameSpec::Euclid { a, b });
            first.chain(below(b).map(|b| GameSpec::Euclid { a, b })).collect()
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

fn with_smaller_list(
    piles: &[u64],
    list: &[u64],
    game: impl Fn(Vec<u64>, Vec<u64>) -> GameSpec,
) -> Vec<GameSpec> {
    let games = smaller_piles(piles).map(|piles| game(piles, list.to_vec()));
    games.chain((0..list.len()).map(|at| game(piles.to_vec(), without(list, at)))).collect()
}

/// Each pile left out, then smaller.
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

/// 1, then numbers that close in on `size` by halves.
fn below(size: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(size.saturating_sub(1)), |&gap| Some(gap / 2).filter(|&gap| gap > 0))
        .filter(|&gap| gap > 0)
        .map(move |gap| size - gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_close_in() {
        assert_eq!(below(1).count(), 0);
        assert_eq!(below(2).collect::<Vec<_>>(), [1]);
        assert_eq!(below(20).collect::<Vec<_>>(), [1, 11, 16, 18, 19]);
    }

    /// Every smaller start is a game, and there is none below the smallest.
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
        assert_eq!(smaller("nim 1 + nim 2"), ["nim 2", "nim 1", "nim 1 + nim 1"]);
        assert_eq!(smaller("subtract 1 take 2"), Vec::<String>::new(), "a list of takes is never empty");
    }
}
