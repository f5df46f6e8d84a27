//! `judge stress --interactor`: generated inputs, and the smallest one with which a bot fails. The tests
//! depend on real time: a program that waits ends its run at an idle or wall limit.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{JUDGE, TestDir, assert_repeats, has_python, json_lines, root, text};

/// Returns the path of a program of `tests/interactors/stress`.
fn program(name: &str) -> String {
    root().join("tests/interactors/stress").join(name).to_str().unwrap().to_owned()
}

/// Runs the judge in a folder.
fn judge(here: &TestDir, arguments: &[&str]) -> Output {
    Command::new(JUDGE).current_dir(here.path()).args(arguments).output().unwrap()
}

/// Runs `judge stress` with the interactor, the options, and the bot. `%` begins the name of a program of
/// `tests/interactors/stress`.
fn stress(here: &TestDir, options: &[&str], bot: &[&str]) -> Output {
    let replaced = |word: &&str| word.strip_prefix('%').map_or_else(|| (*word).to_owned(), program);
    let mut arguments = vec!["stress".to_owned()];
    if !options.contains(&"--interactor") {
        arguments.extend(["--interactor".to_owned(), program("interactor.py")]);
    }
    arguments.extend(options.iter().map(replaced));
    arguments.push("--".to_owned());
    arguments.extend(bot.iter().map(replaced));
    judge(here, &arguments.iter().map(String::as_str).collect::<Vec<&str>>())
}

/// Returns the sorted names of the inputs that were kept.
fn kept(here: &TestDir) -> Vec<String> {
    let folder = fs::read_dir(here.path()).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("seed-")).collect();
    names.sort();
    names
}

/// Checks the search with a bot that fails for one value in a thousand, with a validator.
#[test]
fn the_smallest_input_with_which_a_bot_fails() {
    assert_finds_the_smallest_input(&[(&["--validator", "%validator.py"], "1")]);
}

/// Checks the search without a validator: with an interactor that fails with an invalid input, and with an interactor
/// in plain style that rejects the bot for an invalid input.
#[test]
#[ignore = "takes a minute"]
fn the_smallest_input_without_a_validator() {
    let plain = format!("{} {{input}}", program("plain.py"));
    assert_finds_the_smallest_input(&[(&[], "3"), (&["--interactor", &plain], "2")]);
}

/// Runs searches with options and a number of jobs.
#[track_caller]
fn assert_finds_the_smallest_input(searches: &[(&[&str], &str)]) {
    if !has_python() {
        return;
    }
    for &(options, jobs) in searches {
        let here = TestDir::new();
        let options = [&["--generator", "%generator.py", "--jobs", jobs, "--json"], options].concat();
        let output = stress(&here, &options, &["%no_million.py"]);
        let (lines, stderr) = (json_lines(&output.stdout), text(&output.stderr));
        assert_eq!((lines.len(), output.status.code()), (4, Some(1)), "{stderr}");
        let field = |name: &str| lines.iter().map(|line| line[name].clone()).collect::<Vec<Value>>();
        assert_eq!(field("seed"), [1, 2, 3, 3]);
        assert_eq!(field("verdict"), ["ACCEPTED", "ACCEPTED", "WRONG_ANSWER", "WRONG_ANSWER"]);
        let path = "seed-3.in";
        assert_eq!(field("input"), [Value::Null, Value::Null, Value::Null, path.into()]);
        let last = &lines[3];
        let state = ["minimal", "complete"].map(|name| last[name].as_bool().unwrap());
        assert_eq!((state, &last["flaky"]), ([true, true], &json!(false)), "{last}");
        assert!((1..500).contains(&last["runs"].as_u64().unwrap()), "{last}");
        assert!(lines[2].get("minimal").is_none());
        assert_eq!((here.read(path).as_str(), kept(&here)), ("1\n1000000\n", vec!["seed-3.in".to_owned()]));
        // The printed commands repeat the run of the smallest input, and the run of a generated input.
        for line in [&lines[3], &lines[0]] {
            assert_repeats(here.path(), line);
        }
        assert_eq!(kept(&here), ["seed-3.in"]);
    }
}

#[test]
fn a_bot_that_does_not_fail() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let output = stress(&here, &["--generator", "%generator.py {seed}", "-n", "4"], &["%good.py"]);
    assert!(text(&output.stdout).ends_with("good.py: 4 of 4 runs accepted\n"), "{}", text(&output.stdout));
    assert_eq!((output.status.code(), here.count()), (Some(0), 0));
    // A partial score is no failure.
    let points = root().join("tests/interactors/points.py");
    let input = root().join("tests/interactors/inputs/2.in");
    let bot = root().join("tests/interactors/bots/good.py");
    let generator = format!("sh -c 'cat {}'", input.display());
    let options = ["--interactor", points.to_str().unwrap(), "--style", "testlib", "--generator", &generator];
    let output = stress(&here, &[&options[..], &["-n", "2"]].concat(), &[bot.to_str().unwrap()]);
    let shown = text(&output.stdout);
    let summary = "2 runs, none failed\n2 scores: sum 168, mean 84, least 84\n";
    assert!(shown.ends_with(summary), "{shown}");
    assert_eq!(output.status.code(), Some(0));
}

/// Checks the messages for generators and validators that fail.
#[test]
fn broken_generators_and_validators() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let fails = here.write(
        "fails.py",
        "import sys\nsys.stderr.write('one\\ntwo\\n')\nsys.exit(5 if sys.argv[1] == '2' else print('1\\n7'))",
    );
    let sleeps = format!("sh -c 'sleep 1000.{} & sleep 1000'", std::process::id());
    for (options, expected) in [
        (
            &["--generator", &fails, "--jobs", "4"][..],
            "the generator failed with seed 2: it exited with code 5; its last lines on stderr: one | two\n",
        ),
        (
            &["--generator", "sh -c 'kill -9 $$'"],
            "the generator failed with seed 1: it was killed by signal 9",
        ),
        (&["--generator", "yes"], "the generator failed with seed 1: it printed more than 32.0 MiB"),
        (
            &["--generator", &sleeps, "--interactor-time", "0.1"],
            "the generator failed with seed 1: it did not end within 1200 ms",
        ),
        (&["--generator", "no-such-program"], "--generator: no-such-program cannot be started"),
        (
            &["--generator", "sh -c 'echo 1; echo 1000001'", "--validator", "%validator.py"],
            "the validator refuses the input that the generator made with seed 1: it exited with code 1; its last lines on stderr: expected values up to 1000000\n",
        ),
        (
            &["--generator", "%generator.py", "--validator", "no-such-program"],
            "--validator: no-such-program cannot be started",
        ),
        (
            &["--generator", "echo 1", "--validator", "sleep 1000", "--interactor-time", "1"],
            "the validator failed: it did not end within 3000 ms",
        ),
    ] {
        let output = stress(&here, options, &["%good.py"]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {stderr}");
        assert!(stderr.contains(expected), "{options:?}: expected {expected:?}, got {stderr}");
        assert!(kept(&here).is_empty(), "{options:?}");
    }
    let pattern = format!("^sleep 1000.{}$", std::process::id());
    let left = Command::new("pgrep").args(["-f", &pattern]).output();
    assert!(left.is_ok_and(|left| left.stdout.is_empty()), "a process of a generator is left");
}

/// Checks that the search ends when the interactor fails, and that the report shows the input.
#[test]
fn an_interactor_that_fails() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let output =
        stress(&here, &["--generator", "sh -c 'printf 2\\\\n5\\\\n'", "--keep", "failed"], &["%good.py"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{shown}{}", text(&output.stderr));
    let expected = "\nThe run of the input of seed 1 could not be judged:\n\n    2\n    5\n\nJUDGE_ERROR failed/seed-1.in: ";
    assert!(shown.contains(expected), "{shown}");
    assert!(shown.contains("why: a generated input has no answer file\n"), "{shown}");
    assert_eq!(here.read("failed/seed-1.in"), "2\n5\n");
    let output = stress(&here, &["--generator", "sh -c 'printf 2\\n5\\n'", "--json"], &["%good.py"]);
    let first = &json_lines(&output.stdout)[0];
    let key = |key: &str| first[key].as_str().unwrap();
    assert_eq!((key("test"), key("class")), ("generated input", "interactor_crash"), "{first}");
    assert_eq!(first["referee"]["command"][2], "INPUT", "{first}");
}

/// Checks that the smallest input so far is kept when the judge is interrupted while it shrinks.
#[test]
fn an_interrupted_shrinking_keeps_the_smallest_input() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    here.write("calls", "");
    // The validator is called once for the input of the generator. In its eighth call it interrupts the judge, its
    // parent process.
    let validator = here.write(
        "validator.py",
        "import os, signal\nopen('calls', 'a').write('x')\n\
         if os.path.getsize('calls') == 8:\n    os.kill(os.getppid(), signal.SIGINT)\n    signal.pause()\n",
    );
    let options = ["--generator", "%generator.py", "--seed", "3", "--validator", &validator, "--jobs", "1"];
    let output = stress(&here, &options, &["%no_million.py"]);
    let stderr = text(&output.stderr);
    assert_eq!((output.status.code(), here.read("calls").len()), (Some(2), 8), "{stderr}");
    assert_eq!(stderr, "judge: the search was interrupted\n");
    let (shown, path) = (text(&output.stdout), "seed-3.in");
    assert!(shown.contains(" The search for a smaller one was interrupted. It has "), "{shown}");
    assert!(shown.contains(&format!("\nWRONG_ANSWER {path} ")), "{shown}");
    let input = here.read(path);
    assert!(input.lines().count() < 1001 && input.contains("\n1000000\n"), "{input}");
    assert_eq!(kept(&here), ["seed-3.in"]);
}

/// Checks that an input that cannot be kept in the folder of `--keep` is written to another file.
#[test]
fn a_folder_that_cannot_be_written() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let file = here.write("file", "");
    let output = stress(
        &here,
        &["--generator", "sh -c 'printf 1\\\\n1000000\\\\n'", "--keep", &file],
        &["%no_million.py"],
    );
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(text(&output.stderr).contains("/file: "), "{}", text(&output.stderr));
    let path = shown.split_once("WRONG_ANSWER ").unwrap().1.split_once(": ").unwrap().0;
    assert_eq!(fs::read_to_string(path).unwrap(), "1\n1000000\n");
    fs::remove_file(path).unwrap();
    assert!(Path::new(&file).is_file());
}
