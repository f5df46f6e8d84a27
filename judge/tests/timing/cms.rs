//! Managers of CMS, in `tests/interactors/cms`: the process that decides, and how the manager and the bot are connected.

use itertools::Itertools;
use serde_json::{Value, json};

use crate::broken_bots::check_rows;
use crate::support::{Printed, TestDir, has_program, has_sandbox, interactors, judge_in};

const MANAGER: &str = "python3 ../../../judge/starters/cms/manager.py";
const SWAPPED: &str = "python3 swapped.py";
const TWO: [&str; 6] = ["--style", "cms", "--processes-of-bot", "2", "--input", "1.in"];
const FIFO: [&str; 2] = ["--bot-io", "fifo"];

fn report(manager: &str, options: &[&str], bot: &[&str]) -> Value {
    let run = [&["run", "--json", "--interactor", manager], options, &["--"], bot].concat();
    judge_in(interactors().join("cms"), &run).report()
}

#[test]
fn the_process_that_decides() {
    let fifo = [&TWO[..], &FIFO].concat();
    let ways = [("std", MANAGER, &TWO[..]), ("fifo", MANAGER, &fifo), ("swapped", SWAPPED, &fifo)];
    let modes = [
        ("right", "accepted", None),
        ("wrong1", "wrong_answer", None),
        ("crash0", "crash", Some(0)),
        ("crash1", "crash", Some(1)),
        ("loops1", "time_cpu", Some(1)),
        ("hangs0", "sleeps", Some(0)),
        ("reads1", "reads_too_much", Some(1)),
        ("keeps0", "no_flush_or_reads_too_much", Some(0)),
        ("keeps1", "no_flush_or_reads_too_much", Some(1)),
    ];
    let mut rows: Vec<_> = ways.into_iter().cartesian_product(modes).collect();
    rows.retain(|((way, ..), (mode, ..))| *way == "std" || matches!(*mode, "right" | "crash1" | "keeps0"));
    check_rows(&rows, 4, |((way, manager, options), (mode, class, process))| {
        // These two modes end at a limit; the others must reach none, however busy the machine is.
        let limits = match *mode {
            "loops1" => &["--time-limit", "0.4", "--wall-limit", "60"][..],
            "hangs0" => &["--time-limit", "0.4"],
            _ => &["--time-limit", "20"],
        };
        let options = [options, limits].concat();
        let report = report(manager, &options, &["python3", "bot.py", mode, "-"]);
        let found = (report["class"].as_str().unwrap(), report["process"].as_u64());
        assert_eq!(found, (*class, *process), "{way} {mode}: {report}");
        let seats = report["passes"][0]["seats"].as_array().unwrap();
        assert_eq!(seats.len(), 2, "{way} {mode}: {report}");
        let prefix = process.map(|process| format!("process {process}: ")).unwrap_or_default();
        assert!(report["reason"].as_str().unwrap().starts_with(&prefix), "{way} {mode}: {report}");
    });
}

/// Checks a manager that does not flush: the ends of the processes, which the judge causes to find the cause, do not
/// reach it. Another one reads before it has opened the pipe that it writes, without and with a sandbox.
#[test]
fn unusual_managers() {
    for _ in 0..3 {
        let report = report("python3 keeps.py", &TWO, &["python3", "bot.py", "right", "-"]);
        let found = (report["class"].as_str().unwrap(), report["process"].as_u64());
        assert_eq!(found, ("interactor_no_flush", None), "{report}");
    }
    let sandboxes = ["--sandbox", "--interactor-sandbox"];
    let sandboxes = if has_sandbox() { &sandboxes[..] } else { &[] };
    for options in [&[][..], sandboxes] {
        let options = [&["--style", "cms"][..], options].concat();
        let report = report("python3 listens.py", &options, &["python3", "echo.py"]);
        let reason = "the interactor gave a score of 0.5: the output is partly correct";
        let found = ["class", "score", "reason"].map(|field| &report[field]);
        assert_eq!(json!(found), json!(["partial", 0.5, reason]), "{report}");
    }
}

#[test]
fn what_the_processes_share() {
    let here = TestDir::new();
    let place = here.file("number");
    let fifo = [&TWO[..], &FIFO].concat();
    let cheats = ["python3", "bot.py", "cheats", &place];
    assert_eq!(report(MANAGER, &fifo, &cheats)["class"], "accepted");
    if !has_sandbox() {
        return;
    }
    here.write("number", "");
    for options in [&TWO[..], &fifo] {
        let options = [options, &["--sandbox", "--interactor-sandbox"]].concat();
        let right = report(MANAGER, &options, &["python3", "bot.py", "right", "-"]);
        assert_eq!(right["class"], "accepted", "{right}");
        let cheats = report(MANAGER, &options, &cheats);
        assert_eq!((&cheats["class"], &cheats["process"]), (&"crash".into(), &0.into()), "{cheats}");
    }
}

/// Checks that a bot is compiled together with the grader in its language, and that the report's command does so too.
#[test]
fn graders() {
    let files = ["grader/grader.cpp", "grader/grader.h", "grader/grader.py"];
    let with: Vec<&str> = files.iter().flat_map(|file| ["--with", file]).collect();
    let options = [&TWO[..], &with].concat();
    for (language, bot) in [("python3", "grader/codec.py"), ("g++", "grader/codec.cpp")] {
        if has_program(language, &["--version"]) {
            let report = report(MANAGER, &options, &[bot]);
            assert_eq!(report["class"], "accepted", "{report}");
            let command = report["command"].as_str().unwrap();
            assert!(command.contains(&with.join(" ")), "{command}");
        }
    }
}
