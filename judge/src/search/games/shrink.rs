//! Shrinking of a game that was not won: first to a smaller start, then to fewer moves of the opponent.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::ValueEnum;
use itertools::iproduct;
use zeroxor::{GameSpec, Move, Position};

use crate::conversation::verdict::Verdict;
use crate::referee::game::exchange::side_to_move;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::search::games::ensure_uninterrupted;
use crate::trials::session::BotSession;

/// Maximum number of games that are played to shrink one game.
pub(crate) const MAX_RUNS: u32 = 1000;

/// Maximum time to shrink a game.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(60);

/// Number of times that a game is played again to test whether it fails each time.
const REPEATS: u32 = 3;

/// Maximum number of moves of the opponent that are tried in one position.
const MAX_OPTIONS: u128 = 200;

/// A search for a smaller game that fails in the same way.
pub(crate) struct Shrinker<'a> {
    session: &'a mut BotSession,
    verdict: Verdict,
    deadline: Instant,
    runs: u32,
    is_complete: bool,
    /// Starts and opponents with which the bot did not fail in the same way.
    passed: HashSet<(GameSpec, OpponentKind)>,
    /// Called before each game with the smallest game so far and the number of games played.
    show: &'a mut dyn FnMut(&GameSetup, u32),
}

/// The result of shrinking a game.
pub(crate) struct Shrunk {
    /// The smallest game that failed in the same way; `None` if the failure did not happen again.
    pub(crate) game: Option<FinishedGame>,
    /// How many games were played.
    pub(crate) runs: u32,
    /// Number of games in the last test of whether the game fails each time.
    pub(crate) repeats: u32,
    /// How many of the `repeats` games did not fail in the same way.
    pub(crate) different: u32,
    /// Whether all candidates were tried within the limits on games and time.
    pub(crate) is_complete: bool,
}

/// A game that was played again several times.
struct Repeated {
    /// A repeated game that failed in the same way.
    game: Option<FinishedGame>,
    repeats: u32,
    /// How many of the repeated games did not fail in the same way.
    different: u32,
}

impl<'a> Shrinker<'a> {
    /// Creates a search for smaller games with the verdict `verdict`. The search begins no game after the deadline.
    pub(crate) fn new(
        session: &'a mut BotSession,
        verdict: Verdict,
        deadline: Option<Instant>,
        show: &'a mut dyn FnMut(&GameSetup, u32),
    ) -> Self {
        let latest = Instant::now() + MAX_TIME;
        let deadline = deadline.map_or(latest, |deadline| deadline.min(latest));
        Self { session, verdict, deadline, runs: 0, is_complete: true, passed: HashSet::new(), show }
    }

    /// Finds a game that fails in the same way as the game of `setup` and cannot be shrunk further. Does not shrink a
    /// game that does not fail each time.
    ///
    /// # Errors
    ///
    /// If a game cannot be played or judged, or the search is interrupted.
    pub(crate) fn shrink(mut self, setup: GameSetup) -> anyhow::Result<Shrunk> {
        let mut setup = setup;
        let mut game = match self.repeat(&setup)? {
            Repeated { game: Some(game), different: 0, .. } => game,
            repeated => return Ok(self.shrunk(repeated)),
        };
        while let Some((smaller, found)) = self.find_smaller_start(&setup)? {
            (setup, game) = (smaller, found);
        }
        if let Some((shorter, found)) = self.find_shorter_line(&setup, &game)? {
            (setup, game) = (shorter, found);
        }
        let again = self.repeat(&setup)?;
        Ok(self.shrunk(Repeated { game: again.game.or(Some(game)), ..again }))
    }

    fn shrunk(self, Repeated { game, repeats, different }: Repeated) -> Shrunk {
        Shrunk { game, runs: self.runs, repeats, different, is_complete: self.is_complete }
    }

    /// Returns whether another game may be played to shrink `setup`. If not, marks the result as incomplete.
    fn may_continue(&mut self, setup: &GameSetup) -> bool {
        self.is_complete &= self.runs < MAX_RUNS && Instant::now() < self.deadline;
        (self.show)(setup, self.runs);
        self.is_complete
    }

    fn play(&mut self, setup: &GameSetup) -> anyhow::Result<FinishedGame> {
        ensure_uninterrupted()?;
        self.runs += 1;
        let game = self.session.play_alone(setup, &mut ())?;
        ensure_uninterrupted()?;
        ensure!(
            game.result.ruling.verdict != Verdict::JudgeError,
            "{}, could not be judged: {}",
            setup.header,
            game.result.ruling.reason
        );
        Ok(game)
    }

    fn fails(&self, game: &FinishedGame) -> bool {
        game.result.ruling.verdict.is_like(self.verdict)
    }

    /// Plays a game again `REPEATS` times, within the limits on games and time.
    fn repeat(&mut self, setup: &GameSetup) -> anyhow::Result<Repeated> {
        let mut repeated = Repeated { game: None, repeats: 0, different: 0 };
        while repeated.repeats < REPEATS && self.may_continue(setup) {
            let again = self.play(setup)?;
            repeated.repeats += 1;
            if self.fails(&again) {
                repeated.game = Some(again);
            } else {
                repeated.different += 1;
            }
        }
        Ok(repeated)
    }

    /// Finds a smaller start that fails in the same way: first against the same opponent, then against the others.
    fn find_smaller_start(&mut self, setup: &GameSetup) -> anyhow::Result<Option<(GameSetup, FinishedGame)>> {
        let others = OpponentKind::value_variants().iter().copied().filter(|&kind| kind != setup.opponent);
        let headers = smaller_headers(&setup.header);
        for (opponent, header) in iproduct!(Some(setup.opponent).into_iter().chain(others), &headers) {
            if self.passed.contains(&(header.game().clone(), opponent)) {
                continue;
            }
            if !self.may_continue(setup) {
                return Ok(None);
            }
            let candidate = GameSetup { header: header.clone(), opponent, ..setup.clone() };
            let game = self.play(&candidate)?;
            if self.fails(&game) {
                return Ok(Some((candidate, game)));
            }
            self.passed.insert((header.game().clone(), opponent));
        }
        Ok(None)
    }

    /// Finds the shortest list of the opponent's moves with which the same start fails in the same way.
    fn find_shorter_line(
        &mut self,
        setup: &GameSetup,
        game: &FinishedGame,
    ) -> anyhow::Result<Option<(GameSetup, FinishedGame)>> {
        let longest = opponents_moves(game).len();
        let mut lines = VecDeque::from([Vec::new()]);
        while let Some(line) = lines.pop_front() {
            if line.len() >= longest || !self.may_continue(setup) {
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

/// Returns the moves of the opponent in a game.
fn opponents_moves(game: &FinishedGame) -> Vec<Move> {
    let moves = (1..).zip(&game.result.moves);
    moves.filter(|&(ply, _)| Some(side_to_move(ply)) != game.result.side).map(|(_, &mv)| mv).collect()
}

/// Returns up to `MAX_OPTIONS` legal moves of the opponent after its first `made` moves.
fn opponents_options(game: &FinishedGame, made: usize) -> Vec<Move> {
    let Ok(mut position) = Position::new(game.setup.game.header.game()) else { return Vec::new() };
    let mut remaining = made;
    for (ply, &mv) in (1..).zip(&game.result.moves) {
        if Some(side_to_move(ply)) != game.result.side {
            if remaining == 0 {
                break;
            }
            remaining -= 1;
        }
        if position.play(mv).is_err() {
            return Vec::new();
        }
    }
    (0..position.move_count().min(MAX_OPTIONS)).filter_map(|n| position.nth_move(n)).collect()
}

/// Returns starts that are smaller than the start of `header`: in misère play, the start in normal play; for each
/// component, the start without that component, and then the starts in which that component is smaller.
fn smaller_headers(header: &GameHeader) -> Vec<GameHeader> {
    let write = if header.has_keywords() { GameHeader::with_keywords } else { GameHeader::new };
    let mut found = Vec::new();
    let (components, is_misere) = (header.game().components(), header.game().is_misere());
    let mut offer = |components: Vec<GameSpec>, is_misere| {
        let sum = GameSpec::Sum(components);
        let game = if is_misere { GameSpec::Misere(Box::new(sum)) } else { sum };
        if game.validate().is_ok() {
            found.push(write(game, header.side()));
        }
    };
    if is_misere {
        offer(components.to_vec(), false);
    }
    for (at, component) in components.iter().enumerate() {
        let with = |replaced: Option<GameSpec>| {
            let mut components = components.to_vec();
            components.splice(at..=at, replaced);
            components
        };
        if components.len() > 1 {
            offer(with(None), is_misere);
        }
        for smaller in component.smaller() {
            offer(with(Some(smaller)), is_misere);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smaller(header: &str) -> Vec<String> {
        smaller_headers(&header.parse().unwrap()).into_iter().map(String::from).collect()
    }

    #[test]
    fn smaller_starts() {
        assert_eq!(smaller("1 1 1"), Vec::<String>::new());
        assert_eq!(smaller("3 2 3"), ["1 1 1", "2 2 2", "3 1 3", "3 2 2"]);
        assert_eq!(smaller("segment 2 1 1 seat first"), ["segment 1 1 1 seat first"]);
        assert_eq!(smaller("nim 2 + 1 1 1"), ["1 1 1", "nim 1 + 1 1 1", "nim 2"]);
        assert_eq!(
            smaller("square 2 3 ban 4"),
            [
                "square 3 ban 4",
                "square 1 3 ban 4",
                "square 2 ban 4",
                "square 2 1 ban 4",
                "square 2 2 ban 4",
                "square 2 3"
            ]
        );
        assert_eq!(smaller("octal 0.05 3"), ["octal 0.05 1", "octal 0.05 2", "octal 0.04 3", "octal 0.01 3"]);
        assert_eq!(smaller("nim 1 + nim 2"), ["nim 2", "nim 1", "nim 1 + nim 1"]);
        assert_eq!(
            smaller("misere nim 1 + 2 1 1"),
            ["nim 1 + 2 1 1", "misere 2 1 1", "misere nim 1", "misere nim 1 + 1 1 1"]
        );
        assert_eq!(smaller("subtract 1 take 2"), Vec::<String>::new(), "a subtraction set is never empty");
        assert_eq!(
            smaller("subtract 1 take 2..4 9"),
            [
                "subtract 1 take 9",
                "subtract 1 take 2..4",
                "subtract 1 take 2 9",
                "subtract 1 take 2..3 9",
                "subtract 1 take 1..4 9"
            ]
        );
        assert_eq!(smaller("subtract 1 take 1..n/3"), ["subtract 1 take 1..n/1", "subtract 1 take 1..n/2"]);
        assert_eq!(
            smaller("divisor 2 proper ban 1 3"),
            [
                "divisor 1 proper ban 1 3",
                "divisor 2 ban 1 3",
                "divisor 2 proper ban 3",
                "divisor 2 proper ban 1"
            ]
        );
        assert_eq!(smaller("divisor 1 proper ban 1"), ["divisor 1 ban 1", "divisor 1 proper"]);
    }
}
