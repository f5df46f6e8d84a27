//! `judge test` with files of games.

use crate::support::{JUDGE, TestDir, command, json_lines, judge_reading, reading, text};

/// The games that `judge test` plays, as "GAME against OPPONENT (seed S)".
fn played(args: &str, files: &[&str], input: &str) -> Vec<String> {
    let mut judge = command("test --json", &[]);
    let output = reading(judge.args(files).args(args.split_whitespace()), input.as_bytes());
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{args}");
    // Behind the games there may be a summary.
    let games = json_lines(&output.stdout).into_iter().filter(|line| line["verdict"].is_string());
    let words = |game: serde_json::Value| {
        format!(
            "{} against {} (seed {})",
            game["game"].as_str().unwrap(),
            game["opponent"].as_str().unwrap(),
            game["seed"]
        )
    };
    games.map(words).collect()
}

const FILE: &str = "\
# Two rows and piles
6 1 2
  20 3 5 --opponent slow   # as it was lost\r

nim 3 5 7 seat first --seed 9 --opponent random --line \"1 1, 2 2\"
";

#[test]
fn a_file_has_several_games() {
    let here = TestDir::new();
    let file = here.write("starts.txt", FILE);
    let rest = "nim 3 5 7 seat first against random (seed 9)";
    assert_eq!(
        played("", &[&file], ""),
        ["6 1 2 against perfect (seed 1)", "20 3 5 against slow (seed 1)", rest]
    );
    // What a line does not say is as in the command.
    assert_eq!(
        played("--opponent mirror --seed 4", &[&file], ""),
        ["6 1 2 against mirror (seed 4)", "20 3 5 against slow (seed 4)", rest]
    );
    assert_eq!(
        played("-n 2", &["-"], "6 1 2\n9 2 3 --seed 5"),
        [
            "6 1 2 against perfect (seed 1)",
            "6 1 2 against perfect (seed 2)",
            "9 2 3 against perfect (seed 5)",
            "9 2 3 against perfect (seed 6)"
        ]
    );
}

#[test]
fn directories_are_read_in_the_order_of_names() {
    let here = TestDir::new();
    here.directory("b");
    here.directory(".hidden");
    for (name, game) in [("c.txt", "3 1 1"), ("b/2.in", "2 1 1"), ("b/10.in", "10 1 1"), ("a.in", "1 1 1")] {
        here.write(name, game);
    }
    for name in ["a.ans", "README.md", "b/x.yaml", ".hidden/1.in", ".0.in"] {
        here.write(name, "no game");
    }
    let directory = here.path().to_str().unwrap();
    let expected =
        ["1 1 1", "10 1 1", "2 1 1", "3 1 1"].map(|game| format!("{game} against perfect (seed 1)"));
    assert_eq!(played("", &[directory], ""), expected);
    let twice = played("", &[&here.file("c.txt"), directory], "");
    assert_eq!((twice.len(), &twice[0]), (5, &expected[3]));
}

#[test]
fn the_options_of_run() {
    let here = TestDir::new();
    let file = here.write("starts.txt", FILE);
    let transcript = here.file("games.jsonl");
    let quiet =
        command("test -q --time-limit 20", &[]).args([&file, "--transcript", &transcript]).output().unwrap();
    assert_eq!((quiet.status.code(), text(&quiet.stdout)), (Some(0), ""));
    assert_eq!(here.read("games.jsonl").matches("\"transcript\":").count(), 3);
    let drawn = command("test -v", &[]).arg(&file).output().unwrap();
    assert!(text(&drawn.stdout).starts_with("      start             ######\n"), "{}", text(&drawn.stdout));
    let lost = command("test", &["sh", "-c", "read h; echo first"]).output().unwrap();
    assert_eq!(lost.status.code(), Some(2), "no file");
    let lost = command("test --grace 0.5", &[])
        .args([&file, "--", "sh", "-c", "read h; echo first"])
        .output()
        .unwrap();
    assert_eq!(lost.status.code(), Some(1));
    assert!(text(&lost.stdout).contains(": 0 of 3 games won"), "{}", text(&lost.stdout));
}

#[test]
fn damaged_files_are_named_with_their_line() {
    let here = TestDir::new();
    let refused = |content: &str, message: &str| {
        let file = here.write("starts.txt", content);
        let output = command("test", &[]).arg(&file).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{content}");
        let expected = format!("judge: {}", message.replace("FILE", &format!("the file {file}")));
        assert!(text(&output.stderr).starts_with(&expected), "{content}: {}", text(&output.stderr));
    };
    refused(
        "6 1 2\n\n6 2 1\n",
        "FILE: line 3: the header is malformed: expected L of at most R = 1, got \"2\"",
    );
    refused("6 1 2\ngrundy 5\n", "FILE: line 2: expected a game in which each move takes cards");
    refused("6 1 2 --games 4\n", "FILE: line 1: expected --opponent, --seed or --line, got \"--games\"");
    refused("6 1 2 --line \"1 1\n", "FILE: line 1: expected a closing quotation mark");
    refused("# nothing\n", "expected a game on a line, such as \"6 1 2 --opponent random\", got none");
    refused(
        &format!("6 1 2{}", " ".repeat(1 << 20)),
        "FILE: line 1: expected at most 1048576 bytes, got more",
    );
    // Some editors put a mark before the text.
    let marked = judge_reading("test -", "\u{feff}6 1 2\n".as_bytes());
    assert_eq!(marked.status.code(), Some(0), "{}", text(&marked.stderr));
    let output = judge_reading("test - --games 2", b"6 1 2 --seed 18446744073709551615\n");
    assert!(text(&output.stderr).starts_with("judge: expected seeds of at most"), "{}", text(&output.stderr));
    let output = judge_reading("test no/such.txt", b"");
    assert!(text(&output.stderr).starts_with("judge: the file no/such.txt cannot be opened: No such file"));
    let empty = here.directory("empty");
    let output = command("test", &[]).arg(&empty).output().unwrap();
    let message = format!("judge: {empty} has no file whose name ends in .in or .txt\n");
    assert_eq!(text(&output.stderr), message);
}

/// An option behind the bot's command is not swallowed by it.
#[test]
fn options_are_never_swallowed_silently() {
    let here = TestDir::new();
    let input = here.write("1.in", "6 1 2\n");
    let test = |args: &[&str]| command("test", &[]).args(args).output().unwrap();
    // By -f the bot's command needs no dashes, and options may stand behind it.
    let late = test(&["-f", &input, JUDGE, "bot", "--opponent", "slow", "--seed", "5"]);
    assert!(text(&late.stdout).starts_with("WON 6 1 2 as First against slow (seed 5)"), "{late:?}");
    // The bot's own options stand behind dashes.
    let own = test(&["-f", &input, "sh", "--", "-c", "read h; echo $0 >&2; exit 3", "--opponent"]);
    assert!(text(&own.stdout).contains("stderr: --opponent\n"), "{own:?}");
    let unknown = test(&["-f", &input, "sh", "-c", "exit 3"]);
    assert_eq!((unknown.status.code(), text(&unknown.stdout)), (Some(2), ""));
    assert!(text(&unknown.stderr).contains("to pass '-c' as a value, use '-- -c'"), "{unknown:?}");
    // Without -f the words are files, and what follows a source is the bot's.
    let source = here.write("bot.sh", "read h; echo $1 >&2; exit 3");
    let own = test(&[&input, &source, "word"]);
    assert!(text(&own.stdout).contains("stderr: word\n"), "{own:?}");
    let program = test(&[&input, "sh", "x"]);
    let message = format!("judge: expected \"--\" before the bot's command: judge test {input} -- sh x\n");
    assert_eq!((program.status.code(), text(&program.stderr)), (Some(2), message.as_str()));
}

#[test]
fn the_tester_refuses_its_own_options_behind_the_bot() {
    let tester = |args: &[&str]| reading(command("tester", &[]).args(args), b"6 1 2\n");
    for late in ["--opponent", "--seed=3"] {
        let refused = tester(&[JUDGE, "bot", late]);
        assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(2), ""), "{late}");
        let message = format!(
            "judge: {late} is after the bot's command: type it before the command, or \"--\" before the command if \
             {late} is for the bot\n"
        );
        assert_eq!(text(&refused.stderr), message);
    }
    let script = "read h; echo $0 >&2; exit 3";
    for own in [["--", "sh", "-c", script, "--opponent"], ["sh", "-c", script, "--", "--opponent"]] {
        let output = tester(&own);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}
