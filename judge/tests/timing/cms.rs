//! Managers of CMS, in `tests/interactors/cms`: the process that decides, and how the manager and the bot are connected.

use itertools::Itertools;
use serde_json::{Value, json};

use crate::broken_bots::check_rows;
use crate::support::{Printed, TestDir, has_program, interactors, judge_typed, sandbox_option};

const MANAGER: &str = "python3 ../../../judge/starters/cms/manager.py";
const TWO: &str = "--processes-of-bot 2 --input 1.in";
const FIFO: &str = "--processes-of-bot 2 --input 1.in --bot-io fifo";

fn report(manager: &str, options: &str, bot: &str) -> Value {
    let run = format!("run --json --interactor '{manager}' --style cms {options} -- {bot}");
    judge_typed(interactors().join("cms"), &run).report()
}

#[test]
fn the_process_that_decides() {
    let ways = [("std", MANAGER, TWO), ("fifo", MANAGER, FIFO), ("swapped", "python3 swapped.py", FIFO)];
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
    check_rows(&rows, 4, |((_, manager, options), (mode, class, process))| {
        // These two modes end at a limit; the others must reach none, however busy the machine is.
        let limits = match *mode {
            "loops1" => "--time-limit 0.4 --wall-limit 60",
            "hangs0" => "--time-limit 0.4",
            _ => "--time-limit 20",
        };
        let report = report(manager, &format!("{options} {limits}"), &format!("python3 bot.py {mode} -"));
        let seats = report["passes"][0]["seats"].as_array().unwrap().len();
        assert_eq!(
            json!([report["class"], report["process"], seats]),
            json!([class, process, 2]),
            "{report}"
        );
        let prefix = process.map(|process| format!("process {process}: ")).unwrap_or_default();
        assert!(report["reason"].as_str().unwrap().starts_with(&prefix), "{report}");
    });
}

/// Checks a manager that does not flush: the ends of the processes, which the judge causes to find the cause, do not
/// reach it. Another one reads before it has opened the pipe that it writes, without and with a sandbox.
#[test]
fn unusual_managers() {
    for _ in 0..3 {
        let report = report("python3 keeps.py", TWO, "python3 bot.py right -");
        assert_eq!(
            json!([report["class"], report["process"]]),
            json!(["interactor_no_flush", null]),
            "{report}"
        );
    }
    for options in ["", sandbox_option().map_or("", |_| "--sandbox --interactor-sandbox")] {
        let report = report("python3 listens.py", options, "python3 echo.py");
        let reason = "the interactor gave a score of 0.5: the output is partly correct";
        let found = ["class", "score", "reason"].map(|field| &report[field]);
        assert_eq!(json!(found), json!(["partial", 0.5, reason]), "{report}");
    }
}

#[test]
fn what_the_processes_share() {
    let here = TestDir::new();
    let cheats = format!("python3 bot.py cheats {}", here.file("number"));
    assert_eq!(report(MANAGER, FIFO, &cheats)["class"], "accepted");
    let Some(sandbox) = sandbox_option() else { return };
    here.write("number", "");
    for options in [TWO, FIFO].map(|options| format!("{options} {sandbox} --interactor-sandbox")) {
        let right = report(MANAGER, &options, "python3 bot.py right -");
        assert_eq!(right["class"], "accepted", "{right}");
        let cheats = report(MANAGER, &options, &cheats);
        assert_eq!((&cheats["class"], &cheats["process"]), (&"crash".into(), &0.into()), "{cheats}");
    }
}

/// Checks that a bot is compiled together with the grader in its language, and that the report's command does so too.
#[test]
fn graders() {
    let with = "--with grader/grader.cpp --with grader/grader.h --with grader/grader.py";
    for (language, bot) in [("python3", "grader/codec.py"), ("g++", "grader/codec.cpp")] {
        if has_program(language) {
            let report = report(MANAGER, &format!("{TWO} {with}"), bot);
            assert_eq!(report["class"], "accepted", "{report}");
            assert!(report["command"].as_str().unwrap().contains(with), "{report}");
        }
    }
}
