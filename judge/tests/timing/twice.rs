//! Problems that run a bot twice, in `tests/interactors/twice`: the pass that decides, and what reaches the second pass.

use std::process::{self, Output};

use itertools::Itertools;
use serde_json::{Value, json};

use crate::broken_bots::check_rows;
use crate::support::{Printed, TestDir, has_sandbox, interactors, judge_in};

const CHECKER: [&str; 2] = ["--checker", "python3 ../../../judge/starters/twice/checker.py"];
const INTERACTOR: [&str; 4] = ["--interactor", "python3 interactor.py", "--style", "testlib"];
/// An interactor that writes no file.
const SILENT: &str = "sh -c 'echo first; echo 1; read line'";
const BETWEEN: [&str; 2] = ["--between", "python3 between.py"];

fn run(options: &[&str], bot: &[&str]) -> Output {
    let run = ["run", "--json", "--input", "1.in", "--time-limit", "0.4", "--wall-limit", "60"];
    judge_in(interactors().join("twice"), &[&run, options, &["--", "python3"], bot].concat())
}

fn report(options: &[&str], bot: &[&str]) -> Value {
    run(options, bot).report()
}

#[test]
fn the_pass_that_decides() {
    let twice = ["--passes", "2"];
    let first = ["--passes", "2", "--interactive-passes", "1"];
    let kinds = [
        ("plain", [&twice[..], &CHECKER].concat()),
        ("first interactive", [&first[..], &INTERACTOR, &CHECKER].concat()),
        ("both interactive", [&twice[..], &INTERACTOR, &CHECKER].concat()),
        ("between, then plain", [&BETWEEN[..], &CHECKER].concat()),
        ("between, then interactive", [&BETWEEN[..], &INTERACTOR, &CHECKER].concat()),
    ];
    let modes = [
        ("right", "ACCEPTED", 2),
        ("wrong_first", "WRONG_ANSWER", 1),
        ("wrong_second", "WRONG_ANSWER", 2),
        ("crash_second", "CRASHED", 2),
        ("loops_second", "TIME_CPU", 2),
    ];
    let rows: Vec<_> = kinds.iter().cartesian_product(modes).collect();
    check_rows(&rows, 4, |((kind, options), (mode, verdict, pass))| {
        // The program between the passes checks nothing, so the bot fails on its own word.
        let (verdict, pass) = match *mode {
            "wrong_first" if kind.starts_with("between") => (&"CRASHED", &2),
            "crash_second" | "loops_second" if kind.starts_with("between") => return,
            _ => (verdict, pass),
        };
        let report = report(options, &["bot.py", mode]);
        let passes = report["passes"].as_array().unwrap().len();
        let found = json!([report["verdict"], report["pass"], passes]);
        assert_eq!(found, json!([verdict, pass, pass]), "{report}");
        let reason = report["reason"].as_str().unwrap();
        let is_named = reason.starts_with(&format!("pass {pass}: "));
        assert_eq!(is_named, *verdict != "ACCEPTED", "{kind}: {reason}");
    });
}

/// Checks that a report names the program that decided: its role, and its command unless it read the input of a later
/// pass, which is removed.
#[test]
fn the_program_that_decides() {
    let twice = ["--passes", "2"];
    let input = ["--input", "1.in"];
    let rejects = "grep -q nothing";
    let checked = [&INTERACTOR[..], &["--checker", rejects]].concat();
    let validated = ["--problem", "../../packages/message", "--input", "secret/1"];
    let labels = ["interactor", "validator", "checker", "program between the passes"];
    for (options, mode, role, checker, shown) in [
        ([&input[..], &INTERACTOR].concat(), "wrong_first", "interactor", false, &labels[..1]),
        ([&input[..], &checked].concat(), "right", "interactor", true, &["interactor", "checker"][..]),
        (validated.to_vec(), "wrong_first", "validator", false, &labels[1..2]),
        ([&input[..], &twice, &CHECKER].concat(), "wrong_first", "checker", false, &labels[2..3]),
        ([&input[..], &twice, &CHECKER].concat(), "wrong_second", "checker", false, &[]),
        ([&input[..], &twice, &checked].concat(), "right", "interactor", true, &[]),
        ([&input[..], &["--between", "false"], &CHECKER].concat(), "right", "between", false, &labels[3..]),
    ] {
        let run = |json: &[&str]| {
            let words = [&["run"], json, &options, &["--", "python3", "bot.py", mode]].concat();
            judge_in(interactors().join("twice"), &words)
        };
        let referee = &run(&["--json"]).report()["referee"];
        assert_eq!((&referee["role"], referee["checker"].is_array()), (&role.into(), checker), "{referee}");
        let output = run(&[]);
        let text = output.out();
        let seen: Vec<&str> =
            labels.into_iter().filter(|label| text.contains(&format!("\n    {label}: "))).collect();
        assert_eq!(seen, shown, "{options:?}: {text}");
        assert_eq!(text.contains("of the interactor"), role == "interactor", "{options:?}: {text}");
    }
}

#[test]
fn what_reaches_the_second_pass() {
    let here = TestDir::new();
    let (file, number) = (here.file("number"), process::id().to_string());
    let options = [&["--passes", "2"][..], &CHECKER].concat();
    for (way, place, without) in [
        ("file", &*file, "ACCEPTED"),
        ("memory", &*number, "ACCEPTED"),
        // Its process is ended with the first pass.
        ("socket", &*file, "WRONG_ANSWER"),
    ] {
        let bot = ["remembers.py", way, place];
        let output = run(&options, &bot);
        output.complains("without --sandbox, a bot can keep something");
        assert_eq!(output.json()[0]["verdict"], without, "{way}");
        here.write("number", "");
        if has_sandbox() {
            let output = run(&[&options[..], &["--sandbox"]].concat(), &bot);
            assert_eq!(output.json()[0]["verdict"], "WRONG_ANSWER", "{way}");
            assert!(!output.err().contains("without --sandbox"), "{way}");
        }
    }
}

#[test]
fn no_second_pass() {
    let silent = ["--passes", "2", "--interactor", SILENT, "--style", "testlib"];
    let no_output = "the interactor wrote no output, which is the input of the next pass";
    let rejected = "pass 1: the program between the passes rejected";
    for (options, class, words) in [
        (&silent[..], "interactor_wrong_style", no_output),
        (&["--between", "false"], "wrong_answer", rejected),
    ] {
        let report = report(&[options, &CHECKER].concat(), &["bot.py", "right"]);
        assert_eq!(report["class"], class, "{report}");
        assert!(report["reason"].as_str().unwrap().contains(words), "{report}");
    }
}
