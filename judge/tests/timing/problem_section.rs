//! The section `[problem]` of `judge.toml`. The tests depend on real time: a program that waits ends its run at an
//! idle or wall limit.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Printed, TestDir, assert_repeats, judge_typed, root};

/// Creates the folder of a problem with two inputs. The bot `no_million.sh` fails with the second one. `section` is the
/// content of `[problem]`.
fn problem(section: &str) -> TestDir {
    let here = TestDir::new();
    let programs = root().join("tests/interactors/stress");
    for name in ["interactor.sh", "plain.py", "generator.sh", "validator.sh", "good.sh", "no_million.sh"] {
        fs::copy(programs.join(name), here.file(name)).unwrap();
    }
    here.write("tests/1.in", "2\n3\n5\n");
    here.write("tests/2.in", "1\n1000000\n");
    here.directory("below");
    here.write("judge.toml", format!("[problem]\n{section}\n"));
    here
}

/// Runs the judge in a folder, and returns the lines of its JSON. On stderr the judge may only say where it has found the
/// problem.
fn json(folder: impl AsRef<Path>, arguments: &str, code: i32) -> Vec<Value> {
    let output = judge_typed(folder, arguments);
    let stderr = output.exits(code).err();
    let is_found = stderr.starts_with("judge: problem: ") && stderr.ends_with("judge.toml\n");
    assert!(stderr.is_empty() || is_found, "{arguments}: {stderr}");
    output.json()
}

fn field<'a>(lines: &'a [Value], name: &str) -> Vec<&'a Value> {
    lines.iter().map(|line| &line[name]).collect()
}

/// Checks runs in the folder of `judge.toml`, in a subfolder and in another folder. Paths in `judge.toml` are relative
/// to its folder.
#[test]
fn a_bot_on_the_problem_of_the_file() {
    let (here, elsewhere) =
        (problem("interactor = \"sh interactor.sh\"\ninput = \"tests/\""), TestDir::new());
    let (folder, found) = (here.path().display(), here.path().canonicalize().unwrap());
    let config = format!(" --config {folder}/judge.toml");
    for (from, options, start, bot) in [
        (here.path(), "", "", "no_million.sh"),
        (&here.path().join("below"), "", &*format!("{}/", found.display()), "../no_million.sh"),
        (elsewhere.path(), &config, &format!("{folder}/"), &format!("{folder}/no_million.sh")),
    ] {
        let lines = json(from, &format!("run --json{options} -- {bot}"), 1);
        let names = ["1.in", "2.in"].map(|name| format!("{start}tests/{name}"));
        assert_eq!(field(&lines, "input"), names.each_ref().map(String::as_str));
        assert_eq!(field(&lines, "verdict"), ["ACCEPTED", "WRONG_ANSWER"]);
        let interactor = format!("--interactor 'sh {start}interactor.sh' --style icpc");
        let expected = format!("judge run {interactor} --input {}{options} -- {bot}", names[1]);
        assert_eq!(lines[1]["command"], expected.as_str());
        assert_repeats(from, &lines[1]);
    }
}

/// Checks that options of interactors replace single values of the section, and that `--games` repeats each run.
#[test]
fn options_beside_the_section() {
    let section =
        "interactor = [\"plain.py\", \"{input}\"]\nstyle = \"icpc\"\ninput = [\"tests/1.in\", \"tests/2*\"]";
    let here = problem(section);
    let lines = json(&here, "run --json --games 10 --style plain --input tests/1.in -- good.sh", 0);
    assert_eq!(field(&lines, "seed"), (1..=10).collect::<Vec<u64>>());
    let expected =
        "judge run --interactor './plain.py {input}' --style plain --input tests/1.in --seed 2 -- good.sh";
    assert_eq!(lines[1]["command"], expected);
    assert_repeats(here.path(), &lines[1]);
    // A source needs no "--".
    here.judge("run --style plain good.sh").prints("good.sh: 2 of 2 runs accepted\n");
}

#[test]
fn the_section_in_other_commands() {
    let programs = "interactor = \"interactor.sh\"\ninput = \"tests\"\ngenerator = \"sh generator.sh\"\nvalidator = \"validator.sh\"";
    let here = problem(programs);
    let lines = json(here.path().join("below"), "stress --json --seed 3 -- ../no_million.sh", 1);
    assert_eq!(field(&lines, "input"), [&Value::Null, &"seed-3.in".into()]);
    assert_eq!(here.read("below/seed-3.in"), "1\n1000000\n");
    let command = lines[0]["command"].as_str().unwrap();
    assert!(command.contains("/generator.sh' --validator /"), "{command}");
    // `judge lint` uses the first input of the section.
    assert_eq!(field(&json(&here, "lint --json --only 3 -- good.sh", 0), "check"), ["accepts the bot"]);
}

#[test]
fn what_is_typed_has_priority_over_the_section() {
    let here = problem("interactor = \"interactor.sh\"\ninput = \"tests\"\ngenerator = \"generator.sh\"");
    here.write("game.in", "6 1 2\n");
    // With both sections, an option for games chooses the game.
    let both = "[game]\nheader = \"square 9\"\n[problem]\ninteractor = \"interactor.sh\"\n";
    here.write("both.toml", both);
    let package = root().join("tests/packages/number");
    let of_package = format!("run --problem {} --input sample/1", package.display());
    let of_other = "run --interactor \"sh -c 'echo 1; exit 0'\"";
    for (options, start, is_problem) in [
        ("run 6 1 2", "CRASHED 6 1 2 against perfect", false),
        ("run --family nim", "CRASHED nim ", false),
        ("run --config both.toml --opponent slow --games 1", "CRASHED square 9 ", false),
        ("run --config both.toml --session", "CRASHED square 9 ", false),
        ("test game.in", "CRASHED 6 1 2 against perfect", false),
        ("stress --family nim --jobs 1", "sh -c ", false),
        (of_other, "CRASHED without input: the interactor accepted, but ", true),
        (&of_package, "CRASHED sample/1: ", true),
        ("run", "CRASHED tests/1.in: ", true),
    ] {
        let output = here.judge(&format!("{options} -- sh -c 'read line; exit 3'"));
        let report = output.exits(1).begins(start).out();
        assert_eq!(report.contains(" accepted"), is_problem, "{options}: {report}");
    }
}

/// Checks the messages for missing and unsuitable values. A message names the line of the file, or the option on the
/// command line.
#[test]
fn faults_of_the_section() {
    let style = "judge.toml:3: expected an interactor of the style testlib";
    let generator = "judge.toml:1: expected --generator, or generator in [problem] of a judge.toml";
    for (section, arguments, expected) in [
        ("interactor = \"./no-such\"", "run -- true", "judge.toml:2: "),
        ("interactor = \"interactor.sh\"\nchecker = \"true\"", "run -- true", style),
        ("checker = \"true\"", "run -- true", "judge.toml:1: expected --interactor"),
        ("interactor = \"true\"", "stress -- true", generator),
        ("interactor = \"true\"", "run 6 1 2 --input x -- true", "the options for interactors need one"),
        ("interactor = \"true\"", "run", "judge.toml:1 names a problem"),
        ("interactor = \"true\"", "stress", "judge.toml:1 names a problem"),
    ] {
        problem(section).judge(arguments).refuses(expected);
    }
}
