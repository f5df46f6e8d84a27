//! `judge stress --interactor`: generated inputs, and the smallest one with which a bot fails. The tests
//! depend on real time: a program that waits ends its run at an idle or wall limit.

use std::fs;
use std::path::Path;
use std::process::Output;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{
    Printed, TestDir, assert_repeats, await_that, command, interactors, is_running, judge_typed, names_in,
    send, start,
};

/// Runs `judge stress` with the interactor and the arguments as typed in a shell. `%` begins the name of a program of
/// `tests/interactors/stress`.
fn stress(here: &TestDir, arguments: &str) -> Output {
    let interactor = if arguments.contains("--interactor ") { "" } else { "--interactor %interactor.sh" };
    let programs = format!("{}/stress/", interactors().display());
    let typed = format!("stress {interactor} {arguments}").replace('%', &programs);
    judge_typed(here.path(), &typed)
}

fn kept(here: &TestDir) -> Vec<String> {
    names_in(here.path()).into_iter().filter(|name| name.starts_with("seed-")).collect()
}

#[test]
fn the_smallest_input_with_which_a_bot_fails() {
    assert_finds_the_smallest_input("--validator %validator.sh --jobs 1");
}

/// Checks the search without a validator: with an interactor that fails with an invalid input, and with an interactor
/// in plain style that rejects the bot for an invalid input.
#[test]
#[ignore = "runs hundreds of programs"]
fn the_smallest_input_without_a_validator() {
    assert_finds_the_smallest_input("--jobs 3");
    assert_finds_the_smallest_input("--interactor '%plain.py {input}' --jobs 2");
}

#[track_caller]
fn assert_finds_the_smallest_input(options: &str) {
    let here = TestDir::new();
    let arguments = format!("--generator %generator.sh --json {options} -- %no_million.sh");
    let lines = stress(&here, &arguments).exits(1).json();
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
    assert_eq!(here.read(path), "1\n1000000\n");
    // The printed commands repeat the run of the smallest input, and the run of a generated input.
    for line in [&lines[3], &lines[0]] {
        assert_repeats(here.path(), line);
    }
    assert_eq!(kept(&here), [path]);
}

#[test]
fn a_bot_that_does_not_fail() {
    let here = TestDir::new();
    stress(&here, "--generator '%generator.sh {seed}' -n 4 -- %good.sh")
        .exits(0)
        .prints("good.sh: 4 of 4 runs accepted\n");
    assert_eq!(names_in(here.path()), [""; 0]);
    // A partial score is no failure.
    let generator = "--generator 'sh -c \"cat %../inputs/2.in\"' -n 2";
    stress(&here, &format!("--interactor %../points.py --style testlib {generator} -- %../bots/good.py"))
        .exits(0)
        .prints("2 runs, none failed\n2 scores: sum 168, mean 84, least 84\n");
}

#[test]
fn a_generator_that_does_not_end() {
    let here = TestDir::new();
    let token = format!("1000.{}", std::process::id());
    let generator =
        format!("--generator 'sh -c \"setsid sleep {token} & sleep 1000\"' --interactor-time 0.1");
    stress(&here, &format!("{generator} -- %good.sh"))
        .exits(2)
        .complains("seed 1: it did not end within 1.2 s");
    assert!(kept(&here).is_empty());
    assert!(!is_running(|words| words == ["sleep", &token]), "a process of the generator is left");
}

/// Checks that the search ends when the interactor fails, and that the report shows the input.
#[test]
fn an_interactor_that_fails() {
    let here = TestDir::new();
    here.write("2-5.in", "2\n5\n");
    stress(&here, "--generator 'sh -c \"cat 2-5.in\"' --keep failed -- %good.sh")
        .exits(2)
        .prints("\nThe run of the input of seed 1 could not be judged:\n\n    2\n    5\n\nJUDGE_ERROR failed/seed-1.in: ")
        .prints("why: a generated input has no answer file\n");
    assert_eq!(here.read("failed/seed-1.in"), "2\n5\n");
    let first = &stress(&here, "--generator 'echo 2n5n' --json -- %good.sh").json()[0];
    let fields = [&first["test"], &first["class"], &first["referee"]["command"][2]];
    assert_eq!(fields, ["generated input", "interactor_wrong_style", "INPUT"], "{first}");
}

#[test]
fn an_interrupted_shrinking_keeps_the_smallest_input() {
    let here = TestDir::new();
    here.write("calls", "");
    // The validator is called once for the input of the generator. Its eighth call is interrupted.
    let validator = here.write(
        "validator.py",
        "import os, signal\nopen('calls', 'a').write('x')\n\
         if os.path.getsize('calls') == 8:\n    signal.pause()\n",
    );
    let programs = format!("{}/stress", interactors().display());
    let run = format!(
        "stress --interactor {programs}/interactor.sh --generator {programs}/generator.sh --seed 3 --validator {validator} \
         --jobs 1"
    );
    let mut stress = command(&run, &[&format!("{programs}/no_million.sh")]);
    let judge = start(stress.current_dir(here.path()));
    await_that(|| here.read("calls").len() == 8);
    send(Signal::INT, judge.id());
    let output = judge.wait_with_output().unwrap();
    output
        .exits(2)
        .prints(" The search for a smaller one was interrupted. It has ")
        .prints("\nWRONG_ANSWER seed-3.in ")
        .says("judge: the search was interrupted");
    assert_eq!((here.read("calls").len(), kept(&here)), (8, vec!["seed-3.in".to_owned()]));
    let input = here.read("seed-3.in");
    assert!(input.lines().count() < 1001 && input.contains("\n1000000\n"), "{input}");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let here = TestDir::new();
    let file = here.write("file", "");
    here.write("million.in", "1\n1000000\n");
    let output =
        stress(&here, &format!("--generator 'sh -c \"cat million.in\"' --keep {file} -- %no_million.sh"));
    let shown = output.exits(1).complains("/file: ").out();
    let path = shown.split_once("WRONG_ANSWER ").unwrap().1.split_once(": ").unwrap().0;
    assert_eq!(fs::read_to_string(path).unwrap(), "1\n1000000\n");
    fs::remove_file(path).unwrap();
    assert!(Path::new(&file).is_file());
}
