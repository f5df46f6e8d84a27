//! Tests of positions: the rule that an illegal move breaks, sums, and the example program.

use std::process::Command;

use zeroxor::rules::Violation;
use zeroxor::{Move, Position};

use crate::definition::position;

#[test]
fn nth_move_in_a_row_of_10_18_cards() {
    let position = position("1000000000000000000 3 500000000000000000");
    let count = position.move_count();
    assert_eq!(position.nth_move(0), Some(Move { place: 1, take: 3 }));
    let last = Move { place: 500_000_000_000_000_001, take: 500_000_000_000_000_000 };
    assert_eq!(position.nth_move(count - 1), Some(last));
    for number in [1, 10_u128.pow(18) - 3, 10_u128.pow(18) - 2, count / 2, count - 2] {
        let mut after = position.clone();
        after.play(position.nth_move(number).unwrap()).unwrap();
    }
}

#[test]
fn illegal_moves_name_their_rule() {
    let banned = Violation::Banned;
    let window = Violation::OutsideWindow { l: 2, r: 3 };
    for (game, place, take, rule) in [
        ("10 2 3", 11, 2, Violation::NoSuchPlace { places: 10 }),
        ("10 2 3", 1, 1, window),
        ("10 2 3", 1, u64::MAX, window),
        ("10 2 3", 10, 2, Violation::RunTooShort { free: 1 }),
        ("nim 5", 1, 0, Violation::Nothing),
        ("euclid 5 2", 1, 0, Violation::Nothing),
        ("octal 0.07 5", 1, 0, Violation::Nothing),
        ("5 1 2 + octal 4.7 5 + nim 5", 3, 0, Violation::Nothing),
        ("5 1 2 + octal 4.7 5 + nim 5", 11, 0, Violation::Nothing),
        ("nim 5", 1, 6, Violation::LargerThanPile { size: 5 }),
        ("square 9", 1, 5, Violation::NotASquare),
        ("square 9 ban 4", 1, 4, banned),
        ("divisor 9", 1, 4, Violation::NotADivisor { of: 9 }),
        ("divisor 9 ban 3", 1, 3, banned),
        ("divisor 9 proper", 1, 9, Violation::WholePile),
        ("divisor 9 proper ban 9", 1, 9, banned),
        ("prime 9", 1, 4, Violation::NotAPrime),
        ("prime 9 ban 3", 1, 3, banned),
        ("subtract 9 take 2 4..6", 1, 3, Violation::NotListed),
        ("subtract 9 take 1..n/2", 1, 5, Violation::AboveShare { most: 4 }),
        ("euclid 5 5", 1, 5, Violation::Equal),
        ("euclid 2 5", 1, 2, Violation::SmallerOfPair),
        ("euclid 5 2", 1, 3, Violation::NotAMultiple { of: 2 }),
        ("euclid 6 2", 1, 6, Violation::WouldReachZero { size: 6 }),
        ("grundy 5", 1, 0, Violation::SplitBeforeFirst),
        ("octal 0.07 5", 1, 1, Violation::NotInCode),
        ("octal 0.07 5", 1, 3, Violation::NotInCode),
        ("octal 0.02 5 2", 1, 6, Violation::NotInCode),
        ("octal 0.2 1", 1, 1, Violation::DigitForbids { digit: 2, heaps: 0 }),
        ("octal 0.3 5", 3, 1, Violation::DigitForbids { digit: 3, heaps: 2 }),
        ("octal 0.5 5", 1, 1, Violation::DigitForbids { digit: 5, heaps: 1 }),
    ] {
        let error = position(game).play(Move { place, take }).unwrap_err();
        assert_eq!(error.rule, rule, "{game}: {place} {take}");
    }
    let mut row = position("10 2 3");
    row.play(Move { place: 4, take: 3 }).unwrap();
    assert_eq!(row.play(Move { place: 5, take: 2 }).unwrap_err().rule, Violation::Taken);
    let message = "taking 2 at place 3 is not legal: the run of free cards from that place on has length 1";
    assert_eq!(row.play(Move { place: 3, take: 2 }).unwrap_err().to_string(), message);
}

#[test]
fn the_places_of_a_sum_are_limited() {
    let row = "1000000000000000000 1 1";
    assert!(Position::new(&[row; 18].join(" + ").parse().unwrap()).is_ok());
    let error = Position::new(&[row; 19].join(" + ").parse().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "expected fewer than 2^64 places in total, got more");
}

#[test]
fn the_example_runs() {
    // A test is among the targets, so that cargo uses the library that `cargo test --workspace` has compiled. If only
    // examples were built, cargo would compile the library again, without the features that only the tests'
    // dependencies need.
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--workspace", "--examples", "--test", "summary"]);
    assert!(build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    let test = std::env::current_exe().unwrap();
    let output = Command::new(test.ancestors().nth(2).unwrap().join("examples/own_game")).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.ends_with("First has no move\n"), "{output:?}");
}
