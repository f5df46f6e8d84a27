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

/// What is advised for the line of a bot in a game with this header.
fn advice(header: &str, lines: &str) -> String {
    let script = format!("read h; printf '%b' '{lines}'; read x");
    let (games, _) = games(header, &["sh", "-c", &script]);
    let advice = games[0]["advice"].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
    advice.collect::<Vec<_>>().join("|")
}

/// A header that was read in another order is only guessed where the numbers show it; else the window is named.
#[test]
fn the_order_of_the_header_is_not_guessed_from_any_line() {
    let window = "take L to R cards, as the header \"N L R\" says";
    let places = "take 1 to 3 at a place from 1 to 10, as the header \"N L R\" says";
    for (header, mv, expected) in [
        ("10 1 3", "1 4", window),
        ("17 1 1", "1 2", "L = R here: every move takes the same number of cards"),
        ("20 3 5", "3 1", window),
        ("6 1 2", "1 6", window),
        ("10 1 3", "1 0", places),
        ("10 1 3", "-1 -1", places),
        ("10 1 3", "1 99999999999999999999", places),
        ("17 1 1", "1 0", "take 1 at a place from 1 to 17, as the header \"N L R\" says"),
        (
            "20 3 5",
            "0 5",
            "places are numbered from 1, not from 0: \"1 5\" would be legal|did you read the header as N L R? Here N = \
             20, L = 3 and R = 5. The bot's place 0 is (L - 5) / 2 + 1; (20 - 5) / 2 + 1 is 8",
        ),
    ] {
        assert_eq!(advice(header, &format!("First\\n{mv}\\n")), expected, "{header}: {mv}");
    }
}

/// A bot that takes R for N: its first move is legal, and its second is a mirror image in a row of R cards.
#[test]
fn a_mirror_image_in_a_row_of_another_length() {
    let script = "read h; echo First; echo 2 3; read x y; echo $((5 - x - y + 2)) $y; read x";
    let (games, _) = games("20 3 5", &["sh", "-c", script]);
    let advice = games[0]["advice"].to_string();
    let expected = "did you read the header as N L R? Here N = 20, L = 3 and R = 5. The bot's place -";
    assert!(advice.contains(expected) && advice.contains("in a row of 5, which is R"), "{advice}");
    // The same second move after another first one.
    let script = script.replace("2 3", "4 3");
    let (games, _) = crate::support::games("20 3 5", &["sh", "-c", &script]);
    assert!(!games[0]["advice"].to_string().contains("did you read"), "{:?}", games[0]);
}

/// The advice for an illegal move names the rule that it breaks.
#[test]
fn the_advice_names_the_rule() {
    for (header, mv, expected) in [
        ("square 20", "1 5", "take a perfect square that is not banned: 1, 4, 9, 16 and so on"),
        ("square 20 ban 4", "1 4", "take none of the numbers that follow \"ban\" in the header"),
        ("square 20", "1 25", "take only what is there: check the move before it is printed"),
        (
            "divisor 12",
            "1 5",
            "take a divisor of the pile's size that is not banned; the size changes with every move",
        ),
        ("subtract 12 take 2 5", "1 3", "take one of the numbers that follow \"take\" in the header"),
        ("euclid 14 5", "1 7", "subtract a multiple of the smaller number of a pair from the larger one"),
        ("euclid 14 5", "2 14", "subtract a multiple of the smaller number of a pair from the larger one"),
        ("euclid 15 5", "1 15", "leave at least 1 of the larger number of a pair"),
        ("euclid 5 5 + nim 1", "1 5", "choose another pair: a pair of equal numbers has no move"),
        ("octal 0.07 9", "1 1", "take a number whose digit in the code is not 0"),
        ("octal 0.37 9", "2 1", "leave only as many heaps as the code's digit for the take allows"),
    ] {
        assert_eq!(advice(header, &format!("First\\n{mv}\\n")), expected, "{header}: {mv}");
    }
}

/// A side that the header assigns is not the bot's to choose.
#[test]
fn the_advice_for_an_assigned_side() {
    let assigned =
        "the header assigns the side to the bot: print Second, spelled exactly like that, as the first line";
    assert_eq!(advice("10 1 3 seat second", "First\\n"), assigned);
    let stderr = "print everything else on stderr";
    assert_eq!(advice("10 1 3 seat second", "hello\\n"), format!("{assigned}|{stderr}"));
    let chosen = "print First or Second, spelled exactly like that, as the first line";
    assert_eq!(advice("10 1 3", "hello\\n"), format!("{chosen}|{stderr}"));
}

#[test]
fn the_judge_answers_a_violation_with_minus_one() {
    let script = "read h; echo First; echo 9 9; read x; echo \"the judge said $x\" >&2; exit 3";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    assert!(text(&output.stdout).contains("    stderr: the judge said -1 -1\n"), "{}", text(&output.stdout));
}
