//! `judge run --problem`: the packages of `tests/packages`, the package that the judge exports, and damaged ones.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{JUDGE, TestDir, has_program, has_python, json_lines, root, text};

/// Runs `judge run --problem` with more arguments in `folder`.
fn run(folder: &Path, args: &[&str]) -> Output {
    let mut judge = Command::new(JUDGE);
    judge.current_dir(folder).env_remove("PYTHONUNBUFFERED").args(["run", "--problem"]).args(args);
    judge.output().unwrap()
}

/// Returns each submission with the verdicts that it got, by `--json`. Checks that all are the expected ones.
fn verdicts(folder: &Path, package: &str) -> Vec<(String, Vec<String>)> {
    let output = run(folder, &[package, "--json"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{report}{}", text(&output.stderr));
    let lines = json_lines(&output.stdout);
    let (runs, submissions): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("verdicts").is_none());
    let mut named = runs.iter().map(|run| &run["submission"]).collect::<Vec<_>>();
    named.dedup();
    assert_eq!(named, submissions.iter().map(|line| &line["submission"]).collect::<Vec<_>>());
    for run in &runs {
        let input = format!("{package}/data/{}.in", run["test"].as_str().unwrap());
        assert_eq!(run["input"], input.as_str(), "{run}");
    }
    submissions
        .into_iter()
        .map(|line| {
            assert_eq!(line["is_expected"], Value::Bool(true), "{line}");
            let names = line["verdicts"].as_object().unwrap().keys().cloned().collect();
            (line["submission"].as_str().unwrap().to_owned(), names)
        })
        .collect()
}

fn owned(rows: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    rows.iter().map(|(submission, verdicts)| ((*submission).to_owned(), names(verdicts))).collect()
}

#[test]
fn submissions_of_an_interactive_package() {
    if !has_python() {
        return;
    }
    assert_eq!(
        verdicts(&root(), "tests/packages/number"),
        owned(&[
            ("accepted/binary.py", &["ACCEPTED"]),
            ("accepted/folder", &["ACCEPTED"]),
            ("run_time_error/raises.py", &["ACCEPTED", "CRASHED"]),
            ("time_limit_exceeded/no_flush.py", &["IDLE"]),
            ("wrong_answer/linear.py", &["ACCEPTED", "WRONG_ANSWER"]),
        ])
    );
}

#[test]
fn submissions_of_a_package_with_two_passes() {
    if !has_python() || !has_program("g++", &["--version"]) {
        return;
    }
    assert_eq!(
        verdicts(&root(), "tests/packages/message"),
        owned(&[
            ("accepted/binary.py", &["ACCEPTED"]),
            ("accepted/two_files", &["ACCEPTED"]),
            ("run_time_error/second_pass.py", &["CRASHED"]),
            ("wrong_answer/digits.py", &["WRONG_ANSWER"]),
            ("wrong_answer/forgets.py", &["ACCEPTED", "WRONG_ANSWER"]),
        ])
    );
}

/// Checks the package that the judge exports, in both formats, with a submission of each kind.
#[test]
fn the_exported_package() {
    if !has_program("g++", &["--version"]) {
        return;
    }
    let here = TestDir::new();
    for format in ["legacy", "icpc"] {
        let exported = Command::new(JUDGE)
            .current_dir(here.path())
            .args(["export", "--format", format, format])
            .output();
        assert!(exported.unwrap().status.success(), "{format}");
        let submissions = here.path().join(format).join("submissions");
        // Bots without an end cost their time limit on each of the tests.
        fs::remove_dir_all(submissions.join("time_limit_exceeded")).unwrap();
        let seen = verdicts(here.path(), format);
        assert!(seen.len() >= 6, "{seen:?}");
        assert_eq!(seen[0], ("accepted/accepted.cpp".to_owned(), vec!["ACCEPTED".to_owned()]));
    }
}

#[test]
fn a_bot_on_some_tests() {
    if !has_python() {
        return;
    }
    let package = "tests/packages/number";
    let bot = "tests/packages/number/submissions/wrong_answer/linear.py";
    let input = "tests/packages/number/data/secret/many.in";
    let output = run(&root(), &[package, "--input", input, "--", bot]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(
        report.starts_with("WRONG_ANSWER secret/many: the interactor rejected: more than 10 questions"),
        "{report}"
    );
    // The package's own limits are not in the command.
    let again = format!("again: judge run --problem {package} --input {input} -- {bot}\n");
    assert!(report.contains(&again), "{report}");
    assert!(report.contains("max_questions=10"), "{report}");
    let lines = json_lines(&run(&root(), &[package, "--input", input, "--json", "--", bot]).stdout);
    assert_eq!(
        (&lines[0]["test"], &lines[0]["input"]),
        (&"secret/many".into(), &input.into()),
        "{}",
        lines[0]
    );
    assert!(lines[0].get("submission").is_none(), "{}", lines[0]);
    let folder = run(
        &root(),
        &["tests/packages/message", "--", "tests/packages/message/submissions/accepted/two_files"],
    );
    if has_program("g++", &["--version"]) {
        assert_eq!(folder.status.code(), Some(0), "{}", text(&folder.stderr));
        assert!(
            text(&folder.stdout).contains("encoded; decoded 12, the number was 12"),
            "{}",
            text(&folder.stdout)
        );
    }
}

/// Copies a package into a new folder.
fn copy(package: &str) -> TestDir {
    let here = TestDir::new();
    let from = root().join("tests/packages").join(package);
    let copied = Command::new("cp").arg("-R").arg(from).arg(here.file("package")).status().unwrap();
    assert!(copied.success());
    here
}

/// Validators that ask for another pass without a right to, and submissions that are not what their folder promises.
#[test]
fn faults_of_validators_and_unexpected_verdicts() {
    if !has_python() {
        return;
    }
    let here = copy("message");
    let check = "package/output_validators/validator/check";
    let right = here.read(check);
    let bot = "package/submissions/accepted/binary.py";
    for (from, to, words) in [
        (
            "if task[0] == \"decode\":",
            "letters = output[0]\nif False:",
            "wrote nextpass.in in pass 2, but the problem has at most 2 passes",
        ),
        ("end(42, \"encoded\")", "end(43, \"encoded\")", "wrote nextpass.in, but exited with code 43"),
        ("end(42, \"encoded\")", "end(7, \"encoded\")", "exited with code 7"),
        (
            "end(42, \"encoded\")",
            "import os; os.remove(file.name); os.mkfifo(file.name); sys.exit(42)",
            "wrote nextpass.in, which cannot be used: it is not a regular file",
        ),
        (
            "end(42, \"encoded\")",
            "import os; os.remove(file.name); os.symlink('/dev/zero', file.name); sys.exit(42)",
            "wrote nextpass.in, which cannot be used",
        ),
    ] {
        assert!(right.contains(from), "{from}");
        here.write(check, right.replace(from, to));
        let output = run(here.path(), &["package", "--", bot]);
        assert_eq!(output.status.code(), Some(2), "{words}: {}", text(&output.stdout));
        let report = text(&output.stdout);
        assert!(report.contains(words), "{words}: {report}");
        // The input of the second pass is what the validator wrote.
        let shown_input = if words.contains("pass 2") { " FEEDBACK/nextpass.in " } else { "1.in " };
        assert!(report.contains(shown_input) && report.contains(" FEEDBACK/ "), "{report}");
    }
    here.write(check, right);
    fs::copy(here.path().join(bot), here.path().join("package/submissions/wrong_answer/binary.py")).unwrap();
    fs::remove_dir_all(here.path().join("package/submissions/accepted/two_files")).unwrap();
    let output = run(here.path(), &["package"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert!(report.contains("UNEXPECTED  ACCEPTED"), "{report}");
    assert!(
        report.contains("    why: no test has WA\n    expected: AC or WA, at least one WA\n"),
        "{report}"
    );
    assert!(report.ends_with("5 submissions: 4 with the expected verdicts\n"), "{report}");
}

#[test]
fn damaged_packages() {
    if !has_python() {
        return;
    }
    let problem = "package/problem.yaml";
    let cases: &[(&str, Option<&str>, &str)] = &[
        (problem, None, "expected a problem package with problem.yaml, found none"),
        (problem, Some("type: [interactive"), "problem.yaml is malformed"),
        (
            problem,
            Some("type: pass-fail\n"),
            "expected an interactive or multi-pass problem, found the type pass-fail",
        ),
        (
            problem,
            Some("type: interactive\nlimits: {time_limit: -1}\n"),
            "time_limit: expected a number of seconds from 0.001",
        ),
        (problem, Some("type: interactive\nlimits: {time_multiplier: .nan}\n"), "time_multiplier: expected"),
        (problem, Some("type: interactive\nvalidator_flags: \"'\"\n"), "unclosed quote"),
        (
            problem,
            Some(
                "type: interactive\nlimits: {time_resolution: 1e18, time_multipliers: {ac_to_time_limit: 1e300}}\n",
            ),
            "expected a number",
        ),
        (
            problem,
            Some("type: interactive\nlimits: {memory: 0}\n"),
            "memory: expected a number of MiB from 1",
        ),
        ("package/data/secret/one.ans", None, "one.ans: expected the answer of the test, found none"),
        ("package/data/secret/test_group.yaml", Some("args: {a: b}\n"), "test_group.yaml is malformed"),
        ("package/output_validator/validator.py", None, "expected the validator, found an empty folder"),
        ("package/output_validator/build", Some("#!/bin/sh\nexit 3\n"), "its script \"build\" failed"),
        (
            "package/output_validator/build",
            Some("#!/bin/sh\nexit 0\n"),
            "expected the file \"run\" after the script",
        ),
        (
            "package/submissions/submissions.yaml",
            Some("accepted:\n  permitted: [OK]\n"),
            "expected AC, WA, TLE or RTE, found OK",
        ),
        ("package/include/default/a.h", Some(""), "submissions need included files"),
        ("package/data/secret/a.files/a", Some(""), "tests with files for the submission cannot be run"),
    ];
    for (file, contents, words) in cases {
        let here = copy("number");
        match contents {
            Some(contents) => {
                fs::create_dir_all(here.path().join(file).parent().unwrap()).unwrap();
                here.write(file, contents);
                if file.ends_with("build") {
                    fs::set_permissions(here.path().join(file), fs::Permissions::from_mode(0o755)).unwrap();
                }
            }
            None => fs::remove_file(here.path().join(file)).unwrap(),
        }
        let output = run(here.path(), &["package"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file} {contents:?}: {message}");
        assert!(message.contains(words), "{file} {contents:?}: {message}");
        assert_eq!(text(&output.stdout), "", "{file} {contents:?}");
    }
}

#[test]
fn wrong_arguments() {
    let package = "tests/packages/number";
    for (args, words) in [
        (&["no/such"][..], "no/such: expected the folder of a problem package, found none"),
        (&[package, "--input", "README.md", "--", "true"], "expected an input of the package"),
        (&[package, "--style", "icpc"], "cannot be used with"),
        (&[package, "--show-stderr"], "--show-stderr: expected the bot's command"),
        (&[package, "--interaction", "x"], "--interaction: expected the bot's command"),
        (&[package, "--no-corpus"], "--no-corpus cannot be used with --problem"),
        (&[package, "--interactor", "true"], "cannot be used with"),
        (&[package, "--opponent", "slow"], "cannot be used with"),
        (&[package, "20", "3", "5", "--", "true"], "got the header 20 3 5"),
    ] {
        let output = run(&root(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
    }
}
