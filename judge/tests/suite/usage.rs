//! What may be typed, and the judge's exit codes.

use std::process::Stdio;

use crate::judge::{command, games, judge, text, timeless};

#[track_caller]
fn assert_refused(args: &str, bot: &[&str], said: &str) {
    let output = judge(args, bot);
    assert_eq!(output.status.code(), Some(2), "{args}");
    assert_eq!(text(&output.stdout), "", "{args}");
    assert!(text(&output.stderr).contains(said), "{args}: {}", text(&output.stderr));
}

#[test]
fn wrong_usage_is_refused_with_a_reason() {
    assert_refused(
        "run 6 2 1",
        &[],
        r#"the header is malformed: expected L of at most R = 1, got "2" at column 3"#,
    );
    assert_refused("run 6 1 x", &[], "the header is malformed: expected");
    assert_refused(
        "run chess",
        &[],
        r#"or a game (segment, square, divisor, subtract, nim, euclid), got "chess" at column 1"#,
    );
    assert_refused("run 6 1 2 --opponent chess", &[], "[possible values: perfect, random");
    assert_refused("run 6 1 2 --games 0", &[], "--games <K>");
    assert_refused("run 6 1 2 --time-limit 0", &[], "expected a number of seconds from 0.001 to 86400");
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

/// An opponent that would need too large a table is the judge's trouble, not the bot's.
#[test]
fn an_opponent_beyond_theory() {
    let bot = ["sh", "-c", "read h; echo Second; read x"];
    let (lines, code) = games("1000000000 3 3", &bot);
    assert_eq!((lines[0]["verdict"].as_str(), code), (Some("JUDGE_ERROR"), 2));
    let reason = lines[0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("the opponent cannot play: a Grundy table of segments"), "{reason}");
}

#[test]
fn json_has_every_field() {
    let (games, _) = games("6 1 2 --seed 5 --opponent random", &[]);
    let fields: Vec<&String> = games[0].as_object().unwrap().keys().collect();
    let expected = [
        "blunders",
        "cpu_ms",
        "game",
        "limits",
        "memory_kib",
        "moves",
        "opponent",
        "opponent_blunders",
        "reason",
        "resigned_won",
        "schema",
        "seed",
        "side",
        "slowest_ms",
        "slowest_ply",
        "start_won_by",
        "verdict",
        "waited_ms",
        "wall_ms",
    ];
    assert_eq!(fields, expected);
    assert_eq!(games[0]["schema"], 1);
    assert_eq!(games[0]["game"], "6 1 2");
    assert_eq!(games[0]["seed"], 5);
    assert_eq!(games[0]["side"], "First");
    assert!(games[0]["moves"].as_u64().unwrap() >= 3);
}

#[test]
fn a_drawn_game() {
    let output = judge("run 6 1 2 -v --opponent slow", &[]);
    assert_eq!(
        timeless(text(&output.stdout)),
        "      start             ######
    1 bot    3 2        ##xx##
    2 judge  1 1        x#..##
    3 bot    5 1        .#..x#
    4 judge  2 1        .x...#
    5 bot    6 1        .....x
WON 6 1 2 as First against slow (seed 1), 5 moves: the opponent has no move left
1 of 1 game won
"
    );
}

#[test]
fn help_names_everything() {
    let help = judge("run --help", &[]);
    for part in [
        "Usage: judge run [HEADER WORDS] [OPTIONS] [-- BOT ARGS...]",
        "--opponent",
        "--seed",
        "Exit codes:",
        "stubborn",
    ] {
        assert!(text(&help.stdout).contains(part), "no {part:?}");
    }
}

/// What the help of a command prints on so many columns.
fn help(command: &str, columns: usize) -> String {
    let help = crate::judge::command(&format!("{command} --help"), &[])
        .env("COLUMNS", columns.to_string())
        .output()
        .unwrap();
    text(&help.stdout).to_owned()
}

/// The commands that a help lists below this one, `""` for the judge itself.
fn below(command: &str) -> Vec<String> {
    let help = help(command, 100);
    let list = ["Commands:\n", "Games:\n"].iter().find_map(|heading| help.split(heading).nth(1));
    let list = list.unwrap_or_default().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    names.map(|name| format!("{command} {name}").trim().to_owned()).collect()
}

/// The commands that `judge --help` lists.
fn commands() -> Vec<String> {
    below("")
}

/// All of them, with what they list in turn, and the judge itself.
fn all_commands() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut at = 0;
    while at < all.len() {
        all.extend(below(&all[at]));
        at += 1;
    }
    assert!(all.len() >= 15 && all.contains(&"table euclid".to_owned()), "{all:?}");
    all
}

#[test]
fn every_command_has_examples_and_exit_codes() {
    let commands = all_commands();
    for hidden in ["bot", "hostile"] {
        assert!(!commands.contains(&hidden.to_owned()), "{hidden} is hidden");
    }
    for command in commands {
        let help = help(&command, 100);
        for part in ["\nExample", "\nExit codes", "\n  0  ", "\n  2  ", "--color <WHEN>"] {
            assert!(help.contains(part), "judge {command} --help: no {part:?}");
        }
    }
}

/// Every argument and option says what it is, beside it or on the next line.
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

/// Paragraphs fill the lines, and tables fit them.
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
            let start = ["\nFormats", "\nExample"].iter().filter_map(|heading| help.find(heading)).min();
            help[start.unwrap()..].to_owned()
        };
        assert_eq!(tables(80), tables(100), "judge {command} --help");
    }
}

/// What the help of `judge table` tells is true of each family.
#[test]
fn help_of_tables_is_true() {
    for (game, told) in [
        ("segment 1 2", vec!["2^30 cards at most, 20000 with --all", "\"NIMBERS\""]),
        ("square", vec!["2^30 at most", "p_positions", "\"OUTCOMES\"", "\"NIMBERS\""]),
        ("divisor", vec!["2^30 at most", "\"NIMBERS\""]),
        ("subtract take 1", vec!["2^30 at most", "\"NIMBERS\""]),
        ("euclid", vec!["31622 at most", "\"OUTCOMES\""]),
    ] {
        let help = help(&format!("table {}", game.split(' ').next().unwrap()), 100);
        for told in told {
            assert!(help.contains(told), "table {game}: no {told:?} in {help}");
        }
        assert!(help.contains("--check[=<N>]"), "{help}");
        let csv = judge(&format!("table {game} --to 1 --format csv"), &[]);
        let header = text(&csv.stdout).lines().next().unwrap();
        assert!(help.contains(&format!("\"{header}\"")), "{game}: {header}");
    }
    assert!(!help("table euclid", 100).contains("nimber"), "it has none");
}

#[test]
fn completions_of_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = judge(&format!("completions {shell}"), &[]);
        let script = text(&output.stdout);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{shell}");
        for command in commands() {
            assert!(script.contains(&command), "{shell}: no {command}");
        }
        assert!(script.contains("opponent"), "{shell}");
        assert!(!script.contains("launch") && !script.contains("worker"), "{shell}: hidden roles");
    }
    assert_refused("completions cmd", &[], "[possible values: bash, elvish, fish, powershell, zsh]");
}

#[test]
fn manual_pages() {
    let page = judge("man", &[]);
    assert!(text(&page.stdout).contains(".TH judge 1") && page.status.success());
    let page = judge("man run", &[]);
    let roff = text(&page.stdout);
    for part in [".TH judge-run 1", "--opponent", "Exit codes:"] {
        assert!(roff.replace('\\', "").contains(part), "no {part:?} in {roff}");
    }
    assert_refused("man fly", &[], r#"expected a command of the judge, got "fly""#);
    assert_refused(
        "man --output /no/such/directory",
        &[],
        "the pages cannot be written to /no/such/directory: ",
    );
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    std::fs::create_dir_all(&directory).unwrap();
    let output = command("man --output", &[]).arg(&directory).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut pages: Vec<String> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    // Those of judge table have pages of their own.
    pages.retain(|page| !page.starts_with("judge-table-"));
    pages.sort();
    let mut expected: Vec<String> = commands().iter().map(|command| format!("judge-{command}.1")).collect();
    expected.push("judge.1".to_owned());
    expected.sort();
    assert_eq!(pages, expected);
}

/// Colour is for terminals, unless it is asked for; `NO_COLOR` is obeyed.
#[test]
fn colour_when_it_is_wanted() {
    let is_coloured = |args: &str, vars: &[&str]| {
        let mut judge = command(args, &[]);
        judge.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(vars.iter().map(|var| (*var, "1")));
        text(&judge.output().unwrap().stdout).contains('\u{1b}')
    };
    assert!(!is_coloured("run 6 1 2", &[]));
    assert!(is_coloured("run 6 1 2 --color always", &[]));
    assert!(is_coloured("--color always run 6 1 2", &["NO_COLOR"]), "what is typed goes first");
    assert!(is_coloured("run 6 1 2", &["CLICOLOR_FORCE"]));
    assert!(!is_coloured("run 6 1 2", &["CLICOLOR_FORCE", "NO_COLOR"]));
    assert!(!is_coloured("run 6 1 2 --color never", &["CLICOLOR_FORCE"]));
}

#[test]
fn quiet_runs() {
    let won = judge("run 6 1 2 -q --games 3", &[]);
    assert_eq!((won.status.code(), text(&won.stdout), text(&won.stderr)), (Some(0), "", ""));
    // Wins the games of which the first card is all.
    let bot = ["sh", "-c", "read n l r; echo First; echo 1 1; read x y; [ $x = 0 ]"];
    let output = judge("run 1 1 1 -q", &bot);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), ""));
    let lost = judge("run 6 1 2 -q --games 2", &bot);
    let told = text(&lost.stdout);
    assert_eq!((lost.status.code(), told.matches("CRASHED").count()), (Some(1), 2), "{told}");
    assert!(told.ends_with("0 of 2 games won\n"), "{told}");
    assert_refused("run 6 1 2 -q -v", &[], "cannot be used with");
    assert_refused("run 6 1 2 -q --json", &[], "cannot be used with");
}

/// What the judge does with a stdout that nobody reads any more: its exit code, and stderr.
fn unread(args: &str, bot: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(args, bot).stdin(Stdio::null()).stdout(writer).output().unwrap();
    (output.status.code(), text(&output.stderr).to_owned())
}

/// `judge table ... | head`: a list is read as far as it is wanted.
#[test]
fn a_list_may_be_read_in_part() {
    for args in [
        "table segment 1 2 --to 1000 --format csv",
        "table square --to 1000 --check",
        "solve 6 1 2",
        "count 1 9 1 9",
        "bundle",
        "completions bash",
        "man run",
        "protocol",
    ] {
        assert_eq!(unread(args, &[]), (Some(0), String::new()), "{args}");
    }
}

/// `judge run ... | head`: games may be lost or not played, so that is never 0.
#[test]
fn what_was_not_told_is_no_success() {
    let transcript = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unread.jsonl");
    let recorded = judge(&format!("run 6 1 2 --transcript {}", transcript.display()), &[]);
    assert_eq!(recorded.status.code(), Some(0));
    let replay = format!("replay {}", transcript.display());
    let loser = ["sh", "-c", "read h; echo First; echo 0 0"];
    let cases: [(&str, &[&str]); 12] = [
        ("run 6 1 2 --games 2000", &loser),
        ("run 2000 1 1 -v", &[]),
        ("run 6 1 2 --json", &[]),
        ("test -f tests/data/inputs/cards.in", &loser),
        ("stress --games 20 --keep-going", &loser),
        ("stress --games 20 --json", &loser),
        ("stress --games 20 --json", &[]),
        ("lint", &["true"]),
        ("lint --json", &["true"]),
        ("selftest no-newline", &[]),
        (&replay, &[]),
        ("table --verify docs/period-1-5.json", &[]),
    ];
    for (args, bot) in cases {
        let (code, said) = unread(args, bot);
        assert_eq!(code, Some(2), "{args}: {said}");
        let why =
            "judge: the reader of the output has closed it, so not all games were played and reported: ";
        assert!(said.starts_with(why) && said.ends_with("Broken pipe (os error 32)\n"), "{args}: {said}");
    }
    // That there is no period to certify, and that all games are won, is known all the same.
    assert_eq!(
        unread("table segment 1 5 --to 99 --period --certificate /dev/null", &[]),
        (Some(1), String::new())
    );
    assert_eq!(unread("run 6 1 2 -q", &[]), (Some(0), String::new()));
}
