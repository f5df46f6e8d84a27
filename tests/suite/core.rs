//! Tests of the contest's core: nimbers against the definition, games against hard opponents, and protocol errors.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use zeroxor::Solver;
use zeroxor::core::nimbers::Nimbers;
use zeroxor::core::protocol::{PlayError, play};
use zeroxor::core::row::{Move, Row};
use zeroxor::core::strategy::{Side, Strategy as Plan};

use crate::definition::{self, position};

/// All (L, R) with R up to `most`.
fn windows(most: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=most).flat_map(|r| (1..=r).map(move |l| (l, r)))
}

/// A split is found if and only if some move leads to the target. It leaves as few cards as possible.
#[test]
fn splits_have_their_target() {
    const N: usize = 24;
    for (l, r) in windows(N) {
        let nimbers = Nimbers::new(N, l, r);
        let g = definition::segment(l, r, N);
        for n in 0..=N {
            for target in 0..=32 {
                let mut sums = n.saturating_sub(r)..(n + 1).saturating_sub(l);
                let least = sums.find(|sum| (0..=*sum).any(|u| g[u] ^ g[sum - u] == u64::from(target)));
                let found = nimbers.split(n, target);
                let context = format!("window [{l}, {r}], n = {n}, target {target}");
                assert_eq!(found.map(|(u, v)| u + v), least, "{context}");
                assert!(found.is_none_or(|(u, v)| g[u] ^ g[v] == u64::from(target)), "{context}");
            }
        }
    }
}

fn row(n: usize, l: usize, r: usize) -> Row {
    Row::new(n, l, r).unwrap()
}

#[test]
fn rows_that_the_contest_does_not_have() {
    for (n, l, r) in [(0, 0, 0), (5, 0, 2), (5, 3, 2), (5, 2, 6)] {
        assert!(Row::new(n, l, r).is_none(), "{n} {l} {r}");
    }
}

/// Returns all moves, each with the row after the move.
fn followers(row: &Row) -> impl Iterator<Item = (Row, Option<Move>)> {
    let (n, l, r) = row.header();
    let moves = (1..=n).flat_map(move |x| (l..=r).map(move |y| Move { x, y }));
    moves.filter_map(|mv| {
        let mut after = row.clone();
        after.take(mv).is_ok().then_some((after, Some(mv)))
    })
}

/// Walks all games that the opponent can force. The bot must never be without a move.
#[test]
fn every_reply_in_rows_up_to_14_loses() {
    for (n, (l, r)) in (1..=14).flat_map(|n| windows(n).map(move |window| (n, window))) {
        let row = row(n, l, r);
        let plan = Plan::new(&row);
        let side = if definition::segment(l, r, n)[n] == 0 { Side::Second } else { Side::First };
        assert_eq!(plan.side(&row), side, "{n} {l} {r}");
        assert_eq!(plan.answer(&row, None).is_none(), side == Side::Second, "{n} {l} {r}");
        let mut todo = if side == Side::First { vec![(row, None)] } else { followers(&row).collect() };
        let mut seen = HashSet::new();
        while let Some((mut row, last)) = todo.pop() {
            // The answer depends on the row, and for the mirror on the last move.
            let place = last.filter(|_| matches!(plan, Plan::Mirror { .. })).map(|last| last.x);
            if seen.insert((row.segments().to_vec(), place)) {
                let mv = plan.answer(&row, last).unwrap_or_else(|| panic!("{row:?} is lost"));
                row.take(mv).unwrap_or_else(|error| panic!("{error}: {row:?}"));
                todo.extend(followers(&row));
            }
        }
    }
}

/// Plays against three opponents by the rules of the library, and checks that the bot wins. `any` makes moves that depend
/// on `seed`, `reflecting` reflects the bot's moves at the middle of the row if it can, and `delaying` makes the moves after
/// which the fewest replies win.
fn assert_won((n, l, r): (usize, usize, usize), seed: u128) {
    for opponent in ["any", "reflecting", "delaying"] {
        let (mut position, mut row) = (position(&format!("{n} {l} {r}")), row(n, l, r));
        let (plan, mut solver, mut last) = (Plan::new(&row), Solver::new(), None);
        let mut is_bots_turn = plan.side(&row) == Side::First;
        for ply in seed.. {
            let reflected = last.map(|Move { x, y }| Move { x: n + 2 - x - y, y });
            let mv = match opponent {
                _ if is_bots_turn => plan.answer(&row, last),
                "reflecting" if reflected.is_some_and(|mv| row.clone().take(mv).is_ok()) => reflected,
                "delaying" => solver.best_delaying_move(&position).map(of_library),
                _ => {
                    let number = (ply * 7_919_919).checked_rem(position.move_count());
                    number.and_then(|number| position.nth_move(number)).map(of_library)
                }
            };
            let Some(mv) = mv else { break };
            row.take(mv).unwrap();
            let mv_of_library = zeroxor::Move { place: mv.x as u64, take: mv.y as u64 };
            position.play(mv_of_library).unwrap_or_else(|error| panic!("{error}: {position}"));
            (last, is_bots_turn) = (Some(mv), !is_bots_turn);
        }
        assert!(!is_bots_turn, "{n} {l} {r} against the {opponent} opponent");
    }
}

fn of_library(zeroxor::Move { place, take }: zeroxor::Move) -> Move {
    Move { x: place as usize, y: take as usize }
}

#[test]
fn every_start_up_to_40_is_won() {
    let starts = windows(40).flat_map(|(l, r)| (r..=40).map(move |n| (n, l, r)));
    let played = (1..).zip(starts).inspect(|&(seed, start)| assert_won(start, seed));
    assert_eq!(played.count(), 11_480);
}

/// Plays random starts. Of two starts, one has L = R, for which the bot needs nimbers in half of the cases.
fn assert_random_starts_won(cases: u32) {
    // Small windows give long games.
    let sizes =
        (1..=2000_usize, any::<bool>()).prop_map(|(n, is_small)| (n, if is_small { n.min(9) } else { n }));
    let starts = sizes.prop_flat_map(|(n, most)| (Just(n), 1..=most, 1..=most, any::<bool>(), any::<u32>()));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let won = |(n, a, b, is_narrow, seed)| {
        assert_won(if is_narrow { (n, a, a) } else { (n, a.min(b), a.max(b)) }, u32::into(seed));
        Ok(())
    };
    TestRunner::new(config).run(&starts, won).unwrap();
}

#[test]
fn forty_random_starts_up_to_2000_are_won() {
    assert_random_starts_won(40);
}

#[test]
#[ignore = "takes a minute"]
fn five_hundred_random_starts_up_to_2000_are_won() {
    assert_random_starts_won(500);
}

/// Plays with these lines of the judge after the header 6 1 2. Returns the output and the error.
fn converse(judge: &[u8]) -> (String, Option<PlayError>) {
    let mut output = Vec::new();
    let error = play(row(6, 1, 2), judge, &mut output).err();
    (String::from_utf8(output).unwrap(), error)
}

#[test]
fn lines_with_blanks_and_cr() {
    for lines in ["1 1\n6 1\n0 0\n", "\t1  1 \r\n 6\t1\r\n0 0", "001 1\n6 01\n0 0\nnot read"] {
        let (output, error) = converse(lines.as_bytes());
        assert_eq!(output, "First\n3 2\n5 1\n2 1\n");
        assert!(error.is_none(), "{error:?}");
    }
    assert!(converse(b"-1 -1\n").1.is_none());
}

/// `process` compares lines that are refused with the errors of the session.
#[test]
fn errors_of_the_judge() {
    let (_, error) = converse(b"");
    assert_eq!(error.unwrap().to_string(), "the input ended before move 2, which the judge makes");
    // Second has not moved yet.
    let error = play(row(2, 1, 1), &b"-1 -1\n"[..], Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "line 2: expected the first move \"x y\", or \"0 0\", got \"-1 -1\"");
}

#[test]
fn output_that_cannot_be_written() {
    // A slice without room.
    let error = play(row(6, 1, 2), &b"1 1\n"[..], &mut [][..]).unwrap_err();
    assert!(matches!(error, PlayError::Write(_)) && error.exit_code() == 1, "{error:?}");
}
