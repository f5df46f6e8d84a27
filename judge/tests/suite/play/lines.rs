//! The lines that a person may type, and the answers.

use super::{ENDED, assert_dialogue, dialogue};

/// The answer to this line as the first one.
#[track_caller]
fn assert_answer(args: &str, line: &[u8], expected: &str) {
    const PROMPTS: [&str; 2] =
        ["Enter the square number to subtract: ", "Enter a move \"x y\" or \"help\": "];
    let shown = dialogue(args, line);
    let prompt = PROMPTS.into_iter().find(|prompt| shown.contains(prompt)).unwrap();
    let answers: Vec<&str> = shown.split(prompt).collect();
    assert_eq!(answers[1], format!("{expected}\n"), "{args}: {}", line.escape_ascii());
    assert_eq!(answers[2..], [ENDED], "it is asked again");
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
    let shown = dialogue("square 1 --first", &lines);
    assert_eq!(shown.matches("got a line of more than 4096 bytes\n").count(), 1, "{shown}");
    assert!(shown.ends_with("New total is 0.\nPlayer 1 wins!\n"), "{shown}");
}

#[test]
fn an_impossible_move_is_refused() {
    let board = |line: &str, expected: &str| assert_answer("6 1 2 --first", line.as_bytes(), expected);
    board("7 1\n", "7 1 is not a legal move: there is no such place, they are numbered 1 to 6.");
    board("6 2\n", "6 2 is not a legal move: from there on the row has only 1 left.");
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
    board("1 99999999999999999999999\n", "The number is too large: expected at most 18446744073709551615.");
}

#[test]
fn legal_moves() {
    assert_answer("square 20 --first", b"moves\n", "Legal moves: 1, 4, 9, 16");
    assert_answer("square 4 1 --first", b"moves\n", "Legal moves: 1 1, 1 4, 2 1");
    let all = dialogue("nim 40 --first", b"moves\n");
    assert!(all.contains(", 1 39, 1 40\n"), "{all}");
    let not_all = dialogue("nim 41 --first", b"moves\n");
    assert!(not_all.contains(", 1 39, 1 40, ... (41 in all)\n"), "{not_all}");
    let many = dialogue("square 1000000000000000000 --players 2", b"");
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
    let two = dialogue("square 20 --players 2", b"9\nundo\n16\n");
    assert!(two.contains(": Taken back: 9.\nPlayer 1's turn.\nCurrent Total: 20\n"), "{two}");
    assert!(two.contains("Player 1 subtracts 16. New total is 4.\nPlayer 2's turn."), "{two}");
    let bot = dialogue("nim 3 5 --first", b"2 2\n1 1\nundo\nundo\nundo\n");
    assert!(bot.contains(": Taken back: 2 2, 1 "), "{bot}");
    assert_eq!(bot.matches("  nim: 1: 3  2: 5\n").count(), 2, "{bot}");
    assert!(bot.contains(none), "{bot}");
}

#[test]
fn resigning_and_quitting() {
    let resigned = dialogue("square 20 --players 2", b"9\nresign\n");
    assert!(resigned.ends_with(": Player 2 resigns.\nPlayer 1 wins!\n"), "{resigned}");
    let resigned = dialogue("6 1 2 --first", b"resign\n");
    let end = ": Player 1 resigns.\nYou lose.\nYou could have won: 3 2 was a winning move.\n";
    assert!(resigned.ends_with(end), "{resigned}");
    let exact = dialogue("square 20 --second", b"resign\n");
    assert!(exact.ends_with(": Player 2 resigns.\nPlayer 1 wins!\n"), "{exact}");
    let quit = dialogue("6 1 2 --first", b"quit\n1 1\n");
    assert!(quit.ends_with(": Goodbye.\n"), "{quit}");
}

#[test]
fn help_lists_every_command() {
    for game in ["square 20", "6 1 2"] {
        let help = dialogue(&format!("{game} --first"), b"help\n");
        for word in ["hint", "moves", "undo", "resign", "help", "quit"] {
            assert!(help.contains(&format!("\n  {word}  ")), "no {word}: {help}");
        }
    }
}

#[test]
fn the_side_is_asked_for() {
    const ASK: &str = "Do you want to move first? [y/n] ";
    for (yes, you) in [("y", 1), ("YES", 1), (" n ", 2), ("no\r", 2)] {
        let shown = dialogue("square 20", format!("{yes}\n").as_bytes());
        assert!(shown.starts_with(&format!("{ASK}You are Player {you}, the bot is Player ")), "{shown}");
    }
    let nonsense = dialogue("", b"perhaps\n\ny\n");
    let refused = format!(
        "{ASK}expected y, n or quit, got \"perhaps\"\n{ASK}expected y, n or quit, got \"\"\n{ASK}You"
    );
    assert!(nonsense.starts_with(&refused) && nonsense.contains("Current Total: 20\n"), "{nonsense}");
    assert_dialogue("", "", &format!("{ASK}{ENDED}"));
    assert_dialogue("", "quit\n", &format!("{ASK}Goodbye.\n"));
    assert!(dialogue("--players 1 --second", b"").starts_with("You are Player 2, the bot is Player 1."));
}
