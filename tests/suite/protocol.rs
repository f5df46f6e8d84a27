//! Lines to headers, sides and moves, and back.

use proptest::prelude::*;
use zeroxor::wire::protocol::{
    Header, JudgeTurn, MAX_LINE, Opening, parse_bot_turn, parse_header, parse_judge_turn, parse_opening,
    parse_side,
};
use zeroxor::{Move, Side};

fn header(line: &str) -> Header {
    parse_header(line.as_bytes()).unwrap()
}

#[test]
fn blanks_are_free_and_the_rest_is_strict() {
    assert_eq!(header(" \t6  1\t2 \r"), header("6 1 2"));
    assert_eq!(header("6 1 2"), header("segment 6 1 2"));
    assert_eq!(
        header("segment 6 1 2 + 3 1 1 seat second").to_string(),
        "segment 6 1 2 + segment 3 1 1 seat second"
    );
    assert_eq!(header("square 20 30 ban 1 4 seat first").side, Some(Side::First));
    for line in [
        "",
        " ",
        "6 1",
        "6 1 2 3",
        "6 1 2 +",
        "+ 6 1 2",
        "6 1 2 seat",
        "6 1 2 seat third",
        "6 1 2 seat first x",
        "seat first",
        "+6 1 2",
        "-6 1 2",
        "6.0 1 2",
        "6 1 2\r\r",
        "6\u{a0}1 2",
        "6 1 2\u{0}",
        "Segment 6 1 2",
        "segment 6 -1 2",
        "1000000000000000001 1 1",
        "99999999999999999999999999 1 1",
        "6 1 ban 2",
        "segment 6 1 2 ban x",
        "games 3 3",
    ] {
        assert!(parse_header(line.as_bytes()).is_err(), "{line:?}");
        assert!(parse_opening(line.as_bytes()).is_err(), "{line:?}");
    }
    assert!(parse_header(b"6 1 2 \xff").is_err());
    assert_eq!(parse_opening(b"games 3"), Ok(Opening::Games(3)));
    for line in ["games", "games 0", "games -1", "games x", "games 18446744073709551616"] {
        let error = parse_opening(line.as_bytes()).unwrap_err();
        assert_eq!(error.expected(), "\"games T\" with T from 1 to 2^64 - 1", "{line}");
    }
}

/// The column is that of the word that is wrong.
#[test]
fn errors_of_a_seat_have_their_column() {
    for (line, column) in [
        ("nim 3 seat", 7),
        ("nim 3 seat third", 12),
        ("nim 3 seat first seat second", 18),
        ("nim 3 seat first + nim 4", 18),
    ] {
        assert_eq!(parse_header(line.as_bytes()).unwrap_err().column(), Some(column), "{line}");
    }
    let misspelt = parse_header(b"nim 3 seat frist").unwrap_err();
    assert_eq!((misspelt.suggestion(), misspelt.column()), (Some("first"), Some(12)));
}

#[test]
fn lines_have_a_limit() {
    let line = |blanks: usize| [b"6 1 2".as_slice(), &vec![b' '; blanks]].concat();
    assert!(parse_header(&line(MAX_LINE - 5)).is_ok());
    assert!(parse_header(&[line(MAX_LINE - 5).as_slice(), b"\r"].concat()).is_ok());
    let error = parse_header(&line(MAX_LINE - 4)).unwrap_err().to_string();
    assert!(error.contains("at most 1048576 bytes") && error.len() < 250, "{error}");
}

#[test]
fn turns() {
    let (mv, none) = (Move { place: 3, take: 2 }, None);
    assert_eq!(parse_bot_turn(b"3 2"), Ok(Some(mv)));
    assert_eq!(parse_bot_turn(b"0 0"), Ok(none));
    assert_eq!(parse_bot_turn(b"003 02"), Ok(Some(mv)));
    assert_eq!(parse_judge_turn(b"\t3 2 \r"), Ok(JudgeTurn::Move(mv)));
    assert_eq!(parse_judge_turn(b"0 0"), Ok(JudgeTurn::NoMove));
    assert_eq!(parse_judge_turn(b"-1 -1"), Ok(JudgeTurn::Lost));
    for line in [
        "",
        "3",
        "3 2 1",
        "0 2",
        "3 0",
        "+3 2",
        "-3 2",
        "3.0 2",
        "3,2",
        "-1 -1 -1",
        "-1",
        "-01 -1",
        "-1 1",
        "18446744073709551616 1",
    ] {
        assert!(parse_judge_turn(line.as_bytes()).is_err(), "{line:?}");
        assert!(parse_bot_turn(line.as_bytes()).is_err(), "{line:?}");
    }
    assert!(parse_bot_turn(b"-1 -1").is_err(), "the bot may not say this");
    assert_eq!(parse_side(b" First\r"), Ok(Side::First));
    for line in ["first", "FIRST", "First Second", "", "1"] {
        assert!(parse_side(line.as_bytes()).is_err(), "{line:?}");
    }
}

#[test]
fn errors_say_what_was_expected_and_what_came() {
    let error = parse_side(b"first\x1b[2J").unwrap_err();
    assert_eq!(error.to_string(), r#"expected "First" or "Second", got "first\x1b[2J""#);
    let error = parse_bot_turn(&[b'9'; 1000]).unwrap_err().to_string();
    assert!(error.ends_with("\"... (1000 bytes)") && error.len() < 160, "{error}");
}

proptest! {
    /// No line makes a reader panic, and what it accepts it prints so that it reads the same again.
    #[test]
    fn any_line(line in prop::collection::vec(prop_oneof![prop::sample::select(b"0123 +-\tsegmntbaf".to_vec()), any::<u8>()], 0..40)) {
        if let Ok(header) = parse_header(&line) {
            prop_assert_eq!(parse_header(header.to_string().as_bytes()), Ok(header));
        }
        if let Ok(Some(mv)) = parse_bot_turn(&line) {
            prop_assert_eq!(parse_bot_turn(mv.to_string().as_bytes()), Ok(Some(mv)));
        }
        let _ = (parse_opening(&line), parse_judge_turn(&line), parse_side(&line));
    }
}
