//! `judge run --problem`: the verdicts of the submissions of the packages in `tests/packages`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{
    JUDGE, TestDir, assert_repeats, has_program, has_python, json_lines, reading, root, text,
};

/// Runs `judge run --problem ARGS` in `folder`.
pub fn run(folder: &Path, args: &[&str]) -> Output {
    let mut judge = Command::new(JUDGE);
    judge.current_dir(folder).args(["run", "--problem"]).args(args);
    judge.output().unwrap()
}

/// Returns each submission with its verdicts, from the output of `--json`. Checks that the judge expected all of them.
pub fn verdicts(folder: &Path, package: &str) -> Vec<(String, Vec<String>)> {
    let output = run(folder, &[package, "--json"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{report}{}", text(&output.stderr));
    let lines = json_lines(&output.stdout);
    let (runs, submissions): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("verdicts").is_none());
    let mut named = runs.iter().map(|run| &run["bot_name"]).collect::<Vec<_>>();
    named.dedup();
    assert_eq!(named, submissions.iter().map(|line| &line["submission"]).collect::<Vec<_>>());
    for run in &runs {
        let test = run["test"].as_str().unwrap();
        // The name of a test of Polygon is the path of its input. A file of an archive has only the name of the test.
        let inputs = [
            format!("{package}/data/{test}.in"),
            format!("{package}/{test}"),
            format!("{package}/{test}.in"),
            test.to_owned(),
        ];
        assert!(inputs.iter().any(|input| run["input"] == input.as_str()), "{run}");
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

/// Checks the commands in a folder of a package, where no option names it, and the commands that repeat their runs.
#[test]
fn commands_within_a_package() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let folder = here.path().join("package/submissions");
    here.write("package/generator.py", "print(1000, 513)\n");
    let judge = |args: &[&str]| {
        let mut judge = Command::new(JUDGE);
        let output = judge.current_dir(&folder).args(args).output().unwrap();
        let found = folder.canonicalize().unwrap().with_file_name("problem.yaml");
        let said = format!("judge: problem: {}\n", found.display());
        assert_eq!(text(&output.stderr), said, "{args:?}");
        (text(&output.stdout).to_owned(), output.status.code())
    };
    let (table, code) = judge(&["run"]);
    assert!(table.ends_with("5 submissions: all verdicts as expected\n"), "{table}");
    assert_eq!(code, Some(0));
    let (report, code) = judge(&["run", "accepted/binary.py"]);
    assert!(report.ends_with("accepted/binary.py: 3 of 3 runs accepted\n"), "{report}");
    assert_eq!(code, Some(0));
    let (report, code) = judge(&["lint", "--only", "3", "accepted/binary.py"]);
    assert!(report.starts_with(" 3 pass accepts the bot: "), "{report}");
    assert_eq!(code, Some(0));
    // The smallest input is no test of the package, and the validator has none of the arguments of the tests.
    let (lines, code) =
        judge(&["stress", "--json", "--generator", "../generator.py", "wrong_answer/linear.py"]);
    let lines = json_lines(lines.as_bytes());
    assert_eq!((lines.len(), code), (2, Some(1)), "{lines:?}");
    assert_repeats(&folder, &lines[1]);
}

/// Checks that some of the tests can break a promise, but that a promise that only the others can show is no failure.
#[test]
fn submissions_on_some_tests() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let folder = here.path().join("package/submissions/wrong_answer");
    let rows = |code| {
        let output = run(here.path(), &["package", "--input", "sample", "--json"]);
        assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
        let lines = json_lines(&output.stdout);
        let rows = lines.into_iter().filter(|line| line.get("submission").is_some());
        rows.map(|line| (line["is_expected"].clone(), line["not_shown"].clone())).collect::<Vec<_>>()
    };
    let expected = (Value::Bool(true), Value::Null);
    let mut seen = vec![expected.clone(), expected.clone(), expected.clone(), expected];
    seen.push((Value::Null, json!("no test has WA")));
    assert_eq!(rows(0), seen);
    let table = run(here.path(), &["package", "--input", "sample"]);
    let table = text(&table.stdout);
    assert!(
        table.ends_with("5 submissions: 4 with the expected verdicts, 1 not shown by these tests\n"),
        "{table}"
    );
    assert!(table.contains("wrong_answer/linear.py           not shown   ACCEPTED "), "{table}");
    fs::write(folder.join("linear.py"), "raise SystemExit(1)\n").unwrap();
    seen[4] = (Value::Bool(false), Value::Null);
    assert_eq!(rows(1), seen);
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
    assert!(lines[0].get("bot_name").is_none(), "{}", lines[0]);
    let lines = json_lines(&run(&root(), &[package, "--input", "secret/m*", "--json", "--", bot]).stdout);
    assert_eq!(lines.iter().map(|line| &line["test"]).collect::<Vec<_>>(), ["secret/many"]);
}

/// Checks a scoring package of the format legacy with two groups: the grades of its submissions, and one in a folder
/// that its grade contradicts.
#[test]
fn submissions_of_a_scoring_package() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let write = |file: &str, text: &str| fs::write(here.path().join("package").join(file), text).unwrap();
    write(
        "problem.yaml",
        "type: scoring\nvalidation: custom interactive\nname: Number\nlimits: {time_limit: 5}\n",
    );
    let package = here.path().join("package");
    for folder in ["data/secret", "submissions/run_time_error", "submissions/time_limit_exceeded"] {
        fs::remove_dir_all(package.join(folder)).unwrap();
    }
    fs::remove_file(package.join("submissions/submissions.yaml")).unwrap();
    write("data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n");
    for (group, points, test) in [("one", 40, "3 2"), ("two", 60, "1000 513")] {
        let folder = format!("data/secret/{group}");
        fs::create_dir_all(package.join(&folder)).unwrap();
        let flags = "grader_flags: accept_if_any_accepted min\noutput_validator_flags: max_questions=10\n";
        write("data/secret/testdata.yaml", "grader_flags: accept_if_any_accepted\n");
        write(&format!("{folder}/testdata.yaml"), &format!("accept_score: {points}\n{flags}"));
        write(&format!("{folder}/1.in"), test);
        write(&format!("{folder}/1.ans"), "");
    }
    fs::rename(package.join("submissions/wrong_answer"), package.join("submissions/partially_accepted"))
        .unwrap();
    let graded = |code| {
        let output = run(here.path(), &["package", "--json"]);
        assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
        let lines = json_lines(&output.stdout);
        let rows = lines.into_iter().filter(|line| line.get("submission").is_some());
        rows.map(|line| (line["submission"].clone(), line["grade"].clone(), line["is_expected"].clone()))
            .collect::<Vec<_>>()
    };
    let grade = |score: f64| json!({"verdict": "AC", "score": score, "best": 100.0});
    let rows = |linear: &str, is_expected: bool| {
        vec![
            (json!("accepted/binary.py"), grade(100.0), json!(true)),
            (json!("accepted/folder"), grade(100.0), json!(true)),
            (json!(linear), grade(40.0), json!(is_expected)),
        ]
    };
    assert_eq!(graded(0), rows("partially_accepted/linear.py", true));
    let part = run(here.path(), &["package", "--input", "secret/one"]);
    assert_eq!((part.status.code(), text(&part.stderr)), (Some(0), ""));
    fs::rename(package.join("submissions/partially_accepted"), package.join("submissions/wrong_answer"))
        .unwrap();
    assert_eq!(graded(1), rows("wrong_answer/linear.py", false));
    let job = |id: &str, tests: Value| {
        let source = json!({"path": package.join("submissions/wrong_answer/linear.py")});
        json!({"id": id, "problem": package, "tests": tests, "source": source}).to_string()
    };
    let jobs = [job("all", Value::Null), job("some", json!("secret/one"))].join("\n");
    let mut batch = Command::new(JUDGE);
    let output = reading(batch.args(["batch", "-j", "1"]), jobs.as_bytes());
    let scores: Vec<Value> = json_lines(&output.stdout).iter().map(|line| line["score"].clone()).collect();
    assert_eq!(scores, [json!(40.0), Value::Null], "{}", text(&output.stderr));
}

/// Checks what is said about a package whose tests are generated, and that a validator that fails on every test ends the
/// runs.
#[test]
fn packages_that_are_not_ready() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let package = here.path().join("package");
    fs::write(package.join("output_validator/validator.py"), "import sys\nsys.exit(1)\n").unwrap();
    let output = run(here.path(), &["package"]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{stdout}{stderr}");
    assert_eq!(stdout.matches("UNEXPECTED").count(), 1, "{stdout}");
    assert_eq!(stderr, "judge: the validator failed on every test, so the other submissions were not run\n");
    fs::remove_dir_all(package.join("data/secret")).unwrap();
    fs::write(package.join("data/generator.sh"), "").unwrap();
    let generated = "the script data/generator.sh generates them\n";
    let stderr = text(&run(here.path(), &["package"]).stderr).to_owned();
    let expected = format!("judge: package: only the samples are there, no secret tests; {generated}");
    assert!(stderr.starts_with(&expected), "{stderr}");
    fs::remove_dir_all(package.join("data/sample")).unwrap();
    let output = run(here.path(), &["package"]);
    let stderr = text(&output.stderr);
    assert!(
        stderr.ends_with(&format!(
            "found none: a test is a file NAME.in in data/sample or data/secret; {generated}"
        )),
        "{stderr}"
    );
    fs::create_dir_all(package.join("generators")).unwrap();
    fs::write(package.join("generators/generators.yaml"), "").unwrap();
    let stderr = text(&run(here.path(), &["package"]).stderr).to_owned();
    assert!(stderr.ends_with("generates them by \"bt generate\" of BAPCtools\n"), "{stderr}");
}

/// Checks submissions in folders that the format does not have.
#[test]
fn submissions_of_which_nothing_is_expected() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let submissions = here.path().join("package/submissions");
    fs::remove_file(submissions.join("submissions.yaml")).unwrap();
    fs::remove_dir_all(submissions.join("time_limit_exceeded")).unwrap();
    fs::remove_dir_all(submissions.join("accepted/folder")).unwrap();
    fs::rename(submissions.join("run_time_error"), submissions.join("runtime_error")).unwrap();
    fs::rename(submissions.join("wrong_answer"), submissions.join("mixed")).unwrap();
    let linear = fs::read_to_string(submissions.join("mixed/linear.py")).unwrap();
    fs::write(submissions.join("mixed/linear.py"), format!("# @EXPECTED_RESULTS@: WRONG-ANSWER\n{linear}"))
        .unwrap();
    let output = run(here.path(), &["package", "--json"]);
    let lines = json_lines(&output.stdout);
    let rows =
        lines.iter().filter_map(|line| Some((line.get("submission")?.as_str()?, &line["is_expected"])));
    let expected = [
        ("accepted/binary.py", &json!(true)),
        ("mixed/linear.py", &json!(true)),
        ("runtime_error/raises.py", &json!(null)),
    ];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    assert_eq!(
        (text(&output.stderr), output.status.code()),
        (
            "judge: package/submissions/runtime_error: the format has no folder of this name, so nothing is expected of its \
             submissions; did you mean \"run_time_error\"?\n",
            Some(0)
        )
    );
}

/// Copies a package into a new folder.
pub fn copy(package: &str) -> TestDir {
    let here = TestDir::new();
    let from = root().join("tests/packages").join(package);
    let copied = Command::new("cp").arg("-R").arg(from).arg(here.file("package")).status().unwrap();
    assert!(copied.success());
    here
}

/// The path of a correct submission in a copied package.
pub const RIGHT: &str = "package/submissions/accepted/binary.py";

/// Checks validators that ask for another pass although they may not.
#[test]
fn faults_of_validators() {
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
        // The input of the second pass is what the validator wrote, and is removed.
        let command = report.lines().find(|line| line.starts_with("    validator: "));
        let names_input =
            command.map(|command| command.contains("1.in ") && command.contains(r#" "$(mktemp -d)/" "#));
        assert_eq!(names_input, (!words.contains("pass 2")).then_some(true), "{report}");
    }
}

/// Checks a validator that runs after the bot, because the problem is not interactive. It may sleep without being
/// judged idle.
#[test]
fn a_validator_after_the_bot() {
    if !has_python() {
        return;
    }
    let here = copy("message");
    let check = "package/output_validators/validator/check";
    let right = here.read(check);
    here.write(check, format!("import time\ntime.sleep(2)\n{right}"));
    let output = run(here.path(), &["package", "--input", "secret/1", "--", RIGHT]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    here.write(check, right);
    here.write("sleeps.py", "import time\ntime.sleep(100)\n");
    let output =
        run(here.path(), &["package", "--input", "secret/1", "--wall-limit", "1s", "--", "sleeps.py"]);
    let report = text(&output.stdout);
    assert!(report.starts_with("TIME_WALL secret/1: "), "{report}");
    assert!(report.contains("the last lines: input \"encode 3\""), "{report}");
}

/// Runs `bot.py` on one test, and writes the interaction to the file `sample`.
fn run_recorded(here: &TestDir) -> Output {
    let args = "package --input secret/1 --wall-limit 100s --interaction sample -- bot.py";
    run(here.path(), &args.split(' ').collect::<Vec<_>>())
}

#[test]
fn inputs_larger_than_the_output_limit() {
    if !has_python() {
        return;
    }
    let here = copy("message");
    here.write("package/data/secret/1.in", "encode 3\n".to_owned() + &" ".repeat(65 << 20));
    here.write(
        "bot.py",
        "import sys\ntask, word = sys.stdin.read().split()\nprint('a' * int(word) if task == 'encode' else len(word))\n",
    );
    let output = run_recorded(&here);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(fs::metadata(here.path().join("sample")).unwrap().len() > 65 << 20);
}

/// Checks that the record of a run has a maximum size, however long the input is.
#[test]
fn inputs_larger_than_the_record() {
    if !has_python() {
        return;
    }
    let here = copy("message");
    let input = fs::File::create(here.path().join("package/data/secret/1.in")).unwrap();
    input.set_len(129 << 20).unwrap();
    here.write("bot.py", "import sys\nwhile sys.stdin.buffer.read(1 << 20):\n    pass\n");
    let output = run_recorded(&here);
    assert_eq!(output.status.code(), Some(2));
    let report = text(&output.stdout);
    assert!(report.contains("    why: the run is recorded up to a size of 128 MiB only\n"), "{report}");
    let message = text(&output.stderr);
    assert!(message.contains("--interaction: expected a run whose record has at most 128 MiB"), "{message}");
}

#[test]
fn programs_in_folders() {
    if !has_python() {
        return;
    }
    let here = copy("message");
    for folder in ["script", "cargo/src", "rust", "rust_without_main"] {
        fs::create_dir_all(here.path().join(folder)).unwrap();
    }
    // A bot on the command line may have relative paths as arguments.
    here.write("script/run", "#!/bin/sh\nexec python3 \"$1\"\n");
    fs::set_permissions(here.path().join("script/run"), fs::Permissions::from_mode(0o755)).unwrap();
    let output = run(here.path(), &["package", "--", "script", RIGHT]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    here.write("cargo/Cargo.toml", "");
    here.write("cargo/src/main.rs", "");
    for (folder, words) in [
        ("cargo", "found the file Cargo.toml: Cargo does not build the programs of packages"),
        ("rust_without_main", "expected one named \"main\" among several rust sources, found none"),
    ] {
        here.write("rust_without_main/a.rs", "");
        here.write("rust_without_main/b.rs", "");
        let output = run(here.path(), &["package", "--", folder]);
        assert_eq!(output.status.code(), Some(2), "{folder}");
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
    if has_program("rustc", &["--version"]) {
        here.write("rust/code.rs", "pub fn encoded(number: usize) -> String { \"a\".repeat(number) }\n");
        here.write(
            "rust/main.rs",
            "mod code;\nfn main() {\n    let line = std::io::read_to_string(std::io::stdin()).unwrap();\n    let (task, word) = line.trim().split_once(' ').unwrap();\n    match task {\n        \"encode\" => println!(\"{}\", code::encoded(word.parse().unwrap())),\n        _ => println!(\"{}\", word.len()),\n    }\n}\n",
        );
        let output = run(here.path(), &["package", "--", "rust"]);
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    }
}

#[test]
fn the_table_shows_stderr_and_messages() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    fs::remove_dir_all(here.path().join("package/submissions/time_limit_exceeded")).unwrap();
    let rules = |message: &str| {
        here.write(
            "package/submissions/submissions.yaml",
            format!("wrong_answer/linear.py: {{message: {message}}}\n"),
        );
    };
    rules("more than 10 questions");
    let output = run(here.path(), &["package", "--show-stderr"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let report = text(&output.stdout);
    assert!(report.contains("    stderr on sample/1: ValueError: the number is smaller\n"), "{report}");
    rules("more than 7 questions");
    here.write("package/submissions/wrong_answer/raises.py", "raise ValueError(5)");
    fs::copy(here.path().join(RIGHT), here.path().join("package/submissions/wrong_answer/binary.py"))
        .unwrap();
    let output = run(here.path(), &["package"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    let report = text(&output.stdout);
    assert!(report.contains("UNEXPECTED  ACCEPTED"), "{report}");
    assert!(
        report.contains("    why: no test has WA\n    expected: AC or WA, at least one WA\n"),
        "{report}"
    );
    assert!(report.contains("why: the validator wrote \"more than 7 questions\" on no test\n"), "{report}");
    assert!(report.contains("    stderr: ValueError: 5\n"), "{report}");
}

/// Copies the package `number` with one test, and adds a submission that uses `seconds` of CPU time to the folder
/// `class`.
fn with_slow_submission(class: &str, seconds: f64, limits: &str) -> TestDir {
    let here = copy("number");
    for folder in ["data/secret", "submissions/time_limit_exceeded", "submissions/run_time_error"] {
        fs::remove_dir_all(here.path().join("package").join(folder)).unwrap();
    }
    for file in ["submissions/submissions.yaml", "submissions/wrong_answer/linear.py"] {
        fs::remove_file(here.path().join("package").join(file)).unwrap();
    }
    let problem = "problem_format_version: 2025-09\ntype: interactive\n";
    here.write("package/problem.yaml", format!("{problem}limits: {{{limits}}}\n"));
    let folder = here.path().join("package/submissions").join(class);
    fs::create_dir_all(&folder).unwrap();
    let busy = format!("import time\nwhile time.process_time() < {seconds}:\n    pass\n");
    fs::write(folder.join("slow.py"), busy + "print('! 1', flush=True)\n").unwrap();
    here
}

/// Runs all submissions, with a wall limit that no load of the machine reaches.
fn run_all(here: &TestDir) -> Output {
    run(here.path(), &["package", "--wall-limit", "100s"])
}

#[test]
fn submissions_that_bound_the_time_limit() {
    if !has_python() {
        return;
    }
    // Twice the time of the wrong submission is more than 2 s, and is rounded up to 3 s.
    let here = with_slow_submission("wrong_answer", 1.1, "");
    let output = run_all(&here);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert!(report.contains("  time limit 3 s\n"), "{report}");
    // If the wrong submission does not bound the time limit, it exceeds the limit, which is an unexpected verdict.
    here.write("package/submissions/submissions.yaml", "wrong_answer: {use_for_time_limit: false}\n");
    let output = run_all(&here);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    assert!(report.contains("  time limit 1 s\n"), "{report}");
    assert!(report.contains("UNEXPECTED  TIME_CPU on sample/1"), "{report}");
    here.write(
        "package/submissions/submissions.yaml",
        "accepted: {use_for_time_limit: false}\nwrong_answer: {use_for_time_limit: false}\n",
    );
    let output = run_all(&here);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("expected a submission whose times bound the time limit from below")
    );
}

#[test]
fn submissions_that_are_too_close_to_the_time_limit() {
    if !has_python() {
        return;
    }
    let too_fast =
        "by time_limit_to_tle a test has to take at least 4 s, 2 times the time limit; the slowest takes 2";
    let limits = "time_resolution: 2, time_multipliers: {time_limit_to_tle: 2}";
    let here = with_slow_submission("time_limit_exceeded", 2.2, limits);
    let output = run_all(&here);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains(&format!("    why: {too_fast}")), "{}", text(&output.stdout));
    here.write("package/submissions/submissions.yaml", "time_limit_exceeded: {use_for_time_limit: false}\n");
    let output = run_all(&here);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    // A time limit in the package may be for another machine, so the judge only warns.
    let here = with_slow_submission("time_limit_exceeded", 2.2, &format!("time_limit: 2, {limits}"));
    let output = run_all(&here);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let message = format!("time_limit_exceeded/slow.py: {too_fast}");
    assert!(text(&output.stderr).contains(&message), "{}", text(&output.stderr));
    let here = with_slow_submission("wrong_answer", 1.1, "time_limit: 2");
    let output = run_all(&here);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let message =
        "on sample/1: by ac_to_time_limit the time limit, 2 s, has to be at least 2 times this time";
    assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
}
