//! Bots whose verdict depends on real pipes, signals and process groups. None of their processes is left. The verdicts of
//! scripted bots are in `judge/src/conversation/tests.rs`.

use serde_json::Value;

use crate::hostile::{MARK, left_behind};
use crate::support::{Printed, command, has_python};

/// Bots against `slow`, in the game 6 1 2 unless the arguments have another one. First wins it with the moves 3 2, 5 1 and
/// 6 1. Each row has arguments of the judge, the script, the verdict, and words of the reason or of the evidence.
const BOTS: [(&str, &str, &str, &str); 7] = [
    ("", "exec 0</dev/null; printf 'First\\n3 2\\n5 1\\n6 1\\n'", "WON", ""),
    ("", "read h; echo First; exec >/dev/null; exec sleep 60", "EXITED_EARLY", "the bot closed its stdout"),
    (
        "",
        "head -c 70000000 /dev/zero >&2; read h; echo First; echo 3 2; read x; head -c 70000000 /dev/zero >&2; \
         echo 5 1; read x; echo 6 1; read x",
        "WON",
        "",
    ),
    ("--wall-limit 5", "read h; printf 'First\\n3 2\\n'; yes ''", "MALFORMED", "move 3: expected a move"),
    ("--idle-limit 0.5", "trap '' HUP INT TERM; exec sleep 60", "IDLE", "sleeping for a set time"),
    // The bot computes before its line, which stays in a buffer until "-1 -1" arrives.
    (
        "--idle-limit 0.5",
        "read h; i=0; while [ $i -lt 90000 ]; do i=$((i + 1)); done; read x; echo First",
        "IDLE",
        "wrote its first line, \"First\", only after \"-1 -1\"",
    ),
    (
        "--idle-limit 0.5",
        "exec python3 -c 'import os, time; os.setpgid(0, os.getpgid(os.getppid())); time.sleep(60)'",
        "IDLE",
        "",
    ),
];

#[test]
fn bots_get_their_verdicts_and_leave_nothing() {
    if !has_python() {
        return;
    }
    let mark = format!("bots{}", std::process::id());
    // This header does not fit into the buffer of a pipe.
    let long = vec!["1 1 1"; 13_000].join(" + ");
    let unread =
        ("--idle-limit 0.5", "exec sleep 60", "IDLE", "the bot has read nothing of what it was sent");
    let rows = BOTS.iter().map(|row| ("6 1 2", row)).chain([(&*long, &unread)]);
    for (header, &(options, script, verdict, words)) in rows {
        let args = format!("run {header} --opponent slow --json {options}");
        let game = command(&args, &["sh", "-c", script]).env(MARK, &mark).output().unwrap().report();
        let explained = [&game["reason"], &game["why"]].map(Value::to_string).concat().replace('\\', "");
        assert!(game["verdict"] == verdict && explained.contains(words), "{script}: {game}");
    }
    assert_eq!(left_behind(&mark), [""; 0]);
}
