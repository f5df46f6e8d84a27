//! Tests of tables that a page cannot show, because they loop over games, close pipes, measure, or need a terminal.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use wait4::Wait4;
use zeroxor::GameKind;
use zeroxor::rules::{Keyword, PileGame};

use crate::support::{TestDir, command, has_python, judge, program_of, root, start, text};

/// Returns the output of a table, without the line with the time.
#[track_caller]
pub fn summary(args: &str) -> String {
    let output = judge(args, &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    let (lines, time) = text(&output.stdout).trim_end().rsplit_once('\n').unwrap();
    assert!(time.starts_with("time: ") && time.ends_with("/s"), "{time}");
    format!("{lines}\n")
}

/// Checks the tables up to 300 of all games of piles that have tables, and the examples in their help, except those
/// that write a file.
#[test]
fn tables_of_piles() {
    for &game in PileGame::ALL {
        let examples = GameKind::Piles(game).about().tables;
        let lists = match game.keywords() {
            [] => &[""][..],
            [Keyword::Take] => &[" take 2 3", " take 3..9", " take 1 4..6", " take 1..n/3"],
            [Keyword::Proper, ..] => &["", " ban 1 2", " ban 2 3 5", " proper", " proper ban 1 2"],
            _ => &["", " ban 1 2", " ban 2 3 5"],
        };
        let kinds = if game.has_outcome_tables() { &["", " --nimber"][..] } else { &[""] };
        for (list, kind) in lists.iter().flat_map(|list| kinds.iter().map(move |kind| (list, kind))) {
            if !examples.is_empty() {
                let summary = summary(&format!("table {}{list}{kind} --to 300 --check", game.name()));
                assert!(
                    summary.ends_with("check: agrees with the definition for n = 0 to 300\n"),
                    "{summary}"
                );
            }
        }
        for example in examples.iter().filter(|example| !example.contains("--output")) {
            assert!(judge(&format!("table {example}"), &[]).status.success(), "{example}");
        }
    }
}

/// Compares the number of heaps with each nimber with the published numbers, for five codes and the heaps up to 2^k,
/// for each k in `exponents`.
#[track_caller]
fn assert_counts(exponents: &[u32]) {
    let text = fs::read_to_string(root().join("tests/data/octal_counts.tsv")).unwrap();
    let mut compared = 0;
    for row in text.lines().filter(|line| !line.starts_with('#')) {
        let [code, exponent, published] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let exponent: u32 = exponent.parse().unwrap();
        if !exponents.contains(&exponent) {
            continue;
        }
        let summary = summary(&format!("table octal {code} --to {} --counts", 1_u64 << exponent));
        let counts = summary.lines().find_map(|line| line.strip_prefix("counts: 0:")).unwrap();
        // The source does not count heap 0.
        let (zeros, others) = counts.split_once(' ').unwrap();
        let zeros = zeros.parse::<u64>().unwrap() - 1;
        assert_eq!(format!("0:{zeros} {others}"), published, "{code} to 2^{exponent}");
        compared += 1;
    }
    assert_eq!(compared, 5 * exponents.len());
}

#[test]
fn published_counts() {
    assert_counts(&[16, 20]);
}

#[test]
#[ignore = "computes 80 million values"]
fn more_published_counts() {
    assert_counts(&[24]);
}

/// Checks the counts of games in which most values follow from a period.
#[test]
fn counts_of_periodic_games() {
    const TO: usize = 3_000_000;
    for (game, start, length) in [("octal 0.07", 53, 34), ("segment 1 4", 142, 24)] {
        let csv = judge(&format!("table {game} --to 400 --format csv"), &[]).stdout;
        let values = text(&csv).lines().skip(1).map(|line| line.split_once(',').unwrap().1);
        let values: Vec<u64> = values.map(|value| value.parse().unwrap()).collect();
        let mut counts = BTreeMap::<u64, u64>::new();
        for n in 0..=TO {
            let at = if n < start { n } else { start + (n - start) % length };
            *counts.entry(values[at]).or_default() += 1;
        }
        let counts: Vec<String> = counts.iter().map(|(nimber, count)| format!("{nimber}:{count}")).collect();
        let summary = summary(&format!("table {game} --to {TO} --counts"));
        assert!(summary.ends_with(&format!("counts: {}\n", counts.join(" "))), "{summary}");
    }
}

#[test]
fn the_usage_shows_clauses() {
    for game in PileGame::ALL.iter().filter(|game| !game.keywords().is_empty()) {
        let (name, form) = (game.name(), GameKind::Piles(*game).rules_form());
        let help = judge(&format!("table {name} --help"), &[]).stdout;
        let usage = format!("Usage: grundy table {} [OPTIONS] --to <N>{}\n", name, &form[name.len()..]);
        assert!(text(&help).contains(&usage), "{}", text(&help));
    }
}

/// Checks that a reader that closes the pipe causes no error, as in `grundy table ... | head`.
#[test]
fn a_closed_stdout() {
    let mut child = start(&mut command("table segment 1 2 --to 2000 --format csv", &[]));
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}

/// Checks that the certificate is written even if the reader of the summary has closed the pipe.
#[test]
fn a_certificate_without_a_reader() {
    let here = TestDir::new();
    let file = here.file("unread.json");
    let args = format!("table segment 1 2 --to 200 --period --certificate {file}");
    let mut child = command(&args, &[]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .starts_with("{\"schema\":1,\"game\":\"segment 1 2\",\"period\":12,")
    );
}

/// Checks that the printed time includes values that are computed only when they are requested. Without their time the
/// rate would be more than 10^11 values per second.
#[test]
fn the_time_includes_requested_values() {
    for args in ["divisor --to 1000000", "square --to 1000000", "euclid --to 1000"] {
        let output = judge(&format!("table {args}"), &[]);
        let rate = text(&output.stdout).trim_end().rsplit(' ').nth(1).unwrap();
        assert!(rate.parse::<u64>().unwrap() < 100_000_000_000, "{args}: {rate}");
    }
}

/// Checks that a run with `--check` needs less than 4 MiB more memory than without: it stores the values only once.
#[test]
fn a_check_stores_no_values() {
    let peak = |args: String| {
        let mut child = command(&args, &[]).stdout(Stdio::null()).spawn().unwrap();
        let used = child.wait4().unwrap();
        assert!(used.status.success(), "{args}");
        used.rusage.maxrss
    };
    for args in ["divisor ban 1 --to 100000", "subtract take 1 --to 4000000", "euclid --to 1500"] {
        let [without, with] = ["", " --check=4000000"].map(|check| peak(format!("table {args}{check}")));
        assert!(with < without + (4 << 20), "{args}: {without} bytes without, {with} with");
    }
}

/// Checks that a bar shows the progress of a table of outcomes and of a table of rows on a terminal.
#[test]
fn progress_on_a_terminal() {
    if !has_python() {
        return;
    }
    let program = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))";
    for (table, of) in
        [("square --to 200000000", " of 200,000,000, "), ("segment 3 3 --to 100000", " of 100,000, ")]
    {
        let mut python = Command::new("python3");
        python.args(["-c", program]).arg(program_of("table")).arg("table").args(table.split(' '));
        let output = python.env("TERM", "xterm").output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let has_come_to =
            |part: &str| part.ends_with(|last: char| last.is_ascii_digit()) && !part.ends_with(" 0");
        let mut bars = printed.match_indices(of);
        assert!(bars.any(|(at, _)| has_come_to(&printed[..at])), "{table}: {printed}");
    }
}
