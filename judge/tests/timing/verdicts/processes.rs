//! The processes of a bot together, and a bot that stops the judge.

use crate::support::{bot, games, is_alive, is_linux, judge, text};

/// CPU and memory are those of all processes of the bot together.
#[test]
fn cpu_and_memory() {
    if !is_linux() {
        return;
    }
    let (busy, code) =
        games("6 1 2 --time-limit 0.5 --wall-limit 30", &["sh", "-c", "while :; do :; done & wait"]);
    assert_eq!((busy[0]["verdict"].as_str(), code), (Some("TIME_CPU"), 1), "{}", busy[0]);
    let reason = busy[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("no First or Second was received: time limit exceeded: 0.5"), "{reason}");
    assert!(reason.ends_with(" s of CPU, the limit is 0.5 s"), "{reason}");
    // A hundred megabytes in the buffer of a child.
    let hog = "dd if=/dev/zero of=/dev/null bs=100M count=1000 2>&- & wait";
    let (hog, code) = games("6 1 2 --memory-limit 64 --time-limit 30", &["sh", "-c", hog]);
    assert_eq!((hog[0]["verdict"].as_str(), code), (Some("MEMORY"), 1), "{}", hog[0]);
    assert!(hog[0]["reason"].as_str().unwrap().ends_with("memory, its limit is 64 MiB"), "{}", hog[0]);
    assert!(hog[0]["memory_kib"].as_u64() > Some(64 << 10), "{}", hog[0]);
}

/// Processes that a bot has started in other sessions are ended too.
#[test]
fn no_process_outlives_its_game() {
    if !is_linux() {
        return;
    }
    let output = judge("run 6 1 2 --time-limit 60", &["sh", &bot("sessions.sh")]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with("CRASHED"), "{shown}");
    let escaped: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("    stderr: ")).collect();
    assert_eq!(escaped.len(), 3, "{shown}");
    for pid in escaped {
        assert!(!is_alive(pid), "{pid} lives on");
    }
}

/// A judge that was stopped does not know the times, so the bot has not won, whenever and for how long it was.
#[test]
fn a_bot_that_stops_the_judge_never_wins() {
    if !is_linux() {
        return;
    }
    // A helper lets the judge go on; the bot itself plays on meanwhile.
    let stop = |seconds: &str| format!("{{ sleep {seconds}; kill -CONT $PPID; }} & kill -STOP $PPID;");
    let (long, short) = (stop("1.3"), stop("0.1"));
    let end = "read x; echo 6 1; read x; wait";
    for script in [
        format!("{long} read h; echo First; echo 3 2; read x; echo 5 1; {end}"),
        format!("read h; {long} echo First; echo 3 2; read x; echo 5 1; {end}"),
        format!("read h; echo First; echo 3 2; read x; {long} echo 5 1; {end}"),
        format!("read h; echo First; echo 3 2; {long} read x; echo 5 1; {end}"),
        format!("read h; echo First; echo 3 2; read x; echo 5 1; {end}; {short}"),
        format!("read h; echo First; echo 3 2; {short} read x; {short} echo 5 1; {end}"),
    ] {
        let (games, code) = games("6 1 2 --time-limit 1 --opponent slow", &["sh", "-c", &script]);
        assert_eq!((games[0]["verdict"].as_str(), code), (Some("JUDGE_ERROR"), 2), "{script}: {}", games[0]);
        let reason = games[0]["reason"].as_str().unwrap();
        assert!(
            reason.contains("stopped the judge") && reason.ends_with("; play the game again"),
            "{reason}"
        );
    }
}
