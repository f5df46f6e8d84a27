//! Tests of the wire protocol: parsing and formatting of lines, conversations in memory, and arbitrary input.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use zeroxor::wire::protocol::{
    Header, JudgeTurn, LOST, MAX_LINE, NO_MOVE, Opening, parse_bot_turn, parse_header, parse_judge_turn,
    parse_opening, parse_side,
};
use zeroxor::wire::quoted;
use zeroxor::wire::session::{SessionError, run};
use zeroxor::{Move, Player, Side, SpecError};

use crate::definition::position;

fn header(line: &str) -> Header {
    parse_header(line.as_bytes()).unwrap()
}

#[test]
fn headers_may_have_any_blanks_and_are_strict_otherwise() {
    assert_eq!(header(" \t6  1\t2 \r"), header("6 1 2"));
    assert_eq!(header("6 1 2"), header("segment 6 1 2"));
    let sum = header("segment 6 1 2 + 3 1 1 seat second").to_string();
    assert_eq!(sum, "segment 6 1 2 + segment 3 1 1 seat second");
    assert_eq!(header("square 20 30 ban 1 4 seat first").side, Some(Side::First));
    for line in [" ", "seat first", "+6 1 2", "6.0 1 2", "6 1 2\r\r", "6\u{a0}1 2", "6 1 2\u{0}", "games 3 3"]
    {
        assert!(parse_header(line.as_bytes()).is_err(), "{line:?}");
        assert!(parse_opening(line.as_bytes()).is_err(), "{line:?}");
    }
    assert!(parse_header(b"6 1 2 \xff").is_err());
    assert_eq!(parse_opening(b"games 3"), Ok(Opening::Games(3)));
    for line in ["games", "games 0", "games -1", "games x", "games 18446744073709551616"] {
        let error = parse_opening(line.as_bytes()).unwrap_err();
        assert_eq!(error.expected, "\"games T\" with T from 1 to 2^64 - 1", "{line}");
    }
}

#[test]
fn lines_have_a_maximum_length() {
    let line = |blanks: usize| [b"6 1 2".as_slice(), &vec![b' '; blanks]].concat();
    assert!(parse_header(&line(MAX_LINE - 5)).is_ok());
    assert!(parse_header(&[line(MAX_LINE - 5).as_slice(), b"\r"].concat()).is_ok());
    let error = parse_header(&line(MAX_LINE - 4)).unwrap_err().to_string();
    assert!(error.contains("at most 1048576 bytes") && error.len() < 250, "{error}");
}

#[test]
fn turns_and_sides() {
    let (mv, none) = (Move { place: 3, take: 2 }, None);
    assert_eq!(parse_bot_turn(b"3 2"), Ok(Some(mv)));
    assert_eq!(parse_bot_turn(b"0 0"), Ok(none));
    assert_eq!(parse_bot_turn(b"003 02"), Ok(Some(mv)));
    assert_eq!(parse_bot_turn(b"3 0"), Ok(Some(Move { take: 0, ..mv })));
    assert_eq!(parse_judge_turn(b"\t3 2 \r"), Ok(JudgeTurn::Move(mv)));
    assert_eq!(parse_judge_turn(b"0 0"), Ok(JudgeTurn::NoMove));
    assert_eq!(parse_judge_turn(b"-1 -1"), Ok(JudgeTurn::Lost));
    for line in
        "|3|3 2 1|0 2|3 -0|+3 2|-3 2|3.0 2|3,2|-1 -1 -1|-1|-01 -1|-1 1|18446744073709551616 1".split('|')
    {
        assert!(parse_judge_turn(line.as_bytes()).is_err(), "{line:?}");
        assert!(parse_bot_turn(line.as_bytes()).is_err(), "{line:?}");
    }
    assert!(parse_bot_turn(b"-1 -1").is_err(), "only the judge may send -1 -1");
    assert_eq!(parse_side(b" First\r"), Ok(Side::First));
    for line in ["first", "FIRST", "First Second", "", "1"] {
        assert!(parse_side(line.as_bytes()).is_err(), "{line:?}");
    }
}

/// Checks whole conversations: the input, the output and the beginning of the error, with commas in place of line ends.
#[test]
fn conversations() {
    const ENDED: &str = "the input ended in the middle of game 1, before move";
    const ROW: &str = "1000000000000000000 3 5";
    for (input, output, error) in [
        ("6 1 2 seat first,-1 -1", "First,3 2", ""),
        ("2 1 1,1 1,0 0", "Second,2 1", ""),
        // A bot without a move says so, and waits for the verdict.
        ("1 1 1 seat second,1 1,-1 -1", "Second,0 0", ""),
        ("1 1 1 seat second,1 1", "Second,0 0", "ENDED 3,"),
        // The verdict `-1 -1` is refused before the bot's first move.
        ("1 1 1 seat second,-1 -1", "Second", "line 2: expected"),
        // Several games. The end before a header is no error, and the announced game is the last.
        ("games 2,1 1 1,0 0,segment 2 1 1 seat first,2 1,-1 -1", "First,1 1,First,1 1,0 0", ""),
        ("games 2,1 1 1,0 0", "First,1 1", ""),
        ("games 1,1 1 1,0 0,1 1 1", "First,1 1", ""),
        ("games 2,1 1 1,0 0,games 2", "First,1 1", "line 4: expected"),
        // The word `misere` changes only who wins: a bot that has no move prints `0 0` and has won, and reads no line
        // before the next header.
        ("misere nim 1 1", "First,1 1", "ENDED 2,"),
        ("misere nim 1 1,2 1", "First,1 1,0 0", ""),
        ("games 2,misere nim 2,1 1,nim 2,0 0", "First,1 1,0 0,First,1 2", ""),
        ("misere nim 1,1 1", "Second,0 0", ""),
        ("misere nim 1 seat first,0 0", "First,1 1", ""),
        ("misere subtract 1 take 2", "First,0 0", ""),
        ("misere nim 1000000000000000000 3 1", "First,1 999999999999999998", "ENDED 2,"),
        ("misere square 100000", "", "line 1: the game is too large: misère play: "),
        // A move in one of two equal heaps is answered in the other heap, even if the sum has rows that are too long for
        // a table.
        ("subtract 5 5 take 3 + ROWS,1 3", "Second,2 3", "ENDED 3,"),
        ("square 5 5 ban 1 + ROWS,1 4", "Second,2 4", "ENDED 3,"),
        ("euclid 14 5 + euclid 14 5 + 50000 1 33 + 50000 1 33,1 5", "Second,3 5", "ENDED 3,"),
        ("nim 7 + 9 4 4 + nim 7 + 9 4 4 + 9 4 4 + ROWS + 9 4 4,21 4", "Second,2 4", "ENDED 3,"),
        // Only unpaired heaps need values.
        ("ROW + ROW + 7 2 2", "First,2000000000000000001 2", "ENDED 2,"),
        ("nim 1 2 3 + ROW + ROW", "Second", "ENDED 1,"),
        // A move can cut the row into equal halves, and the other heaps are a P-position.
        ("ROW + nim 1 2 3", "First,499999999999999999 4", "ENDED 2,"),
        // The other heaps are no P-position, so the equal halves are not enough.
        ("ROW + nim 1 2 4", "", "line 1: the game is too large: "),
        // A lost seat is played even without tables.
        ("ROW seat second,10 3,1 3", "Second,13 3,16 3", "ENDED 5,"),
        ("ROW + ROW seat first", "First,1 3", "ENDED 2,"),
    ] {
        let input = input.replace("ROWS", "300000 3 3 + 300000 3 3").replace("ROW", ROW);
        let mut found = Vec::new();
        let result = run((input.replace(',', "\n") + "\n").as_bytes(), &mut found);
        assert_eq!(String::from_utf8(found).unwrap().trim_end().replace('\n', ","), output, "{input}");
        let found = result.err().map(|error| error.to_string()).unwrap_or_default();
        let expected = error.replace("ENDED", ENDED);
        assert!(found.starts_with(&expected) && found.is_empty() == error.is_empty(), "{input}: {found}");
    }
}

/// A player follows the game, refuses illegal moves, and can continue from another position.
#[test]
fn a_player_keeps_its_position() {
    let mut player = Player::new(position("nim 6 4"));
    let before = player.position().clone();
    player.opponent_played(Move { place: 1, take: 5 }).unwrap();
    assert_eq!(player.position().to_string(), "nim: 1 4");
    player.set_position(before);
    assert_eq!(player.winning_move(), Ok(Some(Move { place: 1, take: 2 })));
    assert!(player.play(Move { place: 1, take: 7 }).is_err());
    assert_eq!(player.position().to_string(), "nim: 6 4");
}

#[test]
fn an_endless_line_is_not_read_to_its_end() {
    let endless = std::io::BufReader::new(std::io::repeat(b'7'));
    assert!(matches!(run(endless, Vec::new()), Err(SessionError::Malformed { line: 1, .. })));
}

/// Parts of headers and turns, and similar but invalid parts.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "20 3 5", "segment 9 1 2", "square 9 7 ban 1", "divisor 12", "subtract 9 take 1 2", "nim 3 5", "euclid 8 5", "octal .77 9 4", "octal 4.[3] 3", "octal", "0.137", "grundy 9",
    "misere nim 3", "misere", "prime 9 ban 3", "divisor 12 proper ban 6", "subtract 9 take 1 3..5", "take 1..n/2", "3..1",
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

/// For each parser that accepts `line`, checks that formatting the value and parsing it again gives the same value.
fn check_round_trip(line: &[u8]) -> Result<(), TestCaseError> {
    match parse_header(line) {
        Ok(header) => {
            prop_assert_eq!(header.game.validate(), Ok(()));
            let written = header.to_string();
            prop_assert_eq!(parse_header(written.as_bytes()), Ok(header.clone()));
            prop_assert_eq!(parse_opening(line), Ok(Opening::Header(header)));
        }
        Err(error) => {
            if let Ok(opening) = parse_opening(line) {
                prop_assert!(matches!(opening, Opening::Games(1..)));
            }
            check_column(line, &error)?;
        }
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
    // The bot's turns are the judge's turns without the verdict `-1 -1`.
    prop_assert_eq!(parse_bot_turn(line).is_ok(), written != LOST);
    Ok(())
}

/// Checks that the column of an error is that of the wrong word, or of the place where a word is missing. An error
/// without a column is allowed only for a line that is not ASCII, because such a line is not split into words.
fn check_column(line: &[u8], error: &SpecError) -> Result<(), TestCaseError> {
    let Some(column) = error.column else {
        prop_assert!(!line.is_ascii(), "{}", error);
        return Ok(());
    };
    prop_assert!((1..=line.len() + 1).contains(&column), "{}", error);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (before, after) = line.split_at(line.len().min(column - 1));
    let is_blank = |&byte: &u8| byte == b' ' || byte == b'\t';
    let word = after.split(is_blank).next().unwrap_or_default();
    if error.got == "nothing" {
        prop_assert!(matches!(word, b"" | b"+" | b"seat"), "{}", error);
    } else {
        prop_assert_eq!(&error.got, &quoted(word));
        prop_assert!(before.last().is_none_or(is_blank), "{}", error);
    }
    Ok(())
}

/// Checks that a conversation ends normally, or with an error that has an exit code. Only the lines with small numbers
/// are used.
fn check_conversation(lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let is_small = |line: &Vec<u8>| line.split(|byte| !byte.is_ascii_digit()).all(|number| number.len() <= 2);
    let input = lines.iter().filter(|line| is_small(line)).flat_map(|line| [line, &b"\n"[..]].concat());
    let input: Vec<u8> = input.collect();
    let mut output = Vec::new();
    if let Err(error) = run(&input[..], &mut output) {
        prop_assert!((1..=2).contains(&error.exit_code()), "{}", error);
    }
    prop_assert!(output.is_empty() || output.ends_with(b"\n"));
    Ok(())
}

fn run_cases(cases: u32) {
    let config = || ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config()).run(&line(), |line| check_round_trip(&line)).unwrap();
    let conversation = prop::collection::vec(line(), 0..8);
    TestRunner::new(config()).run(&conversation, |lines| check_conversation(&lines)).unwrap();
}

#[test]
fn any_lines() {
    run_cases(2000);
}

#[test]
#[ignore = "takes a minute or so"]
fn many_lines() {
    run_cases(300_000);
}
