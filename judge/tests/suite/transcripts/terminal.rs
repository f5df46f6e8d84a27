//! The text of a transcript cannot control a terminal, and the command that is shown can be run by a shell.

use std::process::Command;

use super::record;
use crate::support::{JUDGE, NO_CORPUS, command, has_program, judge, judge_reading, text};

/// Control characters of a transcript are escaped.
#[test]
fn a_transcript_gives_a_terminal_no_orders() {
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["false"]);
    let orders = "\\u001b]0;title\\u0007\\u001b[2J\\u009b7m\\u202e";
    let doctored = |from: &str, to: &str| {
        assert!(transcript.contains(from), "{from}: {transcript}");
        transcript.replacen(from, to, 1)
    };
    for (doctored, shown) in [
        (
            doctored("\"bot\":[\"false\"", &format!("\"bot\":[\"{orders}\"")),
            "again: judge run 6 1 2 --opponent slow --seed 1 -- $'\\033]0;title\\007",
        ),
        (
            doctored("\"event\":\"sent\"", &format!("\"event\":\"{orders}\"")),
            "unknown variant `\\u{1b}]0;title\\u{7}",
        ),
        (
            doctored("\"opponent\":\"slow\"", &format!("\"opponent\":\"{orders}\"")),
            "unknown variant `\\u{1b}]0;title\\u{7}",
        ),
        (
            doctored("\"verdict\":\"", &format!("\"verdict\":\"{orders}")),
            "unknown variant `\\u{1b}]0;title\\u{7}",
        ),
        (
            doctored(
                "\"event\":\"sent\",\"text\":\"6 1 2\\n\"",
                &format!("\"event\":\"failed\",\"why\":\"{orders}\""),
            ),
            "\\u{1b}]0;title\\u{7}",
        ),
    ] {
        let replay = judge_reading("replay -", doctored.as_bytes());
        let message = format!("{}{}", text(&replay.stdout), text(&replay.stderr));
        assert!(message.contains(shown), "{shown}: {message}");
        assert!(!message.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{message:?}");
    }
    let missing = command("replay", &[]).arg("no\u{1b}[2J").output().unwrap();
    assert!(text(&missing.stderr).starts_with("judge: the transcript no\\u{1b}[2J cannot be opened"));
}

/// A command with line ends and the like is shown so that a shell plays the same game again.
#[test]
fn a_command_that_cannot_be_printed_is_quoted() {
    if !has_program("bash", &["-c", "true"]) {
        return;
    }
    let script = "read h\necho \"$0\" >&2; exit 3";
    let name = "a'\\\u{1b}\u{202e}9\u{e9}";
    let output = judge("run 6 1 2", &["sh", "-c", script, name]);
    let shown = text(&output.stdout);
    let again = shown.lines().find_map(|line| line.strip_prefix("    again: ")).unwrap();
    let again = again.replacen("judge", JUDGE, 1);
    let run = Command::new("bash").args(["-c", &again]).envs([NO_CORPUS]).output().unwrap();
    let stderr = |shown: &str| shown.lines().find(|line| line.starts_with("    stderr: ")).map(str::to_owned);
    assert_eq!(stderr(text(&run.stdout)), stderr(shown), "{again}");
    assert!(stderr(shown).unwrap().ends_with("a'\\\\u{1b}\\u{202e}9\u{e9}"), "{shown}");
}
