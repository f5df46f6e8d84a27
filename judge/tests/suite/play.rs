//! `judge play` at a terminal.

use crate::support::{AtTerminal, JUDGE};

const SQUARE: &str = "Enter the square number to subtract: ";
const AGAIN: &str = "Again? [Y/n], or undo: ";

/// A prompt, the keys that are typed at it, and words that are shown after them.
type Typed<'a> = (&'a str, &'a str, &'a [&'a str]);

/// Plays at a terminal until the judge ends.
fn play(terminal: &str, args: &str, steps: &[Typed<'_>]) {
    let judge = format!("exec env TERM={terminal} {JUDGE} play {args}");
    let mut game = AtTerminal::run(&["sh", "-c", &judge]);
    for (prompt, keys, shown) in steps {
        game.read_to(prompt);
        game.press(&format!("{keys}\r"));
        for words in *shown {
            game.read_to(words);
        }
    }
    assert_eq!(game.end().1, Some(0), "{args}");
}

/// Checks that a line can be edited, and that earlier lines come back.
#[test]
fn lines_are_edited() {
    let (left, up, backspace, ctrl_a) = ("\x1b[D", "\x1b[A", "\x7f", "\x01");
    play(
        "xterm",
        "square 100 --players 2",
        &[
            (SQUARE, &format!("9x{backspace}"), &["Player 1 subtracts 9. "]),
            (SQUARE, &format!("6{left}1"), &["Player 2 subtracts 16. "]),
            (SQUARE, &format!("5{ctrl_a}2"), &["Player 1 subtracts 25. "]),
            (SQUARE, &up.repeat(3), &["Player 2 subtracts 9. New total is 41."]),
            (SQUARE, "quit", &["Goodbye."]),
        ],
    );
}

/// Checks that a win is green, and that a loss is red and names the move that threw the win away. A terminal that
/// cannot move its cursor can be played at too.
#[test]
fn the_end_has_its_colour() {
    let (green, red) = ("\x1b[32m\x1b[1mYou win!", "\x1b[31m\x1b[1mYou lose.");
    let no_mistake = "The bot made no mistake: whoever moves second loses this game";
    let mistake = "Move 1 (9) threw your win away; 1 would have kept it.";
    play(
        "xterm",
        "square 11 --first",
        &[(SQUARE, "9", &[]), (SQUARE, "1", &[green, no_mistake]), (AGAIN, "n", &[])],
    );
    play("xterm", "square 18 --first", &[(SQUARE, "9", &[red, mistake]), (AGAIN, "n", &[])]);
    play("dumb", "square 1 --first", &[(SQUARE, "1", &["You win!"]), (AGAIN, "n", &[])]);
}

/// Checks that a new game follows the answer yes, which is an empty line too, and that the end can be taken back.
#[test]
fn answers_after_the_end() {
    let begins = "You are Player 1, the bot is Player 2.";
    play(
        "xterm",
        "square 1 --first",
        &[
            (SQUARE, "1", &[]),
            (AGAIN, "", &[begins, "Current Total: 1\r\n"]),
            (SQUARE, "1", &[]),
            (AGAIN, "perhaps", &["expected y, n or undo, got \"perhaps\""]),
            (AGAIN, "undo", &["Taken back: 1.", "Current Total: 1"]),
            (SQUARE, "resign", &[]),
            (AGAIN, "YES", &[begins]),
            (SQUARE, "quit", &["Goodbye."]),
        ],
    );
}

#[test]
fn ctrl_c_and_the_end_of_the_input_end_the_game() {
    for (key, farewell) in [("\x03", "Goodbye."), ("\x04", "The input has ended, so the game ends too.")] {
        let shown = [farewell];
        let end = |prompt| (prompt, key, &shown[..]);
        play("xterm", "square 1", &[end("[y/n] ")]);
        play("xterm", "square 1 --first", &[end(SQUARE)]);
        play("xterm", "square 1 --first", &[(SQUARE, "1", &[]), end(AGAIN)]);
    }
}
