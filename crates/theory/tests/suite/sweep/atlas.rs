//! `grundy atlas`, and the page that is kept in docs.

use std::fs;

use crate::support::{TestDir, assert_refuses, judge, root, text};

#[test]
fn the_better_line_counts() {
    let dir = TestDir::new();
    let [short, long] = ["short", "long"].map(|name| dir.file(name));
    judge(&format!("sweep octal --digits 2 --to 300 --output {short}"), &[]);
    judge(&format!("sweep octal --digits 2 --to 2000 --skip-solved {short} --output {long}"), &[]);
    let page = judge(&format!("atlas {long} {short}"), &[]);
    assert_eq!((page.status.code(), text(&page.stderr)), (Some(0), ""));
    let page = text(&page.stdout);
    for row in [
        "| 0.07 | ",
        "| 0.6 | 2,000 | ",
        "| 0.45 | 20 | 498 | ",
        "| 0.77 | 12 | 71 | 10, 70 | 8 at 27 | 4.4 at n+1; ",
        "- in the list, period proven here: none\n",
    ] {
        assert_eq!(page.contains(row), row != "| 0.07 | ", "{row}: {page}");
    }
    let other_order = judge(&format!("atlas {short} {long}"), &[]);
    let without_command =
        |page: &str| page.lines().filter(|line| !line.contains("Made by")).collect::<Vec<_>>().join("\n");
    assert_eq!(without_command(text(&other_order.stdout)), without_command(page));
}

#[test]
fn lines_that_contradict_each_other() {
    let dir = TestDir::new();
    let file = dir.file("sweep.jsonl");
    judge(&format!("sweep segment --l 1..2 --r 1..2 --to 500 --output {file}"), &[]);
    let right = dir.read("sweep.jsonl");
    assert!(right.contains("\"period\":12,"));
    let other = dir.write("other.jsonl", right.replace("\"period\":12,", "\"period\":24,"));
    assert_refuses(&format!("atlas {file} {other}"), "the lines about segment 1 2 contradict each other");
    assert_eq!(judge(&format!("table --verify {other}"), &[]).status.code(), Some(1));
    assert_eq!(judge(&format!("table --verify {file}"), &[]).status.code(), Some(0));
    let hash = right.split("\"sha256\":\"").nth(1).unwrap().split('"').next().unwrap();
    let other = dir.write("other.jsonl", right.replace(hash, &"0".repeat(64)));
    let differ = "contradict each other: the hashes of the values that prove the period differ";
    assert_refuses(&format!("atlas {file} {other}"), differ);
    let none = dir.write("none.jsonl", "");
    assert_refuses(&format!("atlas {none}"), "the files have no game of grundy sweep");
    let wrong = dir.write("wrong.jsonl", right.replace("segment 1 2", "segment 2 1"));
    assert_refuses(&format!("atlas {wrong}"), "expected a game of grundy sweep, got \"segment 2 1\"");
}

/// A game that was swept by its name is not listed a second time as a cousin of another, and of two lines about a game
/// all cousins are kept.
#[test]
fn cousins_in_other_sweeps() {
    let dir = TestDir::new();
    let [all, one, two] = ["octal --digits 2", "octal 0.07", "octal 0.77 4.631"].map(|family| {
        let file = dir.file(&family.replace(' ', "_"));
        judge(&format!("sweep {family} --to 200 --output {file}"), &[]);
        file
    });
    let page = judge(&format!("atlas {all} {one} {two}"), &[]);
    let left_out = "grundy: octal 0.07 is left out: octal 0.4 has the same values; to search farther, sweep \
                    octal 0.4\n";
    assert_eq!((page.status.code(), text(&page.stderr)), (Some(0), left_out));
    let page = text(&page.stdout);
    assert!(!page.contains("| 0.07 |") && page.contains("| 0.4 |"), "{page}");
    let kayles = page.lines().find(|line| line.starts_with("| 0.77 |")).unwrap();
    assert!(kayles.contains("4.4 at n+1") && kayles.contains("4.631 at n+1"), "{kayles}");
}

/// Games are not listed as equal if too few of their values are compared.
#[test]
fn games_with_many_zeros() {
    let dir = TestDir::new();
    let file = dir.file("sweep");
    judge(&format!("sweep segment --l 12000 --r 30000..30001 --to 30000 --output {file}"), &[]);
    let page = judge(&format!("atlas {file}"), &[]);
    assert_eq!((page.status.code(), text(&page.stderr)), (Some(0), ""));
    assert!(!text(&page.stdout).contains("## Equal values"), "{}", text(&page.stdout));
}

/// A game whose values grow for ever is solved; sweeps to other sizes agree about it.
#[test]
fn arithmetic_periods() {
    let dir = TestDir::new();
    let [short, long] = [("short", 600), ("long", 900)].map(|(name, to)| {
        let file = dir.file(name);
        judge(&format!("sweep octal 0.8 0.3f --to {to} --output {file}"), &[]);
        file
    });
    let page = judge(&format!("atlas {short} {long}"), &[]);
    assert_eq!((page.status.code(), text(&page.stderr)), (Some(0), ""));
    for row in
        ["| 0.8 | 3 (saltus 1) | 1 | - | 299 at 898 |  |\n", "| 0.3f | 900 | - | 450 at 900 | - |  |\n"]
    {
        assert!(text(&page.stdout).contains(row), "{row}: {}", text(&page.stdout));
    }
    let wrong = dir.write("wrong", dir.read("long").replace("\"saltus\":1", "\"saltus\":2"));
    let message =
        "contradict each other: the periods are 3 (saltus 2) from n = 1 on and 3 (saltus 1) from n = 1 on";
    assert_refuses(&format!("atlas {short} {wrong}"), message);
    assert_eq!(judge(&format!("table --verify {wrong}"), &[]).status.code(), Some(1));
    assert_eq!(judge(&format!("table --verify {long}"), &[]).status.code(), Some(0));
}

/// A line is refused whose status is not what was found.
#[test]
fn lines_that_contradict_themselves() {
    let dir = TestDir::new();
    let args = "sweep segment --l 1 --r 2..3 --to 500";
    judge(&format!("{args} --output {}", dir.file("right.jsonl")), &[]);
    let right = dir.read("right.jsonl");
    let lines: Vec<&str> = right.lines().collect();
    let [solved, open] = ["solved", "open"]
        .map(|status| *lines.iter().find(|line| line.contains(&format!("\"status\":\"{status}\""))).unwrap());
    let unproven = "expected a period and a pre-period in a solved game";
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
            "expected no period in a game that is not solved",
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

/// The sweeps whose lines are kept, the last of them with periods that take minutes to prove.
const KEPT: [&str; 3] =
    ["docs/certificates/segment.jsonl", "docs/certificates/octal.jsonl", "docs/certificates/long.jsonl"];

/// How many periods of a file are proven again: all that it has.
#[track_caller]
fn proven(file: &str) -> usize {
    let output = judge(&format!("table --verify {file}"), &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{file}");
    text(&output.stdout).lines().filter(|line| line.contains(", proven: ")).count()
}

/// The periods of the page are proven by what is kept.
#[test]
fn the_periods_that_are_kept_are_proven() {
    let [windows, codes] = [KEPT[0], KEPT[1]].map(proven);
    assert!(windows + codes > 190, "{windows} and {codes}");
}

#[test]
#[ignore = "takes some minutes"]
fn the_longest_periods_are_proven() {
    assert_eq!(proven(KEPT[2]), 3);
}

/// Every window with L <= R <= 16 and every code of up to three digits is on the page, by its name or a cousin's.
#[test]
fn the_page_is_whole() {
    let page = fs::read_to_string(root().join("docs/atlas.md")).unwrap();
    assert!(page.contains("\n136 games, of which 88 are different"), "{page}");
    assert!(page.contains("\n1,023 games, of which 278 are different"), "{page}");
    assert!(!page.contains("in no sweep"), "{page}");
}

/// The page is what the command makes of the lines that are kept.
#[test]
fn the_page_is_current() {
    let page = judge(&format!("atlas {}", KEPT.join(" ")), &[]);
    assert_eq!(text(&page.stderr), "");
    let kept = fs::read_to_string(root().join("docs/atlas.md")).unwrap();
    assert!(text(&page.stdout) == kept, "grundy atlas {} --output docs/atlas.md", KEPT.join(" "));
}
