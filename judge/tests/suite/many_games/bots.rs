//! Several bots side by side.

use super::{shown, without_seven};
use crate::support::{JUDGE, TestDir, assert_refused, assert_refuses, command, games, text, timeless};

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

/// A bot of judge.toml is called by its name, and its command is shown by that name.
#[test]
fn bots_of_the_settings() {
    let here = TestDir::new();
    here.write("judge.toml", format!("[bots]\nold = \"{JUDGE} bot\"\n"));
    let run = |args: &str| command(args, &[]).current_dir(here.path()).output().unwrap();
    let output = run("run 6 1 2 --bot old --opponent slow");
    let shown = text(&output.stdout);
    assert!(shown.starts_with("WON old: 6 1 2 as First against slow ") && output.status.success(), "{shown}");
    let unknown = run("run 6 1 2 --bot new");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("; judge.toml has no bot new\n"), "{}", text(&unknown.stderr));
}

#[test]
fn bots_that_are_refused() {
    assert_refuses("run 6 1 2 --bot ./bot", "expected NAME=COMMAND, as in old=\"python3 bot.py\"");
    assert_refuses("run 6 1 2 --bot a= --bot b=true", "there is no command");
    assert_refuses(
        "run 6 1 2 --bot a=true --bot a=false",
        "expected bots with different names, got two that are called a",
    );
    assert_refused("run 6 1 2 --bot a=true", &["false"], "expected the bot's command or --bot, got both");
}

/// Each game has a file of its own for what the bot writes to stderr.
#[test]
fn stderr_of_several_bots_and_opponents() {
    let here = TestDir::new();
    let (bot, folder) =
        (here.write("bot.sh", format!("echo here >&2; exec {JUDGE} bot")), here.file("stderr"));
    let run = |args: &str| {
        let args = args.split(' ').map(|word| word.replace('_', " "));
        let output = command("run 6 1 2 --stderr", &[]).arg(&folder).args(args).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    };
    run(&format!("--bot a=sh_{bot} --bot b=sh_{bot} --seed 7"));
    run(&format!("--opponent perfect,slow -- sh {bot}"));
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["a-seed-7.txt", "b-seed-7.txt", "seed-1-2.txt", "seed-1.txt"]);
    assert!(
        files.iter().all(|file| std::fs::read(here.path().join("stderr").join(file)).unwrap() == b"here\n")
    );
}
