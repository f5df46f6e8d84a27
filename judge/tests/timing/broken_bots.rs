//! The bots of `tests/bots/broken`, each with a common mistake, and the report that the judge must print for each.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
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
    let programs = [("cpp", "g++"), ("c", "gcc"), ("java", "javac"), ("js", "node"), ("rs", "rustc")];
    let missing = programs.into_iter().filter(|(_, program)| !has_program(program));
    missing.map(|(extension, _)| extension).collect()
}

/// Returns whether a command begins with a source that has one of these extensions.
pub fn is_source(command: &str, extensions: &[&str]) -> bool {
    let end = Path::new(command.split(' ').next().unwrap()).extension();
    end.is_some_and(|end| extensions.iter().any(|extension| end == *extension))
}

pub fn is_compiled(command: &str) -> bool {
    is_source(command, &["c", "cpp", "java", "rs"])
}

/// Compares a run with its line in a table: the verdict, the class in the transcript, words of the report ("-": none),
/// and the exit code.
pub fn assert_reports(
    judge: &mut Command,
    transcript: &str,
    [verdict, class, words]: [&str; 3],
    code: i32,
) -> Output {
    let output = judge.output().unwrap();
    let words = if words == "-" { "" } else { words };
    output.begins(&format!("{verdict} ")).prints(words).exits(code);
    let lines = json_lines(&fs::read(transcript).unwrap());
    assert_eq!(lines.last().unwrap()["class"], class, "{}", output.out());
    output
}

#[test]
fn every_broken_bot_gets_its_verdict_and_its_reason() {
    check_all(false);
}

#[test]
#[ignore = "compiles programs"]
fn every_compiled_broken_bot_gets_its_verdict_and_its_reason() {
    check_all(true);
}

/// Checks the report of each bot, and that a replay prints the same report.
fn check_all(are_compiled: bool) {
    let (missing, mut rows) = (missing_languages(), expected());
    rows.retain(|[bot, ..]| is_compiled(bot) == are_compiled && !is_source(bot, &missing));
    check_rows(&rows, 6, |[bot, arguments, verdict, class, words]| {
        let here = TestDir::new();
        let (transcript, source) = (here.file("transcript.jsonl"), directory().join(bot));
        let run = command(&format!("run {arguments} --transcript {transcript}"), &[source.to_str().unwrap()]);
        let mut judge = limited("-Ss 8192", &run);
        // The judge removes this variable, which would hide a missing flush.
        judge.env("PYTHONUNBUFFERED", "1");
        // These variables change the amount of the bots' output.
        judge.env_remove("RUST_BACKTRACE").env_remove("NODE_OPTIONS");
        let code = i32::from(verdict != "WON");
        let live = assert_reports(&mut judge, &transcript, [verdict, class, words], code);
        let replay = crate::support::judge(&format!("replay {transcript}"), &[]);
        assert_eq!(replay.exits(0).says("").out(), live.out(), "the replay");
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
    if !has_program("g++") {
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

/// Checks every row, `at_once` at a time, because most of them wait. A row that fails does not hide the others.
pub fn check_rows<R: Debug + Sync>(rows: &[R], at_once: usize, check: impl Fn(&R) + Sync) {
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if catch_unwind(AssertUnwindSafe(|| check(row))).is_err() {
                        eprintln!("this row failed: {row:?}");
                        failed.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(failed.into_inner(), 0, "rows failed: see above");
}
