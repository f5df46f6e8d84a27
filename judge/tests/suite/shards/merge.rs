//! Tests of `judge merge`.

use std::fs;

use super::{ARENA, STRESS, error_output, printed, run};
use crate::support::{TestDir, text};

/// Records the shards of a run in files and returns the paths.
fn recorded(dir: &TestDir, args: &str, count: u64) -> Vec<String> {
    let record = |index| {
        let file = dir.file(&format!("{index}-of-{count}.jsonl"));
        printed(&run(&format!("{args} --shard {index}/{count} --checkpoint {file}")), 0);
        file
    };
    (1..=count).map(record).collect()
}

fn merged(files: &[&str]) -> String {
    let output = run(&format!("merge {}", files.join(" ")));
    assert_eq!(text(&output.stderr), "");
    printed(&output, 0)
}

/// Checks that lines may be longer than the buffer with which a file is read.
#[test]
fn long_lines() {
    let dir = TestDir::new();
    let file = dir.file("pair.jsonl");
    printed(&run(&format!("arena nim 3 5 --pairs 1 --bot perfect --bot greedy --record {file}")), 0);
    let record = dir.read("pair.jsonl");
    let line = |index: u64| {
        let line = record.lines().find(|line| line.contains(&format!("\"index\":{index},"))).unwrap();
        let reason = format!("\"reason\":\"{}", "x".repeat(3 << 20));
        line.replacen("\"reason\":\"", &reason, 1) + "\n"
    };
    let (one, other) = (dir.write("one", line(1) + &line(0)), dir.write("other", line(0) + &line(1)));
    assert!(merged(&[&one, &other]) == line(0) + &line(1));
}

/// Checks that 1 and 8 jobs have the same results: `judge merge` would refuse different results.
#[test]
fn the_same_results_at_any_number_of_jobs() {
    let dir = TestDir::new();
    for args in [ARENA, STRESS] {
        let record = |jobs: u32| {
            let file = dir.file(&format!("{jobs}.jsonl"));
            let _ = fs::remove_file(&file);
            printed(&run(&format!("{} --jobs {jobs} --checkpoint {file}", args.replace(" --jobs 2", ""))), 0);
            file
        };
        let (one, eight) = (record(1), record(8));
        let merged = dir.file("merged.jsonl");
        let summary = printed(&run(&format!("merge {one} {eight} -o {merged}")), 0);
        let total = dir.read("1.jsonl").lines().count();
        assert!(summary.ends_with(&format!(" from 2 files, {total} duplicates\n")), "{summary}");
    }
}

/// Checks that more files can be merged than a process may open by default.
#[cfg(target_os = "linux")]
#[test]
fn more_files_than_may_be_open() {
    let dir = TestDir::new();
    let files = recorded(&dir, STRESS, 2);
    let text = fs::read_to_string(&files[0]).unwrap() + &fs::read_to_string(&files[1]).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let names: Vec<_> =
        (0..300).map(|at| dir.write(&format!("{at}"), format!("{}\n", lines[at % lines.len()]))).collect();
    let expected = merged(&[&files[0], &files[1]]);
    let judge = |limits: &str| {
        let script = format!("{limits} exec \"$@\"");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, "sh", crate::support::JUDGE, "merge"]).args(&names);
        shell.output().unwrap()
    };
    assert_eq!(printed(&judge("ulimit -Sn 100;"), 0), expected);
    let error = error_output(&judge("ulimit -n 100;"), 2);
    assert!(
        error.contains("files first, and then the result with the rest")
            && error.contains("Too many open files"),
        "{error}"
    );
}
