//! The search for a game that a bot does not win.

use std::collections::BTreeMap;

use serde_json::Value;
use zeroxor::GameKind;

use crate::support::{JUDGE, TestDir, judge, perfect_but, text, timeless};

mod interrupts;
mod resume;
mod shrinking;

/// The reports of a search, by the number of the game, and the last one if a failure was shrunk to it.
fn reports(args: &str, bot: &[&str]) -> (BTreeMap<u64, Value>, Option<Value>, i32) {
    let output = judge(&format!("stress --json {args}"), bot);
    assert_eq!(text(&output.stderr), "", "{args}");
    let (mut games, mut minimal) = (BTreeMap::new(), None);
    for line in text(&output.stdout).lines() {
        let mut report: Value = serde_json::from_str(line).unwrap();
        for figure in ["wall_ms", "waited_ms", "cpu_ms", "memory_kib", "slowest_ms", "slowest_ply"] {
            report[figure].take();
        }
        match report["index"].as_u64() {
            Some(index) => assert!(games.insert(index, report).is_none(), "game {index} twice"),
            None => minimal = Some(report),
        }
    }
    (games, minimal, output.status.code().unwrap())
}

/// Every family against every opponent, and the summary of a search that found nothing.
#[test]
fn the_bundled_bot_wins_all() {
    let kinds = GameKind::all().filter(|kind| kind.is_played()).map(GameKind::name);
    for family in kinds.chain(["sum"]) {
        let output = judge(&format!("stress --family {family} --games 200 --max-n 300"), &[]);
        let shown = text(&output.stdout);
        assert!(
            shown.starts_with("the bundled bot: 200 of 200 games won; 200 played in "),
            "{family}: {shown}"
        );
        let extreme = shown.lines().find_map(|line| line.strip_prefix("largest start: "));
        assert!(extreme.is_some_and(|start| start.contains("300")), "{family}: {shown}");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{family}");
        let output = judge(&format!("stress --family {family} --games 60 --max-n 1 --session"), &[]);
        assert!(
            text(&output.stdout).starts_with("the bundled bot: 60 of 60 games won"),
            "{family}: {}",
            text(&output.stdout)
        );
    }
}

#[test]
fn the_same_games_at_any_number_of_jobs() {
    let search = |jobs: u32, seed: u64| reports(&format!("--games 60 --seed {seed} --jobs {jobs}"), &[]).0;
    let alone = search(1, 3);
    assert_eq!(alone.keys().copied().collect::<Vec<_>>(), (0..60).collect::<Vec<_>>());
    assert_eq!(alone[&8]["game"], "2 1 1");
    assert_eq!(alone, search(4, 3));
    assert_ne!(alone, search(1, 4));
}

/// The summary has the largest start, and the games and the slowest answer by size.
#[test]
fn games_by_size() {
    let output = judge("stress --games 10 --max-n 500 --jobs 1", &[]);
    let shown = timeless(text(&output.stdout));
    let expected = "the bundled bot: 10 of 10 games won\nlargest start: 500 1 1\n  sizes 1 to 2: 3 games\n  sizes 358 to 500: 7 games\n";
    assert_eq!(shown, expected);
    assert_eq!(text(&output.stdout).matches(" games, slowest answer ").count(), 2);
}

/// A search that ended before its first game is no success.
#[test]
fn no_game_is_no_success() {
    let output = judge("stress --time 0.001", &[]);
    let (shown, code) = (text(&output.stdout), output.status.code());
    // However fast this machine is.
    assert!(code == Some(2) || code == Some(0) && !shown.starts_with("0 of 0"), "{shown}");
}

#[test]
fn all_failures_can_be_counted() {
    let bot = ["sh", "-c", "read h; echo Second; read x; echo 0 0; read x"];
    let (games, minimal, code) = reports("--games 30 --keep-going", &bot);
    assert_eq!((games.len(), code), (30, 1));
    assert_eq!(minimal.unwrap()["game"], "2 1 1", "the smallest start in which Second can resign");
    let shown = judge("stress --games 30 --keep-going", &bot);
    let shown = text(&shown.stdout);
    assert_eq!(shown.lines().filter(|line| line.starts_with("game ")).count(), 3 + 3, "{shown}");
    assert!(shown.contains(" more games like game "), "{shown}");
    assert!(shown.contains(": RESIGNED: move 2: "), "{shown}");
    let all = judge("stress --games 30 --keep-going -v", &bot);
    assert!(text(&all.stdout).lines().filter(|line| line.starts_with("game ")).count() > 10, "{all:?}");
    assert!(shown.contains("0 of 30 games won"), "{shown}");
}

#[test]
fn what_cannot_be_searched() {
    let output = judge("stress --games 3", &["./no-such-bot"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("the bot ./no-such-bot could not be started: No such file"),
        "{}",
        text(&output.stderr)
    );
    let output = judge("stress --max-n 0", &[]);
    assert_eq!(output.status.code(), Some(2));
}

/// What the bot writes to stderr is shown and kept for each game of the search.
#[test]
fn stderr_of_a_search() {
    let here = TestDir::new();
    let script = "echo said >&2; exec \"$0\" bot";
    let args = format!("stress --jobs 1 --games 3 --show-stderr --stderr {}", here.file("said"));
    let output = judge(&args, &["sh", "-c", script, JUDGE]);
    let shown = text(&output.stdout);
    assert_eq!(shown.matches("\n    stderr: said\n").count(), 3, "{shown}");
    assert!(shown.starts_with("game 0: WON 2000 1 1 against perfect (seed 1): "), "{shown}");
    for seed in 1..=3 {
        assert_eq!(here.read(&format!("said/seed-{seed}.txt")), "said\n");
    }
    let both = judge("stress --json --show-stderr", &[]);
    assert_eq!(both.status.code(), Some(2), "{both:?}");
}

/// Verdicts by opponent, times, and the first game that was not won with its command.
#[test]
fn a_page_of_a_search() {
    let here = TestDir::new();
    let page = here.file("page.html");
    let won = judge(&format!("stress --max-n 20 --games 40 --html {page}"), &[]);
    assert_eq!((won.status.code(), text(&won.stderr)), (Some(0), ""));
    let html = here.read("page.html");
    for shown in [
        "<title>Search for a game that is not won by the bundled bot</title>",
        "<code>judge stress --max-n 20 --games 40 --html ",
        "<th scope=\"row\">all games</th><td>40 of 40 (91.2 to 100.0 %)</td>",
        "<th scope=\"row\">all games</th><td>40</td><td>40</td><td>40 WON</td>",
        "<th scope=\"row\">perfect</th>",
        "<pre tabindex=\"0\">the bundled bot: 40 of 40 games won",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    assert_eq!((html.matches("<svg ").count(), html.matches("<script").count()), (3, 0));
    let bot = perfect_but("[ $1 -gt 9 ] && { echo '<b>'; exit; };");
    let lost =
        judge(&format!("stress --max-n 20 --games 40 --keep-going --html {page}"), &["sh", "-c", &bot]);
    assert_eq!(lost.status.code(), Some(1));
    let html = here.read("page.html");
    assert!(html.contains("<h2>all games</h2>\n<ul>\n<li>game 0: MALFORMED "), "{html}");
    assert!(html.contains("<li>again: judge run ") && html.contains("&lt;b&gt;"), "{html}");
    assert!(!html.contains("<b>"), "{html}");
}
