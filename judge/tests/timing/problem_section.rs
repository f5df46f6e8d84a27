//! The section `[problem]` of `judge.toml`. The tests depend on real time: a program that waits ends its run at an
//! idle or wall limit.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::{JUDGE, TestDir, assert_repeats, has_python, json_lines, root, text};

/// Creates the folder of a problem with two inputs. The bot `no_million.py` fails with the second one. `section` is the
/// content of `[problem]`.
fn problem(section: &str) -> TestDir {
    let here = TestDir::new();
    let programs = root().join("tests/interactors/stress");
    for name in ["interactor.py", "plain.py", "generator.py", "validator.py", "good.py", "no_million.py"] {
        fs::copy(programs.join(name), here.path().join(name)).unwrap();
    }
    here.directory("tests");
    here.write("tests/1.in", "2\n3\n5\n");
    here.write("tests/2.in", "1\n1000000\n");
    here.directory("below");
    here.write("judge.toml", format!("[problem]\n{section}\n"));
    here
}

/// Runs the judge in a folder.
fn judge(folder: &Path, arguments: &[&str]) -> Output {
    let mut judge = Command::new(JUDGE);
    judge.current_dir(folder).env_remove("JUDGE_CORPUS");
    judge.args(arguments).output().unwrap()
}

/// Runs the judge in a folder, and returns the lines of its JSON and the exit code. On stderr the judge may only say where
/// it has found the problem.
fn json(folder: &Path, arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let at = arguments.iter().position(|word| *word == "--").unwrap();
    let output = judge(folder, &[&arguments[..at], &["--json"], &arguments[at..]].concat());
    let stderr = text(&output.stderr);
    let is_found = stderr.starts_with("judge: problem: ") && stderr.ends_with("judge.toml\n");
    assert!(stderr.is_empty() || is_found, "{arguments:?}: {stderr}");
    (json_lines(&output.stdout), output.status.code())
}

fn field<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().map(|line| &line[name]).collect()
}

/// Checks runs in the folder of `judge.toml`, in a subfolder and in another folder. Paths in `judge.toml` are relative
/// to its folder.
#[test]
fn a_bot_on_the_problem_of_the_file() {
    if !has_python() {
        return;
    }
    let here = problem("interactor = \"python3 interactor.py\"\ninput = \"tests/\"");
    let folder = here.path().canonicalize().unwrap();
    let absolute = folder.to_str().unwrap();
    let elsewhere = TestDir::new();
    let file = here.file("judge.toml");
    let settings = ["--config", &file];
    for (from, options, start, bot) in [
        (here.path(), &[][..], String::new(), "no_million.py"),
        (&here.path().join("below"), &[], format!("{absolute}/"), "../no_million.py"),
        (elsewhere.path(), &settings, format!("{}/", here.path().display()), &here.file("no_million.py")),
    ] {
        let (lines, code) = json(from, &[&["run"], options, &["--", bot]].concat());
        assert_eq!(code, Some(1), "{lines:?}");
        let names = [format!("{start}tests/1.in"), format!("{start}tests/2.in")];
        assert_eq!(field(&lines, "input"), names.each_ref().map(String::as_str));
        assert_eq!(field(&lines, "verdict"), ["ACCEPTED", "WRONG_ANSWER"]);
        let command = lines[1]["command"].as_str().unwrap();
        let words = [&["--input", &*names[1]][..], options].concat().join(" ");
        let expected =
            format!("judge run --interactor 'python3 {start}interactor.py' --style icpc {words} -- {bot}");
        assert_eq!(command, expected);
        assert_repeats(from, &lines[1]);
    }
}

/// Checks that options of interactors replace single values of the section, and that `--games` repeats each run.
#[test]
fn options_beside_the_section() {
    if !has_python() {
        return;
    }
    let section =
        "interactor = [\"plain.py\", \"{input}\"]\nstyle = \"icpc\"\ninput = [\"tests/1.in\", \"tests/2*\"]";
    let here = problem(section);
    let options = ["--games", "10", "--style", "plain", "--input", "tests/1.in"];
    let (lines, code) = json(here.path(), &[&["run"], &options[..], &["--", "good.py"]].concat());
    assert_eq!(code, Some(0), "{lines:?}");
    assert_eq!(field(&lines, "seed"), (1..=10).collect::<Vec<u64>>());
    let command = lines[1]["command"].as_str().unwrap();
    let expected =
        "judge run --interactor './plain.py {input}' --style plain --input tests/1.in --seed 2 -- good.py";
    assert_eq!(command, expected);
    assert_repeats(here.path(), &lines[1]);
    // A source needs no "--".
    let output = judge(here.path(), &["run", "--style", "plain", "good.py"]);
    let report = text(&output.stdout);
    assert!(report.ends_with("good.py: 2 of 2 runs accepted\n"), "{report}{}", text(&output.stderr));
}

/// Checks `judge stress` and `judge lint` with the programs of the section.
#[test]
fn the_section_in_other_commands() {
    if !has_python() {
        return;
    }
    let programs = "interactor = \"interactor.py\"\ninput = \"tests\"\ngenerator = \"python3 generator.py\"\nvalidator = \"validator.py\"";
    let here = problem(programs);
    let (lines, code) =
        json(&here.path().join("below"), &["stress", "--seed", "3", "--", "../no_million.py"]);
    assert_eq!((lines.len(), code), (2, Some(1)), "{lines:?}");
    let (input, kept) = (lines[1]["input"].as_str().unwrap(), "seed-3.in");
    assert_eq!((input, here.read(&format!("below/{kept}")).as_str()), (kept, "1\n1000000\n"));
    let command = lines[0]["command"].as_str().unwrap();
    assert!(command.contains("/generator.py' --validator /"), "{command}");
    // `judge lint` uses the first input of the section.
    let lint = ["lint", "--only", "3", "--", "good.py"];
    let (lines, code) = json(here.path(), &lint);
    assert_eq!((field(&lines, "check"), code), (vec![&Value::from("accepts the bot")], Some(0)));
}

/// Checks that a game, an interactor or a package on the command line has priority over the whole section.
#[test]
fn what_is_typed_has_priority_over_the_section() {
    if !has_python() {
        return;
    }
    let here = problem("interactor = \"interactor.py\"\ninput = \"tests\"\ngenerator = \"generator.py\"");
    here.write("game.in", "6 1 2\n");
    // With both sections, an option for games chooses the game.
    let both = "[game]\nheader = \"square 9\"\n[problem]\ninteractor = \"interactor.py\"\n";
    let game = &*here.write("both.toml", both);
    let package = root().join("tests/packages/number");
    let package = package.to_str().unwrap();
    let bot = ["--", "sh", "-c", "read line; exit 3"];
    let other = "sh -c 'echo 1; exit 0'";
    for (options, start, is_problem) in [
        (&["run", "6", "1", "2"][..], "CRASHED 6 1 2 against perfect", false),
        (&["run", "--family", "nim"], "CRASHED nim ", false),
        (&["run", "--config", game, "--opponent", "slow", "--games", "1"], "CRASHED square 9 ", false),
        (&["run", "--config", game, "--session"], "CRASHED square 9 ", false),
        (&["test", "game.in"], "CRASHED 6 1 2 against perfect", false),
        (&["stress", "--family", "nim", "--jobs", "1"], "sh -c ", false),
        (
            &["run", "--interactor", other],
            "CRASHED without input: the interactor accepted, but then the bot exited with code 3",
            true,
        ),
        (&["run", "--problem", package, "--input", "sample/1"], "CRASHED sample/1: ", true),
        (&["run"], "CRASHED tests/1.in: ", true),
    ] {
        let mut judge = Command::new(JUDGE);
        judge.current_dir(here.path()).args(options).args(bot);
        let output = judge.output().unwrap();
        let report = text(&output.stdout);
        assert!(report.starts_with(start), "{options:?}: {report}{}", text(&output.stderr));
        let has_runs = report.contains(" accepted");
        assert_eq!((has_runs, output.status.code()), (is_problem, Some(1)), "{options:?}: {report}");
    }
}

/// Checks the messages for missing and unsuitable values. A message names the line of the file, or the option on the
/// command line.
#[test]
fn faults_of_the_section() {
    let typed = ["--", "true"];
    for (section, arguments, expected) in [
        ("interactor = \"./no-such\"", &["run"][..], "judge.toml:2: "),
        (
            "interactor = 3",
            &["run"],
            "judge.toml:2: expected \"interactor\" as a string or a list of strings",
        ),
        (
            "interactor = \"interactor.py\"\nchecker = \"true\"",
            &["run"],
            "judge.toml:3: expected an interactor of the style testlib",
        ),
        (
            "checker = \"true\"\npasses = 3",
            &["run"],
            "judge.toml:3: invalid value \"3\" for \"passes\": expected a number from 1 to 2",
        ),
        ("checker = \"true\"", &["run"], "judge.toml:1: expected --interactor"),
        (
            "interactor = \"true\"",
            &["stress"],
            "judge.toml:1: expected --generator, or generator in [problem] of a judge.toml",
        ),
        (
            "interactor = \"true\"",
            &["run", "6", "1", "2", "--input", "x"],
            "the options for interactors need one",
        ),
        ("interactor = \"true\"", &["run", "--session"], "the options for games need one"),
        ("interactor = \"true\"", &["lint", "--problem", "x"], "--problem x: expected a problem package"),
    ] {
        let here = problem(section);
        let output = judge(here.path(), &[arguments, &typed].concat());
        let message = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{section}: {message}");
        assert!(message.contains(expected), "{section} {arguments:?}: {message}");
    }
    let here = problem("interactor = \"true\"");
    for command in ["run", "stress"] {
        let output = judge(here.path(), &[command]);
        let message = text(&output.stderr);
        assert!(
            message.contains("got none; ") && message.contains("judge.toml:1 names a problem"),
            "{message}"
        );
    }
}
