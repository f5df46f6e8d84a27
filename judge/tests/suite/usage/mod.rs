//! The command line and the exit codes.

mod completions;
mod help;
mod report;
mod settings;
mod sources;
mod stdout;

use crate::support::{assert_refused, judge, text};

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
