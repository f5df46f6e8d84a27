//! The command line and the exit codes.

mod completions;
mod help;
mod report;
mod settings;
mod sources;
mod stdout;
mod suggestions;
mod units;

use crate::support::{assert_refused, games, judge, text};

#[test]
fn wrong_usage_is_refused_with_a_reason() {
    assert_refused(
        "run 6 2 1",
        &[],
        r#"the header is malformed: expected L of at most R = 1, got "2" at column 3"#,
    );
    assert_refused("run 6 1 x", &[], "the header is malformed: expected");
    assert_refused("run chess", &[], "or a game (segment, square, ");
    assert_refused("run chess", &[], r#"), got "chess" at column 1"#);
    assert_refused("run 6 1 2 --opponent chess", &[], "[possible values: perfect, random");
    assert_refused("run 6 1 2 --games 0", &[], "--games <K>");
    assert_refused("run 6 1 2 --time-limit 0", &[], "expected a time from 1ms to 24h");
    assert_refused(
        "run 6 1 2 --games 2 --seed 18446744073709551615",
        &[],
        "expected seeds of at most 18446744073709551615",
    );
    assert_refused("run 6 1 2 --json -v", &[], "cannot be used with");
    assert_refused(
        "run 6 1 2",
        &["./no-such-bot"],
        "the bot ./no-such-bot could not be started: No such file",
    );
    assert_refused(
        "run 6 1 2",
        &["./README.md"],
        "the bot ./README.md could not be started: Permission denied",
    );
    assert_refused("fly", &[], "unrecognized subcommand");
}

/// Every command that draws starts takes the same list of families.
#[test]
fn several_families() {
    let commands = help::commands().into_iter().filter(|name| help::help(name, 100).contains("--family <"));
    for name in commands {
        let args = match name.as_str() {
            "run" => "--games 4 --json",
            "stress" => "--games 40 --json",
            "arena" => "--pairs 4 --bot perfect --bot greedy --json",
            "match" => "--format cgarena perfect greedy",
            other => panic!("judge {other} has --family: which games does it play?"),
        };
        let mut shown = String::new();
        // Each seed of judge match is a pair of games.
        for seed in [2, 4] {
            let args = format!("{name} {args} --seed {seed} --family nim,segment");
            let played = judge(&args, &[]);
            assert_eq!((played.status.code(), text(&played.stderr)), (Some(0), ""), "{args}");
            shown += text(&played.stdout);
        }
        let field = if name == "match" { "\"name\":\"game\",\"value\":\"" } else { "\"game\":\"" };
        let games: Vec<&str> = shown.split(field).skip(1).collect();
        assert!(games.iter().any(|game| game.starts_with("nim ")), "{name}: {shown}");
        assert!(games.iter().any(|game| game.starts_with(|c: char| c.is_ascii_digit())), "{name}: {shown}");
        assert_refused(
            &format!("{name} {args} --family nim,chess"),
            &[],
            "invalid value 'chess' for '--family",
        );
    }
}

/// An opponent whose table would be too large is a judge error, and not blamed on the bot.
#[test]
fn an_opponent_whose_table_would_be_too_large() {
    let bot = ["sh", "-c", "read h; echo Second; read x"];
    let (lines, code) = games("1000000000 3 3", &bot);
    assert_eq!((lines[0]["verdict"].as_str(), code), (Some("JUDGE_ERROR"), 2));
    let reason = lines[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("the opponent cannot play: a Grundy table of segments"), "{reason}");
}
