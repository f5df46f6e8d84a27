//! Processes and signals: bots that escape, hide or multiply, and judges that are killed or lack a resource.

use std::process::{self, Command, Stdio};

use rustix::process::Signal;

use crate::support::{
    JUDGE, PATH, Printed, TestDir, await_that, bot, command, has_sandbox, is_root, is_running, send,
    stop_ignoring_signals,
};

mod wardens;

/// Returns a word that distinguishes the processes of one game from all others.
fn token(name: &str) -> String {
    format!("{name}-{}", process::id())
}

fn is_left(token: &str) -> bool {
    is_running(|arguments| arguments.last().is_some_and(|last| last == token))
}

/// Returns the options with which a test plays: none, and `--sandbox` if the sandbox is possible here.
fn sandbox_options() -> impl Iterator<Item = &'static str> {
    ["", "--sandbox"].into_iter().filter(|option| option.is_empty() || has_sandbox())
}

/// Checks that signals blocked or ignored by the judge's caller change neither the verdict nor the start of a bot.
#[test]
fn signals_of_the_caller() {
    let blocked = bot("blocked_signals.py");
    // The pattern `[08]` allows any state of signal 32, because the C library uses this signal itself.
    let script = "exec sed -En 's/^(SigBlk|SigIgn):.*[08](.{7})$/\\1 \\2/p' /proc/self/status >&2";
    for option in sandbox_options() {
        let bots = [
            ("exit 7", "CRASHED", "the bot exited with code 7"),
            ("exit 0", "EXITED_EARLY", "the bot exited with code 0"),
            ("kill -ALRM $$", "CRASHED", "the bot was killed by signal 14 (SIGALRM)"),
            (script, "EXITED_EARLY", "    stderr: SigBlk 0000000\n    stderr: SigIgn 0000000\n"),
        ];
        for (script, verdict, reason) in bots {
            let run = ["run", "6", "1", "2", "--", "sh", "-c", script];
            let mut run: Vec<&str> = run.to_vec();
            run.splice(4..4, option.split_whitespace());
            let output = Command::new("python3")
                .env("PATH", &*PATH)
                .args([&*blocked, JUDGE])
                .args(run)
                .output()
                .unwrap();
            let shown = output.out();
            assert!(shown.starts_with(verdict) && shown.contains(reason), "{option} {script}: {shown}");
            output.exits(1);
        }
    }
    stop_ignoring_signals();
    // A signal ends the game even if the caller has blocked that signal.
    let mut judge = Command::new("python3");
    judge.env("PATH", &*PATH);
    let token = format!("1000.{}99", process::id());
    let run = ["run", "6", "1", "2", "--time-limit", "1000", "--", "sleep", &token];
    let judge = judge.args([&*blocked, JUDGE]).args(run).stdout(Stdio::piped()).spawn().unwrap();
    await_that(|| is_running(|arguments| arguments == ["sleep", &*token]));
    send(Signal::INT, judge.id());
    let output = judge.wait_with_output().unwrap();
    assert_eq!((output.code(), output.out().starts_with("INTERRUPTED ")), (Some(2), true));
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
    let input = here.write("in", "6 1 2\n");
    let testlib = format!("interact --style testlib {input} /dev/null");
    for (args, code) in [
        ("run 6 1 2", 2),
        ("run 6 1 2 --sandbox", 2),
        ("stress --family segment --games 3 --jobs 2", 2),
        ("lint --family segment", 2),
        (&*testlib, 3),
    ] {
        let bot: &[&str] = if args.starts_with("lint") { &[JUDGE, "bot"] } else { &[] };
        let mut refused = 0;
        for limit in [1, 2, 3, 5, 8] {
            let limit = format!("--nproc={limit}");
            let mut limited = Command::new("prlimit");
            limited.args([&limit, "setpriv", "--reuid", &user, JUDGE]).args(command(args, bot).get_args());
            let output = limited.stdin(Stdio::null()).current_dir("/").output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("panicked"), "{args}, {limit}: {message}");
            if message.starts_with("judge: ") {
                refused += 1;
                output.exits(code);
            }
        }
        assert!(refused > 0, "{args}");
    }
}
