//! Lines that break a rule.

use super::assert_shell;
use crate::support::{games, judge, text};

#[test]
fn lines_that_break_a_rule() {
    assert_shell(
        "read h; echo first; read x",
        "MALFORMED",
        r#"the side: expected "First" or "Second", got "first""#,
    );
    assert_shell(
        "read h; echo Second; read x; printf '3\\n'; read x",
        "MALFORMED",
        r#"move 2: expected a move "x y" with both at least 1, or "0 0", got "3""#,
    );
    assert_shell(
        "read h; echo First; echo 3 3; read x",
        "ILLEGAL",
        "move 1: taking 3 at place 3 is not legal: a move takes 1 to 2 in a row",
    );
    assert_shell(
        "read h; echo First; echo 3 1; read x; echo 3 1; read x",
        "ILLEGAL",
        "move 3: taking 1 at place 3 is not legal: the card there has been taken already",
    );
    assert_shell(
        "read h; echo First; echo 0 0; read x",
        "RESIGNED",
        r#"move 1: the bot printed "0 0", but it could play "1 1""#,
    );
}

/// Every kind of illegal move, by the name of the rule.
#[test]
fn illegal_moves_by_name() {
    for (header, mv, rule) in [
        ("square 20", "1 5", "that is not a perfect square"),
        ("square 20 ban 4", "1 4", "that number is banned"),
        ("square 20", "1 25", "the pile has only 20"),
        ("square 20", "2 4", "there is no such place, they are numbered 1 to 1"),
        ("divisor 12", "1 5", "that is not a divisor of the pile's 12"),
        ("divisor 12 ban 3", "1 3", "that number is banned"),
        ("divisor 12", "1 24", "the pile has only 12"),
        ("subtract 12 take 2 5", "1 3", "that number is not on the list of those a move may take"),
        ("nim 3 4", "1 4", "the pile has only 3"),
        ("euclid 14 5", "1 7", "that is not a multiple of the other number, 5"),
        ("euclid 14 5", "2 14", "that is the smaller number of the pair, only the larger can shrink"),
        ("euclid 15 5", "1 15", "the number, now 15, must stay at least 1"),
        ("euclid 14 5", "1 18446744073709551615", "the number, now 14, must stay at least 1"),
        ("euclid 5 5 + nim 1", "1 5", "both numbers are equal, and no move is left in them"),
        ("segment 9 2 3", "1 4", "a move takes 2 to 3 in a row"),
        ("segment 9 2 2", "9 2", "from there on the row has only 1 left"),
    ] {
        let script = format!("read h; echo First; echo {mv}; read x");
        let (games, code) = games(header, &["sh", "-c", &script]);
        assert_eq!((games[0]["verdict"].as_str(), code), (Some("ILLEGAL"), 1), "{header}: {mv}");
        let reason = games[0]["reason"].as_str().unwrap();
        assert!(reason.ends_with(rule), "{header}: {mv}: {reason}");
    }
}

#[test]
fn the_judge_answers_a_violation_with_minus_one() {
    let script = "read h; echo First; echo 9 9; read x; echo \"the judge said $x\" >&2; exit 3";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    assert!(text(&output.stdout).contains("    stderr: the judge said -1 -1\n"), "{}", text(&output.stdout));
}
