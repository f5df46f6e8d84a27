//! Tables compared with the definition of nimbers and with published numbers, and what a page cannot show.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::process::Stdio;

use zeroxor::rules::Heap;
use zeroxor::{GameSpec, Nimber, mex};

use crate::{command, file, printed};

/// The nimbers of the heaps up to a size, or of the pairs of numbers up to a number: the mex over every move that the
/// rules allow.
fn definition(game: &str, to: u64) -> Vec<(Heap, Nimber)> {
    let (rules, _) = GameSpec::of_rules(game).unwrap().rules().unwrap();
    let mut nimbers = HashMap::new();
    let heaps: Vec<Heap> = if game == "euclid" {
        (1..=to).flat_map(|size| (1..=to).map(move |second| Heap { size, second })).collect()
    } else {
        (0..=to).map(Heap::of).collect()
    };
    for &heap in &heaps {
        let options = rules.moves(heap).map(|mv| {
            let left = rules.apply(heap, mv).unwrap();
            left.iter().map(|(_, heap)| nimbers[heap]).sum::<Nimber>()
        });
        let nimber = mex(options.collect::<Vec<_>>());
        nimbers.insert(heap, nimber);
    }
    heaps.into_iter().map(|heap| (heap, nimbers[&heap])).collect()
}

#[test]
fn tables_are_the_definition() {
    for (game, to) in [
        ("segment 1 2", 200),
        ("segment 3 3", 200),
        ("octal 4.7", 100),
        ("octal 0.8", 60),
        ("octal 4.[3]", 60),
        ("grundy", 100),
        ("subtract take 2 3", 200),
        ("subtract take 1 4..6", 200),
        ("subtract take 1..n/3", 200),
        ("divisor", 200),
        ("divisor proper ban 1 2", 200),
        ("square ban 1 4", 200),
        ("square --nimber", 200),
        ("prime", 200),
        ("prime ban 2 --nimber", 200),
        ("euclid", 30),
    ] {
        let printed = printed(&format!("table {game} --to {to} --format csv"));
        let (header, rows) = printed.split_once('\n').unwrap();
        let expected =
            definition(game.trim_end_matches(" --nimber"), to).into_iter().map(|(heap, nimber)| {
                let outcome = if nimber == Nimber::ZERO { "P" } else { "N" };
                if header.ends_with("nimber") {
                    format!("{heap},{nimber}")
                } else {
                    format!("{heap},{outcome}")
                }
            });
        assert_eq!(rows.lines().collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{game}");
    }
}

/// Compares the number of heaps with each nimber with the published numbers, for five codes and the heaps up to
/// 2^`exponent`.
#[track_caller]
fn assert_counts(exponent: u32) {
    let text = fs::read_to_string(file("tests/data/octal_counts.tsv")).unwrap();
    let mut compared = 0;
    for row in text.lines().filter(|line| !line.starts_with('#')) {
        let [code, of, published] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        if of != exponent.to_string() {
            continue;
        }
        let table = printed(&format!("table octal {code} --to {} --format bfile", 1_u64 << exponent));
        let mut counts = BTreeMap::<u64, u64>::new();
        // The source does not count heap 0.
        for line in table.lines().skip(1) {
            *counts.entry(line.split_once(' ').unwrap().1.parse().unwrap()).or_default() += 1;
        }
        let counts: Vec<String> = counts.iter().map(|(nimber, count)| format!("{nimber}:{count}")).collect();
        assert_eq!(counts.join(" "), published, "{code} to 2^{exponent}");
        compared += 1;
    }
    assert_eq!(compared, 5);
}

#[test]
fn published_counts() {
    assert_counts(16);
}

#[test]
#[ignore = "computes five million values"]
fn more_published_counts() {
    assert_counts(20);
}

/// Checks that a reader that closes the pipe causes no error, as in `grundy table ... | head`.
#[test]
fn a_closed_stdout() {
    let mut child = command("table segment 1 2 --to 20000 --format csv");
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
