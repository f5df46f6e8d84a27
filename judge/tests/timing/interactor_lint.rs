//! `judge lint --interactor`: which checks the interactors of `tests/interactors` fail.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::broken_bots::check_rows;
use crate::support::{JUDGE, TestDir, has_program, has_python, json_lines, root, table, text};

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

/// Runs `judge lint` with the bot `good.py` in the directory of the interactors.
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

/// Checks the interactors that `judge new` writes, with their bot.
#[test]
fn new_interactors_pass() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let (input, starters) = (here.write("1.in", "1000 10 777\n"), root().join("judge/starters/interactor"));
    for (interactor, style) in
        [("icpc.py", "icpc"), ("plain.py {input}", "plain"), ("testlib.cpp", "testlib")]
    {
        if style == "testlib" && !has_program("g++", &["--version"]) {
            continue;
        }
        let mut judge = Command::new(JUDGE);
        judge.current_dir(&starters).args(["lint", "--interactor", interactor, "--style", style]);
        judge.env("CPLUS_INCLUDE_PATH", directory().join("include"));
        let output = judge.args(["--input", &input, "--", "right.py"]).output().unwrap();
        let report = text(&output.stdout);
        assert!(report.contains("10 passed, 0 failed, 0 noted"), "{style}: {report}{}", text(&output.stderr));
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
