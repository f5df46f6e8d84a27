//! The bots of `tests/bots/broken`, each with a common mistake, and the report that the judge must print for each.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::support::{
    Printed, TestDir, command, has_program, json_lines, limited, names_in, root, skip, table,
};

fn directory() -> PathBuf {
    root().join("tests/bots/broken")
}

/// Returns the lines of `expected.tsv`: the bot, the arguments, the verdict, the class, and words of the report.
fn expected() -> Vec<[String; 5]> {
    table(&directory().join("expected.tsv"))
}

/// Returns the extensions of the sources that this machine cannot compile or run.
pub fn missing_languages() -> Vec<&'static str> {
    let programs = [("py", "python3"), ("cpp", "g++"), ("c", "gcc"), ("java", "javac"), ("js", "node")];
    let programs = programs.into_iter().chain([("rs", "rustc")]);
    let missing = programs.filter(|(_, program)| !has_program(program, &["--version"]));
    missing.map(|(extension, _)| extension).collect()
}

/// Returns whether a command begins with a source that has one of these extensions.
pub fn is_source(command: &str, extensions: &[&str]) -> bool {
    let end = Path::new(command.split(' ').next().unwrap()).extension();
    end.is_some_and(|end| extensions.iter().any(|extension| end == *extension))
}

/// Compares a run with its line in a table: the verdict, the class in the transcript, words of the report, and the exit
/// code. Returns how they differ; `None` if they agree.
pub fn difference(
    judge: &mut Command,
    transcript: &str,
    [verdict, class, words]: [&str; 3],
    code: i32,
) -> Option<String> {
    let output = judge.output().unwrap();
    let report = output.out();
    let lines = fs::read(transcript).map(|lines| json_lines(&lines)).unwrap_or_default();
    let recorded = lines.last().and_then(|line| line["class"].as_str()).unwrap_or_default();
    let has_words = words == "-" || report.contains(words);
    let is_expected = report.starts_with(&format!("{verdict} ")) && has_words && recorded == class;
    (!is_expected || output.code() != Some(code)).then(|| {
        format!(
            "{judge:?}: expected {verdict}, {class}, with {words:?} and exit code {code}, got {recorded}, {report}{}",
            output.err()
        )
    })
}

#[test]
fn every_broken_bot_gets_its_verdict_and_its_reason() {
    let (missing, mut rows) = (missing_languages(), expected());
    rows.retain(|[bot, ..]| !is_source(bot, &missing));
    check_rows(&rows, 6, |[bot, arguments, verdict, class, words]| {
        let here = TestDir::new();
        let (transcript, source) = (here.file("transcript.jsonl"), directory().join(bot));
        let run = command(&format!("run {arguments} --transcript {transcript}"), &[source.to_str().unwrap()]);
        let mut judge = limited("-Ss 8192", &run);
        // The judge removes this variable, which would hide a missing flush.
        judge.env("PYTHONUNBUFFERED", "1");
        // These variables change the amount of the bots' output.
        judge.env_remove("RUST_BACKTRACE").env_remove("NODE_OPTIONS");
        difference(&mut judge, &transcript, [verdict, class, words], i32::from(verdict != "WON"))
    });
}

/// Checks that the report names recursion as a possible cause if the stack limit is so large that recursion reaches the
/// memory limit first.
#[test]
fn a_recursion_without_a_stack_limit() {
    let allowed = Command::new("sh").args(["-c", "ulimit -Ss unlimited"]).output().unwrap().status.success();
    if !allowed {
        return skip("this machine has a hard limit of the stack");
    }
    if !has_program("g++", &["--version"]) {
        return;
    }
    let bot = directory().join("recursion.cpp").into_os_string().into_string().unwrap();
    let judge = command("run 6 1 2 --memory-limit 64M --time-limit 20", &[&bot]);
    for (limit, report) in [
        ("unlimited", "has more than 6 moves: perhaps infinite recursion (here the stack"),
        (
            "1048576",
            "(here the stack may fill the memory: see ulimit -s), a loop that never stops allocating, or a",
        ),
    ] {
        limited(&format!("-Ss {limit}"), &judge).output().unwrap().begins("MEMORY ").prints(report);
    }
}

#[test]
fn the_table_is_whole() {
    let table: BTreeSet<String> = expected().into_iter().map(|[bot, ..]| bot).collect();
    let files = names_in(directory()).into_iter();
    assert_eq!(table, files.filter(|name| name != "expected.tsv").collect());
}

/// Checks rows, `at_once` at a time, because most of them wait. `check` returns how a row differs from what is
/// expected; `None` if they agree.
pub fn check_rows<R: Sync>(rows: &[R], at_once: usize, check: impl Fn(&R) -> Option<String> + Sync) {
    let next = AtomicUsize::new(0);
    let failures: Vec<String> = thread::scope(|scope| {
        let check = || {
            let mut failures = Vec::new();
            while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                failures.extend(check(row));
            }
            failures
        };
        let threads: Vec<_> = (0..at_once).map(|_| scope.spawn(check)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    // Write immediately. The output of eprintln! is held back until all tests have ended.
    std::io::stderr().write_all(failures.concat().as_bytes()).unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
