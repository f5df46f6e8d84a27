//! Tables compared with published numbers, and what a page cannot show.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

use crate::{command, file, printed};

/// Compares the number of heaps with each nimber with the published numbers, for five codes and the heaps up to 2^16 and
/// 2^20.
#[test]
#[ignore = "computes five million values"]
fn published_counts() {
    let text = fs::read_to_string(file("tests/data/octal_counts.tsv")).unwrap();
    let mut compared = 0;
    for row in text.lines().filter(|line| !line.starts_with('#')) {
        let [code, exponent, published] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        if !["16", "20"].contains(&exponent) {
            continue;
        }
        let table = printed(&format!("table octal {code} --to 2^{exponent} --format bfile"));
        let mut counts = BTreeMap::<u64, u64>::new();
        // The source does not count heap 0.
        for line in table.lines().skip(1) {
            *counts.entry(line.split_once(' ').unwrap().1.parse().unwrap()).or_default() += 1;
        }
        let counts: Vec<String> = counts.iter().map(|(nimber, count)| format!("{nimber}:{count}")).collect();
        assert_eq!(counts.join(" "), published, "{code} to 2^{exponent}");
        compared += 1;
    }
    assert_eq!(compared, 10);
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
