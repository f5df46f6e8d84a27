//! `judge lint --interactor`: which checks the interactors of `tests/interactors` fail.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::broken_bots::{check_rows, table};
use crate::support::{JUDGE, TestDir, has_program, has_python, json_lines, root, text};

/// A line of `lint.tsv`.
struct Expected {
    interactor: String,
    style: String,
    options: String,
    failed: String,
}

fn directory() -> PathBuf {
    root().join("tests/interactors")
}

/// Reads the lines of `lint.tsv`.
fn expected() -> Vec<Expected> {
    let rows = table(&directory().join("lint.tsv")).into_iter();
    rows.map(|[interactor, style, options, failed]| Expected { interactor, style, options, failed }).collect()
}

/// Runs `judge lint` in the directory of the interactors.
fn lint(interactor: &str, style: &str, options: &[&str]) -> Output {
    let mut judge = Command::new(JUDGE);
    judge.current_dir(directory());
    judge.args(["lint", "--interactor", interactor, "--style", style, "--input", "inputs/2.in"]);
    judge.args(options).args(["--", "bots/good.py"]).output().unwrap()
}

impl Expected {
    /// Returns the program that compiles the interactor, if it has to be compiled.
    fn compiler(&self) -> Option<&'static str> {
        let file = self.interactor.split(' ').next().unwrap();
        match Path::new(file).extension().unwrap().to_str() {
            Some("cpp") => Some("g++"),
            Some("rs") => Some("rustc"),
            _ => None,
        }
    }

    /// Checks an interactor. Returns how the report differs from the table; `None` if they agree.
    fn check(&self) -> Option<String> {
        let options = self.options.split(' ').filter(|word| *word != "-");
        let options: Vec<&str> = ["--json"].into_iter().chain(options).collect();
        let output = lint(&self.interactor, &self.style, &options);
        let lines = json_lines(&output.stdout);
        let failed: Vec<&serde_json::Value> = lines.iter().filter(|line| line["status"] == "fail").collect();
        let numbers: Vec<String> = failed.iter().map(|line| line["number"].to_string()).collect();
        let numbers = if numbers.is_empty() { "-".to_owned() } else { numbers.join(" ") };
        // Each failure says why it matters, what to do, and how to repeat it.
        let is_explained = failed.iter().all(|line| {
            let has_texts = |field: &str| line[field].as_array().is_some_and(|texts| !texts.is_empty());
            has_texts("why") && has_texts("advice") && line["again"].is_string()
        });
        let code = i32::from(self.failed != "-");
        let is_expected = numbers == self.failed && is_explained && output.status.code() == Some(code);
        (!is_expected).then(|| {
            format!(
                "{}: expected the failed checks {}, got {numbers}: {}{}\n",
                self.interactor,
                self.failed,
                text(&output.stdout),
                text(&output.stderr)
            )
        })
    }
}

/// Checks the note about an interactor that waits forever for a bot that does not read.
#[test]
fn an_interactor_that_needs_a_reader() {
    if !has_python() {
        return;
    }
    let output = lint("lint/answers_many.py", "icpc", &["--json", "--only", "10"]);
    let lines = json_lines(&output.stdout);
    let found = lines[0]["found"].as_str().unwrap();
    assert_eq!((lines.len(), &lines[0]["status"]), (1, &"note".into()), "{}", text(&output.stdout));
    assert!(found.ends_with("both programs write, and neither reads"), "{found}");
    assert_eq!(output.status.code(), Some(0));
}

/// Checks the interactors of the rows for which `is_checked` is true.
fn check_all(is_checked: impl Fn(&Expected) -> bool) {
    check_rows(&expected().into_iter().filter(is_checked).collect::<Vec<_>>(), 3, Expected::check);
}

#[test]
fn every_interactor_fails_its_checks() {
    if has_python() {
        check_all(|row| row.compiler().is_none());
    }
}

#[test]
#[ignore = "compiles programs"]
fn every_compiled_interactor_fails_its_checks() {
    let has_compiler =
        |row: &Expected| row.compiler().is_some_and(|program| has_program(program, &["--version"]));
    if has_python() {
        check_all(has_compiler);
    }
}

/// Checks that the interactors of `judge new` judge their bots and pass all checks.
#[test]
fn new_interactors_pass() {
    if !has_python() {
        return;
    }
    for style in ["icpc", "plain", "testlib"] {
        if style == "testlib" && !has_program("g++", &["--version"]) {
            continue;
        }
        let here = TestDir::new();
        let judge = |arguments: &[&str], code| {
            let mut judge = Command::new(JUDGE);
            let output = judge.current_dir(here.path()).args(arguments).output().unwrap();
            let report = format!("{}{}", text(&output.stderr), text(&output.stdout));
            assert_eq!(output.status.code(), Some(code), "{style}: {report}");
            report
        };
        judge(&["new", "interactor", style, "."], 0);
        if style == "testlib" {
            fs::copy(directory().join("include/testlib.h"), here.path().join("testlib.h")).unwrap();
        }
        let report = judge(&["run", "--", "right.py"], 0);
        assert!(report.ends_with("1 of 1 run accepted\n"), "{style}: {report}");
        let report = judge(&["run", "--", "wrong.py"], 1);
        assert!(
            report.starts_with("judge: problem: judge.toml\nWRONG_ANSWER tests/1.in: "),
            "{style}: {report}"
        );
        let report = judge(&["lint", "--", "right.py"], 0);
        assert!(report.contains("10 passed, 0 failed, 0 noted"), "{style}: {report}");
    }
}

/// Checks the messages for wrong usage.
#[test]
fn wrong_usage_is_refused() {
    for (options, expected) in [
        (&["--only", "11"][..], "a check from 1 to 10, got 11"),
        (&["--input", "inputs/1.in"], "expected one input to check the interactor, got 2"),
        (&["--checker", "checker.py"], "the style testlib"),
    ] {
        let output = lint("icpc.py", "icpc", options);
        let stderr = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{stderr}");
        assert!(stderr.contains(expected), "{options:?}: expected {expected:?}, got {stderr}");
    }
}

/// Checks that only one check runs with `--only`, and that the printed command repeats its failure.
#[test]
fn one_check_and_its_command() {
    if !has_python() {
        return;
    }
    let output = lint("lint/accepts_end.py", "icpc", &["--only", "5", "--json"]);
    let lines = json_lines(&output.stdout);
    assert_eq!((lines.len(), output.status.code()), (1, Some(1)), "{}", text(&output.stderr));
    assert_eq!(lines[0]["number"], 5);
    let again = lines[0]["again"].as_str().unwrap().replacen("judge", "exec \"$judge\"", 1);
    let mut shell = Command::new("sh");
    let output = shell.current_dir(directory()).env("judge", JUDGE).args(["-c", &again]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{again}: {}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("ACCEPTED "), "{again}: {}", text(&output.stdout));
}
