//! Packages in formats other than that of ICPC, zip archives, and contests.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::packages::{copy, run, verdicts};
use crate::support::{JUDGE, TestDir, has_program, has_python, json_lines, root, text};

/// A submission and its verdicts.
type Row = (&'static str, &'static [&'static str]);

/// A package of each format that has submissions, and all of their verdicts.
const SUBMISSIONS: [(&str, &[Row]); 5] = [
    (
        "number",
        &[
            ("accepted/binary.py", &["ACCEPTED"]),
            ("accepted/folder", &["ACCEPTED"]),
            ("run_time_error/raises.py", &["ACCEPTED", "CRASHED"]),
            ("time_limit_exceeded/no_flush.py", &["IDLE"]),
            ("wrong_answer/linear.py", &["ACCEPTED", "WRONG_ANSWER"]),
        ],
    ),
    // This package has two passes, and a validator in C++.
    (
        "message",
        &[
            ("accepted/binary.py", &["ACCEPTED"]),
            ("accepted/two_files", &["ACCEPTED"]),
            ("run_time_error/second_pass.py", &["CRASHED"]),
            ("wrong_answer/digits.py", &["WRONG_ANSWER"]),
            ("wrong_answer/forgets.py", &["ACCEPTED", "WRONG_ANSWER"]),
        ],
    ),
    (
        "secret_number",
        &[
            ("solutions/binary.py", &["ACCEPTED"]),
            ("solutions/raises.py", &["CRASHED"]),
            ("solutions/linear.py", &["ACCEPTED", "WRONG_ANSWER"]),
            ("solutions/no_flush.py", &["IDLE"]),
        ],
    ),
    (
        "rbx",
        &[
            ("sols/main.py", &["ACCEPTED"]),
            ("sols/wa-linear.py", &["ACCEPTED", "WRONG_ANSWER"]),
            ("sols/no_flush.py", &["IDLE"]),
            ("sols/raises.py", &["CRASHED"]),
        ],
    ),
    (
        "dmoj",
        &[
            ("tests/right/right.py", &["ACCEPTED"]),
            ("tests/linear/linear.py", &["ACCEPTED", "WRONG_ANSWER"]),
            ("tests/no_flush/no_flush.py", &["IDLE"]),
            ("tests/raises/raises.py", &["CRASHED"]),
        ],
    ),
];

#[test]
fn submissions_of_each_format() {
    if !has_python() {
        return;
    }
    for (package, expected) in SUBMISSIONS {
        if package == "message" && !has_program("g++", &["--version"]) {
            continue;
        }
        let verdicts = verdicts(&root(), &format!("tests/packages/{package}"));
        let shown: Vec<(&str, Vec<&str>)> = verdicts
            .iter()
            .map(|(submission, verdicts)| (&**submission, verdicts.iter().map(|name| &**name).collect()))
            .collect();
        let expected: Vec<_> = expected.iter().map(|(name, verdicts)| (*name, verdicts.to_vec())).collect();
        assert_eq!(shown, expected, "{package}");
    }
}

/// Checks the command of a run whose input is in an archive: it has the name of the test.
#[test]
fn a_test_in_an_archive_of_inputs() {
    if !has_python() {
        return;
    }
    let package = "tests/packages/dmoj";
    let output = run(&root(), &[package, "--", "tests/linear/linear.py"]);
    let again = format!("again: judge run --problem {package} --input number.2 -- tests/linear/linear.py\n");
    assert!(text(&output.stdout).contains(&again), "{}", text(&output.stdout));
}

#[test]
fn bots_on_a_problem_of_hydro() {
    if !has_python() {
        return;
    }
    let package = "tests/packages/hydro";
    let verdicts = |bot: &str| {
        let bot = format!("tests/packages/rbx/sols/{bot}");
        let lines = json_lines(&run(&root(), &[package, "--json", "--full-score", "1", "--", &bot]).stdout);
        let of_run = |line: &Value| (line["test"].clone(), line["verdict"].clone(), line["score"].clone());
        lines.iter().map(of_run).collect::<Vec<_>>()
    };
    let (small, large) = (json!("testdata/small"), json!("testdata/large"));
    let accepted = json!("ACCEPTED");
    let expected =
        [(small.clone(), accepted.clone(), Value::Null), (large.clone(), accepted.clone(), Value::Null)];
    assert_eq!(verdicts("main.py"), expected);
    let expected = [(small, accepted, Value::Null), (large, json!("PARTIAL"), json!(0.5))];
    assert_eq!(verdicts("wa-linear.py"), expected);
    let output = run(&root(), &[package]);
    assert!(text(&output.stderr).contains("expected solutions, found none"), "{}", text(&output.stderr));
}

#[test]
fn a_bot_on_a_problem_of_interact_bench() {
    if !has_python() || !has_program("g++", &["--version"]) {
        return;
    }
    let output = run(&root(), &["tests/packages/interact_bench", "--", "tests/packages/rbx/sols/main.py"]);
    assert!(text(&output.stdout).ends_with("main.py: 1 of 1 run accepted\n"), "{}", text(&output.stdout));
    let note = text(&output.stderr).split("to run one, type ").nth(1).unwrap().trim_end();
    let script = format!("exec '{JUDGE}' run {note} -- python3 ../rbx/sols/main.py");
    let folder = root().join("tests/packages/interact_bench");
    let adaptive = Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap();
    assert!(text(&adaptive.stdout).ends_with("main.py: 1 of 1 run accepted\n"), "{}", text(&adaptive.stdout));
}

/// Checks the packages of Polygon and ICPC as zip archives, and that no temporary file is left.
#[test]
fn submissions_of_archives() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    fs::create_dir(here.path().join("temporary")).unwrap();
    for (package, wrong, input, reason) in [
        // The checker rejects what the interactor has accepted.
        (
            "secret_number",
            "solutions/linear.py",
            "tests/02",
            "the checker rejected: wrong answer 513 after 513 questions",
        ),
        (
            "number",
            "wrong_answer/linear.py",
            "secret/many",
            "the interactor rejected: more than 10 questions",
        ),
    ] {
        let zipped = root().join("tests/packages").join(package);
        let archive = format!("{package}.zip");
        let mut zip = Command::new("python3");
        zip.args(["-m", "zipfile", "-c", &archive]).arg(zipped).current_dir(here.path());
        assert!(zip.status().unwrap().success());
        let judge = |args: &[&str]| {
            let mut judge = Command::new(JUDGE);
            judge.env("TMPDIR", here.path().join("temporary")).current_dir(here.path());
            let output = judge.args(["run", "--problem", &archive]).args(args).output().unwrap();
            let left = fs::read_dir(here.path().join("temporary")).unwrap().count();
            assert_eq!(left, 0, "temporary files");
            (text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
        };
        let (table, stderr) = judge(&[]);
        assert!(table.ends_with(" submissions: all verdicts as expected\n"), "{table}{stderr}");
        let (report, stderr) = judge(&["--", wrong]);
        let again = format!("again: judge run --problem {archive} --input {input} -- {wrong}\n");
        assert!(report.contains(&again), "{report}{stderr}");
        let (report, stderr) = judge(&["--input", input, "--", wrong]);
        assert!(report.starts_with(&format!("WRONG_ANSWER {input}: {reason}")), "{report}{stderr}");
    }
}

#[test]
fn problems_of_a_contest() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    for folder in ["plain", "broken"] {
        fs::create_dir(here.path().join(folder)).unwrap();
    }
    here.write("plain/problem.yaml", "problem_format_version: 2025-09\ntype: pass-fail\n");
    let output = run(here.path(), &["."]);
    let table = text(&output.stdout);
    assert!(table.starts_with("./package\naccepted/binary.py "), "{table}");
    assert!(table.ends_with("\n1 problem: 1 with all verdicts as expected\n"), "{table}");
    let skipped = "judge: not run: ./plain/problem.yaml: expected an interactive or multi-pass problem, found the type \
                   pass-fail: the judge runs no problem whose outputs are only compared\n";
    assert_eq!((text(&output.stderr), output.status.code()), (skipped, Some(0)));
    // A broken package does not stop the others.
    here.write("broken/problem.xml", "<problem><judging/></problem>");
    let output = run(here.path(), &[".", "--quiet"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
    assert!(
        text(&output.stderr).contains("./broken/problem.xml: expected <assets>"),
        "{}",
        text(&output.stderr)
    );
    let output = run(here.path(), &[".", "--", "true"]);
    let expected =
        "expected one problem, found a contest: choose one by --problem: ./broken, ./package, ./plain\n";
    assert!(text(&output.stderr).ends_with(expected), "{}", text(&output.stderr));
}
