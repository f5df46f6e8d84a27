//! `judge play` at a terminal and through a pipe.

use std::process::Stdio;

use crate::support::{AtTerminal, Printed, command, judge_reading};

/// Checks that control characters of a refused line are escaped.
#[test]
fn control_characters_are_escaped() {
    judge_reading("play square 20 --first", b"9\0\xff\x1b[2J\n")
        .prints(r#"or a command such as help, got "9\x00\xff\x1b[2J""#);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut judge = command("play --players 2", &[]).stdout(writer).stdin(Stdio::null()).spawn().unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(0));
}

const SQUARE: &str = "Enter the square number to subtract: ";
const AGAIN: &str = "Again? [Y/n], or undo: ";
const UP: &str = "\x1b[A";
const LEFT: &str = "\x1b[D";
const BACKSPACE: &str = "\x7f";
const CTRL_A: &str = "\x01";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";

fn play(args: &str) -> AtTerminal {
    AtTerminal::start(&format!("play {args}"), &[])
}

/// Checks that a line can be edited, and that earlier lines come back.
#[test]
fn lines_are_edited() {
    let mut game = play("square 100 --players 2");
    for (keys, subtracted) in [
        (format!("9x{BACKSPACE}"), "Player 1 subtracts 9. "),
        (format!("6{LEFT}1"), "Player 2 subtracts 16. "),
        (format!("5{CTRL_A}2"), "Player 1 subtracts 25. "),
        (format!("{UP}{UP}{UP}"), "Player 2 subtracts 9. New total is 41."),
    ] {
        game.answer(SQUARE, &keys);
        game.read_to(subtracted);
    }
}

/// Checks that a win is green, and that a loss is red and names the move that threw the win away.
#[test]
fn the_end_has_its_colour() {
    for (header, moves, end, words) in [
        (
            "square 11",
            &["9", "1"][..],
            format!("{GREEN}You win!"),
            "The bot made no mistake: whoever moves second loses this game",
        ),
        (
            "square 18",
            &["9"],
            format!("{RED}You lose."),
            "Move 1 (9) threw your win away; 1 would have kept it.",
        ),
    ] {
        let mut game = play(&format!("{header} --first"));
        let mut shown: String = moves.iter().map(|line| game.answer(SQUARE, line)).collect();
        shown += &game.answer(AGAIN, "n");
        assert!(shown.contains(&end) && shown.contains(words), "{shown:?}");
        let (rest, code) = game.end();
        assert_eq!((rest.contains("Player"), code), (false, Some(0)), "{rest:?}");
    }
}

/// Checks that a new game follows the answer yes. An empty line means yes.
#[test]
fn one_game_follows_the_other() {
    for yes in ["", "y", "YES"] {
        let mut game = play("square 1 --first");
        game.answer(SQUARE, "1");
        game.answer(AGAIN, yes);
        let shown = game.answer(SQUARE, "quit");
        assert!(shown.contains("You are Player 1, the bot is Player 2."), "{shown:?}");
        assert!(shown.contains("Current Total: 1\r\n"), "{shown:?}");
        assert_eq!(game.end().1, Some(0));
    }
    let mut game = play("square 1 --first");
    game.answer(SQUARE, "1");
    game.answer(AGAIN, "perhaps");
    game.read_to("expected y, n or undo, got \"perhaps\"");
    game.answer(AGAIN, "n");
    assert_eq!(game.end().1, Some(0));
}

#[test]
fn a_move_is_taken_back_after_the_end() {
    let mut game = play("square 18 --first");
    game.answer(SQUARE, "9");
    game.answer(AGAIN, "undo");
    game.read_to("Taken back: 9, 9.");
    let shown = game.answer(SQUARE, "1");
    assert!(shown.contains("Current Total: 18"), "{shown:?}");
    // The person now has a won position.
    game.read_to("Player 2 subtracts ");
    game.answer(SQUARE, "resign");
    game.answer(AGAIN, "undo");
    game.read_to("Taken back: the resignation.");
    game.answer(SQUARE, "quit");
    assert_eq!(game.end().1, Some(0));
}

#[test]
fn ctrl_c_and_the_end_of_the_input_end_the_game() {
    for (key, farewell) in [(CTRL_C, "Goodbye."), (CTRL_D, "The input has ended, so the game ends too.")] {
        for prompt in ["[y/n] ", SQUARE, AGAIN] {
            let mut game = play(if prompt == "[y/n] " { "square 1" } else { "square 1 --first" });
            if prompt == AGAIN {
                game.answer(SQUARE, "1");
            }
            game.read_to(prompt);
            game.press(key);
            game.read_to(farewell);
            assert_eq!(game.end().1, Some(0), "{farewell} at {prompt}");
        }
    }
}

/// Checks that a game can be played at a terminal that cannot move its cursor.
#[test]
fn a_terminal_without_a_cursor() {
    let mut game = AtTerminal::start("play square 1 --first", &[("TERM", "dumb")]);
    game.answer(SQUARE, "1");
    game.answer(AGAIN, "n");
    assert_eq!(game.end().1, Some(0));
}
