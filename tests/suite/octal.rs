//! Tests of games with a code and of Grundy's game: values, standard forms, periods and play.

use std::fs;

use zeroxor::grundy::segment::{Period, Sequence};
use zeroxor::{GameSpec, OctalCode, Position, nimbers};

use crate::definition;

/// Returns all octal codes with 0 or 4 before the point and three digits after it, in ascending order.
pub fn codes() -> impl Iterator<Item = OctalCode> {
    let digits = (0..1024).map(|n: u16| [n >> 9 << 2, n >> 6 & 7, n >> 3 & 7, n & 7]);
    digits.filter_map(|digits| OctalCode::new(&digits.map(|digit| digit as u8)))
}

fn values(code: OctalCode, n: u64) -> Vec<u64> {
    let values = nimbers(&GameSpec::of_code(code), 0..=n).unwrap();
    values.into_iter().map(|nimber| nimber.0).collect()
}

/// Checks every seventh code of three digits, codes with moves that leave three heaps or with digits that repeat, and
/// Grundy's game.
#[test]
fn values_agree_with_the_definition() {
    let others = "0.8 0.f 8.0 0.9a 4.00c c.18 0.[7] 4.[7] 0.1[23] 0.[40] 4.0[51] 0.[001] 4.[3] 4.[4] 0.[f] 8.[3] 0.[80]";
    let others = others.split(' ').map(|code| (code.parse::<OctalCode>().unwrap(), 60));
    for (code, n) in codes().step_by(7).map(|code| (code, 100)).chain(others) {
        assert_eq!(values(code, n), definition::by_rules(&format!("octal {code} 1"), n), "{code}");
    }
    let grundy = nimbers(&"grundy 1".parse().unwrap(), 0..=399).unwrap();
    assert!(grundy.iter().map(|nimber| nimber.0).eq(definition::by_rules("grundy 1", 399)));
    assert_eq!(values("0.[3]".parse().unwrap(), 300), (0..=300).collect::<Vec<_>>(), "nim");
    for code in ["0.8", "0.f", "8.0", "0.9a", "4.00c", "c.18"] {
        assert_eq!(code.parse::<OctalCode>().unwrap().move_bounds().most_heaps, 3, "{code}");
    }
}

/// A heap has the same value as a heap with `shift` fewer cards under the code in standard form.
#[test]
fn standard_forms_have_the_same_values() {
    for code in codes().step_by(3) {
        let (standard, shift) = code.standard_form().unwrap();
        assert_eq!(standard.digit(1) % 2, 1, "{code}");
        assert_eq!(standard.standard_form(), Some((standard, 0)), "{code}");
        let [all, standard] = [code, standard].map(|code| values(code, 200));
        for (n, &value) in (0..).zip(&all) {
            let smaller = usize::checked_sub(n, shift as usize);
            assert_eq!(value, smaller.map_or(0, |smaller| standard[smaller]), "{code} {n}");
        }
    }
    for code in [format!("0.{}7", "0".repeat(63)), "0.0[7]".to_owned()] {
        assert_eq!(code.parse::<OctalCode>().unwrap().standard_form(), None, "{code}");
    }
}

/// Compares the games of a file whose pre-period is at most `latest` and which must be `count`: least periods, pre-periods and
/// largest values. A row has the code and the numbers after it.
fn assert_published_periods(file: &str, latest: u64, count: usize) {
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().filter_map(|row| row.split_once('\t').filter(|_| !row.starts_with('#')));
    let rows = rows.map(|(code, numbers)| {
        let numbers = numbers.split('\t').map_while(|number| number.parse().ok());
        (code.parse::<OctalCode>().unwrap(), numbers.collect::<Vec<u64>>())
    });
    let rows: Vec<_> = rows.filter(|(_, numbers)| numbers[0] <= latest).collect();
    assert_eq!(rows.len(), count);
    for (code, numbers) in rows {
        let [start, length, largest, ..] = numbers[..] else { panic!("{code}") };
        let values = Sequence::of_code(code, 2 * (start + length) + 8);
        let period = Period::proven(code.move_bounds(), &values.values).unwrap();
        // The source of these games numbers the heaps from 0 or from 1, and has the first heap of the largest value.
        let first = numbers.get(3).copied();
        let is_near = period.start.abs_diff(start) <= u64::from(first.is_some());
        assert!(period.length == length && is_near, "{code}: {period:?}");
        let most = values.values.iter().max().copied().unwrap();
        let found = values.values.iter().position(|&value| value == most).unwrap() as u64;
        assert_eq!((u64::from(most), found), (largest, first.unwrap_or(found)), "{code}");
    }
}

const SOLVED: &str = "tests/data/octal_solved.tsv";
const FOUR_DIGITS: &str = "tests/data/octal_four.tsv";

#[test]
fn published_periods() {
    assert_published_periods(SOLVED, 20_000, 5);
    assert_published_periods(FOUR_DIGITS, 5000, 9);
}

#[test]
#[ignore = "computes five million values"]
fn more_published_periods() {
    assert_published_periods(SOLVED, 400_000, 8);
    assert_published_periods(FOUR_DIGITS, u64::MAX, 29);
}

#[test]
fn moves_that_leave_three_heaps_are_refused() {
    for game in ["octal 0.8 9", "octal c.7 9", "octal 0.[9] 9", "nim 3 + octal 8.0 9"] {
        let error = Position::new(&game.parse().unwrap()).unwrap_err();
        assert!(error.expected.contains("each move leaves at most two heaps"), "{error}");
        assert!(error.got.contains("octal "), "{error}");
    }
}
