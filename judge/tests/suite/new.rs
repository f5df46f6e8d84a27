//! The starter bots and problems of `judge new`. A language is skipped if its compiler or interpreter
//! is not installed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{JUDGE, PATH, Printed, TestDir, command, has_program, judge_typed, root};

/// Runs `judge new` with these words and a new directory. Returns the directory, and the printed commands without their
/// comments.
fn new(here: &TestDir, words: &str) -> (PathBuf, Vec<String>) {
    let directory = here.path().join("my files");
    let output = command(&format!("new {words}"), &[]).arg(&directory).output().unwrap();
    let lines = output.exits(0).says("").out().lines().filter_map(|line| line.strip_prefix("  "));
    let commands = lines.map(|line| line.split("   #").next().unwrap().trim().to_owned());
    (directory, commands.collect())
}

#[test]
fn the_starter_bots_play() {
    assert_play(&[("python", "python3")]);
}

#[test]
#[ignore = "compiles programs, and starts Java many times"]
fn the_other_starters() {
    assert_play(&[("cpp", "g++"), ("rust", "rustc"), ("java", "javac"), ("node", "node")]);
    if has_program("g++") {
        assert_judge(&["testlib"]);
    }
}

/// Checks that the printed commands judge the bot. It plays every game by the rules and to the end, but has no strategy,
/// so it may lose games.
fn assert_play(languages: &[(&str, &str)]) {
    for (language, program) in languages {
        if !has_program(program) {
            continue;
        }
        let here = TestDir::new();
        let (directory, commands) = new(&here, language);
        assert_eq!(commands[0], format!("cd '{}'", directory.display()));
        let bot = commands[1].strip_prefix("judge lint ").unwrap();
        let script = format!(
            "{} && \"$judge\" lint --json --time-limit 20 -- {bot} || exit\nfor game in '2000 1 1' '1 1 1'; do \
             \"$judge\" run $game --json --opponent random --time-limit 20 -- {bot}; done; true",
            commands[0]
        );
        let mut shell = Command::new("sh");
        let played = shell.args(["-c", &script]).env("judge", JUDGE).env("PATH", &*PATH).output().unwrap();
        let lines = played.exits(0).says("").json();
        let found = |field: &str| lines.iter().filter_map(|line| line[field].as_str()).collect::<Vec<_>>();
        let expected = ["pass", "pass", "lost", "pass", "pass", "pass", "pass", "pass"];
        assert_eq!(found("status")[..8], expected, "{language}: {lines:?}");
        let verdicts = found("verdict");
        assert_eq!(verdicts.len(), 2, "{language}: {lines:?}");
        assert!(verdicts.iter().all(|verdict| ["WON", "LOST"].contains(verdict)), "{language}: {lines:?}");
    }
}

#[test]
fn the_starter_problems_judge_their_bots() {
    assert_judge(&["icpc", "plain", "launcher", "cms", "run-twice"]);
}

fn assert_judge(styles: &[&str]) {
    for style in styles {
        let here = TestDir::new();
        let (directory, commands) = new(&here, &format!("interactor {style}"));
        if *style == "testlib" {
            let header = root().join("tests/interactors/include/testlib.h");
            fs::copy(header, directory.join("testlib.h")).unwrap();
        }
        let (right, wrong) = match *style {
            "run-twice" => ("the checker accepted", "not a word of at most 30 letters a and b"),
            "cms" => ("the output is correct", "not a word of at most 30 letters a and b"),
            _ => (" 8 guesses", "none was 777"),
        };
        let runs = commands.iter().filter_map(|command| command.strip_prefix("judge run -- "));
        let expected = [("ACCEPTED", right), ("WRONG_ANSWER", wrong)];
        assert_eq!(runs.clone().count(), 2, "{style}: {commands:?}");
        for (arguments, (verdict, reason)) in runs.zip(expected) {
            let output = judge_typed(&directory, &format!("run --json --time-limit 20 -- {arguments}"));
            let report = output.complains("judge: problem: judge.toml\n").report();
            assert_eq!(report["verdict"], verdict, "{style}: {report}");
            assert!(report["reason"].as_str().unwrap().ends_with(reason), "{style}: {report}");
        }
    }
}
