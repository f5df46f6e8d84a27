//! Sweeps that are interrupted and continued.

use std::fs;
use std::process::Stdio;

use rustix::process::Signal;

use super::{by_number, sweep};
use crate::support::{TestDir, assert_refuses, await_that, command, judge, send, text};

const ARGS: &str = "octal --digits 1 --to 2000";

/// Wherever the file ends, the same command makes it whole.
#[test]
fn a_sweep_goes_on_from_any_file() {
    let dir = TestDir::new();
    let file = dir.file("sweep.jsonl");
    let (all, _) = sweep(ARGS);
    let args = format!("sweep {ARGS} --output {file}");
    let whole = judge(&args, &[]);
    assert_eq!((whole.status.code(), text(&whole.stderr)), (Some(0), ""));
    assert!(
        text(&whole.stdout).starts_with("11 of 11 games: 10 solved, 1 open, 0 stopped by their limits; ")
    );
    let lines = dir.read("sweep.jsonl");
    assert_eq!(by_number(&lines), all);
    for cut in [0, 1, 400, lines.len() / 2, lines.len() - 1, lines.len()] {
        fs::write(&file, &lines[..cut]).unwrap();
        assert_eq!(judge(&args, &[]).status.code(), Some(0), "cut at {cut}");
        assert_eq!(by_number(&dir.read("sweep.jsonl")), all, "cut at {cut}");
    }
}

/// A sweep with this output that has some lines and many more to come.
fn begun(file: &str) -> std::process::Child {
    let args = format!("sweep octal --digits 3 --to 4000 --jobs 1 --output {file}");
    let child = command(&args, &[]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    await_that(|| fs::read_to_string(file).is_ok_and(|text| text.lines().count() > 3));
    child
}

#[test]
fn a_killed_sweep_goes_on() {
    let dir = TestDir::new();
    let file = dir.file("sweep.jsonl");
    let mut before = 0;
    for _ in 0..3 {
        let mut child = begun(&file);
        send(Signal::KILL, child.id());
        child.wait().unwrap();
        let lines = dir.read("sweep.jsonl");
        let whole = lines.rfind('\n').map_or(0, |end| end + 1);
        let games = by_number(&lines[..whole]);
        assert!(games.len() >= before && games.len() < 278);
        before = games.len();
    }
    let output = judge(&format!("sweep octal --digits 3 --to 4000 --output {file}"), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(by_number(&dir.read("sweep.jsonl")).len(), 278);
}

#[test]
fn an_interrupted_sweep_says_so() {
    for signal in [Signal::INT, Signal::TERM] {
        let dir = TestDir::new();
        let file = dir.file("sweep.jsonl");
        let child = begun(&file);
        send(signal, child.id());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(75));
        assert_eq!(text(&output.stderr), "grundy: interrupted; the same command continues\n");
        assert!(dir.read("sweep.jsonl").ends_with('\n'));
    }
}

/// Only games that earlier sweeps left open are searched again, and farther.
#[test]
fn solved_games_are_skipped() {
    let dir = TestDir::new();
    let [short, long] = ["short", "long"].map(|name| dir.file(name));
    judge(&format!("sweep octal --digits 2 --to 1000 --output {short}"), &[]);
    let open = by_number(&dir.read("short")).into_iter().filter(|(_, line)| line["status"] != "solved");
    let open: Vec<u64> = open.map(|(index, _)| index).collect();
    let output =
        judge(&format!("sweep octal --digits 2 --to 8000 --skip-solved {short} --output {long}"), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let more = by_number(&dir.read("long"));
    assert!(more.keys().eq(&open) && more.len() > 5, "{open:?}");
    // 0.156 repeats from 3,479 on.
    let solved: Vec<&str> = more
        .values()
        .filter(|line| line["status"] == "solved")
        .filter_map(|line| line["game"].as_str())
        .collect();
    assert_eq!(solved, ["octal 0.45"]);
}

#[test]
fn files_of_other_sweeps() {
    let dir = TestDir::new();
    let file = dir.write("sweep.jsonl", "");
    judge(&format!("sweep octal --digits 1 --to 100 --output {file}"), &[]);
    let before = dir.read("sweep.jsonl");
    for args in [
        "octal --digits 1 --to 200",
        "octal --digits 2 --to 100",
        "octal --digits 1 --to 100 --time-limit 2s",
    ] {
        assert_refuses(
            &format!("sweep {args} --output {file}"),
            "the line is of another sweep or has other limits",
        );
    }
    assert_eq!(dir.read("sweep.jsonl"), before);
    dir.write("text", "hello\n");
    assert_refuses(
        &format!("sweep octal --digits 1 --output {}", dir.file("text")),
        "expected a game of grundy sweep",
    );
}
