//! The commands that the judge prints: each repeats its run.

use std::path::Path;

use crate::support::{Printed, TestDir, assert_repeats, command, interactors, json_lines, judge_typed, root};

/// Runs the judge with arguments as typed in a shell. Checks that there are `count` results, and that the command of each
/// repeats it.
#[track_caller]
fn check(folder: &Path, arguments: &str, count: usize) {
    let output = judge_typed(folder, arguments);
    let mut lines = output.json();
    lines.retain(|line| line["verdict"].is_string());
    assert_eq!(lines.len(), count, "{arguments}: {}", output.err());
    for line in &lines {
        assert_repeats(folder, line);
    }
}

#[test]
fn games() {
    let here = TestDir::new();
    here.write("my settings.toml", "[bots]\nmine = [\"sh\", \"-c\", \"read h; exit 3\"]\n");
    for (arguments, count) in [
        (
            "run --json --family segment --games 3 --seed 5 --opponent random --time-limit 1.5 -- \
             sh -c 'read h; echo First; echo \"$1\" \"\\$x\" >&2; exit 3' 'a b'",
            3,
        ),
        // Line ends and control characters are quoted.
        ("run --json 6 1 2 -- sh -c 'read h\necho \"$0\" >&2; exit 3' \"a'\\\\\u{1b}\u{202e}9\u{e9}\"", 1),
        ("run --json 6 1 2 --games 2 --jobs 2 --config 'my settings.toml' -- mine", 2),
        ("stress --json --family segment --games 1 --config 'my settings.toml' -- mine", 2),
    ] {
        check(here.path(), arguments, count);
    }
    // The command of a check that fails names the settings file too.
    let lint = "lint --family segment --json --config 'my settings.toml' -- mine";
    let lines = judge_typed(here.path(), lint).json();
    let again = lines.iter().find_map(|line| line["again"].as_str()).unwrap();
    judge_typed(here.path(), again.strip_prefix("judge ").unwrap()).prints("CRASHED");
}

/// Checks the command for a violation, which contains the moves of the other bot.
#[test]
fn a_game_of_two_bots() {
    let third = "third=sh -c 'read h; case $h in *second) echo Second; read x; echo 0 0; exit;; esac; \
                 echo First; echo 1 1; read x; echo 1 1; read x'";
    let mut arena = command("arena 9 1 1 --pairs 1 --json --on-crash stop --jobs 1 --bot random --bot", &[]);
    let games = json_lines(&arena.arg(third).output().unwrap().stdout);
    let seats = games.iter().flat_map(|game| [&game["first"], &game["second"]]);
    let seat = seats.into_iter().find(|seat| seat["verdict"] == "ILLEGAL").unwrap();
    assert_repeats(&root(), seat);
}

#[test]
fn runs_with_an_interactor() {
    let checker = "--checker 'python3 ../../../judge/starters/twice/checker.py'";
    let interactor = "--interactor 'python3 interactor.py' --style testlib";
    let manager = "--interactor 'python3 ../../../judge/starters/cms/manager.py' --style cms";
    let plain = "--interactor 'plain.py {input}' --input inputs/2.in --seed 7 --interactor-time 5 --interactor-memory 300";
    let wrong = "bot.py wrong_first";
    for (folder, options, bot) in [
        ("", plain, "bots/wrong_number.py"),
        ("twice", &*format!("--passes 2 {checker}"), wrong),
        ("twice", &format!("--passes 2 --interactive-passes 1 {interactor} {checker}"), wrong),
        ("twice", &format!("--between 'python3 between.py' {interactor}"), wrong),
        ("cms", &format!("{manager} --processes-of-bot 2"), "bot.py wrong1 -"),
        ("cms", &format!("{manager} --processes-of-bot 2 --with grader/grader.py"), "grader/codec.py"),
    ] {
        let input = if options.contains("--input") { "" } else { "--input 1.in" };
        let arguments = format!("run --json {options} {input} --time-limit 1.5 -- {bot}");
        check(&interactors().join(folder), &arguments, 1);
    }
}
