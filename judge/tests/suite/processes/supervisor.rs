//! The supervisor of a judge: no process is left running if the judge is killed, or if bots multiply or hide.

use std::os::unix::process::CommandExt;
use std::process::{self, Child, Command, Stdio};
use std::sync::Arc;

use rustix::process::{Pid, Signal, kill_process_group};

use super::{is_left, sandbox_options, token};
use crate::support::{
    Compiled, FIND_ABOVE, JUDGE, TestDir, await_that, child_of, command, compiled, games, is_alive,
    is_running, judge, send, skip, start_talking, text,
};

/// A judge with a bot of three processes: the first process, which a second thread has replaced by another program; a
/// child; and an orphan in a new session.
struct Family {
    judge: Child,
    _hostile: Arc<Compiled>,
    sleep: [String; 2],
}

impl Family {
    /// Starts the judge. `number` distinguishes its processes from all others.
    fn start(options: &str, number: u32) -> Option<Self> {
        let hostile = compiled("processes.c")?;
        let sleep = ["sleep".to_owned(), format!("1000.{}{number}", process::id())];
        let script = "(setsid sleep $1 &); sleep $1 & exec \"$0\" exec sleep $1";
        let mut run = command(
            &format!("run 6 1 2 --time-limit 1000 {options}"),
            &["sh", "-c", script, &hostile.path, &sleep[1]],
        );
        let judge = run.stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0).spawn().unwrap();
        let family = Self { judge, _hostile: hostile, sleep };
        await_that(|| family.count() == 3);
        Some(family)
    }

    fn count(&self) -> usize {
        let mut count = 0;
        is_running(|arguments| {
            count += usize::from(arguments == self.sleep);
            false
        });
        count
    }
}

/// Checks that no process is left running if one of the judge's two processes is killed, with or without its process
/// group.
#[test]
fn a_killed_judge_leaves_nothing() {
    // Compile the bot once for all rounds.
    let _hostile = compiled("processes.c");
    for (round, option) in (1..).zip(sandbox_options()) {
        let targets = [(false, false), (false, true), (true, false), (true, true)];
        for (number, (is_referee, is_group)) in (10 * round..).zip(targets) {
            let Some(mut family) = Family::start(option, number) else { return };
            let referee = child_of(family.judge.id()).unwrap();
            let target = if is_referee { referee } else { family.judge.id() };
            if is_group {
                kill_process_group(Pid::from_raw(target.try_into().unwrap()).unwrap(), Signal::KILL).unwrap();
            } else {
                send(Signal::KILL, target);
            }
            family.judge.wait().unwrap();
            await_that(|| family.count() == 0 && !is_alive(&referee.to_string()));
        }
    }
}

/// Checks that the supervisor reports the end of the referee process with the exit code of a judge error.
#[test]
fn a_judge_without_a_verdict() {
    let Some(family) = Family::start("", 1) else { return };
    send(Signal::ABORT, child_of(family.judge.id()).unwrap());
    let message = "judge: JUDGE_ERROR: the referee process was killed by signal 6 (SIGABRT); \
                a game in progress gets no verdict; no process of its bot is left\n";
    let output = family.judge.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), message));
    let here = TestDir::new();
    let input = here.write("in", "6 1 2\n");
    let interact =
        start_talking(&mut command(&format!("interact --style testlib {input} {}", here.file("out")), &[]));
    send(Signal::ABORT, child_of(interact.id()).unwrap());
    let output = interact.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(3), message));
}

/// Checks a judge in a new process namespace, as in a container. Its session was created outside of the namespace, so
/// the session has the number 0 inside.
#[test]
fn a_session_from_outside() {
    let namespace = || {
        let mut namespace = Command::new("unshare");
        namespace.args(["--pid", "--fork", "--mount-proc"]);
        namespace
    };
    if !namespace().arg("true").status().is_ok_and(|status| status.success()) {
        skip("process namespaces cannot be created");
        return;
    }
    let script = format!("{FIND_ABOVE}; sleep 1000 & kill -ABRT $above; sleep 1000");
    let bot = ["sh", "-c", &script];
    let output = namespace().args([JUDGE, "run", "6", "1", "2", "--"]).args(bot).output().unwrap();
    let message = "judge: JUDGE_ERROR: the referee process was killed by signal 6 (SIGABRT); ";
    assert!(text(&output.stderr).starts_with(message), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
}

/// Checks that the judge sees how a bot ends even if a thread of the bot has made the judge its tracer.
#[test]
fn a_traced_thread() {
    let Some(hostile) = compiled("processes.c") else { return };
    for option in sandbox_options() {
        let (games, _) = games(&format!("6 1 2 --opponent slow {option}"), &[&hostile.path, "traced"]);
        let reason = "the opponent has no move left, but then the bot exited with code 7";
        assert_eq!(
            (&games[0]["verdict"], &games[0]["reason"]),
            (&"CRASHED".into(), &reason.into()),
            "{option}"
        );
    }
}

/// Checks that orphaned processes are reaped during the game.
#[test]
fn orphans_are_reaped() {
    let Some(hostile) = compiled("processes.c") else { return };
    let output = judge("run 6 1 2 --time-limit 60", &[&hostile.path, "zombies"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("    stderr: zombies: 0\n"), "{shown}");
}

/// Checks that a bot is ended at its wall limit if each of its processes starts a successor and exits. The processes
/// are in a new session each, or all in one session.
#[test]
fn chains_of_processes_end_with_their_game() {
    let Some(hostile) = compiled("processes.c") else { return };
    for option in sandbox_options() {
        for sessions in ["leave", "stay"] {
            let token = token(&format!("chains{option}-{sessions}"));
            let bot = [&hostile.path, "chains", "4", "100000", sessions, &token];
            let (games, _) =
                games(&format!("6 1 2 --time-limit 30 --wall-limit 0.5 --processes 4096 {option}"), &bot);
            assert_eq!(games[0]["verdict"], "TIME_WALL", "{}", games[0]);
            assert!(!is_left(&token), "{option} {sessions}");
        }
    }
}

/// Checks that no process of the bot `chains` is left running if the judge is interrupted several times.
#[test]
fn a_second_interrupt_ends_chains() {
    let Some(hostile) = compiled("processes.c") else { return };
    for (round, sessions) in ["leave", "stay", "leave", "stay"].into_iter().enumerate() {
        let token = token(&format!("interrupted-{round}"));
        let bot = [&hostile.path, "chains", "4", "100000", sessions, &token];
        let mut run = command("run 6 1 2 --time-limit 1000 --processes 4096", &bot);
        let mut judge = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        await_that(|| is_left(&token));
        while judge.try_wait().unwrap().is_none() {
            send(Signal::INT, judge.id());
        }
        assert!(!is_left(&token), "{round}");
    }
}
