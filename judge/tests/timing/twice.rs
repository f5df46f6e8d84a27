//! Problems that run a bot twice, in `tests/interactors/twice`: the pass that decides, and what reaches the second pass.

use std::process::{self, Output};

use itertools::Itertools;
use serde_json::{Value, json};

use crate::broken_bots::check_rows;
use crate::support::{Printed, TestDir, interactors, judge_typed, sandbox_option};

const CHECKER: &str = "--checker 'python3 ../../../judge/starters/twice/checker.py'";
const INTERACTOR: &str = "--interactor 'python3 interactor.py' --style testlib";
const BETWEEN: &str = "--between 'python3 between.py'";

/// Runs `bot.py`, or the named bot, with arguments.
fn run(options: &str, bot: &str) -> Output {
    let run = "run --json --input 1.in --time-limit 0.4 --wall-limit 60";
    judge_typed(interactors().join("twice"), &format!("{run} {options} -- python3 {bot}"))
}

fn report(options: &str, bot: &str) -> Value {
    run(options, bot).report()
}

#[test]
fn the_pass_that_decides() {
    let kinds = [
        ("plain", format!("--passes 2 {CHECKER}")),
        ("first interactive", format!("--passes 2 --interactive-passes 1 {INTERACTOR} {CHECKER}")),
        ("both interactive", format!("--passes 2 {INTERACTOR} {CHECKER}")),
        ("between, then plain", format!("{BETWEEN} {CHECKER}")),
        ("between, then interactive", format!("{BETWEEN} {INTERACTOR} {CHECKER}")),
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
        let report = report(options, &format!("bot.py {mode}"));
        let passes = report["passes"].as_array().unwrap().len();
        assert_eq!(
            json!([report["verdict"], report["pass"], passes]),
            json!([verdict, pass, pass]),
            "{report}"
        );
        let reason = report["reason"].as_str().unwrap();
        let is_named = reason.starts_with(&format!("pass {pass}: "));
        assert_eq!(is_named, *verdict != "ACCEPTED", "{kind}: {reason}");
    });
}

/// Checks that a report names the program that decided: its role, and its command unless it read the input of a later
/// pass, which is removed.
#[test]
fn the_program_that_decides() {
    let plain = format!("--input 1.in --passes 2 {CHECKER}");
    let rejects = format!("--input 1.in {INTERACTOR} --checker 'grep -q nothing'");
    let labels = ["interactor", "validator", "checker", "program between the passes"];
    for (options, mode, role, checker, shown) in [
        (&*format!("--input 1.in {INTERACTOR}"), "wrong_first", "interactor", false, &labels[..1]),
        (&rejects, "right", "interactor", true, &["interactor", "checker"]),
        (
            "--problem ../../packages/message --input secret/1",
            "wrong_first",
            "validator",
            false,
            &labels[1..2],
        ),
        (&plain, "wrong_first", "checker", false, &labels[2..3]),
        (&plain, "wrong_second", "checker", false, &[]),
        (&format!("--passes 2 {rejects}"), "right", "interactor", true, &[]),
        (&format!("--input 1.in --between false {CHECKER}"), "right", "between", false, &labels[3..]),
    ] {
        let run = |json: &str| {
            let run = format!("run {json} {options} -- python3 bot.py {mode}");
            judge_typed(interactors().join("twice"), &run)
        };
        let referee = &run("--json").report()["referee"];
        assert_eq!((&referee["role"], referee["checker"].is_array()), (&role.into(), checker), "{referee}");
        let output = run("");
        let text = output.out();
        let mut seen = labels.to_vec();
        seen.retain(|label| text.contains(&format!("\n    {label}: ")));
        assert_eq!(seen, shown, "{options}: {text}");
        assert_eq!(text.contains("of the interactor"), role == "interactor", "{options}: {text}");
    }
}

#[test]
fn what_reaches_the_second_pass() {
    let here = TestDir::new();
    let (file, number) = (here.file("number"), process::id());
    let options = format!("--passes 2 {CHECKER}");
    for (bot, without) in [
        (format!("remembers.py file {file}"), "ACCEPTED"),
        (format!("remembers.py memory {number}"), "ACCEPTED"),
        // Its process is ended with the first pass.
        (format!("remembers.py socket {file}"), "WRONG_ANSWER"),
    ] {
        let output = run(&options, &bot);
        output.complains("without --sandbox, a bot can keep something");
        assert_eq!(output.report()["verdict"], without, "{bot}");
        here.write("number", "");
        if let Some(sandbox) = sandbox_option() {
            let output = run(&format!("{options} {sandbox}"), &bot);
            assert_eq!(output.report()["verdict"], "WRONG_ANSWER", "{bot}");
            assert!(!output.err().contains("without --sandbox"), "{bot}");
        }
    }
}

#[test]
fn no_second_pass() {
    // This interactor writes no file.
    let silent = "--passes 2 --interactor \"sh -c 'echo first; echo 1; read line'\" --style testlib";
    let no_output = "the interactor wrote no output, which is the input of the next pass";
    let rejected = "pass 1: the program between the passes rejected";
    for (options, class, words) in
        [(silent, "interactor_wrong_style", no_output), ("--between false", "wrong_answer", rejected)]
    {
        let report = report(&format!("{options} {CHECKER}"), "bot.py right");
        assert_eq!(report["class"], class, "{report}");
        assert!(report["reason"].as_str().unwrap().contains(words), "{report}");
    }
}
