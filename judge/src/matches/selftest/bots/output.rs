//! Bots that print too much, strange lines, or lines before they are expected.

use std::time::Duration;

use itertools::Itertools;

use super::{HostileBot, at_move_3, first, print};
use crate::matches::selftest::action::Action;
use referee::verdict::Verdict;

pub(super) fn floods() -> Vec<HostileBot> {
    use Action::{PrintForever, Read, WriteStderr};
    // 900 moves from the right end of the row. The opponent takes cards from the left end.
    let moves = format!("{} 1\n", (1101..=2000).rev().format(" 1\n"));
    vec![
        HostileBot::new(
            "flood-without-newline",
            "prints digits without end",
            Verdict::OutputLimit,
            first([PrintForever(&[b'1'; 1024])]),
        )
        .with_reason("move 1: a line of more than 4096 bytes"),
        HostileBot::new(
            "flood-of-lines",
            "prints lines without end",
            Verdict::Malformed,
            first([PrintForever(b"hello\n")]),
        ),
        HostileBot::new(
            "flood-ahead",
            "prints 900 moves at once, then blank lines without end",
            Verdict::Malformed,
            first([print(moves), PrintForever(&[b'\n'; 1024])]),
        )
        .with_game("2000 1 1")
        .with_limits(|limits| limits.wall = Duration::from_secs(5))
        .with_reason("move 1801: expected a move"),
        HostileBot::new(
            "flood-of-stderr",
            "plays well and writes 128 MiB to stderr",
            Verdict::Won,
            [vec![WriteStderr(64)], at_move_3([WriteStderr(64), print("5 1\n"), Read, print("6 1\n"), Read])]
                .concat(),
        ),
    ]
}

/// A bot whose first move is this line.
fn with_first_move(
    name: &'static str,
    description: &'static str,
    expected: Verdict,
    line: impl Into<Vec<u8>>,
) -> HostileBot {
    HostileBot::new(name, description, expected, first([print(line), Action::Read]))
}

pub(super) fn strange_lines() -> Vec<HostileBot> {
    use Verdict::{Malformed, Won};
    let win = |name, description, [first, second]: [&str; 2]| {
        let actions = [
            print("First\n"),
            print(first),
            Action::Read,
            print(second),
            Action::Read,
            print("6 1\n"),
            Action::Read,
        ];
        HostileBot::new(name, description, Won, [vec![Action::Read], actions.to_vec()].concat())
    };
    vec![
        win("crlf", "ends its lines with CRLF", ["3 2\r\n", "5 1\r\n"]),
        win("tabs", "puts tabs and spaces around its numbers", ["3\t2\n", " \t5  1 \n"]),
        win("leading-zeros", "prints leading zeros", ["003 02\n", "00000000000000000000005 1\n"]),
        with_first_move("nul-byte", "prints a NUL byte", Malformed, "3 2\0\n").with_reason(r#""3 2\x00""#),
        with_first_move("latin-1", "prints a byte of Latin-1", Malformed, b"3 2 \xe9\n")
            .with_reason("in ASCII, got"),
        with_first_move("empty-line", "prints an empty line", Malformed, "\n").with_reason("got \"\""),
        with_first_move("junk", "prints a word after its move", Malformed, "3 2 junk\n")
            .with_reason("got \"3 2 junk\""),
        HostileBot::new(
            "lower-case",
            "prints \"first\"",
            Malformed,
            vec![Action::Read, print("first\n"), Action::Read],
        )
        .with_reason("the side: expected \"First\" or \"Second\", got \"first\""),
    ]
}

pub(super) fn strange_numbers() -> Vec<HostileBot> {
    use Verdict::{Illegal, Malformed, OutputLimit};
    let power = |exponent: usize| format!("1{} 1\n", "0".repeat(exponent));
    vec![
        with_first_move("plus-sign", "prints \"+3 1\"", Malformed, "+3 1\n"),
        with_first_move("decimal-point", "prints \"3.0 1\"", Malformed, "3.0 1\n"),
        with_first_move("negative", "prints \"-3 1\"", Malformed, "-3 1\n"),
        with_first_move("minus-one", "prints \"-1 -1\"", Malformed, "-1 -1\n"),
        with_first_move("half-zero", "prints \"0 1\"", Malformed, "0 1\n"),
        with_first_move("two-to-the-63", "prints 2^63", Illegal, "9223372036854775808 1\n")
            .with_reason("there is no such place"),
        with_first_move("two-to-the-64-less-1", "takes 2^64 - 1 cards", Illegal, "3 18446744073709551615\n")
            .with_reason("a move takes 1 to 2 in a row"),
        with_first_move("two-to-the-64", "prints 2^64", Malformed, "18446744073709551616 1\n"),
        with_first_move("ten-to-the-4000", "prints 10^4000", Malformed, power(4000)),
        with_first_move("ten-to-the-5000", "prints 10^5000", OutputLimit, power(5000))
            .with_reason("a line of more than 4096 bytes"),
    ]
}

pub(super) fn early_lines() -> Vec<HostileBot> {
    use Action::Read;
    vec![
        HostileBot::new(
            "two-moves-at-once",
            "prints two moves in one write",
            Verdict::Won,
            first([print("3 2\n5 1\n"), Read, Read, print("6 1\n"), Read]),
        ),
        HostileBot::new(
            "before-its-turn",
            "prints a move before its turn",
            Verdict::Won,
            first([print("3 2\n"), print("5 1\n"), Read, Read, print("6 1\n"), Read]),
        ),
        HostileBot::new(
            "all-at-once",
            "prints a whole game before it reads, and exits",
            Verdict::Won,
            vec![print("First\n3 2\n5 1\n6 1\n")],
        ),
    ]
}
