//! Problems that run a bot twice, or several processes of it at once, in `tests/interactors/twice` and `cms`: what one run
//! can pass to the other.

use std::process;

use crate::support::{Printed, TestDir, interactors, judge_typed, sandbox_option};

/// Checks what a bot can pass on by a file, by a process, or in a socket, without and with a sandbox.
#[test]
fn what_another_run_of_the_bot_can_read() {
    let here = TestDir::new();
    let (file, number) = (here.file("number"), process::id());
    let manager =
        "--interactor 'python3 ../../../judge/starters/cms/manager.py' --style cms --processes-of-bot 2";
    let checker = "--checker 'python3 ../../../judge/starters/twice/checker.py'";
    let twice = &*format!("--passes 2 {checker} --time-limit 0.4 --wall-limit 60");
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
