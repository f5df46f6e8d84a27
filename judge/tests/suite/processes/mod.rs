//! Processes and signals: bots that escape, hide or multiply, and judges that are killed or lack a resource.

use std::process::{self, Command, Stdio};

use rustix::process::Signal;

use crate::support::{
    JUDGE, PATH, Printed, TestDir, await_that, bot, command, is_root, is_running, sandbox_options, send,
    start, stop_ignoring_signals,
};

mod wardens;

/// Checks that signals blocked or ignored by the judge's caller change neither the verdict nor the start of a bot.
#[test]
fn signals_of_the_caller() {
    let blocked = |args: &str, bot_of_judge: &[&str]| {
        let mut python = Command::new("python3");
        python.env("PATH", &*PATH).args([&bot("blocked_signals.py"), JUDGE]);
        python.args(command(args, bot_of_judge).get_args());
        python
    };
    // The pattern `[08]` allows any state of signal 32, because the C library uses this signal itself.
    let script = "exec sed -En 's/^(SigBlk|SigIgn):.*[08](.{7})$/\\1 \\2/p' /proc/self/status >&2";
    for option in sandbox_options() {
        for (script, verdict, reason) in [
            ("exit 7", "CRASHED", "the bot exited with code 7"),
            ("exit 0", "EXITED_EARLY", "the bot exited with code 0"),
            ("kill -ALRM $$", "CRASHED", "the bot was killed by signal 14 (SIGALRM)"),
            (script, "EXITED_EARLY", "    stderr: SigBlk 0000000\n    stderr: SigIgn 0000000\n"),
        ] {
            let run = format!("run 6 1 2 {option}");
            blocked(&run, &["sh", "-c", script]).output().unwrap().begins(verdict).prints(reason).exits(1);
        }
    }
    stop_ignoring_signals();
    // A signal ends the checks of a bot even if the caller has blocked that signal.
    let token = format!("1000.{}99", process::id());
    let judge = start(&mut blocked("lint --family segment --time-limit 1000", &["sleep", &token]));
    await_that(|| is_running(|arguments| arguments == ["sleep", &*token]));
    send(Signal::INT, judge.id());
    judge.wait_with_output().unwrap().refuses("judge: interrupted, so not all checks were run\n");
}

/// Checks that the judge reports a process or thread that cannot be started, with the exit code of a judge error. The
/// higher the limit on processes, the later the start that fails.
#[test]
fn no_process_and_no_thread() {
    // The kernel does not count the processes of the system's root, so the test uses a user that owns no processes.
    if !is_root() {
        return;
    }
    let user = (1_900_000_000 + process::id()).to_string();
    let here = TestDir::new();
    let testlib = format!("interact --style testlib {} /dev/null", here.write("in", "6 1 2\n"));
    for (args, code) in [
        ("run 6 1 2", 2),
        ("run 6 1 2 --sandbox", 2),
        ("stress --family segment --games 3 --jobs 2", 2),
        ("lint --family segment", 2),
        (&*testlib, 3),
    ] {
        let bot: &[&str] = if args.starts_with("lint") { &[JUDGE, "bot"] } else { &[] };
        let is_refused = |limit: u32| {
            let mut limited = Command::new("prlimit");
            limited.args([&format!("--nproc={limit}"), "setpriv", "--reuid", &user, JUDGE]);
            limited.args(command(args, bot).get_args()).stdin(Stdio::null()).current_dir("/");
            let output = limited.output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("panicked"), "{args}, {limit}: {message}");
            let is_refused = message.starts_with("judge: ");
            assert!(!is_refused || output.code() == Some(code), "{args}, {limit}: {message}");
            is_refused
        };
        assert!([1, 3, 8].map(is_refused).contains(&true), "{args}");
    }
}
