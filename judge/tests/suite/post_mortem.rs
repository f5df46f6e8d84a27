//! The report of a game, and the command that plays it again.

use std::os::unix::ffi::OsStrExt;

use serde_json::json;

use crate::support::{NO_CORPUS, command, games, judge, text, timeless};

/// A bot that takes the first card, where the middle would win, and then prints 0 0.
const BLUNDERS: &str = "read h; echo First; echo 1 1; read x; echo 0 0; read x";

#[test]
fn a_lost_game_is_explained() {
    let output = judge("run 6 1 2 --opponent perfect", &["sh", "-c", BLUNDERS]);
    let command = format!("    again: judge run 6 1 2 --opponent perfect --seed 1 -- sh -c '{BLUNDERS}'\n");
    let expected = [
        "RESIGNED 6 1 2 as First against perfect (seed 1): move 3: the bot printed \"0 0\", but it could play \"2 1\"\n",
        "    what to do: print \"0 0\" only when the bot has no legal move left\n",
        "    review: with perfect play First wins; the bot was First\n",
        "    review: move 1, \"1 1\", was a blunder: after it Second can win, for instance by \"4 1\"; \"3 2\" would have kept the win\n",
        "    review: 1 blunder by the bot, 0 by its opponent\n",
        &command,
        "    (2 moves)\n",
        &format!("sh -c '{BLUNDERS}': 0 of 1 game won\n"),
    ];
    assert_eq!(timeless(text(&output.stdout)), expected.concat());
}

#[test]
fn blunders_as_json() {
    let (lines, _) = games("6 1 2 --opponent perfect", &["sh", "-c", BLUNDERS]);
    assert_eq!(lines[0]["start_won_by"], "First");
    assert_eq!(lines[0]["blunders"], json!([{"ply": 1, "move": [1, 1], "nimber": 4, "better": [3, 2]}]));
    assert_eq!(lines[0]["opponent_blunders"], 0);
    assert_eq!(lines[0]["bot"], json!(["sh", "-c", BLUNDERS]));
    let advice = "print \"0 0\" only when the bot has no legal move left";
    assert_eq!((&lines[0]["why"], &lines[0]["advice"]), (&json!(null), &json!([advice])));
    let again = format!("judge run 6 1 2 --opponent perfect --seed 1 -- sh -c '{BLUNDERS}'");
    assert_eq!(lines[0]["again"], again.as_str());
    let (won, _) = games("6 1 2 --opponent slow", &[]);
    assert_eq!((&won[0]["blunders"], &won[0]["start_won_by"]), (&json!([]), &json!("First")));
    let (unreached, _) = games("1000000000 3 3", &["sh", "-c", "read h; echo First; read x; exit"]);
    assert_eq!((&unreached[0]["blunders"], &unreached[0]["start_won_by"]), (&json!(null), &json!(null)));
}

/// A bot that chooses the side that loses is told so, with the move that wins; an assigned side is not its choice.
#[test]
fn the_wrong_side() {
    let script = "read h; echo Second; read x; echo 0 0; read x";
    let bot = ["sh", "-c", script];
    let output = judge("run 6 1 2", &bot);
    let expected = [
        "    review: you chose Second; First wins here, for instance by taking 2 at place 3 (print \"3 2\")\n",
        "    review: 1 blunder by the bot, 0 by its opponent\n",
    ];
    assert!(text(&output.stdout).contains(&expected.concat()), "{}", text(&output.stdout));
    let (lines, _) = games("6 1 2", &bot);
    let blunder = json!({"ply": 0, "side": "Second", "nimber": null, "better": [3, 2]});
    assert_eq!(lines[0]["blunders"], json!([blunder]));
    let output = judge("run 2 1 1", &["sh", "-c", "read h; echo First; echo 1 1; read x; echo 0 0; read x"]);
    assert!(text(&output.stdout).contains("    review: you chose First; Second wins here\n"), "{output:?}");
    let (lines, _) = games("6 1 2 seat second", &bot);
    assert_eq!(lines[0]["blunders"], json!([]));
}

/// Perfect play does not explain a bot that crashed or printed something else.
#[test]
fn no_review_of_a_bot_that_does_not_play() {
    for (last, verdict) in [("echo three", "MALFORMED"), ("exit 3", "CRASHED"), ("exit 0", "EXITED_EARLY")] {
        let script = format!("read h; echo First; echo 1 1; read x; {last}; read x");
        let output = judge("run 6 1 2", &["sh", "-c", &script]);
        let shown = text(&output.stdout);
        assert!(shown.starts_with(verdict) && !shown.contains("review"), "{shown}");
        assert!(shown.contains("\n    again: judge run 6 1 2 "), "{shown}");
    }
}

/// The bundled bot makes no blunders, and a random opponent does.
#[test]
fn a_perfect_bot_makes_no_blunder() {
    let (lines, _) = games("30 2 3 --opponent random --games 20", &[]);
    assert!(lines.iter().all(|game| game["blunders"] == json!([])), "{lines:?}");
    let (lines, _) = games("30 2 3 seat second --opponent random --games 20", &[]);
    assert!(lines.iter().all(|game| game["blunders"] == json!([])), "{lines:?}");
    assert!(lines.iter().any(|game| game["opponent_blunders"].as_u64() > Some(0)), "{lines:?}");
}

/// The command at the end of a report plays the same game, also if it needs quotes.
#[test]
fn the_command_plays_the_game_again() {
    let script = "read h; echo First; echo \"$1\" '$x' >&2; exit 3";
    let first =
        judge("run --games 3 --seed 5 --opponent random --time-limit 1.5", &["sh", "-c", script, "a b"]);
    let shown = timeless(text(&first.stdout));
    let command = shown.lines().filter_map(|line| line.strip_prefix("    again: ")).next_back().unwrap();
    assert!(command.contains(" --seed 7 --time-limit 1.5 -- sh -c "), "{command}");
    let again = std::process::Command::new("sh")
        .args(["-c", &command.replace("judge run", concat!(env!("CARGO_BIN_EXE_judge"), " run"))])
        .envs([NO_CORPUS])
        .output()
        .unwrap();
    let last_game = shown.lines().rfind(|line| line.starts_with("CRASHED")).unwrap();
    assert_eq!(timeless(text(&again.stdout)).lines().next(), Some(last_game));
}

/// Giving up a won position is not a blunder, but the game is lost.
#[test]
fn a_won_position_that_is_given_up() {
    let script = "read h; echo First; echo 0 0; read x";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let message =
        "bot was First\n    review: the bot resigned a position that it could have won\n    again: ";
    assert!(text(&output.stdout).contains(message), "{}", text(&output.stdout));
    let resigned = |script| games("6 1 2", &["sh", "-c", script]).0[0]["resigned_won"].clone();
    assert_eq!((resigned(script), resigned(BLUNDERS)), (json!(true), json!(false)));
}

/// Control characters in stderr are escaped.
#[test]
fn stderr_is_shown_as_it_is() {
    let script = "printf 'a\\342\\200\\256b\\033c\\tz\\303\\274' >&2; exit 3";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.contains("    stderr: a\\u{202e}b\\u{1b}c\tz\u{fc}\n"), "{shown}");
}

/// No command is shown rather than a wrong one.
#[test]
fn a_command_that_is_no_text() {
    let play = |args: &str| {
        let mut judge = command(args, &["sh", "-c", "exit 3", "x"]);
        judge.arg(std::ffi::OsStr::from_bytes(b"a\xff")).output().unwrap()
    };
    let shown = play("run 6 1 2");
    let message = "    again: the command cannot be shown, because it is not UTF-8\n";
    assert!(text(&shown.stdout).contains(message), "{}", text(&shown.stdout));
    let json = play("run 6 1 2 --json");
    assert!(!text(&json.stdout).contains("again"), "{}", text(&json.stdout));
}
