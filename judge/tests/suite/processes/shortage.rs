//! A judge that gets no process, no thread or no memory.

use std::fs;
use std::process::{self, Command, Stdio};

use super::{is_left, token};
use crate::support::{JUDGE, NO_CORPUS, TestDir, bot, child_of, command, is_root, text};

/// If no process or thread can be started, the judge says so, with the exit code of a judge error. The higher the
/// limit is, the later that happens.
#[test]
fn no_process_and_no_thread() {
    // The first user is the system's own, of whose processes none is counted; this is one that nobody is.
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
        ("stress --games 3 --jobs 2", 2),
        ("lint", 2),
        ("selftest no-newline", 2),
        (&*testlib, 3),
    ] {
        let bot: &[&str] = if args.starts_with("lint") { &[JUDGE, "bot"] } else { &[] };
        let mut refused = 0;
        for limit in 1..=12 {
            let limit = format!("--nproc={limit}");
            let mut limited = Command::new("prlimit");
            limited.args([&limit, "setpriv", "--reuid", &user, JUDGE]).args(command(args, bot).get_args());
            let output = limited.envs([NO_CORPUS]).stdin(Stdio::null()).current_dir("/").output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("panicked"), "{args}, {limit}: {message}");
            if message.starts_with("judge: ") {
                refused += 1;
                assert_eq!(output.status.code(), Some(code), "{args}, {limit}: {message}");
            }
        }
        assert!(refused > 0, "{args}");
    }
}

/// A judge that runs out of memory while it plays says so, and ends its bot.
#[test]
fn no_memory() {
    let token = token("memory");
    let here = TestDir::new();
    let [started, go] = ["started", "go"].map(|name| here.fifo(name));
    // Of some thousand moves that are far ahead of their turn the judge takes note.
    let bot = ["sh", &bot("early_moves.sh"), &started, &go, &token];
    let mut run = command("run 2000 1 1 --opponent slow --time-limit 60", &bot);
    let judge = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!(fs::read_to_string(&started).unwrap(), "");
    // From here on it can have no more than a MiB.
    let proper = child_of(judge.id()).unwrap();
    let status = fs::read_to_string(format!("/proc/{proper}/status")).unwrap();
    let held = status.lines().find_map(|line| line.strip_prefix("VmSize:")?.trim().strip_suffix(" kB"));
    let limit = format!("--as={}", (held.unwrap().parse::<u64>().unwrap() + 1024) << 10);
    let limited = Command::new("prlimit").args(["--pid", &proper.to_string(), &limit]).status().unwrap();
    assert!(limited.success());
    fs::write(&go, "").unwrap();
    let output = judge.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert!(message.starts_with("memory allocation of "), "{message}");
    let ended = "\njudge: JUDGE_ERROR: the process that referees was killed by signal 6 (SIGABRT); ";
    assert!(message.contains(ended), "{message}");
    assert_eq!(output.status.code(), Some(2));
    assert!(!is_left(&token));
}
