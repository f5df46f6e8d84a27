//! `judge play`, through a pipe.

use zeroxor::{Move, Position};

use crate::judge::{command, judge_reading, reading, text};

/// What is said to a person who types these lines, in a game that ends well.
#[track_caller]
fn said(args: &str, lines: &[u8]) -> String {
    let output = judge_reading(&format!("play {args}"), lines);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    text(&output.stdout).to_owned()
}

#[track_caller]
fn assert_said(args: &str, lines: &str, expected: &str) {
    assert_eq!(said(args, lines.as_bytes()), expected, "{args}");
}

/// What is said to this line, typed first of all.
#[track_caller]
fn assert_answer(args: &str, line: &[u8], expected: &str) {
    const PROMPTS: [&str; 2] =
        ["Enter the square number to subtract: ", "Enter a move \"x y\" or \"help\": "];
    let said = said(args, line);
    let prompt = PROMPTS.into_iter().find(|prompt| said.contains(prompt)).unwrap();
    let answers: Vec<&str> = said.split(prompt).collect();
    assert_eq!(answers[1], format!("{expected}\n"), "{args}: {}", line.escape_ascii());
    assert_eq!(answers[2..], [ENDED], "it is asked again");
}

const ENDED: &str = "\nThe input has ended, so the game ends too.\n";

/// The classic game, prompts included. What was typed does not show in a pipe.
#[test]
fn the_classic_game() {
    assert_said(
        "--players 2",
        "9\n9\n1\n1\n",
        "Player 1's turn.
Current Total: 20
Available squares to subtract: 1, 4, 9, 16
Enter the square number to subtract: Player 1 subtracts 9. New total is 11.
Player 2's turn.
Current Total: 11
Available squares to subtract: 1, 4, 9
Enter the square number to subtract: Player 2 subtracts 9. New total is 2.
Player 1's turn.
Current Total: 2
Available squares to subtract: 1
Enter the square number to subtract: Player 1 subtracts 1. New total is 1.
Player 2's turn.
Current Total: 1
Available squares to subtract: 1
Enter the square number to subtract: Player 2 subtracts 1. New total is 0.
Player 2 wins!
",
    );
}

/// After 9 every move is forced.
#[test]
fn the_classic_game_against_the_bot() {
    assert_said(
        "square 11 --first",
        "9\n1\n",
        "You are Player 1, the bot is Player 2. Type help for the commands.
Player 1's turn.
Current Total: 11
Available squares to subtract: 1, 4, 9
Enter the square number to subtract: Player 1 subtracts 9. New total is 2.
Player 2's turn.
Player 2 subtracts 1. New total is 1.
Player 1's turn.
Current Total: 1
Available squares to subtract: 1
Enter the square number to subtract: Player 1 subtracts 1. New total is 0.
Player 1 wins!
",
    );
}

#[test]
fn who_is_stuck_loses_and_is_told_why() {
    let said = said("square 7 ban 1 --players 2", b"4\n");
    let end = "New total is 3.
Player 2 is stuck: no available square can be subtracted from 3.
Player 1 wins!
";
    assert!(said.ends_with(end), "{said}");
    let stuck = "Player 1 is stuck: no available square can be subtracted from 3.\nPlayer 2 wins!\n";
    assert_said("square 3 ban 1 --players 2", "", stuck);
}

#[test]
fn an_impossible_square_is_refused() {
    let classic = |line: &[u8], expected: &str| assert_answer("square 20 ban 4 --first", line, expected);
    classic(b"5\n", "5 is not a legal move: that is not a perfect square.");
    classic(b"4\n", "4 is not a legal move: that number is banned.");
    classic(b"25\n", "25 is not a legal move: the pile has only 20.");
    let expected = |got: &str| format!("expected a square number or a command such as help, got {got}");
    classic(b"\n", &expected("\"\""));
    classic(b"0\n", &expected("\"0\""));
    classic(b"-9\n", &expected("\"-9\""));
    classic(b"9 9\n", &expected("\"9 9\""));
    classic(b"nine\n", &expected("\"nine\""));
    classic(b"9\0\xff\x1b[2J\n", &expected(r#""9\x00\xff\x1b[2J""#));
    classic(b"99999999999999999999999\n", &expected("\"99999999999999999999999\""));
    let quoted = format!("\"{}\"...", "9".repeat(60));
    classic(&[b'9'; 4096], &expected(&format!("{quoted} (4096 bytes)")));
    let longer = format!("{}\n", "9".repeat(4097));
    classic(longer.as_bytes(), &expected("a line of more than 4096 bytes"));
}

#[test]
fn five_mebibytes_are_refused_and_the_game_goes_on() {
    let mut lines = vec![b'9'; 5 << 20];
    lines.extend(b"\n1\n");
    let said = said("square 1 --first", &lines);
    assert_eq!(said.matches("got a line of more than 4096 bytes\n").count(), 1, "{said}");
    assert!(said.ends_with("New total is 0.\nPlayer 1 wins!\n"), "{said}");
}

#[test]
fn an_impossible_move_is_refused() {
    let board = |line: &str, expected: &str| assert_answer("6 1 2 --first", line.as_bytes(), expected);
    board("7 1\n", "7 1 is not a legal move: there is no such place, they are numbered 1 to 6.");
    board("6 2\n", "6 2 is not a legal move: only 1 in a row are free from there on.");
    board("1 3\n", "1 3 is not a legal move: a move takes 1 to 2 in a row.");
    let huge = "18446744073709551615 18446744073709551615";
    board(
        &format!("{huge}\n"),
        &format!("{huge} is not a legal move: there is no such place, they are numbered 1 to 6."),
    );
    let expected = "expected a move \"x y\" with both at least 1, or a command such as help";
    for line in ["", "1", "0 0", "0 1", "-1 -1", "1 1 1", "quit now"] {
        board(&format!("{line}\n"), &format!("{expected}, got \"{line}\""));
    }
}

#[test]
fn hints() {
    assert_answer("square 4 --first", b"hint\n", "Hint: 4 wins.");
    assert_answer("square 20 --first", b"HINT\n", "Hint: no move wins against perfect play.");
    assert_answer("6 1 2 --first", b" hint\r\n", "Hint: 3 2 wins.");
    let beyond = said("1000000000 3 3 --first", b"hint\n2 3\n");
    assert!(
        beyond.contains("Hint: the winning move cannot be computed: a Grundy table of segments"),
        "{beyond}"
    );
    let blind = "The bot cannot compute who wins, and plays on without knowing it: a Grundy table";
    assert!(beyond.contains(blind) && beyond.contains("\nPlayer 2 takes 3 at place "), "{beyond}");
}

#[test]
fn legal_moves() {
    assert_answer("square 20 --first", b"moves\n", "Legal moves: 1, 4, 9, 16");
    assert_answer("square 4 1 --first", b"moves\n", "Legal moves: 1 1, 1 4, 2 1");
    let all = said("nim 40 --first", b"moves\n");
    assert!(all.contains(", 1 39, 1 40\n"), "{all}");
    let not_all = said("nim 41 --first", b"moves\n");
    assert!(not_all.contains(", 1 39, 1 40, ... (41 in all)\n"), "{not_all}");
    let many = said("square 1000000000000000000 --players 2", b"");
    let listed = "to subtract: 1, 4, 9, 16, 25, ";
    assert!(many.contains(listed) && many.contains(", 1521, 1600, ... (1000000000 in all)\n"), "{many}");
}

#[test]
fn undo() {
    let none = "There is no move to take back.";
    assert_answer("square 20 --first", b"undo\n", none);
    assert_answer("square 20 --players 2", b"undo\n", none);
    // The bot's own first move is no reply.
    assert_answer("square 20 --second", b"undo\n", none);
    let two = said("square 20 --players 2", b"9\nundo\n16\n");
    assert!(two.contains(": Taken back: 9.\nPlayer 1's turn.\nCurrent Total: 20\n"), "{two}");
    assert!(two.contains("Player 1 subtracts 16. New total is 4.\nPlayer 2's turn."), "{two}");
    let bot = said("nim 3 5 --first", b"2 2\n1 1\nundo\nundo\nundo\n");
    assert!(bot.contains(": Taken back: 2 2, 1 "), "{bot}");
    assert_eq!(bot.matches("  nim: 1: 3  2: 5\n").count(), 2, "{bot}");
    assert!(bot.contains(none), "{bot}");
}

#[test]
fn resigning_and_quitting() {
    let resigned = said("square 20 --players 2", b"9\nresign\n");
    assert!(resigned.ends_with(": Player 2 resigns.\nPlayer 1 wins!\n"), "{resigned}");
    let resigned = said("6 1 2 --second", b"resign\n");
    assert!(resigned.ends_with(": Player 2 resigns.\nPlayer 1 wins!\n"), "{resigned}");
    let quit = said("6 1 2 --first", b"quit\n1 1\n");
    assert!(quit.ends_with(": Goodbye.\n"), "{quit}");
}

#[test]
fn help_lists_every_command() {
    for game in ["square 20", "6 1 2"] {
        let help = said(&format!("{game} --first"), b"help\n");
        for word in ["hint", "moves", "undo", "resign", "help", "quit"] {
            assert!(help.contains(&format!("\n  {word}  ")), "no {word}: {help}");
        }
    }
}

#[test]
fn the_side_is_asked_for() {
    const ASK: &str = "Do you want to move first? [y/n] ";
    for (yes, you) in [("y", 1), ("YES", 1), (" n ", 2), ("no\r", 2)] {
        let said = said("square 20", format!("{yes}\n").as_bytes());
        assert!(said.starts_with(&format!("{ASK}You are Player {you}, the bot is Player ")), "{said}");
    }
    let nonsense = said("", b"perhaps\n\ny\n");
    let refused = format!(
        "{ASK}expected y, n or quit, got \"perhaps\"\n{ASK}expected y, n or quit, got \"\"\n{ASK}You"
    );
    assert!(nonsense.starts_with(&refused) && nonsense.contains("Current Total: 20\n"), "{nonsense}");
    assert_said("", "", &format!("{ASK}{ENDED}"));
    assert_said("", "quit\n", &format!("{ASK}Goodbye.\n"));
    assert!(said("--players 1 --second", b"").starts_with("You are Player 2, the bot is Player 1."));
}

/// The last line needs no end.
#[test]
fn the_input_may_end_anywhere() {
    assert!(said("6 1 2 --first", b"").ends_with(&format!("\"help\": {ENDED}")));
    let said = said("square 20 --players 2", b"9\n4");
    assert!(said.contains("Player 2 subtracts 4. New total is 7.\nPlayer 1's turn."), "{said}");
    assert!(said.ends_with(ENDED), "{said}");
}

#[test]
fn two_people_at_a_row_of_cards() {
    assert_said(
        "5 2 2 --players 2",
        "4 2\n1 2\n",
        r#"Player 1's turn.
  segment 2 2: 1 2 3 4 5
Enter a move "x y" or "help": Player 1 takes 2 at place 4.
Player 2's turn.
  segment 2 2: 1 2 3 . .
Enter a move "x y" or "help": Player 2 takes 2 at place 1.
  segment 2 2: . . 3 . .
Player 1 has no legal move.
Player 2 wins!
"#,
    );
}

/// A person who tries every line there is, over and over, until the game is over: the bot wins what it can,
/// and all that is said to be taken is a legal game to its end.
#[test]
fn whole_games_against_the_bot() {
    for (header, side, winner) in [
        ("12 2 3", "second", 1),
        ("15 2 2", "first", 2),
        ("segment 9 2 3 + square 5 ban 1 + euclid 7 3", "second", 1),
        ("nim 3 5 7", "second", 1),
        ("divisor 9 9 + subtract 6 take 2 3 + subtract 6 take 2 3", "first", 2),
    ] {
        let tries = (1..=15).flat_map(|x| (1..=15).map(move |y| format!("{x} {y}\n")));
        let lines = tries.collect::<String>().repeat(20);
        let said = said(&format!("{header} --{side}"), lines.as_bytes());
        assert!(said.ends_with(&format!("\nPlayer {winner} wins!\n")), "{header}: {said}");
        let mut table = Position::new(&header.parse().unwrap()).unwrap();
        for line in said.lines() {
            let Some((_, said)) = line.split_once("Player ") else { continue };
            let Some((_, taken)) = said.split_once(" takes ") else { continue };
            let (take, place) = taken.trim_end_matches('.').split_once(" at place ").unwrap();
            let mv = Move { place: place.parse().unwrap(), take: take.parse().unwrap() };
            table.play(mv).unwrap();
        }
        assert!(table.is_over(), "{header}");
    }
}

/// No colour through a pipe, and none where `NO_COLOR` is set.
#[test]
fn colour() {
    let is_coloured = |variables: &[&str]| {
        let mut judge = command("play square 1 --players 2", &[]);
        judge.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        judge.envs(variables.iter().map(|variable| (variable, "1")));
        reading(&mut judge, b"2\n1\n").stdout.contains(&0x1b)
    };
    assert!(!is_coloured(&[]));
    assert!(is_coloured(&["CLICOLOR_FORCE"]), "so there is something to leave out");
    assert!(!is_coloured(&["CLICOLOR_FORCE", "NO_COLOR"]));
}

#[test]
fn wrong_usage_is_refused() {
    for (args, reason) in [
        ("6 2 1", "the header is malformed: expected L of at most R = 1, got \"2\" at column 3"),
        ("6 1 x", "the header is malformed: expected"),
        ("chess", "got \"chess\""),
        ("6 1 2 seat first", "expected a header without \"seat\", got \"segment 6 1 2 seat first\": "),
        ("--players 0", "0 is not in 1..=2"),
        ("--players 3", "3 is not in 1..=2"),
        ("--first --second", "'--first' cannot be used with '--second'"),
        ("--players 2 --first", "'--players 2' cannot be used with '--first' or '--second'"),
        ("--second --players 2", "'--players 2' cannot be used with '--first' or '--second'"),
    ] {
        let output = judge_reading(&format!("play {args}"), b"y\n");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args}");
        assert!(text(&output.stderr).contains(reason), "{args}: {}", text(&output.stderr));
    }
    // The side is named where one looks for it.
    let output = judge_reading("play 6 1 2 seat second", b"");
    assert!(text(&output.stderr).contains("--first or --second"), "{}", text(&output.stderr));
}

#[test]
fn a_reader_that_hangs_up_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut judge =
        command("play --players 2", &[]).stdout(writer).stdin(std::process::Stdio::null()).spawn().unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(0));
}
