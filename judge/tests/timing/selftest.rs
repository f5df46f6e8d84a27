//! `judge selftest`, which tests the judge against hostile bots.

use serde_json::Value;

use crate::support::{JUDGE, json_lines, judge, text};

/// Checks that every bot gets its verdict, and that no process is left running. On a busy machine a game may need more
/// time than expected.
#[test]
fn hostile_bots_get_their_verdicts() {
    let output = judge("selftest", &[]);
    let table = text(&output.stdout);
    assert_eq!(text(&output.stderr), "");
    let (problems, rows): (Vec<&str>, Vec<&str>) = table.lines().partition(|line| line.starts_with("    "));
    let (late, problems): (Vec<&str>, Vec<&str>) = problems
        .into_iter()
        .filter(|line| !line.starts_with("    again: "))
        .partition(|line| line.starts_with("    expected to end within "));
    assert_eq!(problems, Vec::<&str>::new(), "{table}");
    assert_eq!(output.status.code(), Some(i32::from(!late.is_empty())), "{table}");
    let games = rows.len() - 2;
    assert!(games >= 50, "{table}");
    let summary = format!("{} of {games} games as expected, nothing left running\n", games - late.len());
    assert!(table.ends_with(&summary), "{table}");
}

/// Checks that a single bot can be chosen by name, and is tested under both profiles.
#[test]
fn bots_by_name() {
    let output = judge("selftest does-not-exit --jobs 1", &[]);
    let table: Vec<Vec<&str>> =
        text(&output.stdout).lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(output.status.code(), Some(0), "{table:?}");
    let [_, strict, contest, _] = table.as_slice() else { panic!("{table:?}") };
    assert_eq!(contest[contest.len() - 4..][..2], ["WON", "WON"]);
    assert_eq!(strict[strict.len() - 4..][..2], ["NO_EXIT", "NO_EXIT"]);
    let unknown = judge("selftest gentle", &[]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("invalid value 'gentle' for '[NAMES]...'"), "{unknown:?}");
}

/// Checks that a move printed before its turn waits until it is expected. The transcript shows that the move was
/// early.
#[test]
fn an_early_move_is_recorded_as_early() {
    for name in ["two-moves-at-once", "all-at-once"] {
        let bot = [JUDGE, "hostile", name];
        let output = judge("run 6 1 2 --opponent slow --transcript -", &bot);
        let lines: Vec<Value> = json_lines(&output.stdout);
        let place = |event: &str, line_text: &str| {
            lines.iter().position(|line| line["event"] == event && line["text"] == line_text)
        };
        let (early, sent) = (place("received", "5 1\n").unwrap(), place("sent", "1 1\n").unwrap());
        assert!(early < sent, "{name}: {lines:#?}");
        assert_eq!(lines.last().unwrap()["verdict"], "WON", "{name}");
    }
}
