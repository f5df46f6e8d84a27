//! Every engine of the segment game against the definition.

mod moves;
mod periods;
mod starts;

use proptest::prelude::*;
use zeroxor::Nimber;
use zeroxor::grundy::segment::{PairIndex, Period, Sequence, Window};
use zeroxor::grundy::{GrundyTable, ValueKind};
use zeroxor::rules::Heap;

use crate::definition::{self, values};

fn window(l: usize, r: usize) -> Window {
    Window::new(l as u64, r as u64).unwrap()
}

fn grundy_table(l: usize, r: usize, largest: u64) -> Box<dyn GrundyTable> {
    values(&format!("{r} {l} {r}"), Heap::of(largest), ValueKind::Nimber)
}

/// All engines give these values.
fn assert_values(l: usize, r: usize, g: &[u64]) {
    let n = g.len() as u64 - 1;
    let index = PairIndex::new(window(l, r), n).unwrap();
    let sequence = Sequence::up_to(window(l, r), n);
    let grundy_table = grundy_table(l, r, n);
    for (size, &value) in (0..).zip(g) {
        let expected = Nimber(value);
        assert_eq!(index.nimber(size), expected, "pair index, window [{l}, {r}], n = {size}");
        assert_eq!(sequence.nimber(size), expected, "sequence, window [{l}, {r}], n = {size}");
        assert_eq!(
            grundy_table.nimber(Heap::of(size)),
            expected,
            "grundy_table, window [{l}, {r}], n = {size}"
        );
        assert!(value <= size / l as u64, "g[{size}] = {value} under [{l}, {r}]");
    }
    for (name, table) in [("grundy_table", grundy_table), ("sequence", sequence.repeating().into_table())] {
        let mut filled = vec![Nimber::ZERO; g.len() / 2];
        let from = g.len() - filled.len();
        table.fill(from as u64, &mut filled);
        assert!(filled.iter().map(|nimber| &nimber.0).eq(&g[from..]), "{name}, window [{l}, {r}]");
    }
}

#[test]
fn all_windows_to_64() {
    for r in 1..=64 {
        for l in 1..=r {
            assert_values(l, r, &definition::segment(l, r, 64));
        }
    }
}

/// Long rows, in which the split into rare and common nimbers changes many times, to and from none at all.
/// Those of [3, 6] and [4, 6] have a rare value after thousands that are not. The last three have periods
/// that are found on the way, after which nothing is computed.
#[test]
fn long_rows() {
    let windows = [(1, 3), (3, 3), (3, 5), (1, 9), (3, 6), (4, 6), (2, 300), (1, 2), (2, 2), (1, 16)];
    for (l, r) in windows {
        let values = Sequence::up_to(window(l, r), 24_000);
        for (n, expected) in (0..).zip(definition::long_segment(l, r, 24_000)) {
            assert_eq!(values.nimber(n), Nimber(expected), "window [{l}, {r}], n = {n}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_windows_at_600((l, r) in (1_usize..=600, 1_usize..=600).prop_map(|(a, b)| (a.min(b), a.max(b)))) {
        assert_values(l, r, &definition::segment(l, r, 600));
    }

    #[test]
    fn narrow_windows_at_600(l in 1_usize..=12, more in 0_usize..=12) {
        assert_values(l, l + more, &definition::segment(l, l + more, 600));
    }

    /// g of (jL, j(R-1)+1) at n is g of (L, R) at floor(n/j), for L < R.
    #[test]
    fn scaling_law(l in 1_usize..=12, more in 1_usize..=12, j in 1_usize..=8) {
        let r = l + more;
        let narrow = definition::segment(l, r, 300 / j);
        let wide = definition::segment(j * l, j * (r - 1) + 1, 300);
        for (n, value) in wide.into_iter().enumerate() {
            prop_assert_eq!(value, narrow[n / j], "window [{}, {}] by {} at {}", l, r, j, n);
        }
    }

    #[test]
    fn at_most_n_over_l(l in 1_u64..=2000, more in 0_u64..=2000) {
        let window = Window::new(l, l + more).unwrap();
        let index = PairIndex::new(window, 2000).unwrap();
        for n in 0..=2000 {
            prop_assert!(index.nimber(n).0 <= n / l);
        }
    }
}

/// What is asked for may be beyond all memory, but not beyond numbers.
#[test]
fn memory_is_known_before_it_is_needed() {
    let two_to_64 = u128::from(u64::MAX) + 1;
    assert_eq!(Sequence::bytes(window(1, 2), u64::MAX), 4 * two_to_64 + 4 * two_to_64);
    assert_eq!(Period::bytes(u64::MAX), 8 * two_to_64);
}

/// For rows that are too long for the pair index, a period or the engine for long rows gives the values; both give the same.
#[test]
fn engines_agree_where_they_meet() {
    for (l, r) in [(1, 1), (2, 2), (1, 2), (7, 8), (3, 3), (5, 9), (4, 4)] {
        let beyond = 6 * PairIndex::MAX_LENGTH / 5;
        let dense = Sequence::up_to(window(l, r), beyond);
        let scaled = grundy_table(l, r, beyond);
        for size in 0..=beyond {
            let heap = Heap::of(size);
            assert_eq!(scaled.nimber(heap), dense.nimber(size), "window [{l}, {r}], n = {size}");
        }
    }
}
