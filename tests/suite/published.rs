//! Published terms: files of the On-Line Encyclopedia of Integer Sequences, which name their source.

use zeroxor::Nimber;
use zeroxor::grundy::segment::{Sequence, Window};

/// The terms of a file, from its offset on.
pub fn terms(file: &str) -> Vec<u64> {
    let line = file.lines().find_map(|line| line.strip_prefix("terms: ")).unwrap();
    line.split(',').map(|term| term.trim().parse().unwrap()).collect()
}

fn assert_terms(l: u64, r: u64, index: impl Fn(u64) -> u64, file: &str) {
    let terms = terms(file);
    assert!(terms.len() > 50);
    let last = index(terms.len() as u64 - 1);
    let values = Sequence::up_to(Window::new(l, r).unwrap(), last);
    for (k, term) in (0..).zip(terms) {
        assert_eq!(values.nimber(index(k)), Nimber(term), "window [{l}, {r}] at {}", index(k));
    }
}

/// A002186, Sprague-Grundy values for Kayles.
#[test]
fn kayles() {
    assert_terms(1, 2, |n| n, include_str!("../data/A002186.txt"));
}

/// A002187, Dawson's Chess: Dawson's Kayles, octal .07, has the term before.
#[test]
fn dawsons_kayles() {
    assert_terms(2, 2, |n| n + 1, include_str!("../data/A002187.txt"));
}

/// A395248, octal .007.
#[test]
fn treblecross() {
    assert_terms(3, 3, |n| n, include_str!("../data/A395248.txt"));
}

/// A071434, from offset 1, has .074 to .077 one index on: the window (2, 3) is octal .077.
#[test]
fn scaled_kayles() {
    assert_terms(2, 3, |k| k + 2, include_str!("../data/A071434.txt"));
}
