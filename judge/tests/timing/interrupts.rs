//! Signals to the judge.

use std::fs;
use std::process::{Command, Output};

use rustix::process::Signal;

use crate::kernel::with_signals;
use crate::support::{
    self, FIND_ABOVE, JUDGE, Printed, TestDir, await_that, command, is_alive, is_running, send, start,
};

/// Runs the judge with a bot that can signal the judge.
fn judge(args: &str, bot: &[&str]) -> Output {
    with_signals(|| support::judge(args, bot))
}

/// Sends a signal to a judge as soon as `sleep` runs, and checks that the signal ends that process too.
fn interrupted(run: &str, bot: &[&str], signal: Signal, sleep: &[String]) -> Output {
    let judge = start(&mut command(run, bot));
    await_that(|| is_running(|arguments| arguments == sleep));
    send(signal, judge.id());
    let output = judge.wait_with_output().unwrap();
    assert!(!is_running(|arguments| arguments == sleep), "{sleep:?} is still running");
    output
}

/// Checks that SIGINT, SIGTERM, SIGHUP and SIGQUIT end the game with a verdict, and end the bot.
#[test]
fn an_interrupt_ends_the_bot_too() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT] {
        let sleep = ["sleep".to_owned(), format!("100.{}{}", signal.as_raw(), std::process::id())];
        let run = "run 6 1 2 --time-limit 60 --games 3 --limits proc";
        interrupted(run, &sleep.each_ref().map(String::as_str), signal, &sleep)
            .exits(2)
            .begins("INTERRUPTED 6 1 2 against perfect")
            .prints("0 of 1 game won\n")
            .says("judge: interrupted, so not all games were played");
    }
}

/// Checks that a run whose checker is ended by an interrupt gets no verdict.
#[test]
fn an_interrupt_ends_the_checker_too() {
    let sleep = ["sleep".to_owned(), format!("101.{}", std::process::id())];
    let here = TestDir::new();
    let checker = here.program("checker.sh", &format!("#!/bin/sh\nexec {}\n", sleep.join(" ")));
    let run = format!("run --interactor true --style testlib --checker {checker}");
    let output = interrupted(&run, &["true"], Signal::TERM, &sleep);
    output.exits(2).prints("0 of 0 runs accepted\n").says("judge: interrupted, so not all tests were run");
}

/// Checks that the judge reports a single interrupted game only as INTERRUPTED, and not also as a game that was not
/// played. It does not blame a bot that is ended by the same signal as the judge, before or after the end of its output:
/// a batch system sends its signal to all processes of a task.
#[test]
fn an_interrupt_that_ends_the_bot_is_not_its_crash() {
    for script in [
        "kill -INT $above; sleep 100",
        "kill -TERM $above; exit 143",
        "exec 1>&-; kill -TERM $above $$",
        "exec 1>&-; kill -TERM $above; exit 143",
    ] {
        let output = judge("run 6 1 2", &["sh", "-c", &format!("{FIND_ABOVE}; {script}")]);
        output.begins("INTERRUPTED 6 1 2 against perfect").exits(2).says("");
    }
    // The bot ends before the judge gets its signal.
    let here = TestDir::new();
    let bot = format!("echo $$ >{}; kill -TERM $$", here.file("bot"));
    let judging = start(&mut command("run 6 1 2", &["sh", "-c", &bot]));
    let has_ended = |bot: String| bot.ends_with('\n') && !is_alive(bot.trim());
    await_that(|| fs::read_to_string(here.file("bot")).is_ok_and(has_ended));
    send(Signal::TERM, judging.id());
    judging.wait_with_output().unwrap().begins("INTERRUPTED 6 1 2 against perfect");
    judge("run 6 1 2", &["sh", "-c", "exit 143"]).begins("CRASHED 6 1 2");
}

/// Checks that the judge ignores a signal that was ignored when the judge started, for example by nohup(1).
#[test]
fn ignored_signals_stay_ignored() {
    let bot = format!("{FIND_ABOVE}; kill -HUP $above; exec {JUDGE} bot");
    let run = format!("trap '' HUP; exec {JUDGE} run 6 1 2 -- sh -c '{bot}'");
    with_signals(|| Command::new("sh").args(["-c", &run]).output().unwrap()).begins("WON");
}

/// Checks that one signal ends a command that waits until another program opens a pipe or writes to the pipe.
#[test]
fn an_interrupt_ends_the_wait_for_a_pipe() {
    let here = TestDir::new();
    let pipe = here.fifo("pipe");
    for args in ["test", "run 6 1 2 --transcript", "arena --bot random --bot greedy --starts"] {
        for signal in [Signal::TERM, Signal::INT] {
            let judge = start(&mut command(&format!("{args} {pipe}"), &[]));
            await_that(|| waits_and_catches(judge.id(), signal));
            send(signal, judge.id());
            judge.wait_with_output().unwrap().exits(130);
        }
    }
    support::judge(&format!("arena --bot random --bot greedy --record {pipe}"), &[])
        .refuses("it is a pipe, but the results must be read again: name a regular file");
}

fn waits_and_catches(process: u32, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
    status.contains("State:\tS") && caught.is_some_and(|caught| caught >> (signal.as_raw() - 1) & 1 == 1)
}
