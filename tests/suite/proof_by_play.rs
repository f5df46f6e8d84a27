//! Proof by play: the strategy in every position of small games, and against some replies in very long rows.

use std::collections::HashSet;

use itertools::Itertools;
use zeroxor::{Analysis, Nimber, Outcome, Player, Side, Solver};

use crate::definition::{self, Nimbers, followers, position, sorted_heaps};
use crate::octal;

/// Compares the analysis of the start with the definition, and the outcome and the bot's move in every position that can
/// follow. In each position that is won, the move leaves a lost position, so that the bot keeps the win.
fn prove(header: &str) {
    let (start, mut nimbers, mut solver) = (position(header), Nimbers::default(), Solver::new());
    let nimber = nimbers.of(&start);
    let wins = nimbers.winning_moves(&start).into_iter().sorted().collect_vec();
    let best = if nimber == Nimber::ZERO { Side::Second } else { Side::First };
    assert_eq!(Player::new(start.clone()).winning_side(), Ok(best), "{start}");
    for most in [1, usize::MAX] {
        let analysis = Analysis::of(&start, &mut Solver::new(), most).unwrap();
        assert_eq!(analysis.outcome == Outcome::P, nimber == Nimber::ZERO, "{start}");
        assert_eq!(analysis.nimber, (!start.is_misere()).then_some(nimber), "{start}");
        assert_eq!(analysis.winning_moves, wins[..wins.len().min(most)], "{start}");
        assert_eq!(analysis.winning_moves_total, Some(wins.len() as u128), "{start}");
        assert!(analysis.winning_moves_are_first, "{start}");
    }
    let (mut seen, mut todo) = (HashSet::from([sorted_heaps(&start)]), vec![start]);
    while let Some(position) = todo.pop() {
        let is_won = nimbers.of(&position) != Nimber::ZERO;
        assert_eq!(solver.outcome(&position).unwrap() == Outcome::N, is_won, "{position}");
        let mv = solver.winning_move(&position).unwrap();
        let mv = mv.or_else(|| solver.best_delaying_move(&position));
        let after = mv.map(|mv| followers(&position).find(|after| after.0 == mv).unwrap().1);
        let keeps = |after| !is_won || nimbers.of(after) == Nimber::ZERO;
        assert!(after.as_ref().map_or(position.is_over(), keeps), "{mv:?} on {position}");
        let positions = followers(&position).map(|(_, after)| after);
        todo.extend(positions.filter(|after| seen.insert(sorted_heaps(after))));
    }
}

#[test]
fn small_games() {
    definition::small_starts(30).step_by(2).for_each(|start| prove(&start));
    for (k, code) in (0..).zip(octal::codes().step_by(25)) {
        let sizes = if k % 4 == 0 { "6 3".to_owned() } else { (1 + k % 12).to_string() };
        prove(&format!("octal {code} {sizes}"));
    }
}

#[test]
fn sums() {
    let larger = [
        "square 9 7 ban 1",
        "subtract 7 8 9 take 1 4",
        "nim 3 4 5",
        "4 2 3 + 3 1 1 + 3 1 2",
        "segment 6 2 3 + square 8 ban 1 + euclid 7 3",
        "nim 3 + divisor 6 + subtract 5 take 2 3",
        "subtract 9 take 1..n/3 + divisor 8 proper + nim 2",
        "divisor 9 6 proper ban 3 + subtract 7 take 1 3..4",
        "euclid 9 2 + 5 2 2 + divisor 4 ban 4",
        "grundy 6 + nim 2 + grundy 5",
        "octal 4.7 4 + segment 4 1 2 + grundy 5",
        "octal 4.[3] 4 + euclid 5 3 + octal 4.[3] 3",
        "subtract 30 17 take 1..n/2",
    ];
    definition::small_sums().chain(larger.map(str::to_owned)).for_each(|sum| prove(&sum));
}

#[test]
fn misere_play() {
    let larger = [
        "nim 3 4 5 2",
        "nim 14",
        "octal 0.75 6 3",
        "octal 4.[3] 6 3",
        "grundy 9 3",
        "subtract 14 4 take 2 5",
        "subtract 3 take 9",
        "square 9 + divisor 8 + prime 5",
    ];
    let games = definition::small_starts(8).step_by(3).chain(definition::small_sums().step_by(3));
    games.chain(larger.map(str::to_owned)).for_each(|game| prove(&format!("misere {game}")));
}

/// A won game stays won: in rows that symmetry decides, where the bot takes from the middle and then mirrors each reply, and
/// in a sum, where the tables of the start have the values of all later positions.
#[test]
fn long_games() {
    for header in [
        "1000000000000000000 3 5",
        "999999999999999999 1 1000000",
        "1000000000000000000 4 4",
        "1000000000000000000 7 1000000000000000000",
        "4 3 3",
        "9 4 4",
        "1000000000000000000 600000000000000000 600000000000000000",
        "segment 3001 7 7 + segment 2500 5 5 + square 3000 + segment 9999 3 3 + segment 9999 3 3",
    ] {
        let (mut player, mut solver) = (Player::new(position(header)), Solver::new());
        for ply in 1..=300_u128 {
            assert!(solver.winning_move(player.position()).unwrap().is_some(), "{header}: no win at {ply}");
            let mv = player.winning_move().unwrap().unwrap();
            player.play(mv).unwrap();
            assert_eq!(solver.outcome(player.position()), Ok(Outcome::P), "{header}: {mv} at {ply}");
            let number = ply.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
            let Some(number) = number.checked_rem(player.position().move_count()) else { break };
            player.opponent_played(player.position().nth_move(number).unwrap()).unwrap();
        }
    }
}
