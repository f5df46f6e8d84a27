//! A stdout whose reader has closed it.

use std::process::Stdio;

use crate::support::{TestDir, command, judge, text};

/// The exit code and stderr of the judge when the reader of stdout has closed it.
fn unread(args: &str, bot: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(args, bot).stdin(Stdio::null()).stdout(writer).output().unwrap();
    (output.status.code(), text(&output.stderr).to_owned())
}

/// `judge table ... | head`: a list is read as far as it is wanted.
#[test]
fn a_list_may_be_read_in_part() {
    for args in [
        "table segment 1 2 --to 1000 --format csv",
        "table square --to 1000 --check",
        "solve 6 1 2",
        "count 1 9 1 9",
        "bundle",
        "completions bash",
        "man run",
        "protocol",
    ] {
        assert_eq!(unread(args, &[]), (Some(0), String::new()), "{args}");
    }
}

/// `judge run ... | head`: games may be lost or not played, so that is never 0.
#[test]
fn what_was_not_told_is_no_success() {
    let here = TestDir::new();
    let transcript = here.file("unread.jsonl");
    let recorded = judge(&format!("run 6 1 2 --transcript {transcript}"), &[]);
    assert_eq!(recorded.status.code(), Some(0));
    let replay = format!("replay {transcript}");
    let loser = ["sh", "-c", "read h; echo First; echo 0 0"];
    let cases: [(&str, &[&str]); 12] = [
        ("run 6 1 2 --games 2000", &loser),
        ("run 2000 1 1 -v", &[]),
        ("run 6 1 2 --json", &[]),
        ("test -f tests/data/inputs/cards.in", &loser),
        ("stress --games 20 --keep-going", &loser),
        ("stress --games 20 --json", &loser),
        ("stress --games 20 --json", &[]),
        ("lint", &["true"]),
        ("lint --json", &["true"]),
        ("selftest no-newline", &[]),
        (&replay, &[]),
        ("table --verify docs/period-1-5.json", &[]),
    ];
    for (args, bot) in cases {
        let (code, said) = unread(args, bot);
        assert_eq!(code, Some(2), "{args}: {said}");
        let why =
            "judge: the reader of the output has closed it, so not all games were played and reported: ";
        assert!(said.starts_with(why) && said.ends_with("Broken pipe (os error 32)\n"), "{args}: {said}");
    }
    // That there is no period to certify, and that all games are won, is known all the same.
    let no_period = "judge: no certificate is written to /dev/null: no period is proven up to 99; more values may prove one\n";
    assert_eq!(
        unread("table segment 1 5 --to 99 --period --certificate /dev/null", &[]),
        (Some(1), no_period.to_owned())
    );
    assert_eq!(unread("run 6 1 2 -q", &[]), (Some(0), String::new()));
}
