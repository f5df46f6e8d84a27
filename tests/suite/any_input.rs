//! The readers of lines against any input: nothing panics, and what is read is written so that it is read again.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use zeroxor::wire::protocol::{
    JudgeTurn, LOST, NO_MOVE, Opening, parse_bot_turn, parse_header, parse_judge_turn, parse_opening,
    parse_side,
};
use zeroxor::wire::session;

/// Parts of headers and turns, and some that are near them.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "20 3 5", "segment 9 1 2", "square 9 7 ban 1", "divisor 12", "subtract 9 take 1 2", "nim 3 5", "euclid 8 5", "octal .77 9 4", "octal 4.7 3", "octal", "0.137", "grundy 9",
    "+", "+", "+", "seat first", "seat second", "games 3", "First", "Second", "3 2", "0 0", "-1 -1",
    "nim", "ban", "take", "seat", "0", "7", "-1", "+1", "01", "1000000000000000000", "1000000000000000001",
    "18446744073709551616", "sqare 4", "x", "",
];

fn line() -> impl Strategy<Value = Vec<u8>> {
    let parts = prop::collection::vec(prop::sample::select(PARTS), 0..5);
    let of_parts =
        (parts, prop::sample::select(&[" ", "\t", "  "][..]), prop::sample::select(&["", "\r", " "][..]))
            .prop_map(|(parts, between, end)| (parts.join(between) + end).into_bytes());
    let bytes = prop::collection::vec(any::<u8>(), 0..40);
    let damaged =
        (of_parts.clone(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut line, at, byte)| {
            line.push(b' ');
            let at = at.index(line.len());
            line[at] = byte;
            line
        });
    prop_oneof![4 => of_parts, 2 => damaged, 1 => bytes]
}

/// What each reader makes of a line is written as a line that it reads as the same.
fn is_read_again(line: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(header) = parse_header(line) {
        prop_assert_eq!(header.game.validate(), Ok(()));
        let written = header.to_string();
        prop_assert_eq!(parse_header(written.as_bytes()), Ok(header.clone()));
        prop_assert_eq!(parse_opening(line), Ok(Opening::Header(header)));
    } else if let Ok(opening) = parse_opening(line) {
        prop_assert!(matches!(opening, Opening::Games(1..)));
    }
    if let Ok(side) = parse_side(line) {
        prop_assert_eq!(parse_side(side.to_string().as_bytes()), Ok(side));
    }
    let written = match parse_judge_turn(line) {
        Ok(JudgeTurn::Move(mv)) => mv.to_string(),
        Ok(JudgeTurn::NoMove) => NO_MOVE.to_owned(),
        Ok(JudgeTurn::Lost) => LOST.to_owned(),
        Err(_) => return Ok(()),
    };
    prop_assert_eq!(parse_judge_turn(written.as_bytes()), parse_judge_turn(line));
    // The bot's turns are those of the judge but for the verdict.
    prop_assert_eq!(parse_bot_turn(line).is_ok(), written != LOST);
    Ok(())
}

/// A conversation of small games with any lines ends, by its end or by an error that names the line.
fn ends(lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let is_small = |line: &Vec<u8>| line.split(|byte| !byte.is_ascii_digit()).all(|number| number.len() <= 2);
    let input = lines.iter().filter(|line| is_small(line)).flat_map(|line| [line, &b"\n"[..]].concat());
    let input: Vec<u8> = input.collect();
    let mut output = Vec::new();
    if let Err(error) = session::run(&input[..], &mut output) {
        prop_assert!((1..=2).contains(&error.exit_code()), "{}", error);
    }
    prop_assert!(output.is_empty() || output.ends_with(b"\n"));
    Ok(())
}

fn run(cases: u32) {
    let config = || ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config()).run(&line(), |line| is_read_again(&line)).unwrap();
    let conversation = prop::collection::vec(line(), 0..8);
    TestRunner::new(config()).run(&conversation, |lines| ends(&lines)).unwrap();
}

#[test]
fn any_lines() {
    run(2000);
}

#[test]
#[ignore = "takes a minute or so"]
fn many_lines() {
    run(300_000);
}
