//! Bots against each other.

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{JUDGE, TestDir, command, judge, text, timeless};

mod hosts;
mod league;
mod resume;
mod rounds;
mod usage;
mod violations;

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

const ARGS: &str = "--family nim --max-n 30 --pairs 20";

/// The charts and tables of a run; recorded games give the same page.
#[test]
fn a_page_of_a_run_and_of_recorded_games() {
    let here = TestDir::new();
    let (page, again, record) = (here.file("page.html"), here.file("again.html"), here.file("games.jsonl"));
    let bots = ["perfect", "greedy", "random"];
    let output = played(&format!("{ARGS} --html {page} --record {record}"), &bots);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let html = here.read("page.html");
    assert!(html.len() < 200_000, "{} bytes", html.len());
    assert_eq!(html.matches("<svg ").count(), 4);
    for shown in [
        "<title>120 games of 3 bots</title>",
        "<code>judge arena --family nim --max-n 30 --pairs 20 --html ",
        "<td>+207, 95 %: at least +140</td>",
        "<td>75 of 75 (95.2 to 100.0 %)</td>",
        "<th scope=\"row\">greedy</th><td>80</td><td>29</td><td>29 WON, 51 LOST</td>",
        "<th scope=\"col\">p99 ms</th>",
        "\nmilliseconds\n</text>",
        "\nElo\n</text>",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    let own = html.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        assert!(!own.contains(outside), "{outside}");
    }
    let rated = judge(&format!("arena --rate {record} --html {again}"), &[]);
    assert_eq!((rated.status.code(), text(&rated.stderr)), (Some(0), ""));
    let body = |html: &str| html.split_once("</p>").unwrap().1.to_owned();
    assert_eq!(body(&here.read("again.html")), body(&html));
}

/// Two bots have one difference; a rule that was broken is named with the command.
#[test]
fn a_page_of_two_bots() {
    let here = TestDir::new();
    let page = here.file("page.html");
    let output = played(
        &format!("6 1 2 --html {page}"),
        &["good=bundled", "bad=sh -c 'read h; read x; echo \"<b>\"'"],
    );
    assert_eq!(output.status.code(), Some(1));
    let html = here.read("page.html");
    assert!(html.contains(">good against bad</th><td>at least "), "{html}");
    assert!(html.contains("<h2>bad</h2>\n<ul>\n<li>game 0: "), "{html}");
    assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"), "{html}");
}

/// A bot that plays perfectly, but resigns a share of its games, in thousandths, chosen by a hash of the header.
fn resigning(name: &str, per_mille: u32) -> String {
    script(
        name,
        &format!(
            "read h; n=$(echo \"$h {name}\" | cksum); n=${{n%% *}}; if [ $((n % 1000)) -lt {per_mille} ]; then \
             case $h in *first) echo First;; *) echo Second; read x;; esac; \
             case $x in \"0 0\") exit 0;; esac; echo 0 0; read x; exit 0; fi; \
             {{ echo \"$h\"; cat; }} | {JUDGE} bot"
        ),
    )
}

/// Of each start one seat is won. If A resigns a part r of its games and B a part s, A wins both games of
/// (1 - r) s of the pairs, and loses both of r (1 - s): its Elo difference is 200 log10((1 - r) s / (r (1 - s))).
#[test]
fn a_bot_that_resigns_half_of_its_games_is_found() {
    let bots = [resigning("better", 300), resigning("worse", 811)];
    let output = played("--max-n 300 --sprt 0,150", &bots.each_ref().map(String::as_str));
    let shown = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{shown}");
    assert!(shown.contains(": 150 Elo accepted, 0 rejected"), "{shown}");
}

/// Differences of 0 and of 20 Elo, with the errors that the test was set up with.
#[test]
#[ignore = "some thousand games between processes"]
fn small_differences_are_found() {
    for (worse, code) in [(300, 1), (350, 0)] {
        let bots = [resigning("better", 300), resigning("worse", worse)];
        let output = played("--max-n 1000 --sprt 0,20", &bots.each_ref().map(String::as_str));
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(code), ""),
            "{}",
            text(&output.stdout)
        );
    }
}
