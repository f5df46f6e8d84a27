//! The starter bots and problems of `judge new`. A language is skipped if its compiler or interpreter
//! is not installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{JUDGE, Printed, TestDir, command, has_program, has_python, root};

fn new(language: &str, directory: &Path) -> Output {
    command("new", &[]).arg(language).arg(directory).output().unwrap()
}

/// Returns the commands that `judge new` tells the person to type: the commands that prepare the bot, and the bot's
/// command.
fn next_commands(output: &Output) -> (Vec<String>, String) {
    let lines: Vec<&str> = output.out().lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let lint = lines.iter().position(|line| line.starts_with("judge lint ")).unwrap();
    let bot = lines[lint].strip_prefix("judge lint ").unwrap().split("   #").next().unwrap();
    (lines[..lint].iter().map(|&line| line.to_owned()).collect(), bot.trim().to_owned())
}

/// Checks that the printed commands compile and judge the bot.
fn assert_plays(language: &str, compilers: &[&str]) {
    if !compilers.iter().all(|compiler| has_program(compiler, &["--version"])) {
        return;
    }
    let here = TestDir::new();
    let directory = here.path().join("my bot");
    let output = new(language, &directory);
    output.exits(0).says("");
    let (prepare, bot) = next_commands(&output);
    assert_eq!(prepare[0], format!("cd '{}'", directory.display()));
    let games = ["2000 1 1", "1 1 1"].map(|game| {
        format!("\"$judge\" run {game} --json --opponent random --time-limit 20 -- {bot} >> games\n")
    });
    // The starter bot has no strategy, so it may lose games.
    let script = format!(
        "set -e\n{}\n\"$judge\" lint --json --time-limit 20 -- {bot}\nset +e\n{}cat games",
        prepare.join("\n"),
        games.concat()
    );
    let played = Command::new("sh").args(["-c", &script]).env("judge", JUDGE).output().unwrap();
    played.exits(0).says("");
    let lines = played.json();
    let statuses: Vec<_> =
        lines.iter().filter(|line| line["check"].is_string()).map(|line| &line["status"]).collect();
    let expected = ["pass", "pass", "lost", "pass", "pass", "pass", "pass", "pass"];
    assert_eq!(statuses[..8], expected, "{language}: {lines:?}");
    // The starter bot plays every game by the rules and to the end.
    let verdicts: Vec<_> = lines.iter().filter_map(|line| line["verdict"].as_str()).collect();
    assert_eq!(verdicts.len(), 2, "{language}: {lines:?}");
    assert!(verdicts.iter().all(|verdict| ["WON", "LOST"].contains(verdict)), "{language}: {lines:?}");
}

#[test]
fn the_starter_bots_play() {
    for (language, compilers) in [
        ("python", &["python3"][..]),
        ("cpp", &["g++"]),
        ("rust", &["rustc"]),
        ("java", &["javac", "java"]),
        ("node", &["node"]),
    ] {
        assert_plays(language, compilers);
    }
}

/// Writes a problem with an interactor, and checks that the printed commands judge its bots.
fn assert_judges(style: &str) {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let directory = here.path().join("my problem");
    let output = command("new", &[]).args(["interactor", style]).arg(&directory).output().unwrap();
    output.exits(0).says("");
    if style == "testlib" {
        let header = root().join("tests/interactors/include/testlib.h");
        fs::copy(header, directory.join("testlib.h")).unwrap();
    }
    let commands: Vec<&str> = output
        .out()
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("judge run -- "))
        .map(|line| line.split("   #").next().unwrap())
        .collect();
    let verdicts: Vec<String> = commands
        .iter()
        .map(|arguments| {
            let script = format!("exec \"$judge\" run --json --time-limit 20 -- {arguments}");
            let mut shell = Command::new("sh");
            let judged =
                shell.args(["-c", &script]).current_dir(&directory).env("judge", JUDGE).output().unwrap();
            let lines = judged.json();
            let said = judged.err();
            assert!(said.starts_with("judge: problem: judge.toml\n") && lines.len() == 1, "{style}: {said}");
            let reason = lines[0]["reason"].as_str().unwrap();
            format!("{}: {reason}", lines[0]["verdict"].as_str().unwrap())
        })
        .collect();
    let [right, wrong] = &verdicts[..2] else { panic!("{style}: {verdicts:?}") };
    let (in_right, in_wrong) = match style {
        "run-twice" => ("the checker accepted", "not a word of at most 30 letters a and b"),
        "cms" => ("the output is correct", "not a word of at most 30 letters a and b"),
        _ => (" 8 guesses", "none was 777"),
    };
    assert!(right.starts_with("ACCEPTED: ") && right.ends_with(in_right), "{style}: {right}");
    assert!(wrong.starts_with("WRONG_ANSWER: ") && wrong.ends_with(in_wrong), "{style}: {wrong}");
}

#[test]
fn the_starter_problems_judge_their_bots() {
    for style in ["icpc", "plain", "launcher", "cms", "run-twice"] {
        assert_judges(style);
    }
    if has_program("g++", &["--version"]) {
        assert_judges("testlib");
    }
}
