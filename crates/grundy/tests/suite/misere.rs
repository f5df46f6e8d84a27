//! Misère quotients and genera: published facts, and comparisons with plain recursion over sums of heaps.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use zeroxor::grundy::segment::Period;
use zeroxor::misere::{Budget, Genus, Quotient, genera};
use zeroxor::{Nimber, OctalCode};

use crate::{command, file};

fn quotient(game: &str, to: usize) -> Quotient {
    let quotient = Quotient::compute(game.parse().unwrap(), to, Budget::PER_HEAP).unwrap();
    assert!(!quotient.is_stopped(), "{game}");
    quotient
}

/// Returns the lines of `tests/data/misere.tsv`, split at tabs: the lines about quotients of all heaps, or the other
/// lines if `of_all_heaps` is false.
fn facts(of_all_heaps: bool) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file("tests/data/misere.tsv")).unwrap();
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
        let partial = quotient.partial_quotients().last().unwrap();
        assert_eq!(
            (quotient.order() as u64, quotient.p_portion().len() as u64),
            (numbers[0].unwrap(), numbers[1].unwrap()),
            "{}",
            words[0]
        );
        assert_eq!(partial.heap as u64, numbers[2].unwrap(), "{}", words[0]);
        let Period { start, length } = quotient.period().unwrap();
        assert_eq!((length, Some(start)), (numbers[3].unwrap(), numbers[4].or(Some(start))), "{}", words[0]);
        if let Ok(to) = words[7].parse() {
            let p_heaps = (0..=to).filter(|&heap| quotient.is_p(&[heap]) == Some(true));
            let p_heaps: Vec<String> = p_heaps.map(|heap: u64| heap.to_string()).collect();
            assert_eq!(p_heaps.join(" "), words[6], "{}", words[0]);
        }
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
    let found = quotient.partial_quotients().iter().map(|partial| (partial.heap, partial.order));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert_eq!(quotient.order(), 638);
}

/// Parses a genus of `tests/data/misere.tsv` into its nimber and its misère nimbers.
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

/// A sum of heaps. The number of heaps of each size, from 1 on, has [`Recursion::bits`] bits.
type Sum = u128;

/// The outcomes of sums of heaps by plain recursion.
struct Recursion {
    /// The number of bits of a [`Sum`] for each size of heaps.
    bits: u32,
    /// The sums that the moves of each heap leave, from heap 1 on.
    options: Vec<Vec<Sum>>,
    outcomes: HashMap<Sum, bool>,
}

impl Recursion {
    /// Prepares the heaps up to `to`. A sum may have fewer than 2^(128/`to`) heaps of the same size.
    fn new(code: &str, to: u64) -> Self {
        let code = code.parse().unwrap();
        let bits = Sum::BITS / to as u32;
        let mut recursion = Self { bits, options: Vec::new(), outcomes: HashMap::new() };
        recursion.options =
            (1..=to).map(|heap| recursion.options(&code, heap).into_iter().collect()).collect();
        recursion
    }

    /// Returns the sums that the moves of a heap leave.
    fn options(&self, code: &OctalCode, heap: u64) -> BTreeSet<Sum> {
        let mut options = BTreeSet::new();
        for take in 0..=heap {
            let left = heap - take;
            for a in 0..=left {
                for b in 0..=left - a {
                    let heaps = [a, b, left - a - b];
                    if code.allows(take, heaps.iter().filter(|&&heap| heap > 0).count()) {
                        options.insert(self.sum(&heaps));
                    }
                }
            }
        }
        options
    }

    fn sum(&self, heaps: &[u64]) -> Sum {
        heaps.iter().filter(|&&heap| heap > 0).map(|&heap| 1 << (self.bits * (heap as u32 - 1))).sum()
    }

    /// Returns the number of heaps of size `index` + 1 in a sum.
    fn count(&self, sum: Sum, index: usize) -> u64 {
        (sum >> (self.bits * index as u32)) as u64 & ((1 << self.bits) - 1)
    }

    fn cards(&self, sum: Sum) -> u64 {
        (0..self.options.len()).map(|index| (index as u64 + 1) * self.count(sum, index)).sum()
    }

    /// Returns all sums of at most `most` heaps.
    fn sums_of(&self, most: usize) -> BTreeSet<Sum> {
        let mut sums = BTreeSet::from([0]);
        for _ in 0..most {
            let larger: Vec<Sum> = sums.iter().flat_map(|&sum| self.with_one_more(sum)).collect();
            sums.extend(larger);
        }
        sums
    }

    fn with_one_more(&self, sum: Sum) -> impl Iterator<Item = Sum> {
        (1..=self.options.len() as u64).map(move |heap| sum + self.sum(&[heap]))
    }

    fn is_full(&self) -> bool {
        const MAX_OUTCOMES: usize = 500_000;
        self.outcomes.len() > MAX_OUTCOMES
    }

    /// Returns whether a sum is a P-position: it has an option, and none of its options is a P-position. If `is_full`
    /// is true after the call, the result has no meaning.
    fn is_p(&mut self, sum: Sum) -> bool {
        if self.is_full() {
            return false;
        }
        if let Some(&is_p) = self.outcomes.get(&sum) {
            return is_p;
        }
        let mut has_options = false;
        let mut has_p_option = false;
        for index in (0..self.options.len()).rev() {
            if self.count(sum, index) > 0 && !has_p_option {
                let rest = sum - (1 << (self.bits * index as u32));
                for option in 0..self.options[index].len() {
                    has_options = true;
                    has_p_option = has_p_option || self.is_p(rest + self.options[index][option]);
                }
            }
        }
        let is_p = has_options && !has_p_option;
        self.outcomes.insert(sum, is_p);
        is_p
    }
}

/// Compares the outcomes of 1000 random sums of at most 8 heaps with plain recursion.
#[test]
fn random_sums() {
    const MAX_CARDS: u64 = 25;
    for code in ["0.77", "0.07", "0.15", "0.123", "0.53", "0.72", "0.241", "0.71"] {
        let quotient = quotient(code, MAX_CARDS as usize);
        let recursion = RefCell::new(Recursion::new(code, MAX_CARDS));
        // The heaps are the differences between sorted random numbers.
        let cuts = prop::collection::vec(0..=MAX_CARDS, 1..=8);
        let compare = |mut cuts: Vec<u64>| {
            cuts.sort_unstable();
            let heaps = cuts.iter().zip([&0].into_iter().chain(&cuts)).map(|(end, start)| end - start);
            let heaps: Vec<u64> = heaps.filter(|&heap| heap > 0).collect();
            let sum = recursion.borrow().sum(&heaps);
            let is_p = recursion.borrow_mut().is_p(sum);
            prop_assert!(!recursion.borrow().is_full());
            prop_assert_eq!(quotient.is_p(&heaps), Some(is_p), "{} {:?}", code, heaps);
            Ok(())
        };
        let config = Config { cases: 125, failure_persistence: None, ..Config::default() };
        TestRunner::new(config).run(&cuts, compare).unwrap();
    }
}

/// Returns the order of the misère quotient of the heaps up to a size and the number of its P-positions, by the
/// definition. Returns `None` if there are too many elements or outcomes.
///
/// Two sums are equal if no context, a third sum that is added to both, gives them different outcomes. The search has
/// rounds. The contexts of a round are all sums of at most two heaps, the different sums that the previous round found,
/// and each of these different sums with one more heap. The search ends when a round finds the same sums as the
/// previous round.
fn brute_force(recursion: &mut Recursion) -> Option<(usize, usize)> {
    const MAX_ELEMENTS: usize = 100;
    let small = recursion.sums_of(2);
    let mut different = vec![0];
    loop {
        let larger = different.iter().flat_map(|&sum| recursion.with_one_more(sum));
        let contexts: BTreeSet<Sum> = different.iter().copied().chain(larger).chain(small.clone()).collect();
        let mut rows = HashSet::new();
        let mut found: Vec<Sum> = Vec::new();
        let mut waiting = BTreeSet::from([(0, 0)]);
        while let Some((_, sum)) = waiting.pop_first() {
            let row: Vec<bool> = contexts.iter().map(|&context| recursion.is_p(sum + context)).collect();
            if found.len() == MAX_ELEMENTS || recursion.is_full() {
                return None;
            }
            if rows.insert(row) {
                waiting.extend(recursion.with_one_more(sum).map(|sum| (recursion.cards(sum), sum)));
                found.push(sum);
            }
        }
        if found == different {
            let p_elements = found.iter().filter(|&&sum| recursion.is_p(sum)).count();
            return Some((found.len(), p_elements));
        }
        different = found;
    }
}

/// Compares the quotients of the heaps up to `to` with brute force, for `codes` random codes of two digits. Skips codes
/// whose quotient is too large for brute force.
fn compare_with_brute_force(codes: usize, to: u64) {
    const MAX_ORDER: usize = 40;
    let digits = (0..2_u8).flat_map(|a| (0..16_u8).flat_map(move |b| (0..16_u8).map(move |c| (4 * a, b, c))));
    let all: Vec<String> = digits.skip(1).map(|(a, b, c)| format!("{a}.{b:x}{c:x}")).collect();
    let random = Just(all).prop_shuffle().new_tree(&mut TestRunner::deterministic()).unwrap().current();
    let mut compared = 0;
    for code in random {
        let quotient = Quotient::compute(code.parse().unwrap(), to as usize, Budget::PER_HEAP).unwrap();
        // A quotient of all heaps may be larger than that of the heaps up to `to`.
        let partial = quotient.partial_quotients().iter().rfind(|partial| partial.heap <= to as usize);
        let found = partial.map_or((1, 0), |partial| (partial.order, partial.p_elements));
        if quotient.is_stopped() || found.0 > MAX_ORDER {
            continue;
        }
        if let Some(expected) = brute_force(&mut Recursion::new(&code, to)) {
            assert_eq!(found, expected, "{code}");
            compared += 1;
        }
        if compared == codes {
            return;
        }
    }
    panic!("only {compared} codes could be compared");
}

#[test]
fn random_codes() {
    compare_with_brute_force(20, 5);
}

#[test]
#[ignore = "takes three minutes or more"]
fn many_random_codes() {
    compare_with_brute_force(60, 8);
}

/// Checks that a quotient of fewer heaps is printed, with exit code 1, if one more heap needs too many elements.
#[test]
#[ignore = "takes half a minute"]
fn a_quotient_of_fewer_heaps() {
    let output = command("misere 0.ff --to 100").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.starts_with("game: octal 0.ff, heaps up to n = 8\nquotient: order 250, P-portion of 24\n"),
        "{printed}"
    );
    let error = "grundy: no quotient with the heap n = 9 was found within the budget\n";
    assert_eq!((output.status.code(), output.stderr), (Some(1), error.into()));
}
