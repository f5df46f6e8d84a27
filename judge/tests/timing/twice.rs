//! Problems that run a bot twice, or several processes of it at once, in `tests/interactors/twice` and `cms`: what one run
//! can pass to the other, and the program that decides.

use std::process;

use crate::support::{Printed, TestDir, interactors, judge_typed, sandbox_option};

const CHECKER: &str = "--checker 'python3 ../../../judge/starters/twice/checker.py'";
const INTERACTOR: &str = "--interactor 'python3 interactor.py' --style testlib";

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

/// Checks what a bot can pass on by a file, by a process, or in a socket, without and with a sandbox.
#[test]
fn what_another_run_of_the_bot_can_read() {
    let here = TestDir::new();
    let (file, number) = (here.file("number"), process::id());
    let manager =
        "--interactor 'python3 ../../../judge/starters/cms/manager.py' --style cms --processes-of-bot 2";
    let twice = &*format!("--passes 2 {CHECKER} --time-limit 0.4 --wall-limit 60");
    let fifo = &*format!("{manager} --bot-io fifo");
    for (folder, options, bot, without, inside) in [
        ("twice", twice, format!("remembers.py file {file}"), "accepted", "wrong_answer"),
        ("twice", twice, format!("remembers.py memory {number}"), "accepted", "wrong_answer"),
        // Its process is ended with the first pass.
        ("twice", twice, format!("remembers.py socket {file}"), "wrong_answer", "wrong_answer"),
        ("cms", fifo, format!("bot.py cheats {file}"), "accepted", "crash"),
        ("cms", fifo, "bot.py right -".to_owned(), "accepted", "accepted"),
        ("cms", manager, format!("bot.py cheats {file}"), "accepted", "crash"),
        ("cms", manager, "bot.py right -".to_owned(), "accepted", "accepted"),
    ] {
        let sandbox = sandbox_option().map(|sandbox| format!("{sandbox} --interactor-sandbox"));
        for (sandbox, class) in [(Some(String::new()), without), (sandbox, inside)] {
            let Some(sandbox) = sandbox else { continue };
            let run = format!("run --json --input 1.in {options} {sandbox} -- python3 {bot}");
            let output = judge_typed(interactors().join(folder), &run);
            assert_eq!(output.report()["class"], class, "{bot} {sandbox}: {}", output.out());
            let is_warned = output.err().contains("without --sandbox, a bot can keep something");
            assert_eq!(is_warned, folder == "twice" && sandbox.is_empty(), "{bot} {sandbox}");
            here.write("number", "");
        }
    }
}
