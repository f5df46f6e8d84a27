//! `judge play`: whole games through a pipe, and the behaviour at a terminal.

use std::process::Stdio;

use zeroxor::{Move, Position};

use crate::support::{AtTerminal, command, judge_reading, reading, text};

/// Returns the output for a person who types `lines`. Checks that the judge ends with success.
#[track_caller]
fn dialogue(args: &str, lines: &[u8]) -> String {
    let output = judge_reading(&format!("play {args}"), lines);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    text(&output.stdout).to_owned()
}

/// Checks that control characters of a refused line are escaped.
#[test]
fn control_characters_are_escaped() {
    let shown = dialogue("square 20 --first", b"9\0\xff\x1b[2J\n");
    assert!(shown.contains(r#"or a command such as help, got "9\x00\xff\x1b[2J""#), "{shown}");
}

/// Checks that there is no colour through a pipe unless `CLICOLOR_FORCE` is set, and none if `NO_COLOR` is set.
#[test]
fn colour() {
    let is_coloured = |variables: &[&str]| {
        let mut judge = command("play square 1 --players 2", &[]);
        judge.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        judge.envs(variables.iter().map(|variable| (variable, "1")));
        reading(&mut judge, b"2\n1\n").stdout.contains(&0x1b)
    };
    assert!(!is_coloured(&[]));
    assert!(is_coloured(&["CLICOLOR_FORCE"]), "CLICOLOR_FORCE turns colour on");
    assert!(!is_coloured(&["CLICOLOR_FORCE", "NO_COLOR"]));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut judge = command("play --players 2", &[]).stdout(writer).stdin(Stdio::null()).spawn().unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(0));
}

/// Checks that the bot wins against a person who types all lines from `1 1` to `15 15` again and again, and that the
/// printed moves are legal.
#[test]
fn whole_games_against_the_bot() {
    for (header, side) in [
        ("12 2 3", "second"),
        ("15 2 2", "first"),
        ("segment 9 2 3 + square 5 ban 1 + euclid 7 3", "second"),
        ("nim 3 5 7", "second"),
        ("divisor 9 9 + subtract 6 take 2 3 + subtract 6 take 2 3", "first"),
    ] {
        let tries = (1..=15).flat_map(|x| (1..=15).map(move |y| format!("{x} {y}\n")));
        let lines = tries.collect::<String>().repeat(20);
        let printed = dialogue(&format!("{header} --{side}"), lines.as_bytes());
        let end = "\nYou lose.\nYou made no mistake: whoever moves ";
        assert!(printed.contains(end), "{header}: {printed}");
        let mut position = Position::new(&header.parse().unwrap()).unwrap();
        for line in printed.lines() {
            let Some((_, printed)) = line.split_once("Player ") else { continue };
            let Some((_, taken)) = printed.split_once(" takes ") else { continue };
            let (take, place) = taken.trim_end_matches('.').split_once(" at place ").unwrap();
            let mv = Move { place: place.parse().unwrap(), take: take.parse().unwrap() };
            position.play(mv).unwrap();
        }
        assert!(position.is_over(), "{header}");
    }
}

/// Returns the bot's moves in a game in which the person always takes 1.
fn bots_moves(args: &str) -> Vec<String> {
    let shown = dialogue(args, "1 1\n2 1\n3 1\n".repeat(40).as_bytes());
    let moves = shown.lines().filter(|line| line.starts_with("Player 2 takes"));
    moves.map(str::to_owned).collect()
}

#[test]
fn a_seed_makes_the_same_game() {
    const GAME: &str = "nim 30 40 50 --first --level easy --seed";
    assert_eq!(bots_moves(&format!("{GAME} 7")), bots_moves(&format!("{GAME} 7")));
    assert_ne!(bots_moves(&format!("{GAME} 7")), bots_moves(&format!("{GAME} 8")));
}

/// Checks that a bot of a lower level can lose a game that it could win, and that a perfect bot does not. The person
/// types a fixed list of moves again and again.
#[test]
fn a_lower_level_can_be_beaten() {
    // First loses the start 1, 2, 3: a perfect bot wins against every move of the person.
    let wins = |level: &str, seed: u64| {
        let lines = "1 1\n2 2\n2 1\n3 3\n3 2\n3 1\n".repeat(10);
        let shown = dialogue(&format!("nim 1 2 3 --first --level {level} --seed {seed}"), lines.as_bytes());
        shown.contains("\nYou win!\n")
    };
    let won = |level| (1..=20).filter(|&seed| wins(level, seed)).count();
    assert_eq!(won("perfect"), 0);
    assert!(won("normal") > 0 && won("easy") > 0);
}

const SQUARE: &str = "Enter the square number to subtract: ";
const MOVE: &str = "Enter a move \"x y\" or \"help\": ";
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

#[test]
fn lines_are_edited() {
    let mut game = play("square 100 --players 2");
    for (keys, subtracted) in [
        (format!("9x{BACKSPACE}"), "Player 1 subtracts 9. "),
        (format!("6{LEFT}1"), "Player 2 subtracts 16. "),
        (format!("5{CTRL_A}2"), "Player 1 subtracts 25. "),
    ] {
        game.answer(SQUARE, &keys);
        game.read_to(subtracted);
    }
}

#[test]
fn earlier_lines_come_back() {
    let mut game = play("square 100 --players 2");
    game.answer(SQUARE, "9");
    game.answer(SQUARE, "4");
    game.answer(SQUARE, &format!("{UP}{UP}"));
    game.read_to("Player 1 subtracts 9. New total is 78.");
}

#[test]
fn a_win_is_green() {
    let mut game = play("square 11 --first");
    game.answer(SQUARE, "9");
    let shown = game.answer(SQUARE, "1") + &game.answer(AGAIN, "n");
    assert!(shown.contains(&format!("{GREEN}You win!")), "{shown:?}");
    assert!(shown.contains("The bot made no mistake: whoever moves second loses this game"), "{shown:?}");
    let (rest, code) = game.end();
    assert_eq!((rest.contains("Player"), code), (false, Some(0)), "{rest:?}");
}

#[test]
fn a_loss_is_red_and_names_the_move_that_threw_the_win_away() {
    let mut game = play("square 18 --first");
    let shown = game.answer(SQUARE, "9") + &game.answer(AGAIN, "no");
    let expected = format!("{RED}You lose.");
    assert!(shown.contains(&expected) && !shown.contains(GREEN), "{shown:?}");
    assert!(shown.contains("Move 1 (9) threw your win away; 1 would have kept it."), "{shown:?}");
    assert_eq!(game.end().1, Some(0));
}

#[test]
fn no_color_turns_colour_off() {
    let mut game = AtTerminal::start("play square 18 --first", &[("NO_COLOR", "1")]);
    let shown = game.answer(SQUARE, "9") + &game.answer(AGAIN, "n");
    assert!(shown.contains("You lose.") && !shown.contains(RED), "{shown:?}");
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
fn nothing_can_be_taken_back_before_the_first_move() {
    let mut game = play("square 3 ban 1 --first");
    game.answer(AGAIN, "undo");
    game.read_to("There is no move to take back.");
    game.answer(AGAIN, "n");
    assert_eq!(game.end().1, Some(0));
}

#[test]
fn a_long_row_has_a_ruler() {
    let mut game = play("100 3 5 --players 2");
    game.answer(MOVE, "20 5");
    let shown = game.answer(MOVE, "quit");
    for line in [
        "                10        20        30        40        50\r\n",
        "      1 ###################xxxxx##########################\r\n",
        "     51 ##################################################\r\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
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
