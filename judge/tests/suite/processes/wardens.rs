//! Wardens, which start the bots: no process of a bot is left if the judge or a warden is killed, or if bots multiply or
//! hide.

use std::os::unix::process::CommandExt;
use std::process::{self, Command, Output, Stdio};
use std::time::SystemTime;

use itertools::iproduct;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::kernel::{has_signal_scopes, with_signals};
use crate::support::{
    JUDGE, Printed, TestDir, await_that, command, compiled, fresh_option, games, groups_of, is_alive,
    is_running, judge, limit_methods, sandbox_option, sandbox_options, send, skip, start, wardens_of,
};

/// Checks that a judge blames no bot and accepts none if a warden has ended.
#[track_caller]
fn assert_no_verdict(output: &Output, what: &str) {
    let (shown, error) = (output.out(), output.err());
    output.exits(2);
    let message = "the warden of ";
    assert!(shown.contains(message) || error.contains(message), "{what}: {shown}{error}");
    for verdict in ["CRASHED ", "EXITED_EARLY ", "IDLE "] {
        assert!(!shown.contains(verdict), "{what}: {shown}{error}");
    }
}

/// Checks that every command ends with an error if a bot ends its warden, which the kernel usually refuses.
#[test]
fn bots_that_end_their_warden() {
    let here = TestDir::new();
    // The games of an arena begin after two games that check the seats of the bot.
    let count = here.write("count", "0");
    let script = format!("kill -KILL $PPID; exec {JUDGE} bot");
    let late = format!(
        "c=$(($(cat {count}) + 1)); echo $c > {count}; [ $c = 3 ] && kill -KILL $PPID; exec {JUDGE} bot"
    );
    let bot = ["sh", "-c", &script];
    for args in [
        "run 6 1 2 --games 9 --jobs 2",
        "stress --family segment --games 20",
        "stress --family segment --games 20 --jobs 2",
    ] {
        assert_no_verdict(&with_signals(|| judge(args, &bot)), args);
    }
    let mut arena = command("arena 6 1 2 --pairs 2 --jobs 1 --bot perfect", &[]);
    arena.args(["--bot", &format!("kills=sh -c '{late}'")]).stdin(Stdio::null());
    assert_no_verdict(&with_signals(|| arena.output().unwrap()), "arena");
    if has_signal_scopes() {
        for args in ["run 6 1 2", "stress --family segment --games 3"] {
            judge(args, &bot).exits(0);
        }
    }
}

/// Checks a judge in a new process namespace, as in a container, with and without signals that the kernel refuses. The
/// session of the judge was created outside of the namespace, so it has the number 0 inside.
#[test]
fn a_session_from_outside() {
    let namespace = |script: &str| {
        let mut namespace = Command::new("unshare");
        namespace.args(["--pid", "--fork", "--mount-proc", "sh", "-c", script, JUDGE]);
        namespace.output().unwrap()
    };
    if !namespace("true").status.success() {
        skip("process namespaces cannot be created");
        return;
    }
    // Only the shell is left.
    let script =
        "\"$0\" run 6 1 2 -- sh -c 'sleep 60 & setsid sleep 60 & exit 7'; set -- /proc/[0-9]*; echo $#";
    for output in [namespace(script), with_signals(|| namespace(script))] {
        let shown = output.out();
        assert!(shown.starts_with("CRASHED ") && shown.ends_with("\n1\n"), "{shown}{}", output.err());
    }
    let Some(fresh) = fresh_option() else { return };
    let here = TestDir::new();
    let no_program = here.write("no_program", "\u{7f}ELF\0");
    let script = format!(
        "chmod +x {no_program}; \"$0\" run 6 1 2 {fresh} -- {no_program}; set -- /proc/[0-9]*; echo $#"
    );
    let output = namespace(&script);
    assert_eq!(output.complains("Exec format error").out(), "1\n");
}

/// Checks that the judge sees how a bot ends even if a thread of the bot has made the warden its tracer.
#[test]
fn a_traced_thread() {
    let Some((_here, hostile)) = compiled("processes.c") else { return };
    for option in sandbox_options() {
        let (games, _) = games(&format!("6 1 2 --opponent slow {option}"), &[&hostile, "traced"]);
        let reason = "the opponent has no move left, but then the bot exited with code 7";
        let found = ["verdict", "reason"].map(|field| games[0][field].as_str().unwrap());
        assert_eq!(found, ["CRASHED", reason], "{option}");
    }
}

#[test]
fn orphans_are_reaped() {
    let Some((_here, hostile)) = compiled("processes.c") else { return };
    judge("run 6 1 2 --time-limit 60", &[&hostile, "zombies"]).prints("    stderr: zombies: 0\n");
}

/// Returns whether a process of a bot runs whose last argument is `token`, which is also the last argument of its judge.
fn is_left(token: &str) -> bool {
    is_running(|arguments| {
        let is_bot = arguments.first().is_some_and(|program| program != JUDGE);
        is_bot && arguments.last().is_some_and(|last| last == token)
    })
}

/// Checks that a bot is ended at its wall limit if each of its processes starts a successor and exits. The processes
/// are in a new session each, or all in one session. Without Landlock the warden looks for them in /proc.
#[test]
fn chains_of_processes_end_with_their_game() {
    let Some((_here, hostile)) = compiled("processes.c") else { return };
    for option in sandbox_options() {
        for sessions in ["leave", "stay"] {
            let token = format!("chains{option}-{sessions}-{}", process::id());
            let bot = [&hostile, "chains", "4", "100000", sessions, &token];
            let args = format!("6 1 2 --time-limit 30 --wall-limit 0.2 --processes 4096 {option}");
            let assert_ended = || assert_eq!(games(&args, &bot).0[0]["verdict"], "TIME_WALL");
            assert_ended();
            if option.is_empty() {
                with_signals(assert_ended);
            }
            assert!(!is_left(&token), "{option} {sessions}");
        }
    }
}

/// Checks that no process of the bot `chains` and no control group is left if the judge is interrupted several times, or if
/// the judge, its process group, or the warden is killed. A second thread of the bot has replaced the first process by another
/// program. Without a warden there is no verdict.
#[test]
fn chains_end_with_the_judge() {
    let Some((_here, hostile)) = compiled("processes.c") else { return };
    let options = limit_methods().into_iter().map(|method| format!("--limits {method}"));
    let options: Vec<_> = options.chain(sandbox_option().map(str::to_owned)).collect();
    let ways = [("interrupt", "leave"), ("judge", "stay"), ("group", "leave"), ("warden", "leave")];
    for (option, (way, sessions)) in iproduct!(&options, ways) {
        let token = format!("{option}-{way}-{}", process::id());
        let bot = [&hostile, "exec", &hostile, "chains", "4", "100000", sessions, &token];
        let started = SystemTime::now();
        let run = format!("run 6 1 2 --time-limit 1000 --processes 4096 {option}");
        let mut judge = start(command(&run, &bot).process_group(0));
        await_that(|| is_left(&token));
        let (id, warden) = (judge.id(), wardens_of(judge.id())[0]);
        assert!(!groups_of(id, started).is_empty() || option != "--limits cgroup", "{option} {way}");
        match way {
            "judge" => judge.kill().unwrap(),
            "group" => kill_process_group(Pid::from_child(&judge), Signal::KILL).unwrap(),
            "warden" => send(Signal::KILL, warden),
            _ => {
                while judge.try_wait().unwrap().is_none() {
                    send(Signal::INT, id);
                }
            }
        }
        let is_warden_left = || is_alive(&warden.to_string());
        await_that(|| !is_left(&token) && !is_warden_left() && groups_of(id, started).is_empty());
        let output = judge.wait_with_output().unwrap();
        if way == "warden" {
            assert_no_verdict(&output, option);
        }
    }
}
