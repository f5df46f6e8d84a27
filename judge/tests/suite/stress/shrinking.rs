//! A failure is shrunk to a smaller one, if it repeats.

use std::fs;
use std::process::Command;

use super::reports;
use crate::support::{JUDGE, TestDir, judge, perfect_but, text, timeless};

/// A large game that was not won shrinks to the smallest start with the same mistake, in the form that a bot for the
/// contest can read.
#[test]
fn a_failure_is_shrunk_to_a_smaller_start() {
    let script = perfect_but(
        "case $1 in *[!0-9]*) exit 1;; esac; if [ $1 -ge 13 ]; then echo third; read x; exit; fi;",
    );
    let (games, minimal, code) = reports("--jobs 2", &["sh", "-c", &script]);
    assert_eq!(
        (code, &games[&0]["game"], &games[&0]["verdict"]),
        (1, &"2000 1 1".into(), &"MALFORMED".into())
    );
    let minimal = minimal.unwrap();
    assert_eq!((&minimal["game"], &minimal["verdict"]), (&"13 1 1".into(), &"MALFORMED".into()));
    for (field, expected) in [("minimal", true), ("complete", true), ("flaky", false)] {
        assert_eq!(minimal[field], expected, "{field}");
    }
    let again = minimal["again"].as_str().unwrap();
    assert!(again.starts_with("judge run 13 1 1 --opponent "), "{again}");
}

/// Two moves of the opponent lead to the mistake, and another single one too: the command plays that one.
#[test]
fn a_failure_is_shrunk_to_a_shorter_line() {
    let script = perfect_but(
        "if [ \"$*\" = '6 1 2' ]; then echo First; echo 3 2; read x y; \
         if [ $x != 6 ]; then [ $x -le 2 ] && echo $((x + 4)) $y || echo $((x - 4)) $y; read x y; \
         [ $x = 0 ] && exit; fi; echo oops; read x; exit; fi;",
    );
    let output = judge("stress --jobs 1", &["sh", "-c", &script]);
    let shown = timeless(text(&output.stdout));
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("\nnot won: 1 MALFORMED\n"), "{shown}");
    assert!(shown.contains("\n\nThe smallest game that was not won, from game "), "{shown}");
    assert!(shown.contains("\nMALFORMED 6 1 2 as First against slow (seed "), "{shown}");
    let again = shown.lines().find_map(|line| line.strip_prefix("    again: ")).unwrap();
    assert!(again.contains(" --line \"6 1\" -- sh -c "), "{again}");
    let run = Command::new("sh").args(["-c", &again.replacen("judge", JUDGE, 1)]).output().unwrap();
    let run = timeless(text(&run.stdout));
    assert_eq!(run.lines().next(), shown.lines().find(|line| line.starts_with("MALFORMED")));
}

/// A bot that does not fail each time is called flaky, and the game is not shrunk.
#[test]
fn a_flaky_failure_is_called_flaky() {
    let here = TestDir::new();
    let count = here.file("flaky");
    fs::write(&count, "0").unwrap();
    let script =
        perfect_but(&format!("c=$(cat {count}); echo $((c + 1)) > {count}; [ $((c % 3)) = 2 ] && exit 3;"));
    let output = judge("stress --jobs 1", &["sh", "-c", &script]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("\nFLAKY: game 2, or the game it was shrunk to, was played again 3 times, and 2 times did not end with CRASHED:\n"), "{shown}");
    assert!(
        shown.contains("\ngame 2: CRASHED 2000 2 2 against ") && shown.contains("\nCRASHED 2000 2 2 "),
        "{shown}"
    );
}

/// A failure that does not happen again is reported as it was.
#[test]
fn a_failure_that_does_not_repeat_is_kept() {
    let here = TestDir::new();
    let count = here.file("once");
    let script = perfect_but(&format!("c=$(cat {count}); echo $((c + 1)) > {count}; [ $c = 2 ] && exit 3;"));
    fs::write(&count, "0").unwrap();
    let output = judge("stress --jobs 1", &["sh", "-c", &script]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(
        shown.contains("3 times did not end with CRASHED:\n\ngame 2: CRASHED 2000 2 2 against "),
        "{shown}"
    );
    assert!(shown.contains("exited with code 3\n    again: judge run 2000 2 2 --opponent "), "{shown}");
    assert!(!shown.contains("WON"), "{shown}");
    fs::write(&count, "0").unwrap();
    let (games, minimal, _) = reports("--jobs 1", &["sh", "-c", &script]);
    let minimal = minimal.unwrap();
    for field in ["game", "opponent", "seed", "verdict", "reason", "again", "schema", "moves"] {
        assert_eq!(minimal[field], games[&2][field], "{field}");
    }
    assert_eq!((&minimal["flaky"], &minimal["from"]), (&true.into(), &2.into()));
}
