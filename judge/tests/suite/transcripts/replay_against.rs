//! `replay --against`: a recorded game played again against a bot.

use super::{EARLY, record};
use crate::support::{TestDir, command, has_sandbox, judge, reading, text};

/// The judge's lines of a game are sent to the same bot and to another one.
#[test]
fn a_replay_against_a_bot_shows_the_first_difference() {
    let (_here, file, _) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let against = |script: &str| judge(&format!("replay {file} --against"), &["sh", "-c", script]);
    let same = against("read h; echo First; echo 3 2; read x; echo 5 1; read y; echo 6 1");
    assert_eq!(
        (text(&same.stdout), same.status.code()),
        ("SAME 6 1 2: 4 lines of the bot as recorded\n", Some(0))
    );
    let (_here, two, _) = record("6 1 2 --opponent slow --games 2", &["sh", "-c", EARLY]);
    let twice = judge(&format!("replay {two} --against"), &["sh", "-c", EARLY]);
    let lines = [1, 2].map(|game| format!("SAME game {game}, 6 1 2: 4 lines of the bot as recorded\n"));
    assert_eq!((text(&twice.stdout), twice.status.code()), (&*lines.concat(), Some(0)));
    let other = against("read h; echo First; echo 3 2; read x; echo 4 1; read y");
    let message = "DIFFERENT 6 1 2: move 3: the transcript has \"5 1\", the bot printed \"4 1\"\n";
    assert_eq!((text(&other.stdout), other.status.code()), (message, Some(1)));
    let silent = against("read h");
    let message = "DIFFERENT 6 1 2: the side: the transcript has \"First\", no line was received from the bot: it exited with code 0\n";
    assert_eq!((text(&silent.stdout), silent.status.code()), (message, Some(1)));
    let crashed = against("read h; echo First; exec 1>&-; exit 3");
    assert!(
        text(&crashed.stdout).ends_with("no line was received from the bot: it exited with code 3\n"),
        "{}",
        text(&crashed.stdout)
    );
    let missing = judge(&format!("replay {file} --against"), &["./nobot"]);
    assert_eq!(missing.status.code(), Some(2));
    let message = "judge: the bot ./nobot could not be started: ";
    assert!(text(&missing.stderr).starts_with(message), "{}", text(&missing.stderr));
    let empty = reading(&mut command("replay - --against", &["true"]), b"");
    let message = "judge: the transcript - is empty: expected the set-up of a game\n";
    assert_eq!((text(&empty.stderr), empty.status.code()), (message, Some(2)));
}

/// A limit that is reached is reported, and Ctrl-C is not blamed on the bot.
#[test]
fn a_replay_against_a_bot_says_why_no_line_came() {
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let against = |seconds: u64, script: &str| {
        let limits = transcript.replace("5000000000,\"idle", &format!("{seconds}000000000,\"idle"));
        reading(&mut command("replay - --against", &["sh", "-c", script]), limits.as_bytes())
    };
    let late = against(1, "read h; while :; do :; done");
    let message = "DIFFERENT 6 1 2: the side: the transcript has \"First\", no line was received from the bot: it used up its 1 s of wall time\n";
    assert_eq!((text(&late.stdout), late.status.code()), (message, Some(1)));
    let long = against(60, "read h; head -c 100000 /dev/zero; read x");
    assert!(
        text(&long.stdout).ends_with("it printed a line of more than 4096 bytes\n"),
        "{}",
        text(&long.stdout)
    );
    let interrupted = against(60, "read h; kill -INT $PPID; exec sleep 100");
    assert_eq!((text(&interrupted.stdout), interrupted.status.code()), ("INTERRUPTED 6 1 2\n", Some(2)));
}

/// A game from the sandbox is replayed in the sandbox.
#[test]
fn a_replay_against_a_bot_keeps_the_sandbox() {
    if !has_sandbox() {
        return;
    }
    let outside = TestDir::new();
    let file = outside.file("file");
    let script = format!("read h; (: > {file}) 2>&- && echo Second || echo First; read x");
    let bot = ["sh", "-c", &script];
    let (_here, transcript, _) = record("6 1 2 --sandbox", &bot);
    let same = judge(&format!("replay {transcript} --against"), &bot);
    assert!(text(&same.stdout).starts_with("SAME 6 1 2: 1 line of"), "{}", text(&same.stdout));
}
