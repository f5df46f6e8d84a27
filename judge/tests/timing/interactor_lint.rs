//! `judge lint --interactor`: which checks the interactors of `tests/interactors` fail.

use std::collections::BTreeSet;
use std::process::Output;

use itertools::Itertools;

use crate::broken_bots::{check_rows, is_compiled, is_source, missing_languages};
use crate::support::{Printed, TestDir, bare_command, has_program, interactors, judge_typed, root, table};

/// Runs `judge lint` with the bot `good.py` in the directory of the interactors.
fn lint(interactor: &str, style: &str, options: &[&str]) -> Output {
    let lint = ["lint", "--interactor", interactor, "--style", style, "--input", "inputs/2.in"];
    let mut judge = bare_command();
    judge.current_dir(interactors()).args(lint).args(options).args(["--", "bots/good.py"]).output().unwrap()
}

/// Checks which checks an interactor fails. `only` is the number of the check that is made; all are
/// without it.
fn check([interactor, style, options, expected]: &[String; 4], only: Option<&str>) {
    let options = options
        .split(' ')
        .filter(|word| *word != "-")
        .chain(only.into_iter().flat_map(|number| ["--only", number]));
    let output = lint(interactor, style, &["--json"].into_iter().chain(options).collect::<Vec<_>>());
    let lines = output.json();
    let failed: Vec<&serde_json::Value> = lines.iter().filter(|line| line["status"] == "fail").collect();
    let numbers = failed.iter().map(|line| line["number"].to_string()).join(" ");
    let expected = only.unwrap_or(expected.trim_start_matches('-'));
    assert_eq!(numbers, expected, "{}{}", output.out(), output.err());
    output.exits(i32::from(!failed.is_empty()));
    // Each failure says why it matters, what to do, and how to repeat it.
    for line in failed {
        let has_texts = |field: &str| line[field].as_array().is_some_and(|texts| !texts.is_empty());
        assert!(has_texts("why") && has_texts("advice") && line["again"].is_string(), "{line}");
    }
}

fn rows() -> Vec<[String; 4]> {
    let (missing, mut rows) = (missing_languages(), table(&interactors().join("lint.tsv")));
    rows.retain(|[interactor, ..]: &[String; 4]| !is_source(interactor, &missing));
    rows
}

/// Checks one interactor for each check that is the first to fail, without a compiler.
#[test]
fn each_check_fails() {
    let (mut rows, mut seen) = (rows(), BTreeSet::from(["-".to_owned()]));
    let first = |row: &[String; 4]| row[3].split(' ').next().unwrap().to_owned();
    rows.retain(|row| !is_compiled(&row[0]) && seen.insert(first(row)));
    check_rows(&rows, 4, |row| check(row, Some(&first(row))));
}

#[test]
#[ignore = "compiles programs, and makes every check of each interactor"]
fn every_interactor_fails_its_checks() {
    check_rows(&rows(), 4, |row| check(row, None));
    assert_passes("plain.py {input}", "plain");
    if has_program("g++") {
        assert_passes("testlib.cpp", "testlib");
    }
}

#[test]
fn a_new_interactor_passes() {
    assert_passes("icpc.py", "icpc");
}

#[track_caller]
fn assert_passes(interactor: &str, style: &str) {
    let here = TestDir::new();
    let input = here.write("1.in", "1000 10 777\n");
    let mut judge = bare_command();
    judge.current_dir(root().join("judge/starters/interactor"));
    judge.args(["lint", "--interactor", interactor, "--style", style, "--input", &input, "--", "right.py"]);
    judge.env("CPLUS_INCLUDE_PATH", interactors().join("include"));
    judge.output().unwrap().prints("10 passed, 0 failed, 0 noted");
}

/// Checks that only one check runs with `--only`, that the printed command repeats its failure, and the note about an
/// interactor that waits forever for a bot that does not read.
#[test]
fn one_check_and_its_command() {
    let only = |interactor, number| lint(interactor, "icpc", &["--json", "--only", number]).json();
    let lines = only("lint/accepts_end.py", "5");
    assert_eq!((lines.len(), &lines[0]["number"]), (1, &5.into()), "{lines:?}");
    let again = lines[0]["again"].as_str().unwrap().strip_prefix("judge ").unwrap();
    judge_typed(interactors(), again).exits(0).begins("ACCEPTED ");
    let lines = only("lint/answers_many.py", "10");
    assert_eq!((lines.len(), &lines[0]["status"]), (1, &"note".into()), "{lines:?}");
    let found = lines[0]["found"].as_str().unwrap();
    assert!(found.ends_with("both programs write, and neither reads"), "{found}");
}
