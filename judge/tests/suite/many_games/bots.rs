//! Several bots side by side.

use super::{shown, without_seven};
use crate::support::{JUDGE, TestDir, assert_refuses, command, games, judge, text, timeless};

/// Each bot plays each start, and has a row of its own.
#[test]
fn a_row_for_each_bot() {
    let here = TestDir::new();
    let bot = here.write("bot.sh", without_seven());
    let args = format!("--games 2 7 1 2 --bot good={JUDGE}_bot --bot odd=sh_{bot}");
    let output =
        command("run", &[]).args(args.split(' ').map(|word| word.replace('_', " "))).output().unwrap();
    let (output, code) = (text(&output.stdout), output.status.code());
    let summary = output.split_once("\ngood: ").unwrap().1;
    let expected = "\
2 of 2 games won
odd: 0 of 2 games won; not won: 2 CRASHED

                       ms for an answer                 ms for a game
      won      p50    p95    p99    max      p50    p95    p99    max
good 2/2
odd 0/2

slowest start of good
slowest start of odd
";
    assert_eq!((timeless(summary).as_str(), code), (expected, Some(1)), "{output}");
    let lines: Vec<&str> = output.lines().filter(|line| line.contains("(seed ")).collect();
    for (line, start) in
        lines.iter().zip(["WON good: 7 1 2 as ", "CRASHED odd: 7 1 2 against "].iter().cycle())
    {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(
        output.contains(&format!("again: judge run 7 1 2 --opponent perfect --seed 1 -- sh {bot}\n")),
        "{output}"
    );
}

/// A single bot with a name plays as the command would, and its name is in all reports.
#[test]
fn one_bot_with_a_name() {
    let (output, code) = shown(&format!("6 1 2 --bot mine={JUDGE} --opponent slow"), &[]);
    assert!(output.starts_with("MALFORMED mine: 6 1 2 against slow (seed 1)"), "{output}");
    assert!(output.ends_with("\nmine: 0 of 1 game won\n") && code == 1, "{output}");
    let (reports, _) = games(&format!("6 1 2 --bot a={JUDGE} --bot b={JUDGE}"), &[]);
    assert_eq!(reports.iter().map(|game| &game["bot_name"]).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn bots_that_are_refused() {
    assert_refuses("run 6 1 2 --bot ./bot", "expected NAME=COMMAND, as in old=\"python3 bot.py\"");
    assert_refuses("run 6 1 2 --bot a= --bot b=true", "there is no command");
    assert_refuses(
        "run 6 1 2 --bot a=true --bot a=false",
        "expected bots with different names, got two that are called a",
    );
    let output = judge("run 6 1 2 --bot a=true", &["false"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot be used with"), "{}", text(&output.stderr));
}
