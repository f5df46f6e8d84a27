//! The moves to a nimber, and the pairs of segments that moves leave.

use std::collections::HashSet;

use zeroxor::Nimber;
use zeroxor::grundy::ValueKind;
use zeroxor::grundy::segment::{PairIndex, Sequence};
use zeroxor::rules::Heap;

use crate::definition::{self, position, values};

use super::{grundy_table, window};

/// A move to a nimber is found exactly when there is one, leads there, and all are counted.
#[test]
fn moves_to_every_nimber() {
    for (l, r) in (1..=10).flat_map(|r| (1..=r).map(move |l| (l, r))) {
        let row = position(&format!("40 {l} {r}"));
        let rules = row.rules(0).unwrap();
        let grundy_table = grundy_table(l, r, 40);
        let g = definition::segment(l, r, 40);
        let sequence = Sequence::up_to(window(l, r), 40);
        for size in 0..=40 {
            let heap = Heap::of(size);
            let value = |take| -> u64 {
                rules.apply(heap, take).unwrap().iter().fold(0, |xor, (_, heap)| xor ^ g[heap.size as usize])
            };
            for target in 0..=48 {
                let count = rules.moves(heap).filter(|&take| value(take) == target).count();
                let found = grundy_table.move_to(heap, Nimber(target));
                let context = format!("window [{l}, {r}], n = {size}, target {target}");
                assert_eq!(found.is_some(), count > 0, "{context}");
                assert!(found.is_none_or(|take| value(take) == target), "{context}");
                assert_eq!(grundy_table.count_to(heap, Nimber(target)), Some(count as u128), "{context}");
                assert_eq!(sequence.split(size, Nimber(target)).is_some(), count > 0, "{context}");
            }
        }
    }
}

/// The pair index finds the pair of the least sum in a move's window. Here the lists are requested in a mixed
/// order, and filled only as far.
#[test]
fn pairs_of_every_xor_value() {
    const N: u64 = 250;
    for (l, r) in [(1, 1), (3, 3), (1, 7), (2, 9), (20, 90)] {
        let index = PairIndex::new(window(l, r), N).unwrap();
        let g = definition::segment(l, r, N as usize);
        let (l, r) = (l as u64, r as u64);
        for n in (0..=N).map(|k| k * 101 % (N + 1)) {
            for target in 0..=70 {
                let mut sums = n.saturating_sub(r)..(n + 1).saturating_sub(l);
                let least =
                    sums.find(|&sum| (0..=sum / 2).any(|u| g[u as usize] ^ g[(sum - u) as usize] == target));
                let found = index.split(n, Nimber(target)).map(|pair| (pair.u(), pair.v()));
                let context = format!("window [{l}, {r}], n = {n}, target {target}");
                assert_eq!(found.map(|(u, v)| u + v), least, "{context}");
                assert!(found.is_none_or(|(u, v)| g[u as usize] ^ g[v as usize] == target), "{context}");
            }
        }
        let xors =
            |sum: u64| (0..=sum / 2).map(|u| g[u as usize] ^ g[(sum - u) as usize]).collect::<HashSet<_>>();
        let pairs: usize = (0..=N - l).map(|sum| xors(sum).len()).sum();
        assert_eq!(index.pairs(), pairs, "one pair for each sum, window [{l}, {r}]");
    }
}

/// Each move leads to one nimber, also where very many lead to the same.
#[test]
fn every_move_is_counted() {
    for (l, r) in [(1, 3), (1, 1000), (100, 900), (700, 1300)] {
        let row = position(&format!("2000 {l} {r}"));
        let grundy_table = grundy_table(l, r, 2000);
        for heap in [400, 1999, 2000].map(Heap::of) {
            let counts = (0..2048).map(|target| grundy_table.count_to(heap, Nimber(target)).unwrap());
            assert_eq!(counts.sum::<u128>(), row.rules(0).unwrap().move_count(heap), "{row}, {heap}");
        }
    }
}

/// The moves found in long rows are legal and lead where they should, by scaling, period and scan.
#[test]
fn moves_in_long_rows() {
    for header in [
        "1000000007 1 1",
        "123456789012345678 2 2",
        "999999999999999999 1 2",
        "999999999999999998 7 8",
        "1000000000000000000 3000 3001",
        "1000000000000000000 12 37",
        "9000 3 3",
        "20000 10 19",
    ] {
        let row = position(header);
        let (rules, size) = (row.rules(0).unwrap(), row.places());
        for size in size - 40..=size {
            let heap = Heap::of(size);
            let grundy_table = values(header, heap, ValueKind::Nimber);
            for target in (0..=16).map(Nimber) {
                let Some(take) = grundy_table.move_to(heap, target) else { continue };
                let left = rules.apply(heap, take).unwrap();
                let xor: Nimber = left.iter().map(|&(_, heap)| grundy_table.nimber(heap)).sum();
                assert_eq!(xor, target, "{header} at {size}");
            }
            let mex = (0..=1000).map(Nimber).find(|&target| grundy_table.move_to(heap, target).is_none());
            assert_eq!(mex, Some(grundy_table.nimber(heap)), "{header} at {size}");
        }
    }
}

/// The memory that the documentation promises.
#[test]
fn pairs_for_window_3_3() {
    let index = PairIndex::new(window(3, 3), 2000).unwrap();
    assert_eq!(index.pairs(), 99_840);
    assert_eq!(size_of::<zeroxor::grundy::segment::Pair>(), 4);
}
