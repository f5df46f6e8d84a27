//! Compares the Number Game with its definition.

use std::collections::HashMap;

use proptest::prelude::*;
use zeroxor::grundy::ValueKind;
use zeroxor::rules::{Heap, HeapMove};
use zeroxor::{Nimber, mex};

use crate::definition::{assert_moves_found, compare_moves, values};
use crate::rules_by_definition::subtract;

#[test]
fn pairs_agree_with_the_definition() {
    let mut known = HashMap::new();
    for sum in 2..=140_u64 {
        for (a, b) in (1.max(sum.saturating_sub(70))..=70.min(sum - 1)).map(|a| (a, sum - a)) {
            let heap = Heap { size: a, second: b };
            let grundy_table = values(&format!("euclid {a} {b}"), heap, ValueKind::Nimber);
            let moves = (0..2).flat_map(|offset| (1..a.max(b)).map(move |count| HeapMove { offset, count }));
            let left = |mv: HeapMove| subtract([a, b], mv.offset as usize, mv.count);
            let legal: Vec<HeapMove> = moves.filter(|&mv| left(mv).is_some()).collect();
            // The sum of the pair that a move leaves is smaller.
            let value_left = |mv: HeapMove| known[&left(mv).unwrap()];
            let value = mex(legal.iter().map(|&mv| Nimber(value_left(mv)))).0;
            assert_eq!(grundy_table.nimber(heap), Nimber(value), "{a} {b}");
            compare_moves(&*grundy_table, &legal, heap, value + 2, value_left);
            known.insert([a, b], value);
        }
    }
}

proptest! {
    /// In pairs up to 10^18, the golden ratio decides who wins. There are moves to some smaller nimbers, and no move to
    /// the nimber of the pair.
    #[test]
    fn large_pairs(a in 1_u64..=1_000_000_000_000_000_000, b in 1_u64..=1_000_000_000_000_000_000, shrink in 0_u32..60) {
        let b = (b >> shrink).max(1);
        let (large, small) = (u128::from(a.max(b)), u128::from(a.min(b)));
        // large > phi small is equivalent to large^2 - large small - small^2 > 0.
        let golden = large * large > small * (large + small);
        let targets = |value: u64| vec![0, value / 2, value.saturating_sub(1)];
        let (game, heap) = (format!("euclid {a} {b}"), Heap { size: a, second: b });
        assert_moves_found(&game, &[heap], targets);
        prop_assert_eq!(values(&game, heap, ValueKind::Outcome).nimber(heap) != Nimber::ZERO, golden);
    }
}
