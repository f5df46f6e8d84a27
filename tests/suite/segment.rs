//! Compares the engines of the segment game with the definition: values, moves, periods and starts.

use itertools::Itertools;
use proptest::prelude::*;
use zeroxor::Nimber;
use zeroxor::core::MAX_CARDS;
use zeroxor::core::nimbers::Nimbers;
use zeroxor::grundy::segment::{Period, Sequence, Window, known_period};
use zeroxor::grundy::{GrundyTable, ValueKind};
use zeroxor::rules::Heap;

use crate::definition::{self, assert_as_defined, assert_moves_found, position, values};

fn window(l: usize, r: usize) -> Window {
    Window::new(l as u64, r as u64).unwrap()
}

fn grundy_table(l: usize, r: usize, largest: u64) -> Box<dyn GrundyTable> {
    values(&format!("{r} {l} {r}"), Heap::of(largest), ValueKind::Nimber)
}

#[test]
fn all_windows_to_64() {
    for (l, r) in (1..=64).flat_map(|r| (1..=r).map(move |l| (l, r))) {
        let (sequence, table) = (Sequence::up_to(window(l, r), 64), grundy_table(l, r, 64));
        let core = Nimbers::new(64, l, r);
        let of_code = Sequence::of_code(window(l, r).code().unwrap(), 64);
        for (size, value) in definition::segment(l, r, 64).into_iter().enumerate() {
            let (in_core, heap) = (Nimber(core.nimber(size).into()), Heap::of(size as u64));
            let found = [in_core, sequence.nimber(heap.size), of_code.nimber(heap.size), table.nimber(heap)];
            assert_eq!(found, [Nimber(value); 4], "window [{l}, {r}], n = {size}");
        }
    }
}

/// The sizes of the rows whose moves are compared in large tables.
const SIZES: [u64; 6] = [0, 5, 40, 171, 299, 300];

#[test]
fn moves_to_every_nimber() {
    for (l, r) in (1..=6).flat_map(|r| (1..=r).map(move |l| (l, r))) {
        assert_as_defined(&format!("segment {r} {l} {r}"), 0..=24, 24);
    }
    // In these tables, moves are found and counted by a period or by scaling, without a table of counts.
    for window in ["2 2", "3 4", "6 13"] {
        assert_as_defined(&format!("segment 20 {window}"), SIZES, 70_000);
    }
}

#[test]
#[ignore = "adds up five hundred million pairs"]
fn moves_in_a_table_without_counts() {
    assert_as_defined("segment 25 5 25", SIZES, 70_000);
}

/// The counts of the moves to all nimbers add up to the number of moves, even if very many moves lead to one nimber.
#[test]
fn every_move_is_counted() {
    for (l, r) in [(1, 3), (1, 300), (40, 350), (280, 520)] {
        let row = position(&format!("800 {l} {r}"));
        let grundy_table = grundy_table(l, r, 800);
        for heap in [160, 799, 800].map(Heap::of) {
            let counts = (0..1024).map(|target| grundy_table.count_to(heap, Nimber(target)).unwrap());
            assert_eq!(counts.sum::<u128>(), row.rules(0).unwrap().move_count(heap), "{row}, {heap}");
        }
    }
}

/// The moves that are found in long rows (by scaling, by a period or by a scan) are legal and lead to the requested
/// nimber.
#[test]
fn moves_in_long_rows() {
    for header in [
        "1000000007 1 1",
        "123456789012345678 2 2",
        "999999999999999999 1 2",
        "999999999999999998 7 8",
        "1000000000000000000 3000 3001",
        "1000000000000000000 12 37",
        "4000 3 3",
        "6000 10 19",
    ] {
        let size = position(header).places();
        let heaps = (size - 10..=size).map(Heap::of).collect_vec();
        assert_moves_found(header, &heaps, |value| (0..=value.max(16)).collect());
    }
}

/// The known periods of windows up to 40 are the least ones. [`Period::values_needed`] values prove each of them, and
/// one value less does not. Leaves out (1, 5), whose certificate the tests of `grundy` verify. No other unscaled window
/// up to 12 shows a period in 2,000 values.
#[test]
fn known_periods_are_proven() {
    let known = (1..=40).flat_map(|r| (1..=r).map(move |l| (l, r))).filter(|&window| window != (1, 5));
    for (l, r) in known {
        let window = window(l, r);
        let proven = |values: &[_]| Period::proven(window.move_bounds(), values);
        if let Some(period) = known_period(window) {
            let needed = period.values_needed(window.move_bounds()) as usize;
            let values = Sequence::up_to(window, needed as u64);
            assert_eq!(proven(&values.values[..needed]), Some(period), "window [{l}, {r}]");
            assert_eq!(proven(&values.values[..needed - 1]), None, "window [{l}, {r}]");
        } else if r <= 12 && (l == r || (2..=l).all(|factor| l % factor > 0 || (r - 1) % factor > 0)) {
            assert_eq!(proven(&Sequence::up_to(window, 2000).values), None, "window [{l}, {r}]");
        }
    }
}

proptest! {
    /// Compares the least period and pre-period with a test of all possible periods and pre-periods.
    #[test]
    fn least_periods(head in prop::collection::vec(0_u32..2, 0..6), tail in prop::collection::vec(0_u32..2, 1..5), n in 0_usize..40) {
        let repeated: Vec<u32> = tail.iter().copied().cycle().take(n).collect();
        let values = [head, repeated].concat();
        let window = window(1, 2);
        let proves = |start: usize, length: usize| {
            let end = 2 * start + length + 2;
            end + length <= values.len() && (start..values.len() - length).all(|n| values[n] == values[n + length])
        };
        let all = (1..=values.len()).flat_map(|length| (0..values.len()).map(move |start| (start, length)));
        let least = all.into_iter().find(|&(start, length)| proves(start, length));
        let least = least.map(|(start, length)| Period { start: start as u64, length: length as u64 });
        prop_assert_eq!(Period::proven(window.move_bounds(), &values), least);
    }
}

/// Of all starts with L = R <= N <= 2000, Second wins exactly 3,234: 1000 with L = 1, 296 with L = 2, 25 with L = 3 and
/// the rest with larger L.
fn starts_won_by_second(most: usize) -> Vec<usize> {
    let won_by_second = |l| {
        let nimbers = Nimbers::new(MAX_CARDS, l, l);
        (l..=MAX_CARDS).filter(|&n| nimbers.nimber(n) == 0).count()
    };
    (1..=most).map(won_by_second).collect()
}

#[test]
fn starts_with_small_windows_won_by_second() {
    assert_eq!(starts_won_by_second(3), [1000, 296, 25]);
}

#[test]
#[ignore = "takes half a minute"]
fn all_starts_won_by_second() {
    assert_eq!(starts_won_by_second(MAX_CARDS).iter().sum::<usize>(), 3234);
}
