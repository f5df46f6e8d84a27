//! The check list for a bot.

use serde_json::Value;

use crate::judge::{command, judge, text};

/// The statuses of the checks by number, and the exit code.
fn statuses(bot: &[&str]) -> (Vec<String>, i32) {
    let output = judge("lint --json --time-limit 1", bot);
    assert_eq!(text(&output.stderr), "");
    let lines = text(&output.stdout).lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let statuses = (1..).zip(lines).map(|(number, line)| {
        assert_eq!((&line["schema"], &line["number"]), (&Value::from(1), &Value::from(number)));
        assert_eq!(line["hint"].is_string(), line["status"] == "fail", "{line}");
        line["status"].as_str().unwrap().to_owned()
    });
    (statuses.collect(), output.status.code().unwrap())
}

/// The checks that a bot of shell fails, by number.
#[track_caller]
fn assert_fails(script: &str, numbers: &[usize]) {
    let (statuses, code) = statuses(&["sh", "-c", script]);
    let failed: Vec<usize> =
        (1..).zip(&statuses).filter(|(_, status)| *status == "fail").map(|(k, _)| k).collect();
    assert_eq!((failed.as_slice(), code), (numbers, 1), "{script}: {statuses:?}");
}

#[test]
fn the_bundled_bot_passes_every_check() {
    let bot = [env!("CARGO_BIN_EXE_judge"), "bot"];
    assert_eq!(statuses(&bot), (vec!["pass".to_owned(); 11], 0));
}

/// A bot for the contest alone, that knows one game: no more than notes.
#[test]
fn a_contest_bot_gets_notes() {
    let (statuses, code) = statuses(&["sh", "-c", &contest_bot("")]);
    assert_eq!(statuses[..6], ["pass"; 6]);
    assert!(!statuses.contains(&"fail".to_owned()) && statuses[8..] == ["note"; 3], "{statuses:?}");
    assert_eq!(code, 0);
}

/// Plays "N 1 2" with N even as First and by symmetry, else "1 1 1", and does this at the end.
fn contest_bot(at_the_end: &str) -> String {
    format!(
        "cr=$(printf '\\r'); read n l r || exit 0; r=${{r%$cr}}; echo First
         case $n in 1) echo 1 1;; *) echo $((n/2)) 2;; esac
         while read x y; do y=${{y%$cr}}
           case $x in 0|-1) {at_the_end} exit 0;; esac
           if [ $x -gt $((n/2)) ]; then echo $((x-n/2-1)) $y; else echo $((x+n/2+1)) $y; fi
         done; exit 1"
    )
}

#[test]
fn no_answer_to_the_header() {
    assert_fails("read h; echo Hello; read x", &[1]);
    assert_fails("read h; exit 3", &[1]);
    assert_fails("exec sleep 100", &[1]);
}

#[test]
fn each_fault_in_its_check() {
    assert_fails(&contest_bot("echo bye;"), &[3, 4, 5]);
    assert_fails(&contest_bot("exit 3;"), &[3, 4, 5]);
    let one_or_two = "case $r in 1|2) ;; *) exit 4;; esac;";
    assert_fails(&contest_bot("").replace("r=${r%$cr};", one_or_two), &[6]);
    assert_fails(&contest_bot("").replace("|| exit 0", "|| exec sleep 100"), &[7]);
    assert_fails(&contest_bot("").replace("done; exit 1", "done; exec sleep 100"), &[8]);
}

/// A move that is kept back, as in a buffer.
#[test]
fn a_line_that_is_not_flushed() {
    let script = "read h || exit 0; echo First; read x; echo 3 2";
    let output = judge("lint --time-limit 0.3", &["sh", "-c", script]);
    let told = text(&output.stdout);
    let second = told.lines().find(|line| line.starts_with(" 2")).unwrap();
    // Elsewhere than on Linux nothing tells it from a bot that is slow.
    let expected = if cfg!(target_os = "linux") { " 2 FAIL flushes every line: move 1" } else { " 2 pass" };
    assert!(second.starts_with(expected), "{told}");
}

/// What a person sees of a bot that does not flush.
#[test]
fn a_missing_flush_is_named_with_its_hint() {
    let output = judge("lint --time-limit 0.5", &["sh", "-c", "read h; read x; echo First"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.starts_with(
            " 1 FAIL answers the header: \"First\" was received only after the judge had ended the input\n"
        ),
        "{told}"
    );
    assert!(told.contains("\n        flush stdout after every line"), "{told}");
    assert!(told.ends_with("; 10 not run, because they need an answer to the header\n"), "{told}");
}

#[test]
fn a_bot_that_cannot_be_started() {
    let output = judge("lint", &["./no-such-bot"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    assert!(text(&output.stderr).contains("./no-such-bot could not be started: No such file"), "{output:?}");
    let output = command("lint", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("<BOT>"), "{output:?}");
}
