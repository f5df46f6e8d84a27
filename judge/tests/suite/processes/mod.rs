//! Processes and signals: bots that escape, hide or multiply, and judges that are killed or lack something.

use std::process::{Command, Stdio};
use std::{fs, process};

use rustix::process::Signal;

use crate::support::{
    JUDGE, NO_CORPUS, TestDir, await_that, bot, has_python, has_sandbox, heed_signals, is_running, judge,
    send, text,
};

mod descendants;
mod shortage;
mod stops;
mod supervisor;

/// A word that distinguishes the processes of one game from all others.
fn token(name: &str) -> String {
    format!("{name}-{}", process::id())
}

/// Whether a process of this game is running.
fn is_left(token: &str) -> bool {
    is_running(|arguments| arguments.last().is_some_and(|last| last == token))
}

/// Both ways to play, where there are both.
fn ways() -> impl Iterator<Item = &'static str> {
    ["", "--sandbox"].into_iter().filter(|way| way.is_empty() || has_sandbox())
}

/// What a bot wrote before it was killed is kept, however much the judge had not read by then.
#[test]
fn last_words() {
    if !has_python() {
        return;
    }
    let bot = bot("last_words.py");
    for kib in ["100", "200", "240", "330"] {
        let output = judge("run 6 1 2 --time-limit 60", &["python3", &bot, kib]);
        let shown = text(&output.stdout);
        assert!(shown.contains("    stderr: last words\n"), "{kib} KiB: {shown}");
    }
}

/// A line without end that is printed long before it is expected stays in the pipe.
#[test]
fn an_endless_line() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let transcript = here.file("endless.jsonl");
    let options = format!("run 2000 1 1 --opponent slow --time-limit 60 --transcript {transcript}");
    let output = judge(&options, &["python3", &bot("endless_line.py")]);
    let shown = text(&output.stdout);
    assert!(shown.contains("move 2001: a line of more than 4096 bytes"), "{shown}");
    let length = fs::metadata(&transcript).unwrap().len();
    assert!(length < 1 << 20, "the transcript has {length} bytes");
}

/// Signals that the caller of the judge has blocked or ignored change neither a verdict nor the start of a bot.
#[test]
fn signals_of_the_caller() {
    if !has_python() {
        return;
    }
    let blocked = bot("blocked_signals.py");
    // The thirty-second is the C library's own.
    let script = "exec sed -En 's/^(SigBlk|SigIgn):.*[08](.{7})$/\\1 \\2/p' /proc/self/status >&2";
    for way in ways() {
        let bots = [
            ("exit 7", "CRASHED", "the bot exited with code 7"),
            ("exit 0", "EXITED_EARLY", "the bot exited with code 0"),
            ("kill -ALRM $$", "CRASHED", "the bot was killed by signal 14 (SIGALRM)"),
            (script, "EXITED_EARLY", "    stderr: SigBlk 0000000\n    stderr: SigIgn 0000000\n"),
        ];
        for (script, verdict, reason) in bots {
            let run = ["run", "6", "1", "2", "--", "sh", "-c", script];
            let mut run: Vec<&str> = run.to_vec();
            run.splice(4..4, way.split_whitespace());
            let output = Command::new("python3")
                .args([&*blocked, JUDGE])
                .args(run)
                .envs([NO_CORPUS])
                .output()
                .unwrap();
            let shown = text(&output.stdout);
            assert!(shown.starts_with(verdict) && shown.contains(reason), "{way} {script}: {shown}");
            assert_eq!(output.status.code(), Some(1), "{way} {script}");
        }
    }
    heed_signals();
    // A signal that is blocked ends the game none the less.
    let mut judge = Command::new("python3");
    let token = format!("1000.{}99", process::id());
    let run = ["run", "6", "1", "2", "--time-limit", "1000", "--", "sleep", &token];
    let judge =
        judge.args([&*blocked, JUDGE]).args(run).envs([NO_CORPUS]).stdout(Stdio::piped()).spawn().unwrap();
    await_that(|| is_running(|arguments| arguments == ["sleep", &*token]));
    send(Signal::INT, judge.id());
    let output = judge.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout).starts_with("INTERRUPTED ")), (Some(2), true));
}
