//! The judge and a bot in the sandbox: the bot cannot change the judge, and ends with it.

use std::fs;
use std::process::{self};

use crate::support::{
    assert_all_won, await_that, bot, command, has_python, has_sandbox, is_running, is_the_systems_root,
    judge, skip, text,
};

/// Signals are kept inside by another user's number, or by Linux 6.12.
#[test]
fn no_signal_to_the_judge() {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(|symbol: char| !symbol.is_ascii_digit()).map(str::parse::<u32>);
    let release = [numbers.next(), numbers.next()].map(|number| number.unwrap().unwrap());
    if !is_the_systems_root() && release < [6, 12] {
        skip(format!("Linux {release:?} cannot keep signals inside"));
        return;
    }
    if !has_sandbox() {
        return;
    }
    let script = "kill -KILL $PPID; read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1";
    assert_all_won("6 1 2 --sandbox --opponent slow", &["sh", "-c", script], 1);
}

/// A bot in the sandbox cannot forge a result.
#[test]
fn no_way_into_the_judge() {
    if !has_sandbox() || !has_python() {
        return;
    }
    let output = judge("run 6 1 2 --sandbox", &["python3", "-B", &bot("reach_judge.py")]);
    assert!(text(&output.stdout).contains("    stderr: worked: command\n"), "{}", text(&output.stdout));
}

/// When the judge is killed, the kernel also kills the bot's first process, which cannot prevent it.
#[test]
fn a_bot_ends_with_the_judge() {
    if !has_sandbox() || !has_python() {
        return;
    }
    // It takes no notice of its stdin, and can be told from all others.
    let sleep = ["sleep".to_owned(), format!("1000.{}", process::id())];
    let args = ["python3", &bot("outlive_judge.py"), &sleep[1]];
    let mut judge = command("run 6 1 2 --sandbox --time-limit 1000", &args).spawn().unwrap();
    await_that(|| is_running(|arguments| arguments == sleep));
    judge.kill().unwrap();
    judge.wait().unwrap();
    await_that(|| !is_running(|arguments| arguments == sleep));
}

/// A judge that ended before the bot asked the kernel to report its end is noticed.
#[test]
fn a_judge_that_has_ended() {
    if !has_sandbox() {
        return;
    }
    let output = judge("launch --judge 1", &["echo", "played"]);
    let seen = (text(&output.stdout), text(&output.stderr), output.status.code());
    assert_eq!(seen, ("", "judge: the judge has ended\n", Some(125)));
    let own = judge(&format!("launch --judge {}", process::id()), &["echo", "played"]);
    assert_eq!((text(&own.stdout), own.status.code()), ("played\n", Some(0)));
}
