//! `judge run --problem`: the verdicts of the submissions of the packages in `tests/packages`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{Printed, TestDir, assert_repeats, has_program, judge_in, root};

pub fn run(folder: &Path, args: &[&str]) -> Output {
    judge_in(folder, &[&["run", "--problem"], args].concat())
}

/// Copies a package into a new folder, without the submission that waits until a limit ends it.
pub fn copy(package: &str) -> TestDir {
    let here = TestDir::new();
    let from = root().join("tests/packages").join(package);
    let copied = Command::new("cp").arg("-R").arg(from).arg(here.file("package")).status().unwrap();
    assert!(copied.success());
    let _ = fs::remove_dir_all(here.file("package/submissions/time_limit_exceeded"));
    here
}

pub fn remove(here: &TestDir, names: &[&str]) {
    for path in names.iter().map(|name| here.path().join("package").join(name)) {
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
}

/// Returns these fields of the lines of `--json` about submissions.
fn rows<const N: usize>(lines: &[Value], fields: [&str; N]) -> Vec<[Value; N]> {
    let rows = lines.iter().filter(|line| line.get("submission").is_some());
    rows.map(|line| fields.map(|field| line[field].clone())).collect()
}

#[test]
fn commands_within_a_package() {
    let here = copy("number");
    let folder = here.path().join("package/submissions");
    here.write("package/generator.py", "print(1000, 513)\n");
    let found = folder.canonicalize().unwrap().with_file_name("problem.yaml");
    let stress = ["stress", "--json", "--generator", "../generator.py", "wrong_answer/linear.py"];
    for (args, code, words) in [
        (&["run", "--input", "sample"][..], 0, "4 submissions: 3 with the expected verdicts, 1 not shown"),
        (&["run", "accepted/binary.py"], 0, "accepted/binary.py: 3 of 3 runs accepted\n"),
        (&["lint", "--only", "3", "accepted/binary.py"], 0, " 3 pass accepts the bot: "),
        (&stress, 1, ""),
    ] {
        let output = judge_in(&folder, args);
        output.exits(code).prints(words).says(&format!("judge: problem: {}", found.display()));
        if args == stress {
            // The smallest input is no test of the package, and the validator has none of the arguments of the tests.
            let lines = output.json();
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert_repeats(&folder, &lines[1]);
        }
    }
}

/// Checks that some of the tests can break a promise, but that a promise that only the others can show is no failure.
#[test]
fn submissions_on_some_tests() {
    let here = copy("number");
    let sample = ["package", "--input", "sample"];
    let judged = |code| {
        let output = run(here.path(), &[&sample[..], &["--json"]].concat());
        rows(&output.exits(code).json(), ["is_expected", "not_shown"])
    };
    let mut seen = vec![[json!(true), Value::Null]; 3];
    seen.push([Value::Null, json!("no test has WA")]);
    assert_eq!(judged(0), seen);
    run(here.path(), &sample)
        .prints("4 submissions: 3 with the expected verdicts, 1 not shown by these tests\n")
        .prints("wrong_answer/linear.py    not shown   ACCEPTED ");
    here.write("package/submissions/wrong_answer/linear.py", "raise SystemExit(1)\n");
    seen[3] = [json!(false), Value::Null];
    assert_eq!(judged(1), seen);
}

#[test]
fn a_bot_on_some_tests() {
    let package = "tests/packages/number";
    let bot = "tests/packages/number/submissions/wrong_answer/linear.py";
    let input = "tests/packages/number/data/secret/many.in";
    run(&root(), &[package, "--input", input, "--", bot])
        .exits(1)
        .begins("WRONG_ANSWER secret/many: the interactor rejected: more than 10 questions")
        // The package's own limits are not in the command.
        .prints(&format!("again: judge run --problem {package} --input {input} -- {bot}\n"))
        .prints("max_questions=10");
    for given in [input, "secret/m*"] {
        let lines = run(&root(), &[package, "--input", given, "--json", "--", bot]).json();
        let fields = ["test", "input", "bot_name"].map(|field| &lines[0][field]);
        assert_eq!(fields, [&json!("secret/many"), &json!(input), &Value::Null]);
    }
}

/// Checks a scoring package of the format legacy with two groups: the grades of its submissions, and one in a folder
/// that its grade contradicts.
#[test]
fn submissions_of_a_scoring_package() {
    let here = copy("number");
    let write = |file: &str, text: &str| here.write(&format!("package/{file}"), text);
    write(
        "problem.yaml",
        "type: scoring\nvalidation: custom interactive\nname: Number\nlimits: {time_limit: 5}\n",
    );
    let package = here.path().join("package");
    remove(&here, &["data/secret", "submissions/run_time_error", "submissions/submissions.yaml"]);
    write("data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n");
    for (group, points, test) in [("one", 40, "3 2"), ("two", 60, "1000 513")] {
        let folder = format!("data/secret/{group}");
        let flags = "grader_flags: accept_if_any_accepted min\noutput_validator_flags: max_questions=10\n";
        write("data/secret/testdata.yaml", "grader_flags: accept_if_any_accepted\n");
        write(&format!("{folder}/testdata.yaml"), &format!("accept_score: {points}\n{flags}"));
        write(&format!("{folder}/1.in"), test);
        write(&format!("{folder}/1.ans"), "");
    }
    let folder = |name: &str| package.join("submissions").join(name);
    fs::rename(folder("wrong_answer"), folder("partially_accepted")).unwrap();
    let graded = |code| {
        let lines = run(here.path(), &["package", "--json"]).exits(code).json();
        rows(&lines, ["submission", "grade", "is_expected"])
    };
    let expected = |linear: &str, is_expected: bool| {
        [("accepted/binary.py", 100.0, true), ("accepted/folder", 100.0, true), (linear, 40.0, is_expected)]
            .map(|(name, score, is_expected)| {
                let grade = json!({"verdict": "AC", "score": score, "best": 100.0});
                [json!(name), grade, json!(is_expected)]
            })
    };
    assert_eq!(graded(0), expected("partially_accepted/linear.py", true));
    run(here.path(), &["package", "--input", "secret/one"]).exits(0).says("");
    fs::rename(folder("partially_accepted"), folder("wrong_answer")).unwrap();
    assert_eq!(graded(1), expected("wrong_answer/linear.py", false));
}

/// Checks what is said about a package whose tests are generated, and that a validator that fails on every test ends the
/// runs.
#[test]
fn packages_that_are_not_ready() {
    let here = copy("number");
    here.write("package/output_validator/validator.py", "import sys\nsys.exit(1)\n");
    let output = run(here.path(), &["package"]);
    output.exits(2).says("judge: the validator failed on every test, so the other submissions were not run");
    assert_eq!(output.out().matches("UNEXPECTED").count(), 1, "{}", output.out());
    remove(&here, &["data/secret"]);
    here.write("package/data/generator.sh", "");
    let generated = "the script data/generator.sh generates them\n";
    let only_samples = "judge: package: only the samples are there, no secret tests; ";
    run(here.path(), &["package"]).complains(&format!("{only_samples}{generated}"));
    remove(&here, &["data/sample"]);
    let none = "found none: a test is a file NAME.in in data/sample or data/secret; ";
    run(here.path(), &["package"]).complains(&format!("{none}{generated}"));
    here.write("package/generators/generators.yaml", "");
    run(here.path(), &["package"]).complains("generates them by \"bt generate\" of BAPCtools\n");
}

#[test]
fn submissions_of_which_nothing_is_expected() {
    let here = copy("number");
    let submissions = here.path().join("package/submissions");
    remove(&here, &["submissions/submissions.yaml", "submissions/accepted/folder"]);
    for (from, to) in [("run_time_error", "runtime_error"), ("wrong_answer", "mixed")] {
        fs::rename(submissions.join(from), submissions.join(to)).unwrap();
    }
    let linear = here.read("package/submissions/mixed/linear.py");
    let marked = format!("# @EXPECTED_RESULTS@: WRONG-ANSWER\n{linear}");
    here.write("package/submissions/mixed/linear.py", marked);
    let output = run(here.path(), &["package", "--json"]);
    let expected = [
        [json!("accepted/binary.py"), json!(true)],
        [json!("mixed/linear.py"), json!(true)],
        [json!("runtime_error/raises.py"), Value::Null],
    ];
    assert_eq!(rows(&output.json(), ["submission", "is_expected"]), expected);
    output.exits(0).says(
        "judge: package/submissions/runtime_error: the format has no folder of this name, so nothing is expected of its \
         submissions; did you mean \"run_time_error\"?",
    );
}

pub const RIGHT: &str = "package/submissions/accepted/binary.py";

const CHECK: &str = "package/output_validators/validator/check";

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
        let output = run(here.path(), &["package", "--", RIGHT]);
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
    run(here.path(), &["package", "--input", "secret/1", "--idle-limit", "0.5s", "--", RIGHT]).exits(0);
    here.write(CHECK, right);
    here.write("sleeps.py", "import time\ntime.sleep(100)\n");
    run(here.path(), &["package", "--input", "secret/1", "--wall-limit", "1s", "--", "sleeps.py"])
        .begins("TIME_WALL secret/1: ")
        .prints("the last lines: input \"encode 3\"");
}

/// Checks inputs that are larger than the output limit, and than the maximum size of the record of a run.
#[test]
fn large_inputs() {
    let here = copy("message");
    let input = "package/data/secret/1.in";
    let args = "package --input secret/1 --wall-limit 100s --interaction sample -- bot.py";
    let args: Vec<&str> = args.split(' ').collect();
    here.write(input, "encode 3\n".to_owned() + &" ".repeat(65 << 20));
    here.write(
        "bot.py",
        "import sys\ntask, word = sys.stdin.read().split()\nprint('a' * int(word) if task == 'encode' else len(word))\n",
    );
    run(here.path(), &args).exits(0);
    assert!(fs::metadata(here.path().join("sample")).unwrap().len() > 65 << 20);
    fs::File::create(here.path().join(input)).unwrap().set_len(129 << 20).unwrap();
    here.write("bot.py", "import sys\nwhile sys.stdin.buffer.read(1 << 20):\n    pass\n");
    run(here.path(), &args)
        .exits(2)
        .prints("    why: the run is recorded up to a size of 128 MiB only\n")
        .complains("--interaction: expected a run whose record has at most 128 MiB");
}

#[test]
fn programs_in_folders() {
    let here = copy("message");
    // A bot on the command line may have relative paths as arguments.
    here.program("script/run", "#!/bin/sh\nexec python3 \"$1\"\n");
    run(here.path(), &["package", "--", "script", RIGHT]).exits(0);
    for file in ["cargo/Cargo.toml", "cargo/src/main.rs", "rust_without_main/a.rs", "rust_without_main/b.rs"]
    {
        here.write(file, "");
    }
    here.program("fails/build", "#!/bin/sh\nexit 3\n");
    here.program("makes_nothing/build", "#!/bin/sh\n");
    for (folder, words) in [
        ("makes_nothing", "expected the file \"run\" after the script \"build\", found none"),
        ("cargo", "found the file Cargo.toml: Cargo does not build the programs of packages"),
        ("rust_without_main", "expected one named \"main\" among several rust sources, found none"),
    ] {
        run(here.path(), &["package", "--", folder]).exits(2).complains(words);
    }
    run(here.path(), &["package", "--", "fails"]).exits(1).prints("its script \"build\" failed: ");
    if has_program("rustc", &["--version"]) {
        here.write("rust/code.rs", "pub fn encoded(number: usize) -> String { \"a\".repeat(number) }\n");
        here.write(
            "rust/main.rs",
            "mod code;\nfn main() {\n    let line = std::io::read_to_string(std::io::stdin()).unwrap();\n    let (task, word) = line.trim().split_once(' ').unwrap();\n    match task {\n        \"encode\" => println!(\"{}\", code::encoded(word.parse().unwrap())),\n        _ => println!(\"{}\", word.len()),\n    }\n}\n",
        );
        run(here.path(), &["package", "--", "rust"]).exits(0);
    }
}

#[test]
fn the_table_shows_stderr_and_messages() {
    let here = copy("number");
    let rules = |message: &str| {
        let rule = format!("wrong_answer/linear.py: {{message: {message}}}\n");
        here.write("package/submissions/submissions.yaml", rule);
    };
    rules("more than 10 questions");
    run(here.path(), &["package", "--show-stderr"])
        .exits(0)
        .prints("    stderr on sample/1: ValueError: the number is smaller\n");
    rules("more than 7 questions");
    here.write("package/submissions/wrong_answer/raises.py", "raise ValueError(5)");
    here.write("package/submissions/wrong_answer/binary.py", here.read(RIGHT));
    run(here.path(), &["package"])
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
    remove(&here, &["data/secret", "submissions/run_time_error", "submissions/submissions.yaml"]);
    remove(&here, &["submissions/wrong_answer/linear.py"]);
    let problem = "problem_format_version: 2025-09\ntype: interactive\n";
    here.write("package/problem.yaml", format!("{problem}limits: {{time_resolution: 0.3, {limits}}}\n"));
    let busy = format!("import time\nwhile time.process_time() < {seconds}:\n    pass\n");
    here.write(&format!("package/submissions/{class}/slow.py"), busy + "print('! 1', flush=True)\n");
    here
}

/// Runs all submissions with these rules, and a wall limit that no load of the machine reaches.
fn run_all(here: &TestDir, rules: &str) -> Output {
    here.write("package/submissions/submissions.yaml", rules);
    run(here.path(), &["package", "--wall-limit", "100s"])
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
    let limits = "time_multipliers: {time_limit_to_tle: 2}";
    let here = with_slow_submission("time_limit_exceeded", 0.35, limits);
    run_all(&here, "").exits(1).prints(&format!("    why: {too_fast}"));
    run_all(&here, "time_limit_exceeded: {use_for_time_limit: false}\n").exits(0);
    // A time limit in the package may be for another machine, so the judge only warns.
    let too_fast = format!("time_limit_exceeded/slow.py: {too_fast}");
    let too_slow =
        "on sample/1: by ac_to_time_limit the time limit, 0.3 s, has to be at least 2 times this time";
    for (class, seconds, limits, words) in [
        ("time_limit_exceeded", 0.35, &*format!("time_limit: 0.3, {limits}"), &*too_fast),
        ("wrong_answer", 0.2, "time_limit: 0.3", too_slow),
    ] {
        let here = with_slow_submission(class, seconds, limits);
        run_all(&here, "").exits(0).complains(words);
    }
}
