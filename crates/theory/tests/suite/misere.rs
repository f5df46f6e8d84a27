//! Misère quotients and genera: published facts, and comparisons with plain recursion over sums of heaps.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use theory::misere::{Budget, Genus, Quotient, genera};
use zeroxor::grundy::segment::Period;
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
        let certificate = quotient.certificate().verify().unwrap();
        assert!(certificate.contains("all heaps"), "{certificate}");
    }
}

/// Checks the orders of the partial quotients of Dawson's Kayles up to a heap.
fn check_partial_quotients(to: usize) {
    let quotient = quotient("0.07", to);
    let mut order = 1;
    let mut changes = quotient.changes().iter().filter(|change| change.heap <= to);
    for words in facts(false).iter().filter(|words| words[0].starts_with("0.07:")) {
        let heap: usize = words[0]["0.07:".len()..].parse().unwrap();
        if heap > to {
            break;
        }
        let change = changes.next().unwrap();
        assert_eq!((change.heap, change.order.to_string()), (heap, words[1].clone()));
        order = change.order;
    }
    assert_eq!((changes.next(), quotient.order()), (None, order));
}

#[test]
fn partial_quotients() {
    check_partial_quotients(24);
}

#[test]
#[ignore = "takes a minute"]
fn all_partial_quotients() {
    check_partial_quotients(33);
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
    code: OctalCode,
    outcomes: HashMap<Vec<u64>, bool>,
}

impl Recursion {
    fn new(code: &str) -> Self {
        Self { code: code.parse().unwrap(), outcomes: HashMap::new() }
    }

    fn is_full(&self) -> bool {
        /// Maximum number of outcomes.
        const MOST: usize = 400_000;
        self.outcomes.len() > MOST
    }

    /// Returns the heaps that the moves of a heap leave.
    fn options(&self, heap: u64) -> Vec<Vec<u64>> {
        let mut options = Vec::new();
        for take in 0..=heap {
            let left = heap - take;
            for first in 0..=left / 2 {
                let heaps: Vec<u64> = [first, left - first].into_iter().filter(|&heap| heap > 0).collect();
                if self.code.allows(take, heaps.len()) {
                    options.push(heaps);
                }
            }
        }
        options
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
            for option in self.options(heap) {
                let mut next = [&sum[..index], &option, &sum[index + 1..]].concat();
                next.sort_unstable();
                has_options = true;
                has_p_option = has_p_option || self.is_p(&next);
            }
        }
        let is_p = has_options && !has_p_option;
        self.outcomes.insert(sum.to_vec(), is_p);
        is_p
    }
}

/// Compares the outcomes of 1000 random sums of at most 8 heaps with plain recursion.
#[test]
fn random_sums() {
    const MAX_CARDS: u64 = 26;
    for code in ["0.77", "0.07", "0.15", "0.123", "0.53", "0.72", "0.241", "0.71"] {
        let quotient = quotient(code, MAX_CARDS as usize);
        let recursion = RefCell::new(Recursion::new(code));
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
/// sums. `None` if it needs too many outcomes.
fn brute_force(recursion: &mut Recursion, to: u64) -> Option<(usize, usize)> {
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
            if recursion.is_full() {
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
    let compare = |(first, second): (u8, u8)| {
        let code = format!("0.{first}{second}");
        if first + second == 0 {
            return Ok(());
        }
        let mut recursion = Recursion::new(&code);
        let Some(expected) = brute_force(&mut recursion, to) else { return Ok(()) };
        let quotient = Quotient::compute(code.parse().unwrap(), to as usize, Budget::PER_HEAP).unwrap();
        prop_assert!(quotient.period().is_some() || quotient.largest_heap() == to as usize, "{}", code);
        // A quotient of all heaps may be larger than that of the heaps up to `to`.
        let change = quotient.changes().iter().rfind(|change| change.heap <= to as usize);
        let found = change.map_or((1, 0), |change| (change.order, change.p_elements));
        prop_assert_eq!(found, expected, "{}", code);
        compared.set(compared.get() + 1);
        Ok(())
    };
    let config = Config { cases: codes, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&(0..8_u8, 0..8_u8), compare).unwrap();
    compared.get()
}

#[test]
fn random_codes() {
    assert!(compare_with_brute_force(20, 5) > 10);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_codes() {
    let compared = compare_with_brute_force(200, 12);
    println!("compared: {compared} of 200");
    assert!(compared > 100);
}
