//! Signals that the caller of the judge has blocked or ignored.

use std::process::{self, Command, Stdio};

use rustix::process::Signal;

use super::ways;
use crate::support::{JUDGE, NO_CORPUS, await_that, bot, has_python, heed_signals, is_running, send, text};

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
