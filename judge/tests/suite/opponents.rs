//! Whole games between processes: a bot that plays by the slow definition wins starts of all kinds of games.

use crate::support::{assert_wins_starts, has_python};

/// Starts of all kinds of games that the bot plays, small enough for the slow definition.
const VARIANTS: [&str; 33] = [
    "30 3 3",
    "15 2 2",
    "segment 17 2 3 seat first",
    "9 4 4",
    "1 1 1",
    "square 20",
    "square 7 ban 1",
    "square 50 31 12 ban 4 9",
    "divisor 36",
    "divisor 24 18 ban 1",
    "subtract 30 take 1 3 4",
    "subtract 13 8 21 take 2 5",
    "subtract 30 17 take 3..9",
    "subtract 25 14 take 1 4..6 12",
    "subtract 40 29 take 1..n/2",
    "subtract 60 take 1..n/7 seat first",
    "divisor 24 18 proper ban 2",
    "nim 3 5 7",
    "euclid 14 5",
    "euclid 8 13",
    "octal 0.77 20",
    "octal 0.137 9 5",
    "octal 0.356 14 + nim 3",
    "octal 4.7 6",
    "octal 4.[3] 7 5",
    "grundy 12",
    "grundy 9 + octal 4.3 5 + nim 2",
    "segment 20 3 5 + square 20 ban 1 + euclid 14 5",
    "nim 4 5 + divisor 12",
    "square 9 + square 9 seat second",
    "misere nim 3 5 7",
    "misere octal 0.77 9 + subtract 7 take 1 3",
    "misere 8 1 2 + euclid 7 5 seat first",
];

/// Checks a bot in Python that plays by the slow definition.
#[test]
fn a_bot_in_python() {
    if has_python() {
        let bot = ["python3", "tests/bots/definition.py"];
        assert_wins_starts(&VARIANTS, &["perfect", "random"], 1, "--session --time-limit 20", &bot);
    }
}
