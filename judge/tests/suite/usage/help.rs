//! The help of every command, as text and as manual pages, and the option `--family`.

use std::collections::BTreeMap;

use crate::support::{assert_refuses, judge, text};

/// Returns the help of a command at a width of `columns`.
pub fn help(command: &str, columns: usize) -> String {
    let help = crate::support::command(&format!("{command} --help"), &[])
        .env("COLUMNS", columns.to_string())
        .output()
        .unwrap();
    text(&help.stdout).to_owned()
}

/// Returns the commands that the help of `command` lists: `""` for the judge, `"grundy"` for `grundy`, or one of their
/// commands.
fn listed_commands(command: &str) -> Vec<String> {
    let help = help(command, 100);
    let list = ["Commands:\n", "Games:\n", "Families:\n", "Your bot:\n"]
        .iter()
        .find_map(|heading| help.split(heading).nth(1));
    let list = list.unwrap_or_default().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    // The headings between the groups of the judge's commands are not indented.
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    names.map(|name| format!("{command} {name}").trim().to_owned()).collect()
}

/// Returns the commands that `judge --help` lists.
pub fn commands() -> Vec<String> {
    listed_commands("")
}

/// Returns the commands of the judge and of `grundy`, their subcommands, and the programs themselves.
fn all_commands() -> Vec<String> {
    let mut all = vec![String::new(), "grundy".to_owned()];
    let mut at = 0;
    while at < all.len() {
        all.extend(listed_commands(&all[at]));
        at += 1;
    }
    assert!(all.len() >= 15 && all.contains(&"grundy table euclid".to_owned()), "{all:?}");
    all
}

#[test]
fn every_command_has_examples_and_exit_codes() {
    let commands = all_commands();
    assert!(!commands.contains(&"bot".to_owned()), "bot is hidden");
    for command in commands {
        let help = help(&command, 100);
        for part in ["Example", "\nExit codes", "\n  0  ", "\n  2  ", "--color <WHEN>"] {
            // The help of the judge has the exit codes in one line.
            if command.is_empty() && part.starts_with("\n  ") {
                continue;
            }
            assert!(help.contains(part), "judge {command} --help: no {part:?}");
        }
    }
}

/// Checks that the help of the judge fits on one screen.
#[test]
fn the_commands_fit_on_one_screen() {
    let help = help("", 100);
    assert!(help.lines().count() <= 40, "{} lines", help.lines().count());
    let widest = help.lines().map(str::len).max();
    assert!(widest <= Some(100), "{widest:?}");
}

/// Checks that a letter means the same option in every command.
#[test]
fn short_options() {
    let mut long: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    for command in all_commands() {
        let help = help(&command, 100);
        for line in help.lines().filter_map(|line| line.strip_prefix("  -")) {
            let Some((letter, rest)) = line.split_once(", --") else { continue };
            let name = rest.split([' ', '[', '=']).next().unwrap();
            let known = long.entry(letter.to_owned()).or_insert_with(|| name.to_owned());
            assert_eq!(known, name, "judge {command}: -{letter}");
            count += 1;
        }
        // A command that has one of these options also has its letter.
        for (letter, name) in
            [("n", "games"), ("s", "seed"), ("j", "jobs"), ("o", "output"), ("q", "quiet"), ("v", "verbose")]
        {
            assert!(!help.contains(&format!("\n      --{name} ")), "judge {command}: no -{letter}");
        }
    }
    assert!(count > 40, "{count}");
}

/// Checks that every argument and option has a description, on the same line or on the next line.
#[test]
fn everything_is_described() {
    for command in all_commands() {
        let help = help(&command, 100);
        let lines: Vec<&str> = help.lines().collect();
        let indent = |line: &str| line.len() - line.trim_start().len();
        for pair in lines.windows(2) {
            let entry = pair[0].trim();
            if (1..10).contains(&indent(pair[0])) && entry.starts_with(['<', '[', '-']) {
                let is_below = !pair[1].trim().is_empty() && indent(pair[1]) >= 10;
                assert!(entry.contains("  ") || is_below, "judge {command} --help: {entry}");
            }
        }
    }
}

/// Checks that paragraphs fill the lines, and that tables are the same at 80 and 100 columns.
#[test]
fn help_reads_well_on_any_terminal() {
    for command in all_commands() {
        for columns in [80, 100] {
            let help = help(&command, columns);
            let lines: Vec<&str> = help.lines().collect();
            for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with(|c| c != ' ')))
            {
                let next = pair[1].split(' ').next().unwrap();
                let is_full = pair[0].len() + 1 + next.len() > columns;
                assert!(is_full || pair[0].ends_with(':'), "judge {command} --help: {pair:?}");
            }
        }
        let tables = |columns| {
            let help = help(&command, columns);
            let start = ["\nFormats", "\nExample", "Examples:\n"]
                .iter()
                .filter_map(|heading| help.find(heading))
                .min();
            help[start.unwrap()..].to_owned()
        };
        assert_eq!(tables(80), tables(100), "judge {command} --help");
    }
}

/// Checks that the help of `grundy table` for each family states its limits and the columns of its CSV.
#[test]
fn help_of_tables_is_true() {
    for (game, facts) in [
        ("segment 1 2", vec!["at most 10^15, or 20000 with --all", "\"NIMBERS\""]),
        ("square", vec!["2^30 at most", "p_positions", "\"OUTCOMES\"", "\"NIMBERS\""]),
        ("divisor", vec!["2^30 at most", "\"NIMBERS\""]),
        ("subtract take 1", vec!["2^30 at most", "\"NIMBERS\""]),
        ("euclid", vec!["31622 at most", "\"OUTCOMES\""]),
    ] {
        let help = help(&format!("table {}", game.split(' ').next().unwrap()), 100);
        for fact in facts {
            assert!(help.contains(fact), "table {game}: no {fact:?} in {help}");
        }
        assert!(help.contains("--check[=<N>]"), "{help}");
        let csv = judge(&format!("table {game} --to 1 --format csv"), &[]);
        let header = text(&csv.stdout).lines().next().unwrap();
        assert!(help.contains(&format!("\"{header}\"")), "{game}: {header}");
    }
    assert!(!help("table euclid", 100).contains("nimber"), "euclid has no nimbers");
}

/// Checks that every command with `--family` accepts a list of families, and refuses an unknown family.
#[test]
fn several_families() {
    let commands = commands().into_iter().filter(|name| help(name, 100).contains("--family <"));
    for name in commands {
        let args = match name.as_str() {
            "run" => "--games 4 --json",
            "stress" => "--games 40 --json",
            "arena" => "--pairs 4 --bot perfect --bot greedy --json",
            "match" => "--format cgarena perfect greedy",
            other => panic!("judge {other} has --family: which games does it play?"),
        };
        let mut shown = String::new();
        // `judge match` plays only one pair of games for a seed, so two seeds are needed for two families.
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
        assert_refuses(&format!("{name} {args} --family nim,chess"), "invalid value 'chess' for '--family");
    }
}
