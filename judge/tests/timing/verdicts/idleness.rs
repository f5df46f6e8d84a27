//! Bots that are silent: asleep, stopped, or computing.

use serde_json::Value;

use crate::support::{bot, games, has_python, is_linux};

/// The reason of a game and the evidence for it, which end with "; ".
fn explained(game: &Value) -> String {
    let why = game["why"].as_array().unwrap().iter();
    [&game["reason"]].into_iter().chain(why).flat_map(|words| [words.as_str().unwrap(), "; "]).collect()
}

/// A bot that sleeps is distinguished from one that computes, and the reason has the evidence and the likely cause.
#[test]
fn idleness_explains_itself() {
    let silent = |script: &str, verdict: &str, parts: &[&str]| {
        let (games, code) =
            games("6 1 2 --time-limit 1 --wall-limit 20 --opponent slow", &["sh", "-c", script]);
        assert_eq!((games[0]["verdict"].as_str(), code), (Some(verdict), 1), "{script}: {}", games[0]);
        let reason = explained(&games[0]);
        assert!(parts.iter().all(|part| reason.contains(part)), "{script}: {reason}");
    };
    // Elsewhere than on Linux nothing is known of the process.
    let idle = if cfg!(target_os = "linux") { "IDLE" } else { "TIME_WALL" };
    let evidence = "the judge sent 6 bytes (last line: \"6 1 2\") and received 6 (last line: \"First\")";
    let asleep = "move 1 was not received: the bot is sleeping for a set time and was idle for 1 s; it is sleeping for a set time; ";
    silent("read h; echo First; exec sleep 100", idle, &[asleep, evidence]);
    let computing = "read h; echo First; while :; do :; done";
    silent(
        computing,
        "TIME_CPU",
        &["move 1 was not received: time limit exceeded: 1.0", " s of CPU, the limit is 1 s"],
    );
    let unfinished = "it has printed \"3 2\" without ending the line; it used ";
    silent("read h; echo First; printf '3 2'; exec sleep 100", idle, &[unfinished]);
    // No line has ended, so there is no last one.
    silent("read h; printf 'First'; exec sleep 100", idle, &["(last line: \"6 1 2\") and received 5; "]);
    silent(
        "exec sleep 100",
        idle,
        &[
            "no First or Second was received",
            "it has read nothing of what the judge sent",
            "and received none",
        ],
    );
}

/// A bot that waits with all input read is told both causes, reading to the end of the input and a missing flush, or the
/// one that its last words show.
#[test]
fn a_bot_that_waits_for_input() {
    if !is_linux() {
        return;
    }
    let reason = |bot: &[&str]| {
        let (games, code) = games("6 1 2 --idle-limit 0.5 --wall-limit 20", bot);
        assert_eq!((games[0]["verdict"].as_str(), code), (Some("IDLE"), 1), "{bot:?}: {}", games[0]);
        explained(&games[0])
    };
    let waiting = "no First or Second was received: the bot is waiting for input and was idle for 0.5 s; ";
    let to_the_end = format!(
        "{waiting}it printed \"First\" only when its input ended: it reads to the end of its input, as sys.stdin.read() \
         and read_to_string do, or its output is not flushed; "
    );
    let shown = reason(&["sh", "-c", "cat >/dev/null; echo First"]);
    assert!(shown.starts_with(&to_the_end), "{shown}");
    if has_python() {
        let shown = reason(&["python3", &bot("reads_to_end.py")]);
        assert!(shown.starts_with(&to_the_end), "{shown}");
    }
    let shown = reason(&["sh", "-c", "read h; read x; echo First"]);
    let unflushed = format!(
        "{waiting}it printed \"First\" only after \"-1 -1\": its output was not flushed, and stayed in a buffer; "
    );
    assert!(shown.starts_with(&unflushed), "{shown}");
    // What it writes to stderr before is no answer, so its input goes on: `cat` would end with it.
    let shown =
        reason(&["sh", "-c", "read h; read x; echo error >&2; timeout 0.02 cat >/dev/null; echo First"]);
    assert!(shown.starts_with(&unflushed), "{shown}");
    let shown = reason(&["sh", "-c", "cat >/dev/null"]);
    let both = format!(
        "{waiting}it has printed nothing: it reads to the end of its input, as sys.stdin.read() and read_to_string do, \
         or its output is not flushed; "
    );
    assert!(shown.starts_with(&both), "{shown}");
    let shown = reason(&["sh", "-c", "read h; echo First; read x"]);
    assert!(
        shown.contains(
            "; it waits for a line that the judge does not send here, or its output is not flushed; "
        ),
        "{shown}"
    );
    assert!(!shown.contains("pipe_read"), "{shown}");
}

/// All moves together count: each alone is well within the limit.
#[test]
fn the_wall_limit_is_for_all_moves() {
    let script = "read h; sleep 1.5; echo First; echo 3 2; read x; exec sleep 1.9";
    let (game, _) = games("6 1 2 --time-limit 20 --wall-limit 2 --opponent slow", &["sh", "-c", script]);
    let idle = if cfg!(target_os = "linux") { "IDLE" } else { "TIME_WALL" };
    assert_eq!(game[0]["verdict"], idle, "{}", game[0]);
    assert!(game[0]["reason"].as_str().unwrap().starts_with("move 3 was not received"), "{}", game[0]);
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
        let reason = explained(&games[0]);
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
    let reason = explained(&idle[0]);
    assert!(
        reason.starts_with(
            "move 1 was not received: the bot is sleeping for a set time and was idle for 0.2 s; "
        ),
        "{reason}"
    );
    let busy = "read h; while :; do :; done";
    let (busy, _) = games("6 1 2 --time-limit 60 --wall-limit 1 --idle-limit 0.1", &["sh", "-c", busy]);
    assert_eq!(busy[0]["verdict"], "TIME_WALL", "{}", busy[0]);
}
