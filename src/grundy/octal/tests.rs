//! Compares the engines of codes with the definition, and tests proofs of periods and the tables that use them.

use proptest::prelude::*;

use super::arithmetic_proof::{ArithmeticPeriod, is_proven};
use super::split_table::{Repetition, SplitTable};
use super::{CodeSequence, stream};
use crate::grundy::generic::definition;
use crate::grundy::segment::{NoHistory, Period, SparseSpace};
use crate::grundy::{Budget, GrundyTable, Nimber, TooLarge};
use crate::integers::narrow;
use crate::rules::{Heap, Octal, Rules};
use crate::rules::{MAX_SIZE, OctalCode};

fn computed(code: OctalCode, n: u64) -> CodeSequence {
    CodeSequence::within(code, n, &mut Budget::GAME.clone(), &mut |_| ()).unwrap()
}

fn digits() -> impl Strategy<Value = Vec<u8>> {
    let few = prop::collection::vec(0_u8..8, 1..5);
    // Two takes far apart.
    let far = (1_usize..60, 0_u8..8, 0_u8..8).prop_map(|(gap, first, last)| {
        let mut digits = vec![first];
        digits.resize(gap, 0);
        digits.push(last);
        digits
    });
    let many = prop::collection::vec(0_u8..8, 5..64);
    prop_oneof![6 => few, 2 => far, 1 => many]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_code(splits in any::<bool>(), digits in digits(), n in prop_oneof![0_usize..100, 1000_usize..4000]) {
        let digits = [vec![if splits { 4 } else { 0 }], digits].concat();
        if let Some(code) = OctalCode::new(&digits) {
            let values = computed(code, n as u64);
            prop_assert_eq!(values.values(), definition::of_code(code, n), "{} to {}", code, n);
        }
    }
}

fn hexadecimal_digits() -> impl Strategy<Value = Vec<u8>> {
    let few = prop::collection::vec(0_u8..16, 1..5);
    let far = (1_usize..60, 0_u8..8, 8_u8..16).prop_map(|(gap, first, last)| {
        let mut digits = vec![first];
        digits.resize(gap, 0);
        digits.push(last);
        digits
    });
    prop_oneof![4 => few, 1 => far]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_hexadecimal_code(first in prop::sample::select(vec![0_u8, 4, 8, 12]), digits in hexadecimal_digits(), n in 0_usize..500) {
        let digits = [vec![first], digits].concat();
        if let Some(code) = OctalCode::new(&digits) {
            let values = computed(code, n as u64);
            prop_assert_eq!(values.values(), definition::of_code(code, n), "{} to {}", code, n);
        }
    }
}

/// Codes with few rare values: most values are guessed and confirmed for many heaps at once.
#[test]
fn sparse_codes() {
    for code in
        ["0.16", "0.56", "0.127", "0.376", "0.354", "0.156", "0.644", "0.165", "0.356", "4.006", "0.104"]
    {
        let code = code.parse().unwrap();
        let values = computed(code, 12_000);
        assert_eq!(values.values(), definition::of_code(code, 12_000), "{code}");
    }
}

/// Checks that the rare values are those up to the requested size, even if more are known: the 1584th rare value of 0.6
/// is that of 20,627 cards.
#[test]
fn rare_values_up_to_a_size() {
    for (code, n) in [("0.6", 20_000), ("0.6", 20_626), ("0.6", 20_627), ("0.16", 9_000), ("0.56", 8_500)] {
        let values = computed(code.parse().unwrap(), n);
        assert_rares(code, values.values().iter().copied(), values.space().unwrap());
    }
}

/// Checks codes in which rare and common values are exchanged at every second heap.
#[test]
fn rare_values_of_exchanged_classes() {
    for code in ["0.104", "0.106", "0.205", "0.324"] {
        let mut stream = stream(code.parse().unwrap(), 1 << 17).unwrap();
        stream.advance(100_000, &mut NoHistory).unwrap();
        let space = stream.space_below(100_000);
        assert!(space.exchanged.is_some(), "{code}");
        assert_rares(code, stream.first_values().take(100_000), space);
    }
}

/// Checks that the space has the correct number of rare values, and the correct last rare heap.
fn assert_rares(code: &str, values: impl Iterator<Item = u16>, space: SparseSpace) {
    let rares = (0..).zip(values).filter(|&(size, value)| space.is_rare(size, value.into()));
    let rares: Vec<u64> = rares.map(|(size, _)| size).collect();
    assert_eq!((space.rares, Some(&space.last)), (rares.len() as u64, rares.last()), "{code}");
}

/// Checks that arithmetic periods proven by 21 to 801 values continue up to 1100 cards, for one in `every` codes of up
/// to two hexadecimal digits after the point. Returns the number of periods proven by 801 values, and the number of
/// unproven periods that do not continue.
fn compare_proven_periods(every: usize) -> (usize, usize) {
    let digits = |k: usize| [k >> 8 << 2, k >> 4 & 15, k & 15].map(narrow::<u8>);
    let (mut proven, mut wrong) = (0, 0);
    for code in (0..1024).step_by(every).filter_map(|k| OctalCode::new(&digits(k))) {
        let values = computed(code, 1100);
        for n in [20, 40, 80, 160, 320, 800] {
            let first = CodeSequence { values: values.values()[..=n].to_vec(), ..values.clone() };
            let Some(period) = first.arithmetic_period() else { continue };
            let (start, length) = (narrow::<usize>(period.start), narrow::<usize>(period.length));
            let mut pairs = values.values()[start..].iter().zip(&values.values()[start + length..]);
            let continues = pairs.all(|(&a, &b)| u64::from(a) + period.saltus == u64::from(b));
            assert!(continues || !period.is_proven, "{code} to {n}: {period:?}");
            proven += usize::from(period.is_proven && n == 800);
            wrong += usize::from(!continues);
        }
    }
    (proven, wrong)
}

#[test]
fn proven_arithmetic_periods_continue() {
    let (proven, wrong) = compare_proven_periods(7);
    assert!(proven > 30 && wrong > 0, "{proven} {wrong}");
}

#[test]
#[ignore = "takes ten seconds"]
fn proven_arithmetic_periods_of_all_short_codes_continue() {
    let (proven, wrong) = compare_proven_periods(1);
    assert!(proven > 250 && wrong > 10, "{proven} {wrong}");
}

/// The proof fails if a heap has no option for some smaller value: a move that takes seven cards leaves too few cards
/// for the largest of the smaller values.
#[test]
fn proof_fails_if_smaller_values_are_not_options() {
    let values = computed("0.8".parse().unwrap(), 1000);
    let period = values.arithmetic_period().unwrap();
    assert_eq!(period, ArithmeticPeriod { start: 1, length: 3, saltus: 1, is_proven: true });
    assert!(is_proven("0.8".parse().unwrap(), values.values(), period));
    assert!(!is_proven("0.0000008".parse().unwrap(), values.values(), period));
}

/// Codes whose moves may leave three heaps. The nimbers of some codes grow with the heaps, those of others have a
/// period.
#[test]
fn codes_of_three_heaps() {
    for code in ["0.8", "0.f", "0.9", "0.88", "8.0", "c.1", "0.08", "0.3f", "0.23b", "0.20b", "0.01a"] {
        let code = code.parse().unwrap();
        let values = computed(code, 1100);
        assert_eq!(values.values(), definition::of_code(code, 1100), "{code}");
    }
}

/// Returns all octal codes with the digit 0 or 4 before the point and up to two digits after it.
fn two_digits() -> impl Iterator<Item = OctalCode> {
    (0..128).filter_map(|k: u8| OctalCode::new(&[k >> 6 << 2, k >> 3 & 7, k & 7]))
}

/// Returns a table of the values up to the end of the first period, and one of all values; `None` without a period.
fn with_and_without_period(code: OctalCode, n: u64) -> Option<[SplitTable<Octal>; 2]> {
    let all = computed(code, n);
    let period = all.proven_period()?;
    let mut values = all.values.clone();
    values.truncate(narrow(period.start + period.length));
    let rules = Octal::new(code);
    let repeating = SplitTable::new(rules, values, Some(Repetition::of(period)));
    Some([repeating, SplitTable::new(rules, all.values, None)])
}

/// A table with a period has the same values and moves as a table of all values.
#[test]
fn moves_by_a_period() {
    let mut compared = 0;
    for code in two_digits() {
        let Some([repeating, all]) = with_and_without_period(code, 2000) else { continue };
        let Repetition { period, .. } = repeating.repetition.unwrap();
        let first = period.start.saturating_sub(2);
        let later = [3, 4, 5].map(|many| 2 * period.start + many * period.length + 1);
        for n in (first..first + 6).chain(later) {
            let heap = Heap::of(n);
            assert_eq!(repeating.nimber(heap), all.nimber(heap), "{code} {n}");
            assert!(repeating.count_cost(heap) <= all.count_cost(heap), "{code} {n}");
            for target in (0..=all.nimber(heap).0 + 2).map(Nimber) {
                let [moves, expected] =
                    [&repeating, &all].map(|table| table.moves_to(heap, target).collect::<Vec<_>>());
                assert_eq!(moves, expected, "{code} {n} to {target}");
                let count = Some(expected.len() as u128);
                assert_eq!(repeating.count_to(heap, target), count, "{code} {n} to {target}");
            }
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// The largest heaps have a move to each smaller nimber. Because of the period, these moves are found and counted fast.
#[test]
fn moves_in_the_largest_heaps() {
    for code in two_digits() {
        let Some([table, _]) = with_and_without_period(code, 2000) else { continue };
        for n in (MAX_SIZE - 40..=MAX_SIZE).map(Heap::of) {
            for target in (0..table.nimber(n).0).map(Nimber) {
                let mv = table.move_to(n, target).unwrap_or_else(|| panic!("{code} {n} to {target}"));
                let left = table.rules.apply(n, mv).unwrap();
                let nimber: Nimber = left.iter().map(|&(_, heap)| table.nimber(heap)).sum();
                assert_eq!(nimber, target, "{code} {n} {mv:?}");
                assert!(table.count_to(n, target) > Some(0), "{code} {n} to {target}");
            }
            assert_eq!(table.move_to(n, table.nimber(n)), None, "{code} {n}");
        }
    }
}

fn repeating(code: &str, budget: Budget) -> Result<CodeSequence, TooLarge> {
    CodeSequence::repeating(code.parse().unwrap(), MAX_SIZE, &mut budget.clone(), &mut |_| ())
}

/// Heaps of any size have values if the first ones prove a period or an arithmetic period; else there is an error.
#[test]
fn heaps_of_any_size() {
    for (code, start, length) in [("0.3", 0, 2), ("4.7", 1, 2), ("0.16", 105_351, 149_459)] {
        let values = repeating(code, Budget::GAME).unwrap();
        assert_eq!(values.period(), Some(Period { start, length }), "{code}");
        assert_eq!(values.nimber(MAX_SIZE), values.nimber(start + (MAX_SIZE - start) % length), "{code}");
    }
    for code in ["0.6", "0.04"] {
        let error = repeating(code, Budget::new(6_000_000_000, 600_000)).unwrap_err();
        assert_eq!((error.asked, error.unit), (6 * u128::from(MAX_SIZE) + 6, "bytes"), "{code}");
    }
    {
        let repeats = repeating("0.f", Budget::GAME).unwrap();
        assert_eq!(repeats.period(), Some(Period { start: 0, length: 2 }));
        // From a heap of 1 on, three more cards add 1 to the value.
        let grows = repeating("0.8", Budget::GAME).unwrap();
        assert_eq!(grows.nimber(MAX_SIZE), Nimber((MAX_SIZE - 1) / 3));
        assert!(grows.period().is_none() && grows.values().len() < 2000);
    }
}

/// 20,126,195 values prove the period of 0.354. The first search computes fewer values, but this number fits in the
/// bytes of the budget. The values of 0.6 and of 0.04 that fit in the budget of a game prove no period.
#[test]
#[ignore = "takes half a minute"]
fn late_periods() {
    let late = repeating("0.354", Budget::new(10_000_000_000, 125_000_000)).unwrap();
    assert_eq!(late.period(), Some(Period { start: 10_061_916, length: 1180 }));
    for code in ["0.6", "0.04"] {
        let error = repeating(code, Budget::GAME).unwrap_err();
        assert_eq!((error.asked, error.unit), (6 * u128::from(MAX_SIZE) + 6, "bytes"), "{code}");
    }
}
