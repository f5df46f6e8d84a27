//! Conversations in memory.

use zeroxor::wire::session::{SessionError, run};

/// What the bot says to these lines, and how the conversation ends.
fn converse(input: &str) -> (String, Result<(), SessionError>) {
    let mut output = Vec::new();
    let result = run(input.as_bytes(), &mut output);
    (String::from_utf8(output).unwrap(), result)
}

#[test]
fn the_example_of_the_contest() {
    let (said, result) = converse("6 1 2\n1 1\n6 1\n0 0\n");
    assert!(result.is_ok());
    assert_eq!(said, "First\n3 2\n5 1\n2 1\n", "the middle, then what lets all cancel");
}

#[test]
fn seats_are_repeated() {
    assert_eq!(converse("6 1 2 seat first\n-1 -1\n").0, "First\n3 2\n");
    assert!(converse("6 1 2 seat second\n3 2\n").0.starts_with("Second\n"));
    assert_eq!(converse("2 1 1\n1 1\n0 0\n").0, "Second\n2 1\n");
}

#[test]
fn a_lost_bot_says_so_and_waits_for_the_verdict() {
    let (said, result) = converse("1 1 1 seat second\n1 1\n-1 -1\n");
    assert_eq!(said, "Second\n0 0\n");
    assert!(result.is_ok());
    let (_, result) = converse("1 1 1 seat second\n1 1\n");
    assert!(matches!(result, Err(SessionError::Ended { game: 1, ply: 3 })));
}

/// The opponent makes a mistake in a position whose tables would be too large, and the bot continues to play.
#[test]
fn a_lost_seat_beyond_theory_is_played_on() {
    let (said, result) = converse("1000000000000000000 3 5 seat second\n10 3\n1 3\n");
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(matches!(result, Err(SessionError::Ended { game: 1, ply: 5 })), "{result:?}");
}

/// The first blocks of a sieve show that it would take too many steps. No clock is read here.
#[test]
fn a_sieve_is_refused_by_its_first_blocks() {
    let even: Vec<String> = (1..15_811_u64).map(|root| (4 * root * root).to_string()).collect();
    for header in ["square 1000000000".to_owned(), format!("square 1000000000 ban {}", even.join(" "))] {
        let (said, result) = converse(&header);
        assert_eq!(said, "");
        let error = result.unwrap_err().to_string();
        assert!(error.contains(" steps, and the limit is 6000000000"), "{error}");
    }
}

/// A move in one of two equal heaps is answered in the other, where no table reaches and where one would.
#[test]
fn pairs_are_kept_without_values() {
    let rows = "300000 3 3 + 300000 3 3";
    for (sum, mv, reply) in [
        ("subtract 5 5 take 3 + ROWS", "1 3", "2 3"),
        ("square 5 5 ban 1 + ROWS", "1 4", "2 4"),
        ("euclid 5 2 + euclid 5 2 + ROWS", "1 2", "3 2"),
        ("euclid 14 5 + euclid 14 5 + 50000 1 33 + 50000 1 33", "1 5", "3 5"),
        (
            "subtract 900000000000000001 900000000000000001 take 400000000000000001 900000000000000000",
            "2 900000000000000000",
            "1 900000000000000000",
        ),
        ("nim 7 + 9 4 4 + nim 7 + 9 4 4 + 9 4 4 + ROWS + 9 4 4", "21 4", "2 4"),
    ] {
        let header = sum.replace("ROWS", rows);
        assert_eq!(converse(&format!("{header}\n{mv}\n")).0, format!("Second\n{reply}\n"), "{header}");
    }
}

/// Only heaps without an equal need values.
#[test]
fn unpaired_heaps_alone_are_computed() {
    let row = "1000000000000000000 3 5";
    for (header, said) in [
        (format!("{row} + {row} + 7 2 2"), "First\n2000000000000000001 2\n"),
        (format!("nim 1 2 3 + {row} + {row}"), "Second\n"),
        ("square 99999999 5 5".to_owned(), "First\n1 1194649\n"),
        // One row can be cut into equal halves, the rest is lost already.
        (format!("{row} + nim 1 2 3"), "First\n499999999999999999 4\n"),
    ] {
        assert_eq!(converse(&format!("{header}\n")).0, said, "{header}");
    }
    let (said, result) = converse(&format!("{row} + nim 1 2 4\n"));
    assert_eq!(said, "", "neither the halves nor the piles are lost");
    assert!(matches!(result, Err(SessionError::TooLarge { line: 1, .. })), "{result:?}");
}

/// Before the bot has said anything it cannot have lost.
#[test]
fn a_verdict_before_the_first_move() {
    let (said, result) = converse("1 1 1 seat second\n-1 -1\n");
    assert_eq!(said, "Second\n");
    assert!(matches!(result, Err(SessionError::Malformed { line: 2, .. })));
}

#[test]
fn several_games_in_one_conversation() {
    let (said, result) = converse("games 3\n1 1 1\n0 0\nsegment 2 1 1 seat first\n2 1\n-1 -1\n3 3 3\n0 0\n");
    assert!(result.is_ok());
    assert_eq!(said, "First\n1 1\nFirst\n1 1\n0 0\nFirst\n1 3\n");
    let (said, result) = converse("games 2\n1 1 1\n0 0\n");
    assert!(result.is_ok(), "the end before a header is no error");
    assert_eq!(said, "First\n1 1\n");
    let (said, result) = converse("games 1\n1 1 1\n0 0\n1 1 1\n");
    assert!(result.is_ok());
    assert_eq!(said, "First\n1 1\n", "the announced game was the last");
}

#[test]
fn the_announcement_comes_first_or_not_at_all() {
    let (_, result) = converse("games 2\n1 1 1\n0 0\ngames 2\n");
    assert!(matches!(result, Err(SessionError::Header { line: 4, .. })));
}

#[test]
fn an_endless_line_is_not_read_to_its_end() {
    let endless = std::io::BufReader::new(std::io::repeat(b'7'));
    assert!(matches!(run(endless, Vec::new()), Err(SessionError::Header { line: 1, .. })));
}
