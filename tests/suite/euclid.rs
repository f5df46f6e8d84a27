//! Compares the Number Game with its definition.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use zeroxor::grundy::ValueKind;
use zeroxor::rules::Heap;
use zeroxor::{Nimber, mex};

use crate::definition::{position, values};
use crate::rules_by_definition::subtract;

/// Returns the Grundy value of a pair by the definition.
fn euclid(a: u64, b: u64, known: &mut HashMap<(u64, u64), u64>) -> u64 {
    if let Some(&value) = known.get(&(a, b)) {
        return value;
    }
    let (large, small) = (a.max(b), a.min(b));
    let options = (1..large).filter(|times| times * small < large).map(|times| large - times * small);
    let values: Vec<Nimber> = options.map(|rest| Nimber(euclid(rest, small, known))).collect();
    let value = mex(values).0;
    known.insert((a, b), value);
    value
}

#[test]
fn pairs_agree_with_the_definition() {
    let mut known = HashMap::new();
    for (a, b) in (1..=70).flat_map(|a| (1..=70).map(move |b| (a, b))) {
        let heap = Heap { size: a, second: b };
        let grundy_table = values(&format!("euclid {a} {b}"), heap, ValueKind::Nimber);
        let value = euclid(a, b, &mut known);
        assert_eq!(grundy_table.nimber(heap), Nimber(value), "{a} {b}");
        let moves = (0..2).flat_map(|place| (1..a.max(b)).map(move |take| (place, take)));
        let legal: Vec<(usize, u64, [u64; 2])> = moves
            .filter_map(|(place, take)| subtract([a, b], place, take).map(|left| (place, take, left)))
            .collect();
        for target in 0..=value + 2 {
            let to = legal.iter().filter(|(_, _, [a, b])| euclid(*a, *b, &mut known) == target);
            let expected: BTreeSet<(u64, u64)> = to.map(|&(place, take, _)| (place as u64, take)).collect();
            let found: BTreeSet<(u64, u64)> =
                grundy_table.moves_to(heap, Nimber(target)).map(|take| (take.offset, take.count)).collect();
            assert_eq!(found, expected, "{a} {b} to {target}");
            assert_eq!(grundy_table.count_to(heap, Nimber(target)), Some(expected.len() as u128));
        }
    }
}

proptest! {
    /// In pairs up to 10^18, the golden ratio decides who wins. There are moves to some smaller nimbers, and no move to
    /// the nimber of the pair.
    #[test]
    fn large_pairs(a in 1_u64..=1_000_000_000_000_000_000, b in 1_u64..=1_000_000_000_000_000_000, shrink in 0_u32..60) {
        let b = (b >> shrink).max(1);
        let start = position(&format!("euclid {a} {b}"));
        let heap = Heap { size: a, second: b };
        let grundy_table = values(&format!("euclid {a} {b}"), heap, ValueKind::Nimber);
        let (large, small) = (u128::from(a.max(b)), u128::from(a.min(b)));
        // large > phi small is equivalent to large^2 - large small - small^2 > 0.
        let golden = large * large > small * (large + small);
        prop_assert_eq!(grundy_table.nimber(heap) != Nimber::ZERO, golden);
        let value = grundy_table.nimber(heap).0;
        prop_assert!(grundy_table.move_to(heap, Nimber(value)).is_none());
        for target in [0, value / 2, value.saturating_sub(1)] {
            if target < value {
                let take = grundy_table.move_to(heap, Nimber(target)).unwrap();
                let after = start.rules(0).unwrap().apply(heap, take).unwrap()[0].1;
                prop_assert_eq!(grundy_table.nimber(after), Nimber(target));
            }
        }
    }
}
