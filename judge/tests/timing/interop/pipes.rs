//! A bot that the harness has started, with which the judge talks through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use super::{BOTS, WINNING, interact, with_input};
use crate::support::{await_that, child_of, command, judge, send, start_talking, state, text};

/// A judge that was stopped when the line was printed does not know when that was.
#[test]
fn a_judge_that_was_stopped() {
    const WALL_LIMIT: Duration = Duration::from_millis(500);
    let mut judge = start_talking(&mut command("interact 6 1 2 --opponent slow --wall-limit 0.5", &[]));
    let referee = child_of(judge.id()).unwrap_or(judge.id());
    let (mut stdin, mut header) = (judge.stdin.take().unwrap(), String::new());
    BufReader::new(judge.stdout.take().unwrap()).read_line(&mut header).unwrap();
    send(Signal::TSTP, judge.id());
    await_that(|| state(referee).is_none_or(|state| state == 'T'));
    stdin.write_all(b"First\n3 2\n5 1\n6 1\n").unwrap();
    // Nothing is waited for: that this time passes while the judge is stopped is what it is to judge.
    std::thread::sleep(WALL_LIMIT);
    send(Signal::CONT, judge.id());
    let output = judge.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.starts_with("JUDGE_ERROR 6 1 2 against slow")
            && message.contains("the judge itself did not run"),
        "{message}"
    );
}

/// `oj test-reactive` and `interactive_runner.py` hold the pipes open themselves.
#[test]
fn a_runner_that_never_delivers_the_end() {
    for (args, code) in [("6 1 2", 0), ("6 1 2 --profile strict --grace 0.3", 0)] {
        let (stdin, held) = std::io::pipe().unwrap();
        let mut bot = Command::new("sh");
        bot.args(["-c", WINNING]).stdin(Stdio::piped()).stdout(held.try_clone().unwrap());
        let mut bot = bot.spawn().unwrap();
        let mut judge = command(&format!("interact {args} --opponent slow"), &[]);
        judge.stdin(stdin).stdout(bot.stdin.take().unwrap()).stderr(Stdio::piped());
        let output = judge.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args}: {}", text(&output.stderr));
        // It holds the bot's stdin.
        drop(judge);
        bot.wait().unwrap();
        drop(held);
    }
}

/// A header that fills the pipe does not block a judge whose bot never reads.
#[test]
fn a_bot_behind_pipes_that_never_reads() {
    let directory = with_input();
    let input = directory.write("large.in", vec!["1 1 1"; 30_000].join(" + "));
    let args = format!("--input {input} --wall-limit 0.3");
    let (exit, message) = interact(&args, "exec sleep 100");
    assert_eq!(exit, Some(1));
    assert!(message.contains("no First or Second was received: time limit exceeded: 0.3 s of wall time\n"));
    let reading = "head -n 1 >/dev/null; echo Second; exec cat 3>&1 >/dev/null";
    let (exit, message) = interact(&args, reading);
    assert_eq!(exit, Some(1));
    assert!(message.contains("move 2 was not received"), "the whole header came through");
}

/// The idle limit is distinguished from the wall limit.
#[test]
fn the_idle_limit_of_a_bot_behind_pipes() {
    let (exit, message) = interact("6 1 2 --idle-limit 0.2", "read h; echo First; exec sleep 100");
    assert_eq!(exit, Some(1));
    assert!(message.contains("move 1 was not received: the bot was idle for 0.2 s"), "{message}");
}

/// The transcript of a bot that another program has started gives the same verdict in a replay.
#[test]
fn a_bot_behind_pipes_in_a_transcript() {
    let directory = with_input();
    let file = directory.file("game.jsonl");
    for (script, _, verdict) in BOTS {
        let args = format!("6 1 2 --opponent slow --wall-limit 0.5 --transcript {file}");
        interact(&args, script);
        let replay = judge(&format!("replay {file}"), &[]);
        assert_eq!((replay.status.code(), text(&replay.stderr)), (Some(0), ""), "{script}");
        assert!(text(&replay.stdout).starts_with(verdict), "{script}");
    }
}

/// A runner that ends the judge gets no verdict on the bot.
#[test]
fn a_judge_that_is_ended() {
    let directory = with_input();
    let args = format!("interact --style kattis {0}/1.in a {0}", directory.path().display());
    let mut judge = start_talking(&mut command(&args, &[]));
    let mut printed = BufReader::new(judge.stdout.take().unwrap()).lines();
    assert_eq!(printed.next().unwrap().unwrap(), "6 1 2");
    send(Signal::TERM, judge.id());
    let stdin = judge.stdin.take();
    let output = judge.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).starts_with("INTERRUPTED 6 1 2"), "{}", text(&output.stderr));
    drop(stdin);
}
