//! Smaller games: first with a smaller start, then with fewer moves of the opponent.

use std::collections::VecDeque;

use clap::ValueEnum;
use itertools::iproduct;
use zeroxor::{GameSpec, Move, Position};

use crate::conversation::verdict::Ruling;
use crate::referee::game::exchange::side_to_move;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::search::shrinker::{CandidateRun, Shrinkable, Shrinker, StopReason};

/// Maximum number of moves of the opponent that are tried in one position.
const MAX_OPTIONS: u128 = 200;

type GameShrinker<'a> = Shrinker<'a, GameSetup, FinishedGame>;

impl CandidateRun for FinishedGame {
    fn ruling(&self) -> &Ruling {
        &self.result.ruling
    }
}

impl Shrinkable<FinishedGame> for GameSetup {
    fn size(&self) -> String {
        self.header.to_string()
    }

    fn shrink(shrinker: &mut GameShrinker<'_>) -> Result<(), StopReason> {
        while find_smaller_start(shrinker)? {}
        find_shorter_line(shrinker)
    }
}

/// Finds a smaller start that fails, first against the same opponent. Returns whether it found one.
fn find_smaller_start(shrinker: &mut GameShrinker<'_>) -> Result<bool, StopReason> {
    let setup = shrinker.result.smallest.clone();
    let others = OpponentKind::value_variants().iter().copied().filter(|&kind| kind != setup.opponent);
    let headers = smaller_headers(&setup.header);
    for (opponent, header) in iproduct!(Some(setup.opponent).into_iter().chain(others), headers) {
        if shrinker.attempt(GameSetup { header, opponent, ..setup.clone() })? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Finds the shortest list of the opponent's moves with which the same start fails.
fn find_shorter_line(shrinker: &mut GameShrinker<'_>) -> Result<(), StopReason> {
    let setup = shrinker.result.smallest.clone();
    let longest = opponents_moves(&shrinker.result.run).count();
    let mut lines = VecDeque::from([Vec::new()]);
    while let Some(line) = lines.pop_front().filter(|line| line.len() < longest) {
        let candidate = GameSetup { opponent: OpponentKind::Slow, line: line.clone(), ..setup.clone() };
        let Some(run) = shrinker.play(&candidate)? else { continue };
        if opponents_moves(&run).count() > line.len() {
            let options = opponents_options(&run, line.len()).into_iter();
            lines.extend(options.map(|mv| [&line[..], &[[mv.place, mv.take]]].concat()));
        } else if shrinker.keep(candidate, run) {
            break;
        }
    }
    Ok(())
}

/// Returns the places of the opponent's moves among all moves.
fn opponents_moves(game: &FinishedGame) -> impl Iterator<Item = usize> {
    let is_opponents = |at: &usize| Some(side_to_move(*at as u64 + 1)) != game.result.side;
    (0..game.result.moves.len()).filter(is_opponents)
}

/// Returns up to `MAX_OPTIONS` legal moves of the opponent after its first `made` moves.
fn opponents_options(game: &FinishedGame, made: usize) -> Vec<Move> {
    let Ok(mut position) = Position::new(game.setup.game.header.game()) else { return Vec::new() };
    let before = opponents_moves(game).nth(made).unwrap_or(game.result.moves.len());
    if game.result.moves[..before].iter().any(|&mv| position.play(mv).is_err()) {
        return Vec::new();
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
    use itertools::Itertools;

    use super::*;

    /// A subtraction set is never empty.
    #[test]
    fn smaller_starts() {
        for (header, expected) in [
            ("1 1 1", ""),
            ("3 2 3", "1 1 1, 2 2 2, 3 1 3, 3 2 2"),
            ("segment 2 1 1 seat first", "segment 1 1 1 seat first"),
            ("nim 2 + 1 1 1", "1 1 1, nim 1 + 1 1 1, nim 2"),
            (
                "square 2 3 ban 4",
                "square 3 ban 4, square 1 3 ban 4, square 2 ban 4, square 2 1 ban 4, square 2 2 ban 4, square 2 3",
            ),
            ("octal 0.05 3", "octal 0.05 1, octal 0.05 2, octal 0.04 3, octal 0.01 3"),
            ("nim 1 + nim 2", "nim 2, nim 1, nim 1 + nim 1"),
            ("misere nim 1 + 2 1 1", "nim 1 + 2 1 1, misere 2 1 1, misere nim 1, misere nim 1 + 1 1 1"),
            ("subtract 1 take 2", ""),
            (
                "subtract 1 take 2..4 9",
                "subtract 1 take 9, subtract 1 take 2..4, subtract 1 take 2 9, subtract 1 take 2..3 9, \
                 subtract 1 take 1..4 9",
            ),
            ("subtract 1 take 1..n/3", "subtract 1 take 1..n/1, subtract 1 take 1..n/2"),
            (
                "divisor 2 proper ban 1 3",
                "divisor 1 proper ban 1 3, divisor 2 ban 1 3, divisor 2 proper ban 3, divisor 2 proper ban 1",
            ),
            ("divisor 1 proper ban 1", "divisor 1 ban 1, divisor 1 proper"),
        ] {
            let mut smaller = smaller_headers(&header.parse().unwrap()).into_iter().map(String::from);
            assert_eq!(smaller.join(", "), expected, "{header}");
        }
    }
}
