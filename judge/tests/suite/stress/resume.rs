//! A search that resumes from what it has written.

use std::fs::{self, File};
use std::process::Stdio;

use serde_json::Value;

use super::reports;
use crate::support::{TestDir, command, judge, perfect_but, text};

#[test]
fn a_search_continues_from_its_own_output() {
    let here = TestDir::new();
    let first = judge("stress --json --games 40 --seed 9", &[]);
    let whole = text(&first.stdout);
    let file = here.file("resume.jsonl");
    // Broken off in the middle of a line.
    let cut = whole.match_indices('\n').nth(24).unwrap().0 + 20;
    fs::write(&file, &whole[..cut]).unwrap();
    let (rest, _, code) = reports(&format!("--games 40 --seed 9 --resume {file}"), &[]);
    assert_eq!((rest.len(), code), (15, 0));
    let known: Vec<&str> = whole.lines().take(25).collect();
    assert!(
        rest.keys().all(|index| !known.iter().any(|line| line.starts_with(&format!("{{\"index\":{index},"))))
    );
    let other = judge(&format!("stress --games 40 --seed 8 --resume {file}"), &[]);
    assert_eq!(other.status.code(), Some(2));
    assert!(
        text(&other.stderr).contains("use the same --seed, --family and --max-n"),
        "{}",
        text(&other.stderr)
    );
    fs::write(&file, "hello\n").unwrap();
    let damaged = judge(&format!("stress --resume {file}"), &[]);
    assert!(
        text(&damaged.stderr).contains("line 1: expected a game of judge stress --json"),
        "{}",
        text(&damaged.stderr)
    );
}

/// The search of a file is continued in the same file. Its last line was cut off, and is not changed.
#[test]
fn a_file_that_was_cut_off_is_continued() {
    let here = TestDir::new();
    let file = here.file("appended.jsonl");
    let first = judge("stress --json --games 20", &[]);
    fs::write(&file, &first.stdout[..first.stdout.len() - 30]).unwrap();
    let resume = format!("stress --json --games 30 --resume {file}");
    let append = File::options().append(true).open(&file).unwrap();
    let output = command(&resume, &[]).stdin(Stdio::null()).stdout(append).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let known = judge(&resume, &[]);
    let note = format!(
        "judge: note: the file to resume from, {file}, has lines that are cut off: 1, the first is line 20; their games are played again\n"
    );
    assert_eq!((known.status.code(), text(&known.stdout), text(&known.stderr)), (Some(0), "", note.as_str()));
    let shown = judge(&resume.replace("--json ", ""), &[]);
    assert!(
        text(&shown.stdout).starts_with("the bundled bot: 30 of 30 games won; 0 played in "),
        "{}",
        text(&shown.stdout)
    );
}

/// A failure counts once, however often the file has it, and is shrunk once.
#[test]
fn a_file_that_ends_in_a_failure() {
    let here = TestDir::new();
    let file = here.file("failed.jsonl");
    let bot = ["sh", "-c", "read h; echo Second; read x; echo 0 0; read x"];
    let first = judge("stress --json --games 30", &bot);
    let line = text(&first.stdout).lines().next().unwrap();
    fs::write(&file, format!("{line}\n{}", text(&first.stdout))).unwrap();
    let known = judge(&format!("stress --json --games 30 --resume {file}"), &bot);
    assert_eq!((known.status.code(), text(&known.stdout), text(&known.stderr)), (Some(1), "", ""));
    let cut_short = text(&first.stdout).replace("\"complete\":true", "\"complete\":false");
    fs::write(&file, cut_short).unwrap();
    let again = judge(&format!("stress --json --games 30 --resume {file}"), &bot);
    assert!(text(&again.stdout).starts_with("{\"minimal\":true,\"from\":0,"), "{}", text(&again.stdout));
    let shown = judge(&format!("stress --games 30 --resume {file}"), &bot);
    assert!(text(&shown.stdout).contains("0 of 1 game won; 0 played in "), "{}", text(&shown.stdout));
    assert!(text(&shown.stdout).contains("\nnot won: 1 "), "{}", text(&shown.stdout));
}

/// Control characters of a file to resume from are escaped.
#[test]
fn a_file_to_resume_from_gives_a_terminal_no_orders() {
    let here = TestDir::new();
    let file = here.file("orders.jsonl");
    let bot = ["sh", "-c", "read h; echo Second; read x; echo 0 0; read x"];
    let first = judge("stress --json --games 1", &bot);
    let line = text(&first.stdout).lines().next().unwrap();
    let mut report: Value = serde_json::from_str(line).unwrap();
    let orders = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}7m\u{202e}";
    report["reason"] = orders.into();
    report["again"] = format!("judge run {orders}").into();
    fs::write(&file, format!("{report}\n")).unwrap();
    // The failure does not happen again, so it is reported as it was.
    let winner =
        "c=$(cat COUNT); echo x > COUNT; [ \"$c\" ] || exit 3;".replace("COUNT", &here.file("orders"));
    fs::write(here.file("orders"), "x").unwrap();
    let winner = ["sh", "-c", &perfect_but(&winner)];
    report["bot"] = winner.to_vec().into();
    fs::write(&file, format!("{report}\n")).unwrap();
    let resumed = judge(&format!("stress --games 1 --resume {file}"), &winner);
    let shown = text(&resumed.stdout);
    assert!(
        shown.contains(": \\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{9b}7m\\u{202e}\n    again: judge run \\u{1b}"),
        "{shown}"
    );
    report["opponent"] = orders.into();
    fs::write(&file, format!("{report}\n")).unwrap();
    let refused = judge(&format!("stress --games 1 --resume {file}"), &winner);
    let error = text(&refused.stderr);
    assert!(error.contains("unknown variant `\\u{1b}]0;title"), "{error}");
    for message in [shown, error] {
        assert!(!message.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{message:?}");
    }
}

#[test]
fn what_cannot_be_gone_on_with() {
    let here = TestDir::new();
    let file = here.file("other.jsonl");
    let games = judge("stress --json --games 3", &[]);
    fs::write(&file, &games.stdout).unwrap();
    let refused = |file: &str, args: &str, bot: &[&str], expected: &str| {
        let output = judge(&format!("stress --resume {file} {args}"), bot);
        let error = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{error}");
        assert!(error.contains(expected), "{error}");
    };
    let same = "expected the same bot with the same options, ";
    refused(&file, "", &["./bot", "a b"], &format!("line 1: {same}\"-- ./bot 'a b'\", got \"\""));
    refused(&file, "--session", &[], &format!("line 1: {same}\"--session\", got \"\""));
    fs::write(&file, [&games.stdout[..], b"{\"index\":3,\"game\":\"\xff\"}\n"].concat()).unwrap();
    refused(&file, "", &[], "line 4: expected a game of judge stress --json");
    let many = text(&games.stdout).replacen('}', &format!(",\"more\":[{}0]}}", "0,".repeat(300_000)), 1);
    fs::write(&file, many).unwrap();
    refused(&file, "", &[], "line 1: expected a game of judge stress --json: expected at most 262144 values");
    refused("/dev/zero", "", &[], "/dev/zero, line 1: expected at most 4194304 bytes, got more");
}
