//! Bots against each other.

mod hosts;
mod league;
mod page;
mod resume;
mod rounds;
mod strength;
mod usage;
mod violations;

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{JUDGE, command, text, timeless};

/// The command that plays these bots against each other.
fn arena(args: &str, bots: &[&str]) -> Command {
    let mut judge = command(&format!("arena {args}"), &[]);
    for bot in bots {
        judge.args(["--bot", bot]);
    }
    judge.stdin(Stdio::null());
    judge
}

fn played(args: &str, bots: &[&str]) -> Output {
    arena(args, bots).output().unwrap()
}

/// The bundled bot as a program of this name.
fn program(name: &str) -> String {
    format!("{name}='{JUDGE}' bot")
}

/// A bot of this name that plays by a shell script.
fn script(name: &str, script: &str) -> String {
    assert!(!script.contains('\''), "{script}");
    format!("{name}=sh -c '{script}'")
}

/// The tables without what the moves took.
fn tables(output: &Output) -> String {
    timeless(text(&output.stdout))
}

/// The games of JSON lines by their numbers, without what they took.
fn games(lines: &str) -> BTreeMap<u64, Value> {
    let mut games = BTreeMap::new();
    for line in lines.lines() {
        let mut game: Value = serde_json::from_str(line).unwrap();
        for seat in ["first", "second"] {
            for figure in ["slowest_ms", "cpu_ms", "memory_kib", "answer_times"] {
                game[seat][figure].take();
            }
        }
        let index = game["index"].as_u64().unwrap();
        assert!(games.insert(index, game).is_none(), "game {index} twice");
    }
    games
}

/// A table as it is, and the pairs behind it: the same at any number of jobs.
#[test]
fn the_same_standings_at_any_number_of_jobs() {
    let bots = ["perfect", "random", "greedy"];
    let args = "--family nim --max-n 30 --pairs 20";
    let alone = played(&format!("{args} --jobs 1"), &bots);
    assert_eq!((alone.status.code(), text(&alone.stderr)), (Some(0), ""));
    let expected = include_str!("standings.txt");
    assert_eq!(tables(&alone), expected);
    assert_eq!(tables(&played(&format!("{args} --jobs 8"), &bots)), tables(&alone));
    let json = |jobs: u32| games(text(&played(&format!("{args} --json --jobs {jobs}"), &bots).stdout));
    let games = json(1);
    assert_eq!(games, json(8));
    assert_eq!(games.keys().copied().collect::<Vec<_>>(), (0..120).collect::<Vec<_>>());
    for index in (0..120).step_by(2) {
        let (one, other) = (&games[&index], &games[&(index + 1)]);
        assert_eq!((&one["game"], &one["seed"]), (&other["game"], &other["seed"]));
        assert_eq!(
            (&one["first"]["bot"], &one["second"]["bot"]),
            (&other["second"]["bot"], &other["first"]["bot"])
        );
        for game in [one, other] {
            let has_won = |seat: &str| game[seat]["verdict"] == "WON";
            assert!(has_won("first") != has_won("second"), "{game}");
            assert_eq!(game["winner"], game[if has_won("first") { "first" } else { "second" }]["bot"]);
        }
    }
}

/// Programs play as the same bots inside the judge do, with a process a game and with one for all.
#[test]
fn programs_play_each_other() {
    let args = "--max-n 40 --pairs 10 --jobs 2";
    for session in ["", "--session"] {
        let output = played(&format!("{args} {session}"), &[&program("a"), "b=bundled"]);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
        let shown = text(&output.stdout);
        assert!(
            shown.contains("a against b: 0 of 10 pairs decided, [0, 0, 10, 0, 0], Elo unknown"),
            "{shown}"
        );
        assert!(shown.contains("10 of 10 (69.2 to 100.0 %)"), "{shown}");
    }
}

#[test]
fn a_gauntlet_is_the_first_against_all() {
    let output = played("nim 3 4 --format gauntlet --pairs 2", &["slow", "perfect", "greedy"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("perfect against slow") && shown.contains("greedy against slow"), "{shown}");
    assert!(!shown.contains("greedy against perfect"), "{shown}");
    // Of one start nobody knows how the bots would do from others.
    assert!(shown.contains("     +47  -\n"), "{shown}");
}

/// Each game has a processor of its own. More games than processors are refused.
#[test]
#[cfg(target_os = "linux")]
fn bots_run_on_one_processor_each() {
    let asks = |name: &str| {
        script(
            name,
            &format!(
                "read h; grep Cpus_allowed_list: /proc/self/status >&2; {{ echo \"$h\"; cat; }} | '{JUDGE}' bot"
            )
            .replace('\'', ""),
        )
    };
    let dir = crate::support::TestDir::new();
    let folder = dir.file("transcripts");
    let args = format!("nim 3 4 --pairs 1 --jobs 1 --affinity --all-transcripts --transcripts {folder}");
    let output = played(&args, &[&asks("a"), &asks("b")]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    for name in ["0000000-a", "0000000-b", "0000001-a", "0000001-b"] {
        let transcript = dir.read(&format!("transcripts/{name}.jsonl"));
        let list = transcript.rsplit("Cpus_allowed_list:").next().unwrap();
        let list = list.trim_start_matches("\\t");
        let processors: String = list.chars().take_while(|symbol| !matches!(symbol, '\\' | '"')).collect();
        assert!(processors.parse::<usize>().is_ok(), "{processors:?} in {transcript}");
    }
    let output = played("nim 3 4 --jobs 1024 --affinity", &["perfect", "random"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a processor of its own, and this process has"));
}
