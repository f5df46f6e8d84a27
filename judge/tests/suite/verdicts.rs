//! Bots that do not win, as real processes, and what the judge says of them.

use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use crate::judge::{child_of, games, has_python, judge, text};

/// The verdict of one game on 6 1 2, in which the bot is to say a side and then to move.
#[track_caller]
fn assert_verdict(bot: &[&str], verdict: &str, reason: &str) {
    let (games, code) = games("6 1 2 --time-limit 1 --opponent slow", bot);
    assert_eq!((games.len(), code), (1, i32::from(verdict != "WON")), "{games:?}");
    assert_eq!(games[0]["verdict"], verdict, "{}", games[0]);
    assert_eq!(games[0]["reason"], reason);
}

/// A bot that is a line of shell.
#[track_caller]
fn assert_shell(script: &str, verdict: &str, reason: &str) {
    assert_verdict(&["sh", "-c", script], verdict, reason);
}

#[test]
fn fouls() {
    assert_shell(
        "read h; echo first; read x",
        "MALFORMED",
        r#"the side: expected "First" or "Second", got "first""#,
    );
    assert_shell(
        "read h; echo Second; read x; printf '3\\n'; read x",
        "MALFORMED",
        r#"move 2: expected a move "x y" with both at least 1, or "0 0", got "3""#,
    );
    assert_shell(
        "read h; echo First; echo 3 3; read x",
        "ILLEGAL",
        "move 1: taking 3 at place 3 is not legal: a move takes 1 to 2 in a row",
    );
    assert_shell(
        "read h; echo First; echo 3 1; read x; echo 3 1; read x",
        "ILLEGAL",
        "move 3: taking 1 at place 3 is not legal: the card there has been taken already",
    );
    assert_shell(
        "read h; echo First; echo 0 0; read x",
        "RESIGNED",
        r#"move 1: the bot printed "0 0", but it could play "1 1""#,
    );
}

/// Every kind of illegal move, by the name of the rule.
#[test]
fn illegal_moves_by_name() {
    for (header, mv, rule) in [
        ("square 20", "1 5", "that is not a perfect square"),
        ("square 20 ban 4", "1 4", "that number is banned"),
        ("square 20", "1 25", "the pile has only 20"),
        ("square 20", "2 4", "there is no such place, they are numbered 1 to 1"),
        ("divisor 12", "1 5", "that is not a divisor of the pile's 12"),
        ("divisor 12 ban 3", "1 3", "that number is banned"),
        ("divisor 12", "1 24", "the pile has only 12"),
        ("subtract 12 take 2 5", "1 3", "that number is not on the list of those a move may take"),
        ("nim 3 4", "1 4", "the pile has only 3"),
        ("euclid 14 5", "1 7", "that is not a multiple of the other number, 5"),
        ("euclid 14 5", "2 14", "that is the smaller number of the pair, only the larger can shrink"),
        ("euclid 15 5", "1 15", "the number, now 15, must stay at least 1"),
        ("euclid 14 5", "1 18446744073709551615", "the number, now 14, must stay at least 1"),
        ("euclid 5 5 + nim 1", "1 5", "both numbers are equal, and no move is left in them"),
        ("segment 9 2 3", "1 4", "a move takes 2 to 3 in a row"),
        ("segment 9 2 2", "9 2", "only 1 in a row are free from there on"),
    ] {
        let script = format!("read h; echo First; echo {mv}; read x");
        let (games, code) = games(header, &["sh", "-c", &script]);
        assert_eq!((games[0]["verdict"].as_str(), code), (Some("ILLEGAL"), 1), "{header}: {mv}");
        let reason = games[0]["reason"].as_str().unwrap();
        assert!(reason.ends_with(rule), "{header}: {mv}: {reason}");
    }
}

#[test]
fn the_judge_answers_a_foul_with_minus_one() {
    let script = "read h; echo First; echo 9 9; read x; echo \"the judge said $x\" >&2; exit 3";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    assert!(text(&output.stdout).contains("    stderr: the judge said -1 -1\n"), "{}", text(&output.stdout));
}

#[test]
fn deaths() {
    assert_shell("read h; exit 7", "CRASHED", "no First or Second was received: the bot exited with code 7");
    let segv = "move 1 was not received: the bot was killed by signal 11 (SIGSEGV)";
    assert_shell("read h; echo First; kill -SEGV $$", "CRASHED", segv);
    assert_verdict(&["true"], "EXITED_EARLY", "no First or Second was received: the bot exited with code 0");
    let closed = "no First or Second was received: the bot closed its stdout";
    assert_shell("read h; exec 1>&-; exec sleep 100", "EXITED_EARLY", closed);
    let unheard = "move 3 was not received: the bot exited with code 0";
    assert_shell("read h; echo First; echo 3 2; read x; exit 0", "EXITED_EARLY", unheard);
}

/// A bot that sleeps is told from one that computes, and gets the evidence and the likely cause.
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

/// A bot that is stopped sleeps, a debugger's way as well.
#[cfg(target_os = "linux")]
#[test]
fn a_stop_is_idleness() {
    if !has_python() {
        return;
    }
    let stop = "import ctypes, os, signal; CALL; os.kill(os.getpid(), signal.SIGSTOP)";
    for call in ["pass", "ctypes.CDLL(None).ptrace(0, 0, 0, 0)"] {
        let (games, _) = games("6 1 2 --time-limit 1", &["python3", "-c", &stop.replace("CALL", call)]);
        let reason = games[0]["reason"].as_str().unwrap();
        assert_eq!(games[0]["verdict"], "IDLE", "{call}: {reason}");
        assert!(reason.contains("a signal stopped it"), "{call}: {reason}");
    }
}

#[test]
fn limits() {
    assert_verdict(
        &["sh", "-c", "read h; head -c 100000 /dev/zero; read x"],
        "OUTPUT_LIMIT",
        "the side: a line of more than 4096 bytes",
    );
}

/// What a bot said before it died counts, with or without the end of the line.
#[test]
fn last_words_count() {
    let died = "the opponent has no move left, but then the bot exited with code 3";
    let winning = |last: &str| format!("read h; echo First; echo 3 2; read x; echo 5 1; read x; {last}");
    assert_shell(&winning("printf '6 1'"), "WON", "the opponent has no move left");
    assert_shell(&winning("echo 6 1; read x; exit 0"), "WON", "the opponent has no move left");
    assert_shell(&winning("echo 6 1; exit 3"), "CRASHED", died);
}

/// After the end anything is indeterminate: told under the contest's profile, a verdict under the strict one.
#[test]
fn conduct_after_the_end() {
    let winning = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; ";
    for (last, verdict, conduct) in [
        ("exec sleep 100", "NO_EXIT", "the bot did not exit by itself and was killed"),
        ("echo bye; read x", "EXTRA_OUTPUT", "the bot printed \"bye\\n\" after the end"),
        ("read x; echo bye", "EXTRA_OUTPUT", "the bot printed \"bye\\n\" after the end"),
        ("echo 1 1; exec sleep 100", "EXTRA_OUTPUT", "the bot printed \"1 1\\n\" after the end"),
    ] {
        let script = format!("{winning}{last}");
        let bot = ["sh", "-c", &script];
        let (contest, code) = games("6 1 2 --opponent slow", &bot);
        assert_eq!((contest[0]["verdict"].as_str(), code), (Some("WON"), 0), "{last}: {}", contest[0]);
        let reason = contest[0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("the opponent has no move left (the bot "), "{last}: {reason}");
        let (strict, code) = games("6 1 2 --opponent slow --profile strict", &bot);
        assert_eq!((strict[0]["verdict"].as_str(), code), (Some(verdict), 1), "{last}: {}", strict[0]);
        assert_eq!(strict[0]["reason"], format!("the opponent has no move left, but {conduct}"));
    }
    let (strict, _) = games("6 1 2 --profile strict", &[]);
    assert_eq!(strict[0]["verdict"], "WON", "the bundled bot behaves");
}

/// Legal moves, in lines that each are within the limit, are too much together.
#[test]
fn all_output_together_has_a_limit() {
    let script =
        r#"BEGIN { print "First"; for (card = 40000; card > 20000; card--) printf "%4000d 1\n", card }"#;
    let (games, _) = games("40000 1 1 --opponent slow --time-limit 60", &["awk", script]);
    assert_eq!(games[0]["verdict"], "OUTPUT_LIMIT", "{}", games[0]["reason"]);
    let reason = games[0]["reason"].as_str().unwrap();
    assert!(reason.ends_with(": more than 64 MiB of output"), "{reason}");
}

/// A child that outlives the bot and holds its pipes neither hangs the judge nor goes on.
#[test]
fn a_pipe_held_open() {
    let (games, _) = games("6 1 2", &["sh", "-c", "read h; echo First; sleep 100 & exit 0"]);
    assert_eq!(games[0]["verdict"], "EXITED_EARLY", "{}", games[0]);
    assert!(games[0]["wall_ms"].as_f64().unwrap() < 50_000.0, "the judge waited for the child");
}

/// A bot that floods stderr or never reads does not block the judge.
#[test]
fn pipes_never_block() {
    let script = "head -c 10000000 /dev/zero >&2; read h; echo First; echo 3 2; read x; echo oops; read x";
    let (flood, _) = games("6 1 2 --time-limit 20", &["sh", "-c", script]);
    assert_eq!(flood[0]["verdict"], "MALFORMED", "{}", flood[0]);
    // A header of a hundred kilobytes fills the pipe before the bot has read a byte.
    let header = vec!["1 1 1"; 13_000].join(" + ");
    let (unread, _) = games(&format!("{header} --time-limit 1"), &["sleep", "100"]);
    let idle = if cfg!(target_os = "linux") { "IDLE" } else { "TIME_WALL" };
    assert_eq!(unread[0]["verdict"], idle, "{}", unread[0]["reason"]);
}

#[test]
fn the_console_shows_the_end_of_stderr() {
    let script =
        "i=0; while [ $i -lt 20 ]; do echo line $i >&2; i=$((i+1)); done; printf '\\033[2J' >&2; exit 1";
    let output = judge("run 6 1 2", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.contains("stderr: line 19\n") && !shown.contains("stderr: line 10\n"), "{shown}");
    assert!(shown.contains("\\u{1b}[2J") && !shown.contains('\u{1b}'), "control bytes are escaped: {shown}");
    assert!(shown.ends_with("0 of 1 game won\n"), "{shown}");
}

/// Ctrl-C ends the game with a verdict, and the bot with it.
#[test]
fn an_interrupt_ends_the_bot_too() {
    ["INT", "TERM", "HUP", "QUIT"].into_iter().for_each(assert_interrupted);
}

/// Undoes what nohup(1) has asked for: a judge that is started from now on heeds the signals.
pub fn heed_signals() {
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, Arc::new(true.into())).unwrap();
    }
}

fn assert_interrupted(signal: &str) {
    heed_signals();
    let script = "echo $$ >&2; echo First >&2; exec sleep 100";
    let mut judge = std::process::Command::new(env!("CARGO_BIN_EXE_judge"))
        // Its first child is the bot.
        .args(["run", "6", "1", "2", "--time-limit", "60", "--games", "3", "--limits", "proc"])
        .args(["--", "sh", "-c", script])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let judge_id = judge.id().to_string();
    let Some(bot) = child_of(judge.id()).and_then(child_of) else {
        // Not on Linux.
        judge.kill().unwrap();
        judge.wait().unwrap();
        return;
    };
    std::process::Command::new("kill").args([format!("-{signal}"), judge_id]).status().unwrap();
    let output = judge.wait_with_output().unwrap();
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(shown.starts_with("INTERRUPTED 6 1 2 against perfect"), "{shown}");
    assert!(shown.ends_with("0 of 1 game won\n"), "no more games are begun: {shown}");
    assert!(!std::path::Path::new(&format!("/proc/{bot}")).exists(), "the bot lives on");
}

/// CPU and memory are those of all processes of the bot together.
#[test]
fn cpu_and_memory() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (busy, code) =
        games("6 1 2 --time-limit 0.5 --wall-limit 30", &["sh", "-c", "while :; do :; done & wait"]);
    assert_eq!((busy[0]["verdict"].as_str(), code), (Some("TIME_CPU"), 1), "{}", busy[0]);
    let reason = busy[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("no First or Second was received: the bot used 0.5"), "{reason}");
    assert!(reason.ends_with(" s of CPU, its limit is 0.5 s"), "{reason}");
    // A hundred megabytes in the buffer of a child.
    let hog = "dd if=/dev/zero of=/dev/null bs=100M count=1000 2>&- & wait";
    let (hog, code) = games("6 1 2 --memory-limit 64 --time-limit 30", &["sh", "-c", hog]);
    assert_eq!((hog[0]["verdict"].as_str(), code), (Some("MEMORY"), 1), "{}", hog[0]);
    assert!(
        hog[0]["reason"].as_str().unwrap().ends_with(" MiB of memory, its limit is 64 MiB"),
        "{}",
        hog[0]
    );
    assert!(hog[0]["memory_kib"].as_u64() > Some(64 << 10), "{}", hog[0]);
}

/// The idle limit strikes long before the wall limit, and only who is idle.
#[test]
fn the_idle_limit() {
    if !cfg!(target_os = "linux") {
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
    let (busy, _) = games("6 1 2 --time-limit 1 --idle-limit 0.1", &["sh", "-c", busy]);
    assert_eq!(busy[0]["verdict"], "TIME_WALL", "{}", busy[0]);
}

/// What a bot has left behind in sessions of their own is ended too.
#[test]
fn no_process_outlives_its_game() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let script =
        "read h; for i in 1 2 3; do setsid sh -c 'echo $$ >&2; exec sleep 1000' & done; sleep 0.3; exit 3";
    let output = judge("run 6 1 2 --time-limit 60", &["sh", "-c", script]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with("CRASHED"), "{shown}");
    let escaped: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("    stderr: ")).collect();
    assert_eq!(escaped.len(), 3, "{shown}");
    for pid in escaped {
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists(), "{pid} lives on");
    }
}

/// A judge that was stopped knows no times: whenever that was, and for how long, the bot has not won.
#[test]
fn a_bot_that_stops_the_judge_never_wins() {
    if !cfg!(target_os = "linux") {
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

/// Of a flood on stderr the end is kept, before the end of the game and after.
#[test]
fn the_last_of_stderr_survives_a_flood() {
    let flood = "head -c 30000000 /dev/zero >&2; echo >&2; echo the end >&2; exit 3";
    for script in
        [format!("read h; echo First; {flood}"), format!("read h; echo First; echo 9 9; read x; {flood}")]
    {
        let shown = judge("run 6 1 2 --time-limit 20 --grace 20", &["sh", "-c", &script]);
        let shown = text(&shown.stdout);
        let last = shown.lines().rfind(|line| line.starts_with("    stderr: "));
        assert!(last.is_some_and(|line| line.ends_with("the end")), "{script}: {last:?}");
    }
}

/// A Ctrl-C that comes while games go fast ends them soon, and is nobody's fault.
#[test]
fn an_interrupt_in_a_fast_series() {
    let script = format!("kill -INT $PPID; exec {} bot", env!("CARGO_BIN_EXE_judge"));
    for profile in ["contest", "strict"] {
        let args = format!("6 1 2 --games 50 --profile {profile}");
        let (lines, code) = games(&args, &["sh", "-c", &script]);
        assert!(lines.len() < 50 && code == 2, "{} games, code {code}", lines.len());
        for game in lines {
            assert!(["WON", "INTERRUPTED"].contains(&game["verdict"].as_str().unwrap()), "{game}");
        }
    }
}

/// A signal that was to be ignored before the judge began, as nohup(1) asks for, is.
#[test]
fn ignored_signals_stay_ignored() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let judge = env!("CARGO_BIN_EXE_judge");
    let run = format!("trap '' HUP; exec {judge} run 6 1 2 -- sh -c 'kill -HUP $PPID; exec {judge} bot'");
    let output = std::process::Command::new("sh").args(["-c", &run]).output().unwrap();
    assert!(text(&output.stdout).starts_with("WON"), "{}", text(&output.stdout));
}

/// A bot of a session that ends too early has won the game before and lost the next, whenever its end is
/// seen.
#[test]
fn the_end_of_a_session_between_games() {
    let script = "read t; read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; exit 0";
    for _ in 0..10 {
        let (lines, _) = games("6 1 2 --opponent slow --session --games 2", &["sh", "-c", script]);
        let verdicts: Vec<&str> = lines.iter().map(|game| game["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["WON", "EXITED_EARLY"], "{lines:?}");
    }
}
