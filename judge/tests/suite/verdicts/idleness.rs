//! Bots that are silent: asleep, stopped, or computing.

use crate::support::{bot, games, has_python, is_linux};

/// A bot that sleeps is distinguished from one that computes, and the reason has the evidence and the likely cause.
#[test]
fn idleness_explains_itself() {
    let silent = |script: &str, verdict: &str, parts: &[&str]| {
        let (games, code) = games("6 1 2 --time-limit 1 --opponent slow", &["sh", "-c", script]);
        assert_eq!((games[0]["verdict"].as_str(), code), (Some(verdict), 1), "{script}: {}", games[0]);
        let reason = games[0]["reason"].as_str().unwrap();
        assert!(parts.iter().all(|part| reason.contains(part)), "{script}: {reason}");
    };
    // Elsewhere than on Linux nothing is known of the process.
    let idle = if cfg!(target_os = "linux") { "IDLE" } else { "TIME_WALL" };
    let evidence = [
        "move 1 was not received: the bot used up its 1 s of wall time",
        "the judge sent 6 bytes (last line: \"6 1 2\") and received 6 (last line: \"First\")",
    ];
    silent("read h; echo First; exec sleep 100", idle, &evidence);
    silent("read h; echo First; while :; do :; done", "TIME_WALL", &evidence);
    let unfinished = "it has printed \"3 2\" without ending the line: print a newline, and flush";
    silent("read h; echo First; printf '3 2'; exec sleep 100", idle, &[unfinished]);
    silent(
        "exec sleep 100",
        idle,
        &["no First or Second was received", "and received none; is its output flushed after every line?"],
    );
    // All moves together: each alone is well within the limit.
    silent(
        "read h; sleep 0.4; echo First; echo 3 2; read x; exec sleep 0.9",
        idle,
        &["move 3 was not received"],
    );
}

/// A bot that is stopped counts as sleeping, also if a debugger has stopped it.
#[cfg(target_os = "linux")]
#[test]
fn a_stop_is_idleness() {
    if !has_python() {
        return;
    }
    for way in ["alone", "traced"] {
        let (games, _) = games("6 1 2 --time-limit 1", &["python3", &bot("stopped.py"), way]);
        let reason = games[0]["reason"].as_str().unwrap();
        assert_eq!(games[0]["verdict"], "IDLE", "{way}: {reason}");
        assert!(reason.contains("a signal stopped it"), "{way}: {reason}");
    }
}

/// The idle limit is reached before the wall limit, and only by an idle bot.
#[test]
fn the_idle_limit() {
    if !is_linux() {
        return;
    }
    let (idle, _) =
        games("6 1 2 --time-limit 600 --idle-limit 0.2", &["sh", "-c", "read h; echo First; exec sleep 100"]);
    assert_eq!(idle[0]["verdict"], "IDLE", "{}", idle[0]);
    let reason = idle[0]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("move 1 was not received: the bot was idle for 0.2 s; it used 0."),
        "{reason}"
    );
    let busy = "read h; while :; do :; done";
    let (busy, _) = games("6 1 2 --time-limit 60 --wall-limit 1 --idle-limit 0.1", &["sh", "-c", busy]);
    assert_eq!(busy[0]["verdict"], "TIME_WALL", "{}", busy[0]);
}
