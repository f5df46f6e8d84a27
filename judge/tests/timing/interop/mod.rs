//! The judge in other programs' harnesses. Here the test is the harness, and makes the pipes between judge and bot.

mod pipes;
mod streams;
mod styles;
mod tools;

use std::process::{Child, Command, Stdio};

use crate::support::{TestDir, command, text};

/// Wins 6 1 2 against `slow`.
const WINNING: &str = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; read x";

/// Bots, their verdicts in 6 1 2 against `slow`, and the exit codes of each style: plain, kattis, testlib.
const BOTS: [(&str, [i32; 3], &str); 10] = [
    (WINNING, [0, 42, 0], "WON"),
    ("read h; echo First; echo 3 3; cat", [1, 43, 1], "ILLEGAL"),
    ("read h; echo First; echo three; cat", [1, 43, 2], "MALFORMED"),
    ("read h; echo first; cat", [1, 43, 2], "MALFORMED"),
    ("read h; echo First; echo 0 0; cat", [1, 43, 1], "RESIGNED"),
    ("read h; echo First; echo 3 2; exit 3", [1, 43, 2], "EXITED_EARLY"),
    ("exit 0", [1, 43, 2], "EXITED_EARLY"),
    ("read h; echo First; exec cat 3>&1 >/dev/null", [1, 43, 1], "TIME_WALL"),
    ("read h; head -c 100000 /dev/zero; cat", [1, 43, 1], "OUTPUT_LIMIT"),
    (
        "read h; echo First; echo 1 1; read x; echo 3 1; read x; echo 5 1; read x; echo 0 0; cat",
        [1, 43, 1],
        "LOST",
    ),
];

/// A directory with an input.
fn with_input() -> TestDir {
    let here = TestDir::new();
    here.write("1.in", "6 1 2\n");
    here
}

/// A bot that is a line of shell, with both pipes open.
fn shell(script: &str) -> Child {
    let mut bot = Command::new("sh");
    bot.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// The judge, connected to a bot by pipes.
fn between(args: &str, bot: &mut Child) -> Command {
    let mut judge = command(&format!("interact {args}"), &[]);
    judge.stdin(bot.stdout.take().unwrap()).stdout(bot.stdin.take().unwrap()).stderr(Stdio::piped());
    judge
}

/// The output of the judge. When it ends, its ends of the pipes are closed and the bot ends too, so the test must not
/// keep them open.
#[track_caller]
fn interact(args: &str, script: &str) -> (Option<i32>, String) {
    let mut bot = shell(script);
    let child = between(args, &mut bot).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    // Some would sleep on.
    let _ = bot.kill();
    bot.wait().unwrap();
    (output.status.code(), text(&output.stderr).to_owned())
}
