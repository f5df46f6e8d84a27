//! `judge test` and `judge tester`, and the commands of the documentation.

use std::fs;
use std::process::{Command, Output};

use super::with_input;
use crate::support::{JUDGE, NO_CORPUS, TestDir, reading, text};

/// `judge test` and `judge tester`, by the conventions of the testing tools.
fn tool(args: &[&str], input: &[u8]) -> Output {
    reading(Command::new(JUDGE).args(args).envs([NO_CORPUS]), input)
}

#[test]
fn the_testing_tool() {
    let directory = with_input();
    let input = directory.file("1.in");
    let input = input.as_str();
    let won = tool(&["test", "-f", input, JUDGE, "bot"], b"");
    assert_eq!(won.status.code(), Some(0));
    assert!(text(&won.stdout).starts_with("WON 6 1 2 as First against perfect (seed 1)"));
    let lost = tool(
        &["test", "-f", input, "--opponent", "slow", "--", "sh", "-c", "read h; echo First; echo 3 3"],
        b"",
    );
    assert_eq!(lost.status.code(), Some(1), "{}", text(&lost.stdout));
    assert!(text(&lost.stdout).starts_with("ILLEGAL"));
    for (args, message) in [
        (vec!["test", "-f", "no/such", "true"], "the input no/such cannot be opened"),
        (vec!["test", "-f", input, "./no-such-bot"], "the bot ./no-such-bot could not be started"),
        (vec!["test", "-f", input], "expected the bot's command after the options"),
    ] {
        let refused = tool(&args, b"");
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(text(&refused.stderr).contains(message), "{}", text(&refused.stderr));
    }
}

#[test]
fn the_tester() {
    let won = tool(&["tester", "--opponent", "slow", JUDGE, "bot"], b"6 1 2\n");
    assert_eq!((won.status.code(), text(&won.stdout)), (Some(0), "First\n3 2\n5 1\n6 1\n"));
    assert!(text(&won.stderr).ends_with("\nScore = 1\n"), "{}", text(&won.stderr));
    let crash = tool(&["tester", "sh", "-c", "read h; echo First; exit 3"], b"6 1 2\n");
    assert_eq!((crash.status.code(), text(&crash.stdout)), (Some(1), "First\n"));
    assert!(text(&crash.stderr).ends_with("\nScore = 0\n"), "{}", text(&crash.stderr));
    let refused = tool(&["tester", "true"], b"6 1\n");
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(2), ""));
    assert!(text(&refused.stderr).starts_with("judge: the input: the header is malformed: expected"));
}

/// The commands by which docs/interop.md hosts the problem, with the bundled bot for those that need
/// one.
#[test]
fn what_the_docs_host_works() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/interop.md")).unwrap();
    let block = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let directory = TestDir::new();
    directory.directory("feedback");
    for (name, text) in [("in.txt", "6 1 2\n"), ("1.in", "6 1 2\n"), ("1.ans", "")] {
        directory.write(name, text);
    }
    let mut codes = Vec::new();
    for line in block.lines() {
        let command = line.split('#').next().unwrap().trim();
        // What oj would run is the judge that it is given.
        let command = command
            .strip_prefix("oj test-reactive -c ./bot ")
            .map_or(command, |quoted| quoted.trim_matches('\''));
        let wired = if command.starts_with("judge interact") {
            format!("rm -f pipe; mkfifo pipe; ./bot < pipe | {command} > pipe")
        } else {
            command.to_owned()
        };
        let script = format!(
            "judge() {{ {JUDGE} \"$@\"; }}; printf '#!/bin/sh\\nexec {JUDGE} bot\\n' > bot; chmod +x bot; {wired}"
        );
        let output = Command::new("sh").args(["-c", &script]).current_dir(directory.path()).output().unwrap();
        codes.push((command.to_owned(), output.status.code()));
    }
    let seen: Vec<_> = codes.iter().map(|(_, code)| code.unwrap()).collect();
    assert_eq!(seen, [0, 0, 42, 0, 0], "{codes:?}");
    assert!(
        directory.path().join("cards/problem.yaml").exists()
            && directory.path().join("feedback/judgemessage.txt").exists()
    );
    assert!(directory.read("out.txt").starts_with("First\n"));
}
