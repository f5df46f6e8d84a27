//! Output compared with published numbers, or with the same facts computed in another way, and what a page cannot show.

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;

use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

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

/// Compares the printed cousins of some codes with all codes whose values without the leading zeros agree up to 700
/// cards.
#[test]
fn cousins_of_codes() {
    let values = |code: &OctalCode, to: u64| {
        let values = nimbers(&GameSpec::of_code(*code), 0..=to).unwrap();
        let zeros = values.iter().take_while(|value| value.0 == 0).count();
        (i64::try_from(zeros).unwrap(), values[zeros..].to_vec())
    };
    let digits =
        (0..1024).map(|k: u16| [k >> 9 << 2, k >> 6 & 7, k >> 3 & 7, k & 7].map(|digit| digit as u8));
    let codes: Vec<OctalCode> = digits.filter_map(|digits| OctalCode::new(&digits)).collect();
    assert_eq!(codes.len(), 1023);
    // Most codes differ in these values. Only codes that agree in them are compared further.
    let first: Vec<_> = codes.iter().map(|code| values(code, 60)).collect();
    for text in ["0.313", "0.71", "0.3", "0.137", "0.6", "0.161", "0.16", "4.0", "4.7", "0.01", "0.f"] {
        let code: OctalCode = text.parse().unwrap();
        let (zeros, mine) = values(&code, 700);
        let equal = codes.iter().zip(&first).filter_map(|(other, (their_zeros, theirs))| {
            let agrees = |theirs: &[Nimber]| mine.iter().zip(theirs).all(|(a, b)| a == b);
            let is_equal = *other != code && agrees(theirs) && agrees(&values(other, 700).1);
            is_equal.then(|| match zeros - their_zeros {
                0 => other.to_string(),
                less @ 1.. => format!("{other} at n-{less}"),
                more => format!("{other} at n+{}", -more),
            })
        });
        let printed = printed(&format!("octal {text} --to 700"));
        let listed = printed.lines().find_map(|line| line.strip_prefix("cousins: "));
        assert_eq!(listed.unwrap_or_default(), equal.collect::<Vec<_>>().join(", "), "{text}");
    }
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
