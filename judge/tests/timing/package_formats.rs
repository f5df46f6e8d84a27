//! Packages in formats other than that of ICPC, zip archives, and contests.

use std::process::Command;

use serde_json::{Value, json};

use crate::broken_bots::check_rows;
use crate::packages::{copy, remove, run};
use crate::support::{PATH, Printed, bare_command, has_program, judge_in, names_in, root};

/// Checks that the submissions of a package of each format that has submissions get the verdicts that the package
/// expects. The package `message` has two passes, and a validator in C++.
#[test]
fn submissions_of_each_format() {
    let mut packages = vec![("number", 5), ("secret_number", 4), ("rbx", 4), ("dmoj", 5)];
    if has_program("g++", &["--version"]) {
        packages.push(("message", 5));
    }
    check_rows(&packages, 3, |(package, submissions)| {
        let expected = format!("{submissions} submissions: all verdicts as expected\n");
        let package = format!("tests/packages/{package}");
        run(&root(), &[&package, "--idle-limit", "0.5"]).exits(0).prints(&expected);
    });
    // The command of a run whose input is in an archive has the name of the test.
    let (package, bot) = ("tests/packages/dmoj", "tests/linear/linear.py");
    let again = format!("again: judge run --problem {package} --input number.2 -- {bot}\n");
    run(&root(), &[package, "--", bot]).prints(&again);
}

/// A checker that cannot read the missing answer is not the fault of the solution.
#[test]
fn answers_that_are_missing() {
    let here = copy("secret_number");
    remove(&here, &["tests/01.a", "tests/02.a"]);
    run(here.path(), &["package"]).exits(2).prints(
        "JUDGE_ERROR: there is no answer file package/tests/01.ans, and the checker ended with an exception\n",
    );
}

#[test]
fn inputs_that_generators_make() {
    let here = copy("secret_number");
    remove(&here, &["tests/02"]);
    let wrong = ["package", "--input", "tests/02", "--", "package/solutions/linear.py"];
    let again = "again: judge run --problem package --input tests/02 -- package/solutions/linear.py\n";
    // The checker rejects what the interactor has accepted.
    run(here.path(), &wrong)
        .begins("WRONG_ANSWER tests/02: the checker rejected: wrong answer 513 after 513 questions")
        .prints(again);
    here.write("package/files/generate.py", "import sys\nsys.exit('no such test')\n");
    let failed = "generate.py failed: it exited with code 1; its last lines on stderr: no such test\n";
    run(here.path(), &wrong).exits(2).complains(failed);
}

#[test]
fn bots_on_a_problem_of_hydro() {
    let package = "tests/packages/hydro";
    for (bot, of_large, score) in
        [("main.py", "ACCEPTED", Value::Null), ("wa-linear.py", "PARTIAL", json!(0.5))]
    {
        let bot = format!("tests/packages/rbx/sols/{bot}");
        let lines = run(&root(), &[package, "--json", "--full-score", "1", "--", &bot]).json();
        let found: Vec<_> =
            lines.iter().map(|line| ["test", "verdict", "score"].map(|field| &line[field])).collect();
        let small = [&json!("testdata/small"), &json!("ACCEPTED"), &Value::Null];
        assert_eq!(found, [small, [&json!("testdata/large"), &json!(of_large), &score]]);
    }
    run(&root(), &[package]).complains("expected solutions, found none");
    // Found from within, it is the same folder.
    let lines = judge_in(root().join(package), &["run", "--json", "--", "true"]).json();
    assert_eq!(lines[0]["test"], "testdata/small");
}

/// The interactor of each case is another program. The one of the first case fails on the second, whose input has no hidden
/// number.
#[test]
fn a_bot_on_a_problem_of_interact_bench() {
    if !has_program("g++", &["--version"]) {
        return;
    }
    let reports = |args: &[&str]| {
        let bot = "tests/packages/rbx/sols/main.py";
        let args = [&["tests/packages/interact_bench", "--json"], args, &["--", bot]].concat();
        let lines = run(&root(), &args).json();
        let accepted = |line: &Value| (line["test"].clone(), line["verdict"] == "ACCEPTED");
        let program = |line: &Value| line["referee"]["command"][0].clone();
        lines.iter().map(|line| (accepted(line), program(line))).collect::<Vec<_>>()
    };
    let [(fixed, first), (adaptive, second)] = &reports(&[])[..] else { panic!("expected two runs") };
    assert_eq!((fixed, adaptive), (&(json!("cases/001"), true), &(json!("cases/101"), true)));
    assert_ne!(first, second);
    assert_eq!(reports(&["--input", "cases/101"]), [(adaptive.clone(), second.clone())]);
}

/// Checks a package as a zip archive, and that no temporary file is left.
#[test]
fn submissions_of_an_archive() {
    let here = copy("number");
    let temporary = here.directory("temporary");
    let mut zip = Command::new("python3");
    zip.args(["-m", "zipfile", "-c", "number.zip", "package"]).env("PATH", &*PATH).current_dir(here.path());
    assert!(zip.status().unwrap().success());
    let judge = |args: &[&str]| {
        let mut judge = bare_command();
        judge.env("TMPDIR", &temporary).current_dir(here.path());
        let output = judge.args(args).output().unwrap();
        assert_eq!(names_in(&temporary), [""; 0], "temporary files");
        output
    };
    let (run, linear) = (["run", "--problem", "number.zip"], ["--", "wrong_answer/linear.py"]);
    judge(&run).prints("4 submissions: all verdicts as expected\n");
    judge(&[&run[..], &["--input", "secret/many"], &linear].concat())
        .begins("WRONG_ANSWER secret/many: the interactor rejected: more than 10 questions")
        .prints("again: judge run --problem number.zip --input secret/many -- wrong_answer/linear.py\n");
    let right = root().join("tests/packages/rbx/sols/main.py");
    let lint = ["lint", "--problem", "number.zip", "--only", "2", "--", "python3", right.to_str().unwrap()];
    judge(&lint).prints(" 0 failed");
}

#[test]
fn problems_of_a_contest() {
    let here = copy("number");
    remove(
        &here,
        &["submissions/wrong_answer", "submissions/run_time_error", "submissions/submissions.yaml"],
    );
    here.write("plain/problem.yaml", "problem_format_version: 2025-09\ntype: pass-fail\n");
    run(here.path(), &["."])
        .exits(0)
        .begins("./package\naccepted/binary.py ")
        .prints("\n1 problem: 1 with all verdicts as expected\n")
        .says(
            "judge: not run: ./plain/problem.yaml: expected an interactive or multi-pass problem, found the type \
             pass-fail: the judge runs no problem whose outputs are only compared",
        );
    // A broken package does not stop the others.
    here.write("broken/problem.xml", "<problem><judging/></problem>");
    run(here.path(), &[".", "--quiet"]).refuses("./broken/problem.xml: expected <assets>");
    run(here.path(), &[".", "--", "true"]).complains(
        "expected one problem, found a contest: choose one by --problem: ./broken, ./package, ./plain\n",
    );
}
