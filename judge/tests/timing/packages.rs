//! `judge run --problem`: the verdicts of the submissions of the packages in `tests/packages`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{Printed, TestDir, assert_repeats, judge_typed, root};

/// Runs a submission, or all of them, of the package in a folder.
pub fn run(package: impl AsRef<Path>, args: &str) -> Output {
    judge_typed(package, &format!("run --problem . {args}"))
}

/// Copies a package into a new folder, without the submission that waits until a limit ends it.
pub fn copy(package: &str) -> TestDir {
    let here = TestDir::new();
    let from = root().join("tests/packages").join(package).join(".");
    assert!(Command::new("cp").arg("-R").arg(from).arg(here.path()).status().unwrap().success());
    let _ = fs::remove_dir_all(here.file("submissions/time_limit_exceeded"));
    here
}

pub fn remove(here: &TestDir, names: &[&str]) {
    for path in names.iter().map(|name| here.path().join(name)) {
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
}

fn rename(here: &TestDir, from: &str, to: &str) {
    fs::rename(here.file(from), here.file(to)).unwrap();
}

/// Returns these fields of the lines of `--json` about submissions.
fn rows<const N: usize>(output: &Output, fields: [&str; N]) -> Vec<[Value; N]> {
    let rows = output.json().into_iter().filter(|line| line.get("submission").is_some());
    rows.map(|line| fields.map(|field| line[field].clone())).collect()
}

#[test]
fn commands_within_a_package() {
    let here = copy("number");
    here.write("generator.py", "print(1000, 513)\n");
    let folder = here.path().canonicalize().unwrap().join("submissions");
    let found = format!("judge: problem: {}", folder.with_file_name("problem.yaml").display());
    for (args, words) in [
        ("run --input sample", "4 submissions: 3 with the expected verdicts, 1 not shown"),
        ("run accepted/binary.py", "accepted/binary.py: 3 of 3 runs accepted\n"),
        ("lint --only 3 accepted/binary.py", " 3 pass accepts the bot: "),
    ] {
        judge_typed(&folder, args).exits(0).prints(words).says(&found);
    }
    // The smallest input is no test of the package, and the validator has none of the arguments of the tests.
    let output = judge_typed(&folder, "stress --json --generator ../generator.py wrong_answer/linear.py");
    let lines = output.exits(1).says(&found).json();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_repeats(&folder, &lines[1]);
}

/// Checks a scoring package of the format legacy with two groups: the grades of its submissions, and one in a folder
/// that its grade contradicts.
#[test]
fn submissions_of_a_scoring_package() {
    let here = copy("number");
    remove(&here, &["data/secret", "submissions/run_time_error", "submissions/submissions.yaml"]);
    let problem = "type: scoring\nvalidation: custom interactive\nname: Number\nlimits: {time_limit: 5}\n";
    here.write("problem.yaml", problem);
    here.write("data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n");
    here.write("data/secret/testdata.yaml", "grader_flags: accept_if_any_accepted\n");
    for (group, points, test) in [("one", 40, "3 2"), ("two", 60, "1000 513")] {
        let flags = "grader_flags: accept_if_any_accepted min\noutput_validator_flags: max_questions=10\n";
        let grading = format!("accept_score: {points}\n{flags}");
        for (name, content) in [("testdata.yaml", &*grading), ("1.in", test), ("1.ans", "")] {
            here.write(&format!("data/secret/{group}/{name}"), content);
        }
    }
    let [wrong, partial] = ["submissions/wrong_answer", "submissions/partially_accepted"];
    let assert_graded = |code, linear: &str, is_expected: bool| {
        let expected = [
            ("accepted/binary.py", 100.0, true),
            ("accepted/folder", 100.0, true),
            (linear, 40.0, is_expected),
        ];
        let expected = expected.map(|(name, score, is_expected)| {
            json!([name, {"verdict": "AC", "score": score, "best": 100.0}, is_expected])
        });
        let output = run(&here, "--json");
        let found = rows(output.exits(code).output(), ["submission", "grade", "is_expected"]);
        assert_eq!(json!(found), json!(expected));
    };
    rename(&here, wrong, partial);
    assert_graded(0, "partially_accepted/linear.py", true);
    run(&here, "--input secret/one").exits(0).says("");
    rename(&here, partial, wrong);
    assert_graded(1, "wrong_answer/linear.py", false);
}

/// Checks what is said about a package whose tests are generated, and that a validator that fails on every test ends the
/// runs.
#[test]
fn packages_that_are_not_ready() {
    let here = copy("number");
    here.write("output_validator/validator.py", "import sys\nsys.exit(1)\n");
    let output = run(&here, "");
    output.exits(2).says("judge: the validator failed on every test, so the other submissions were not run");
    assert_eq!(output.out().matches("UNEXPECTED").count(), 1, "{}", output.out());
    remove(&here, &["data/secret"]);
    here.write("data/generator.sh", "");
    let generated = "the script data/generator.sh generates them\n";
    let only_samples = "judge: .: only the samples are there, no secret tests; ";
    run(&here, "").complains(&format!("{only_samples}{generated}"));
    remove(&here, &["data/sample"]);
    let none = "found none: a test is a file NAME.in in data/sample or data/secret; ";
    run(&here, "").complains(&format!("{none}{generated}"));
    here.write("generators/generators.yaml", "");
    run(&here, "").complains("generates them by \"bt generate\" of BAPCtools\n");
}

#[test]
fn submissions_of_which_nothing_is_expected() {
    let here = copy("number");
    remove(&here, &["submissions/submissions.yaml", "submissions/accepted/folder"]);
    rename(&here, "submissions/run_time_error", "submissions/runtime_error");
    rename(&here, "submissions/wrong_answer", "submissions/mixed");
    let linear = "submissions/mixed/linear.py";
    here.write(linear, "# @EXPECTED_RESULTS@: WRONG-ANSWER\n".to_owned() + &here.read(linear));
    let output = run(&here, "--json");
    let expected =
        json!([["accepted/binary.py", true], ["mixed/linear.py", true], ["runtime_error/raises.py", null]]);
    assert_eq!(json!(rows(&output, ["submission", "is_expected"])), expected);
    output.exits(0).says(
        "judge: ./submissions/runtime_error: the format has no folder of this name, so nothing is expected of its \
         submissions; did you mean \"run_time_error\"?",
    );
}

pub const RIGHT: &str = "submissions/accepted/binary.py";

const CHECK: &str = "output_validators/validator/check";

#[test]
fn faults_of_validators() {
    let here = copy("message");
    let right = here.read(CHECK);
    let (first_pass, ends) = ("if task[0] == \"decode\":", "end(42, \"encoded\")");
    let instead = |call: &str| format!("import os; os.remove(file.name); os.{call}; sys.exit(42)");
    for (from, to, words) in [
        (first_pass, "letters = output[0]\nif False:", "in pass 2, but the problem has at most 2 passes"),
        (ends, "end(43, \"encoded\")", "wrote nextpass.in, but exited with code 43"),
        (ends, "end(7, \"encoded\")", "exited with code 7"),
        (ends, &instead("mkfifo(file.name)"), "which cannot be used: it is not a regular file"),
        (ends, &instead("symlink('/dev/zero', file.name)"), "wrote nextpass.in, which cannot be used"),
    ] {
        assert!(right.contains(from), "{from}");
        here.write(CHECK, right.replace(from, to));
        let output = run(&here, &format!("-- {RIGHT}"));
        output.exits(2).prints(words);
        // The input of the second pass is what the validator wrote, and is removed.
        let command = output.out().lines().find(|line| line.starts_with("    validator: "));
        let names_input =
            command.map(|command| command.contains("1.in ") && command.contains(r#" "$(mktemp -d)/" "#));
        assert_eq!(names_input, (!words.contains("pass 2")).then_some(true), "{}", output.out());
    }
}

/// Checks a validator that runs after the bot, because the problem is not interactive. It may sleep without being
/// judged idle.
#[test]
fn a_validator_after_the_bot() {
    let here = copy("message");
    let right = here.read(CHECK);
    here.write(CHECK, format!("import time\ntime.sleep(1)\n{right}"));
    run(&here, &format!("--input secret/1 --idle-limit 0.5s -- {RIGHT}")).exits(0);
    here.write(CHECK, right);
    run(&here, "--input secret/1 --wall-limit 1s -- sleep 100")
        .begins("TIME_WALL secret/1: ")
        .prints("the last lines: input \"encode 3\"");
}

/// Checks inputs that are larger than the output limit, and than the maximum size of the record of a run.
#[test]
fn large_inputs() {
    let here = copy("message");
    let input = "data/secret/1.in";
    let args = "--input secret/1 --wall-limit 100s --interaction sample -- bot.py";
    here.write(input, "encode 3\n".to_owned() + &" ".repeat(65 << 20));
    here.write(
        "bot.py",
        "import sys\ntask, word = sys.stdin.read().split()\nprint('a' * int(word) if task == 'encode' else len(word))\n",
    );
    run(&here, args).exits(0);
    assert!(fs::metadata(here.file("sample")).unwrap().len() > 65 << 20);
    fs::File::create(here.file(input)).unwrap().set_len(129 << 20).unwrap();
    here.write("bot.py", "import sys\nwhile sys.stdin.buffer.read(1 << 20):\n    pass\n");
    run(&here, args)
        .exits(2)
        .prints("    why: the run is recorded up to a size of 128 MiB only\n")
        .complains("--interaction: expected a run whose record has at most 128 MiB");
}

#[test]
fn the_table_shows_stderr_and_messages() {
    let here = copy("number");
    let run = |message: &str, args: &str| {
        let rule = format!("wrong_answer/linear.py: {{message: {message}}}\n");
        here.write("submissions/submissions.yaml", rule);
        run(&here, args)
    };
    let stderr = "    stderr on sample/1: ValueError: the number is smaller\n";
    run("more than 10 questions", "--show-stderr").exits(0).prints(stderr);
    here.write("submissions/wrong_answer/raises.py", "raise ValueError(5)");
    here.write("submissions/wrong_answer/binary.py", here.read(RIGHT));
    run("more than 7 questions", "")
        .exits(1)
        .prints("UNEXPECTED  ACCEPTED")
        .prints("    why: no test has WA\n    expected: AC or WA, at least one WA\n")
        .prints("why: the validator wrote \"more than 7 questions\" on no test\n")
        .prints("    stderr: ValueError: 5\n    interactor: python3 ");
}

/// Copies the package `number` with one test, and adds a submission that uses `seconds` of CPU time to the folder
/// `class`.
fn with_slow_submission(class: &str, seconds: f64, limits: &str) -> TestDir {
    let here = copy("number");
    remove(&here, &["data/secret", "submissions/run_time_error", "submissions/wrong_answer/linear.py"]);
    let problem = "problem_format_version: 2025-09\ntype: interactive\n";
    here.write("problem.yaml", format!("{problem}limits: {{time_resolution: 0.3, {limits}}}\n"));
    let busy = format!("import time\nwhile time.process_time() < {seconds}:\n    pass\n");
    here.write(&format!("submissions/{class}/slow.py"), busy + "print('! 1', flush=True)\n");
    here
}

/// Runs all submissions with these rules, and a wall limit that no load of the machine reaches.
fn run_all(here: &TestDir, rules: &str) -> Output {
    here.write("submissions/submissions.yaml", rules);
    run(here, "--wall-limit 100s")
}

#[test]
fn submissions_that_bound_the_time_limit() {
    // Twice the time of the wrong submission is more than 0.6 s, and is rounded up to 0.9 s.
    let here = with_slow_submission("wrong_answer", 0.35, "");
    run_all(&here, "").exits(0).prints("  time limit 0.9 s\n");
    // If the wrong submission does not bound the time limit, it exceeds the limit, which is an unexpected verdict.
    run_all(&here, "wrong_answer: {use_for_time_limit: false}\n")
        .exits(1)
        .prints("  time limit 0.3 s\n")
        .prints("UNEXPECTED  TIME_CPU on sample/1");
    run_all(&here, "accepted: {use_for_time_limit: false}\nwrong_answer: {use_for_time_limit: false}\n")
        .exits(2)
        .complains("expected a submission whose times bound the time limit from below");
}

#[test]
fn submissions_that_are_too_close_to_the_time_limit() {
    let too_fast =
        "by time_limit_to_tle a test has to take at least 0.6 s, 2 times the time limit; the slowest takes 3";
    let too_slow =
        "on sample/1: by ac_to_time_limit the time limit, 0.3 s, has to be at least 2 times this time";
    let (class, limits) = ("time_limit_exceeded", "time_multipliers: {time_limit_to_tle: 2}");
    let here = with_slow_submission(class, 0.35, limits);
    run_all(&here, "").exits(1).prints(&format!("    why: {too_fast}"));
    run_all(&here, "time_limit_exceeded: {use_for_time_limit: false}\n").exits(0);
    // A time limit in the package may be for another machine, so the judge only warns.
    let here = with_slow_submission(class, 0.35, &format!("time_limit: 0.3, {limits}"));
    run_all(&here, "").exits(0).complains(&format!("{class}/slow.py: {too_fast}"));
    let here = with_slow_submission("wrong_answer", 0.2, "time_limit: 0.3");
    run_all(&here, "").exits(0).complains(too_slow);
}
