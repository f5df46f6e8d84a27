//! Sweeps that are divided, interrupted and continued; their stored lines, and the atlas in `docs`.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{
    TestDir, assert_prints, assert_refuses, await_that, command, has_python, json_lines, judge, root, send,
    text,
};

/// Returns the lines of a sweep, keyed by the numbers of their games. Checks that no game occurs twice.
#[track_caller]
fn by_number(lines: &str) -> BTreeMap<u64, Value> {
    let mut games = BTreeMap::new();
    for line in json_lines(lines.as_bytes()) {
        let index = line["index"].as_u64().unwrap();
        assert!(games.insert(index, line).is_none(), "game {index} occurs twice");
    }
    games
}

/// Returns the lines that a sweep prints, and its exit code.
#[track_caller]
fn sweep(args: &str) -> (BTreeMap<u64, Value>, Option<i32>) {
    let output = judge(&format!("sweep {args}"), &[]);
    assert_eq!(text(&output.stderr), "", "{args}");
    (by_number(text(&output.stdout)), output.status.code())
}

/// Checks that the lines do not depend on the number of jobs, and that three shards have the lines of the whole sweep.
#[test]
fn jobs_and_shards() {
    let args = "octal --digits 2 --to 400";
    let (all, code) = sweep(&format!("{args} --jobs 1"));
    assert_eq!(code, Some(0));
    assert_eq!(all.keys().copied().collect::<Vec<_>>(), (0..all.len() as u64).collect::<Vec<_>>());
    assert!(all.values().all(|line| line["games"] == all.len()));
    assert_eq!(sweep(&format!("{args} --jobs 7")).0, all);
    let mut shards = BTreeMap::new();
    for shard in 1..=3 {
        let (games, _) = sweep(&format!("{args} --shard {shard}/3"));
        assert!(games.len().abs_diff(all.len() / 3) <= 1);
        for (index, line) in games {
            assert!(shards.insert(index, line).is_none(), "{index} is in two shards");
        }
    }
    assert_eq!(shards, all);
}

/// Checks that the same command completes a sweep file that was truncated, for six lengths.
#[test]
fn a_sweep_continues_from_a_cut_file() {
    for (args, summary) in [
        ("octal --digits 1 --to 2000", "11 of 11 games: 10 solved, 1 open, 0 stopped by their limits; "),
        (
            "octal 0.156 0.174 0.404 --to 4000 --dense-to 2000 --few-rares-to 20000",
            "3 of 3 games: 1 solved, 2 open, 0 stopped by their limits; ",
        ),
    ] {
        let dir = TestDir::new();
        let file = dir.file("sweep.jsonl");
        let (all, _) = sweep(args);
        let args = format!("sweep {args} --output {file}");
        let whole = judge(&args, &[]);
        assert_eq!((whole.status.code(), text(&whole.stderr)), (Some(0), ""));
        assert!(text(&whole.stdout).starts_with(summary));
        let lines = dir.read("sweep.jsonl");
        assert_eq!(by_number(&lines), all);
        for cut in [0, 1, 400, lines.len() / 2, lines.len() - 1, lines.len()] {
            fs::write(&file, &lines[..cut]).unwrap();
            assert_eq!(judge(&args, &[]).status.code(), Some(0), "cut at {cut}");
            assert_eq!(by_number(&dir.read("sweep.jsonl")), all, "cut at {cut}");
        }
    }
}

/// Starts a long sweep that writes to `file`, and waits until the file has some lines.
fn start_sweep(file: &str) -> std::process::Child {
    let args = format!("sweep octal --digits 3 --to 4000 --jobs 1 --output {file}");
    let child = command(&args, &[]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    await_that(|| fs::read_to_string(file).is_ok_and(|text| text.lines().count() > 3));
    child
}

#[test]
fn a_killed_sweep_continues() {
    let dir = TestDir::new();
    let file = dir.file("sweep.jsonl");
    let mut before = 0;
    for _ in 0..3 {
        let mut child = start_sweep(&file);
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
fn an_interrupted_sweep_says_how_to_continue() {
    for signal in [Signal::INT, Signal::TERM] {
        let dir = TestDir::new();
        let file = dir.file("sweep.jsonl");
        let child = start_sweep(&file);
        send(signal, child.id());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(75));
        assert_eq!(text(&output.stderr), "grundy: interrupted; the same command continues\n");
        assert!(dir.read("sweep.jsonl").ends_with('\n'));
    }
}

/// Checks that with `--skip-solved` only the games that an earlier sweep left open are searched.
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
    // The values of 0.45 repeat from heap 498 on, but the first 1,001 values do not prove it.
    let solved: Vec<&str> = more
        .values()
        .filter(|line| line["status"] == "solved")
        .filter_map(|line| line["game"].as_str())
        .collect();
    assert_eq!(solved, ["octal 0.45"]);
}

/// Checks that a line is refused if its status contradicts its findings.
#[test]
fn lines_that_contradict_themselves() {
    let dir = TestDir::new();
    let args = "sweep segment --l 1 --r 2..3 --to 500";
    judge(&format!("{args} --output {}", dir.file("right.jsonl")), &[]);
    let right = dir.read("right.jsonl");
    let lines: Vec<&str> = right.lines().collect();
    let [solved, open] = ["solved", "open"]
        .map(|status| *lines.iter().find(|line| line.contains(&format!("\"status\":\"{status}\""))).unwrap());
    let unproven = r#"expected the keys "period" and "pre_period", because the status is "solved""#;
    for (line, wrong) in [
        (solved.replace("\"period\":12,", ""), unproven),
        (solved.replace("\"pre_period\":71,", ""), unproven),
        (open.replace("\"status\":\"open\"", "\"status\":\"solved\""), unproven),
        (
            solved.replace("\"period\":12,", "\"period\":0,"),
            "expected a period of 1 or more that ends by n = 167",
        ),
        (
            solved.replace("\"pre_period\":71,", "\"pre_period\":18446744073709551615,"),
            "expected a period of 1 or more that ends by n = 167, got 12 from n = 18446744073709551615 on",
        ),
        (
            solved.replace("\"status\":\"solved\"", "\"status\":\"open\""),
            r#"expected no key "period", because the status is not "solved""#,
        ),
    ] {
        assert!(line != solved && line != open);
        let file = dir.write("wrong.jsonl", format!("{solved}\n{line}\n"));
        let place = format!("{file} line 2: {wrong}");
        assert_refuses(&format!("atlas {file}"), &place);
        assert_refuses(&format!("table --verify {file}"), &format!("line 2: {wrong}"));
        assert_refuses(&format!("sweep octal --digits 1 --skip-solved {file}"), &place);
        assert_refuses(&format!("{args} --output {file}"), &place);
    }
}

/// Checks that the lines that `--lines` writes, which omit the cousins of codes, make the same page as the lines of the
/// sweeps, cousins included, and have as many proven periods.
#[test]
fn short_lines_make_the_same_page() {
    let dir = TestDir::new();
    let [codes, windows, short, again, page] =
        ["codes", "windows", "short", "again", "page"].map(|name| dir.file(name));
    judge(&format!("sweep octal --digits 2 --to 1000 --output {codes}"), &[]);
    judge(&format!("sweep segment --l 1..4 --r 1..4 --to 1000 --output {windows}"), &[]);
    let atlas = |args: &str| {
        let output = judge(&format!("atlas {args} --output {page}"), &[]);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
        let text = dir.read("page");
        text[text.find("\n## ").unwrap()..].to_owned()
    };
    let whole = atlas(&format!("{windows} {codes} --lines {short}"));
    assert!(whole.contains("| 0.4 | 34 | 54 | - | 9 at 87 | 0.07 at n-1; 0.42 |"), "{whole}");
    assert_eq!(atlas(&format!("{short} --lines {again}")), whole);
    let lines = dir.read("short");
    assert_eq!(dir.read("again"), lines);
    assert!(!lines.contains("\"run\"") && !lines.contains("0.42"), "{lines}");
    assert_eq!(proven(&short), proven(&windows) + proven(&codes));
}

/// The stored sweeps. The periods in the last file take minutes to prove.
const STORED: [&str; 3] =
    ["docs/certificates/segment.jsonl", "docs/certificates/octal.jsonl", "docs/certificates/long.jsonl"];

/// Proves all periods of a file again. Returns their number.
#[track_caller]
fn proven(file: &str) -> usize {
    let output = judge(&format!("table --verify {file}"), &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{file}");
    text(&output.stdout).lines().filter(|line| line.contains(", proven: ")).count()
}

/// Verifies the stored periods that need at most 20,000 values.
#[test]
fn stored_short_periods_are_proven() {
    let dir = TestDir::new();
    let lines = STORED.map(|file| fs::read_to_string(root().join(file)).unwrap()).concat();
    let is_short = |line: &&str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["n"].as_u64().unwrap() < 20_000
    };
    let short: String = lines.lines().filter(is_short).flat_map(|line| [line, "\n"]).collect();
    let short = proven(&dir.write("short.jsonl", short));
    assert!(short > 700, "{short}");
}

#[test]
#[ignore = "takes some minutes"]
fn all_stored_periods_are_proven() {
    let [windows, codes, longest] = STORED.map(proven);
    assert!(windows + codes > 770, "{windows} and {codes}");
    assert_eq!(longest, 3);
    // The window (1, 5) repeats only after nine million cards.
    assert_prints(
        "table --verify docs/period-1-5.json",
        "segment 1 5: period 650 from n = 8941813 on, proven: g(n+650) = g(n) for n = 8941813 to 17884280\n",
    );
}

/// Checks that the page counts all 136 windows with R <= 16 and all 8,191 codes of up to four digits, and that no code
/// of the published list is missing.
#[test]
fn the_page_is_complete() {
    let page = fs::read_to_string(root().join("docs/atlas.md")).unwrap();
    assert!(page.contains("\n136 games, 88 without their cousins:"), "{page}");
    assert!(page.contains("\n8,191 games, 1,217 without their cousins:"), "{page}");
    assert!(!page.contains("in no sweep"), "{page}");
}

/// Checks that the page is the command's output for the stored lines.
#[test]
fn the_page_is_current() {
    let page = judge(&format!("atlas {}", STORED.join(" ")), &[]);
    assert_eq!(text(&page.stderr), "");
    let committed = fs::read_to_string(root().join("docs/atlas.md")).unwrap();
    assert!(text(&page.stdout) == committed, "grundy atlas {} --output docs/atlas.md", STORED.join(" "));
}

/// Checks the certificates in `docs` by a program in Python that uses only the rules, and checks that this program
/// refuses damaged certificates.
#[test]
fn certificates_by_an_independent_program() {
    if !has_python() {
        return;
    }
    let dir = TestDir::new();
    let verify = |file: &str| {
        let mut python = Command::new("python3");
        let output = python.current_dir(root()).args(["docs/certificates/verify.py", file]).output().unwrap();
        assert_eq!(text(&output.stderr), "");
        (text(&output.stdout).to_owned(), output.status.code())
    };
    let file = "docs/certificates/octal.jsonl";
    assert_eq!(verify(file), ("731 proven, 0 wrong, 52 skipped\n".to_owned(), Some(0)));
    let lines = fs::read_to_string(root().join(file)).unwrap();
    let line = lines.lines().find(|line| line.contains("\"octal 0.4\"")).unwrap();
    for (from, to, flaw) in [
        ("\"pre_period\":54,", "\"pre_period\":53,", "its values do not repeat"),
        ("\"pre_period\":54,", "\"pre_period\":55,", "its values repeat from an earlier heap on"),
        ("\"period\":34,", "\"period\":68,", "its period is a multiple of another one"),
        ("\"period\":34,", "\"values\":1,\"period\":34,", "its proof needs 177 values"),
        ("\"sha256\":\"9", "\"sha256\":\"8", "its hash is another one"),
    ] {
        assert!(line.contains(from), "{from}");
        let damaged = dir.file("damaged.jsonl");
        fs::write(&damaged, line.replace(from, to)).unwrap();
        let expected = format!("octal 0.4: wrong: {flaw}\n0 proven, 1 wrong, 0 skipped\n");
        assert_eq!(verify(&damaged), (expected, Some(1)), "{to}");
    }
}
