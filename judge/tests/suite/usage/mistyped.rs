//! Commands that are typed wrong: the error says what to type instead.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{JUDGE, TestDir, assert_refused, command, judge, text};

/// What the judge says in this directory when it refuses these arguments and this bot.
#[track_caller]
fn refusal(here: &TestDir, args: &str, bot: &[&str]) -> String {
    let output = command(args, bot).current_dir(here.path()).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{args} {bot:?}");
    text(&output.stderr).to_owned()
}

#[test]
fn a_bot_among_the_words_of_the_header() {
    let here = TestDir::new();
    here.write("bot.py", "");
    for (args, meant) in [
        ("run 6 1 2 ./bot", "judge run 6 1 2 -- ./bot"),
        ("run ./bot", "judge run -- ./bot"),
        ("run 6 1 2 sh bot.sh", "judge run 6 1 2 -- sh bot.sh"),
        ("run 6 1 2 sh bot.py 7", "judge run 6 1 2 -- sh bot.py 7"),
        ("run 6 1 2 sh -- bot.py 7", "judge run 6 1 2 -- sh bot.py 7"),
        ("run 6 1 2 bot.py -- 7", "judge run 6 1 2 -- bot.py 7"),
        ("run square 9 ban 1 --opponent slow ./bot 7", "judge run square 9 ban 1 -- ./bot 7"),
    ] {
        let expected = format!("judge: expected \"--\" before the bot's command: {meant}\n");
        assert_eq!(refusal(&here, args, &[]), expected, "{args}");
    }
    for command in ["run 6 1 2", "lint", "stress"] {
        let refused = refusal(&here, &format!("{command} no-such-bot.cpp"), &[]);
        assert_eq!(refused, "judge: there is no file no-such-bot.cpp, which would be the bot's source\n");
    }
    for (args, meant) in
        [("lint ./bot", "judge lint -- ./bot"), ("stress ./bot 7", "judge stress -- ./bot 7")]
    {
        let expected = format!("judge: expected \"--\" before the bot's command: {meant}\n");
        assert_eq!(refusal(&here, args, &[]), expected, "{args}");
    }
    // A program and a file with the name of a game, or a file with the name of a number, change nothing.
    for name in ["nim", "6"] {
        here.write(name, "");
    }
    let header = refusal(&here, "run 6 nim", &[]);
    assert!(header.starts_with("judge: the header is malformed: "), "{header}");
}

#[test]
fn a_command_quoted_as_one_word() {
    let here = TestDir::new();
    let refused = refusal(&here, "run 6 1 2", &["sh bot.sh"]);
    assert!(refused.ends_with("its command is quoted as one word; type \"-- sh bot.sh\"\n"), "{refused}");
    let refused = refusal(&here, "lint", &["no-such-program 7"]);
    assert!(refused.ends_with("No such file or directory (os error 2)\n"), "{refused}");
}

/// A file of which the system does not know how to start it.
#[test]
fn a_file_that_cannot_be_started() {
    let here = TestDir::new();
    for (name, content) in [
        ("plain", "echo First\n"),
        ("script.xyz", "print()\n"),
        ("lost.xyz", "#!/no/such/python\n"),
        ("dos", "#!/bin/sh\r\necho\r\n"),
    ] {
        fs::set_permissions(here.write(name, content), Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(here.write("forbidden", "puts\n"), Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(here.write("data", "\0"), Permissions::from_mode(0o644)).unwrap();
    for (bot, reason) in [
        (
            "plain",
            "No such file or directory (os error 2): type \"-- ./plain\" for the file in this directory",
        ),
        ("./plain", "without a first line such as #!/usr/bin/env python3: type \"-- INTERPRETER ./plain\""),
        (
            "./script.xyz",
            "without a first line such as #!/usr/bin/env python3: type \"-- INTERPRETER ./script.xyz\"",
        ),
        ("./lost.xyz", "names /no/such/python, which does not exist: type \"-- INTERPRETER ./lost.xyz\""),
        (
            "./dos",
            "ends with CR, which becomes a part of the interpreter's name: end its lines with LF, or type \"-- INTERPRETER ./dos\"",
        ),
        ("./forbidden", "make it executable by \"chmod +x ./forbidden\""),
        ("./data", "make it executable by \"chmod +x ./data\""),
        (".", "it is not a file"),
    ] {
        for args in ["run 6 1 2", "run 6 1 2 --limits proc", "lint", "stress"] {
            let refused = refusal(&here, args, &[bot]);
            assert!(
                refused.starts_with(&format!("judge: the bot {bot} could not be started: ")),
                "{refused}"
            );
            assert!(refused.ends_with(&format!("{reason}\n")), "{args}: {refused}");
        }
    }
}

/// The name that was probably meant, for commands, games, keywords, opponents and bots.
#[test]
fn misspelt_names() {
    for (args, meant) in [
        ("rnu 6 1 2", "similar subcommand exists: 'run'"),
        ("table sgement", "similar subcommand exists: 'segment'"),
        ("--color never replya", "similar subcommand exists: 'replay'"),
        ("help stres", "similar subcommand exists: 'stress'"),
        ("man lnit", r#"expected a command of judge, got "lnit"; did you mean "lint"?"#),
        ("run sqare 7", r#"did you mean "square"?"#),
        ("run 6 1 2 saet first", r#"did you mean "seat"?"#),
        ("run 6 1 2 seat frist", r#"did you mean "first"?"#),
        ("solve square 7 bna 1", r#"did you mean "ban"?"#),
        ("play subtract 7 tkae 1", r#"did you mean "take"?"#),
        ("run 6 1 2 --opponent prefect", "similar value exists: 'perfect'"),
        ("run 6 1 2 --oponent perfect", "similar argument exists: '--opponent'"),
        ("stress --family segmnet", "similar value exists: 'segment'"),
        ("--versoin", "similar argument exists: '--version'"),
        ("selftest memoryhog", r#"did you mean "memory-hog"?"#),
    ] {
        assert_refused(args, &[], meant);
    }
    for command in
        ["solve", "table square --to 9", "octal 0.07", "sweep octal", "atlas a.jsonl", "count 1 6 1 6"]
    {
        let refused = Command::new(JUDGE).args(command.split(' ')).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{command}");
        let tip = format!("values are computed by another program: 'grundy {command}'");
        assert!(text(&refused.stderr).contains(&tip), "{}", text(&refused.stderr));
    }
    assert_refused("6 1 2", &[], "a game is played by 'judge run 6 1 2'");
    assert_refused("square 7 ban 1 -v", &[], "a game is played by 'judge run square 7 ban 1 -v'");
}

/// The bot as one file is made by a task of the repository, not by the judge.
#[test]
fn the_command_that_wrote_the_bot_as_one_file() {
    let place =
        "the bot as one file is submission/abc278_g.rs of the repository, made by 'cargo xtask submission'";
    for args in ["bundle", "bundle --games all --target plain --output main.rs", "help bundle"] {
        assert_refused(args, &[], place);
    }
}

/// A table that has no period is not answered by the version.
#[test]
fn an_option_of_another_command() {
    let refused = refusal(&TestDir::new(), "table grundy --to 10 --period", &[]);
    assert!(refused.starts_with("error: unexpected argument '--period' found\n"), "{refused}");
    assert!(!refused.contains("version"), "{refused}");
}

/// A hidden command is never suggested, nor has it a manual page.
#[test]
fn hidden_commands_stay_hidden() {
    for word in ["bott", "wroker", "hostil", "lanuch"] {
        for command in ["", "help ", "man "] {
            let refused = refusal(&TestDir::new(), &format!("{command}{word}"), &[]);
            assert!(!refused.contains("similar") && !refused.contains("did you mean"), "{refused}");
        }
    }
    assert_refused("man worker", &[], r#"expected a command of judge, got "worker""#);
}

/// Without a bot's command the bundled bot plays, and the report says so.
#[test]
fn reports_name_the_bot() {
    let summary = |args: &str, bot: &[&str]| {
        let output = judge(args, bot);
        text(&output.stdout).lines().last().unwrap().to_owned()
    };
    assert_eq!(summary("run 6 1 2", &[]), "the bundled bot: 1 of 1 game won");
    let search = judge("stress --games 3", &[]);
    assert!(text(&search.stdout).starts_with("the bundled bot: 3 of 3 games won; "));
    let bot = ["sh", "-c", "read h; exit 3"];
    assert_eq!(summary("run 6 1 2", &bot), "sh -c 'read h; exit 3': 0 of 1 game won");
    assert!(summary("lint", &bot).starts_with("sh -c 'read h; exit 3': 0 passed, 1 failed, 0 noted"));
    assert_refused(
        "run 6 1 2",
        &["./no-such-bot"],
        "the bot ./no-such-bot could not be started: No such file",
    );
}

/// What one game of `grundy table` has and another has not.
#[test]
fn words_of_other_games() {
    let here = TestDir::new();
    for (args, tip) in [
        (
            "table square --to 10 --period",
            "tip: '--period' is an option of grundy table segment, subtract and octal\n",
        ),
        ("sweep subtract --digits 2", "tip: '--digits' is an option of grundy sweep octal\n"),
        ("table nim --to 5", "tip: there is no table of nim: the nimber of a pile is its size\n"),
        ("table square ban --to 5", "Usage: grundy table square [OPTIONS] --to <N> [ban S...]\n"),
    ] {
        assert!(refusal(&here, args, &[]).contains(tip), "{args}: {}", refusal(&here, args, &[]));
    }
    assert!(!refusal(&here, "table square --to 10 --no-such", &[]).contains("is an option"));
}
