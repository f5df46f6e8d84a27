//! Misère quotients and genera: published facts, and comparisons with plain recursion over sums of heaps.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use theory::QuotientCertificate;
use zeroxor::grundy::segment::Period;
use zeroxor::misere::{Budget, Genus, Quotient, genera};
use zeroxor::{Nimber, OctalCode};

fn quotient(game: &str, to: usize) -> Quotient {
    let quotient = Quotient::compute(game.parse().unwrap(), to, Budget::PER_HEAP).unwrap();
    assert!(!quotient.is_stopped(), "{game}");
    quotient
}

/// Returns the lines of the table of facts that are about quotients of all heaps (`true`), or are others (`false`).
fn facts(of_all_heaps: bool) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/misere.tsv");
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| line.split('\t').map(str::to_owned).collect());
    lines.filter(|words: &Vec<String>| (words.len() == 8) == of_all_heaps).collect()
}

/// Checks the lines about quotients of all heaps: the order, the P-portion, the last heap that changes the quotient,
/// the period and the P-positions.
#[test]
fn published_quotients() {
    let facts = facts(true);
    assert_eq!(facts.len(), 24);
    for words in facts {
        let numbers: Vec<Option<u64>> = words[1..6].iter().map(|word| word.parse().ok()).collect();
        let quotient = quotient(&words[0], 1000);
        let change = quotient.changes().last().unwrap();
        assert_eq!(
            (quotient.order() as u64, quotient.p_portion().len() as u64),
            (numbers[0].unwrap(), numbers[1].unwrap()),
            "{}",
            words[0]
        );
        assert_eq!(change.heap as u64, numbers[2].unwrap(), "{}", words[0]);
        let Period { start, length } = quotient.period().unwrap();
        assert_eq!((length, Some(start)), (numbers[3].unwrap(), numbers[4].or(Some(start))), "{}", words[0]);
        if let Ok(to) = words[7].parse() {
            let p_heaps = (0..=to).filter(|&heap| quotient.is_p(&[heap]) == Some(true));
            let p_heaps: Vec<String> = p_heaps.map(|heap: u64| heap.to_string()).collect();
            assert_eq!(p_heaps.join(" "), words[6], "{}", words[0]);
        }
        let certificate = QuotientCertificate::of(&quotient).verify().unwrap();
        assert!(certificate.contains("all heaps"), "{certificate}");
    }
}

/// Checks the orders of the partial quotients of Dawson's Kayles.
#[test]
fn partial_quotients() {
    let quotient = quotient("0.07", 33);
    let expected = facts(false).into_iter().filter_map(|words| {
        let heap = words[0].strip_prefix("0.07:")?.parse().unwrap();
        Some((heap, words[1].parse().unwrap()))
    });
    let found = quotient.changes().iter().map(|change| (change.heap, change.order));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert_eq!(quotient.order(), 638);
}

/// Returns the misère nimbers of a genus in the table of facts, with its nimber.
fn read_genus(text: &str) -> (u64, Vec<u64>) {
    let (nimber, misere) = text.split_once('^').unwrap_or((text, ""));
    let n: u64 = nimber.parse().unwrap();
    let misere: Vec<u64> = misere.chars().map(|digit| digit.to_digit(10).unwrap().into()).collect();
    let misere = match (n, &misere[..]) {
        (0, []) => vec![1, 2, 0],
        (1, []) => vec![0, 3, 1],
        (_, [] | [_]) => vec![n, n ^ 2],
        _ => misere,
    };
    (n, misere)
}

#[test]
fn published_genera() {
    let mut lines = 0;
    for words in facts(false) {
        let Some((kind @ ("genera" | "nimbers"), game)) = words[0].split_once(' ') else { continue };
        let found = genera(game.parse().unwrap(), 20, 100_000).unwrap();
        let values = words[1].split(' ');
        if kind == "genera" {
            let numbers = |genus: &Genus| {
                (genus.nimber.0, genus.misere.iter().map(|nimber| nimber.0).collect::<Vec<_>>())
            };
            let found: Vec<_> = found.iter().map(numbers).collect();
            assert_eq!(found, values.map(read_genus).collect::<Vec<_>>(), "{game}");
        } else {
            let found: Vec<_> = found.iter().map(Genus::misere_nimber).collect();
            assert_eq!(
                found,
                values.map(|value| Nimber(value.parse().unwrap())).collect::<Vec<_>>(),
                "{game}"
            );
        }
        lines += 1;
    }
    assert_eq!(lines, 6);
}

/// The outcomes of sums of heaps by plain recursion. A sum is a sorted list of heaps, without empty heaps.
struct Recursion {
    /// For each heap the heaps that its moves leave.
    options: Vec<Vec<Vec<u64>>>,
    outcomes: HashMap<Vec<u64>, bool>,
}

impl Recursion {
    /// Prepares the heaps up to `to`.
    fn new(code: &str, to: u64) -> Self {
        let code = code.parse().unwrap();
        let options = (0..=to).map(|heap| options(&code, heap).into_iter().collect()).collect();
        Self { options, outcomes: HashMap::new() }
    }

    fn is_full(&self) -> bool {
        /// Maximum number of outcomes.
        const MOST: usize = 400_000;
        self.outcomes.len() > MOST
    }

    /// Returns whether a sum is a P-position: it has an option, and none of its options is a P-position. The result has
    /// no meaning if too many outcomes are known then.
    fn is_p(&mut self, sum: &[u64]) -> bool {
        if self.is_full() {
            return false;
        }
        if let Some(&is_p) = self.outcomes.get(sum) {
            return is_p;
        }
        let mut has_options = false;
        let mut has_p_option = false;
        for (index, &heap) in sum.iter().enumerate() {
            for option in 0..self.options[heap as usize].len() {
                let next = joined(
                    &[&sum[..index], &sum[index + 1..]].concat(),
                    &self.options[heap as usize][option],
                );
                has_options = true;
                has_p_option = has_p_option || self.is_p(&next);
            }
        }
        let is_p = has_options && !has_p_option;
        self.outcomes.insert(sum.to_vec(), is_p);
        is_p
    }
}

/// Returns the heaps that the moves of a heap leave.
fn options(code: &OctalCode, heap: u64) -> BTreeSet<Vec<u64>> {
    let mut options = BTreeSet::new();
    for take in 0..=heap {
        let left = heap - take;
        for a in 0..=left {
            for b in 0..=left - a {
                let mut heaps: Vec<u64> = [a, b, left - a - b].into_iter().filter(|&heap| heap > 0).collect();
                if code.allows(take, heaps.len()) {
                    heaps.sort_unstable();
                    options.insert(heaps);
                }
            }
        }
    }
    options
}

/// Compares the outcomes of 1000 random sums of at most 8 heaps with plain recursion.
#[test]
fn random_sums() {
    const MAX_CARDS: u64 = 26;
    for code in ["0.77", "0.07", "0.15", "0.123", "0.53", "0.72", "0.241", "0.71"] {
        let quotient = quotient(code, MAX_CARDS as usize);
        let recursion = RefCell::new(Recursion::new(code, MAX_CARDS));
        // The heaps are the differences between the places at which some cards are cut.
        let cuts = prop::collection::vec(0..=MAX_CARDS, 1..=8);
        let compare = |mut cuts: Vec<u64>| {
            cuts.sort_unstable();
            let heaps = cuts.iter().zip([&0].into_iter().chain(&cuts)).map(|(end, start)| end - start);
            let mut heaps: Vec<u64> = heaps.filter(|&heap| heap > 0).collect();
            heaps.sort_unstable();
            let is_p = recursion.borrow_mut().is_p(&heaps);
            prop_assert!(!recursion.borrow().is_full());
            prop_assert_eq!(quotient.is_p(&heaps), Some(is_p), "{} {:?}", code, heaps);
            Ok(())
        };
        let config = Config { cases: 125, failure_persistence: None, ..Config::default() };
        TestRunner::new(config).run(&cuts, compare).unwrap();
    }
}

/// Returns all sums of at most `most` heaps from 1 to `to`.
fn sums_of(most: usize, to: u64) -> BTreeSet<Vec<u64>> {
    let mut sums = BTreeSet::from([Vec::new()]);
    for _ in 0..most {
        let larger: Vec<Vec<u64>> =
            sums.iter().flat_map(|sum| (1..=to).map(|heap| joined(sum, &[heap]))).collect();
        sums.extend(larger);
    }
    sums
}

fn joined(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut sum = [a, b].concat();
    sum.sort_unstable();
    sum
}

/// The misère quotient of the heaps up to a size, by the definition: two sums are equal if no third sum, added to both,
/// gives them different outcomes. The third sums are all those of at most three heaps, those that were found to be
/// different, and these with one more heap. The search starts with the empty sum, and ends when they distinguish no more
/// sums. `None` if there are too many elements or outcomes.
fn brute_force(recursion: &mut Recursion, to: u64) -> Option<(usize, usize)> {
    const MOST_ELEMENTS: usize = 48;
    const MOST_OUTCOMES: usize = 100_000;
    let small = sums_of(3, to);
    let mut different = vec![Vec::new()];
    loop {
        let larger = different.iter().flat_map(|sum| (1..=to).map(move |heap| joined(sum, &[heap])));
        let contexts: BTreeSet<Vec<u64>> =
            different.iter().cloned().chain(larger).chain(small.clone()).collect();
        let mut rows = HashMap::new();
        let mut found: Vec<Vec<u64>> = Vec::new();
        let mut waiting = BTreeSet::from([(0, Vec::new())]);
        while let Some((_, sum)) = waiting.pop_first() {
            let row: Vec<bool> =
                contexts.iter().map(|context| recursion.is_p(&joined(&sum, context))).collect();
            if found.len() == MOST_ELEMENTS || recursion.outcomes.len() > MOST_OUTCOMES {
                return None;
            }
            if rows.insert(row, sum.clone()).is_none() {
                let larger = (1..=to).map(|heap| joined(&sum, &[heap]));
                waiting.extend(larger.map(|sum| (sum.iter().sum::<u64>(), sum)));
                found.push(sum);
            }
        }
        if found == different {
            let p_elements = found.iter().filter(|sum| recursion.is_p(sum)).count();
            return Some((found.len(), p_elements));
        }
        different = found;
    }
}

/// Compares the quotients of the heaps up to `to` under random codes of two digits with brute force. Returns the number
/// of codes that were compared.
fn compare_with_brute_force(codes: u32, to: u64) -> u32 {
    let compared = Cell::new(0);
    let compare = |(before, first, second): (u8, u8, u8)| {
        let code = format!("{:x}.{first:x}{second:x}", 4 * before);
        if before + first + second == 0 {
            return Ok(());
        }
        let mut recursion = Recursion::new(&code, to);
        let Some(expected) = brute_force(&mut recursion, to) else { return Ok(()) };
        let quotient = Quotient::compute(code.parse().unwrap(), to as usize, Budget::PER_HEAP).unwrap();
        prop_assert!(!quotient.is_stopped(), "{}", code);
        // A quotient of all heaps may be larger than that of the heaps up to `to`.
        let change = quotient.changes().iter().rfind(|change| change.heap <= to as usize);
        let found = change.map_or((1, 0), |change| (change.order, change.p_elements));
        prop_assert_eq!(found, expected, "{}", code);
        compared.set(compared.get() + 1);
        Ok(())
    };
    let config = Config { cases: codes, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&(0..2_u8, 0..16_u8, 0..16_u8), compare).unwrap();
    compared.get()
}

#[test]
fn random_codes() {
    assert!(compare_with_brute_force(20, 5) > 10);
}

#[test]
#[ignore = "takes a minute"]
fn many_random_codes() {
    let compared = compare_with_brute_force(100, 9);
    println!("compared: {compared} of 100");
    assert!(compared > 30);
}
