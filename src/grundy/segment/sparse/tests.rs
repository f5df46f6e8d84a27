//! Compares the sparse-space engine with the definition.

use proptest::prelude::*;

use super::engine::Sparse;
use super::seen::Epoch;
use super::split::Split;
use super::work::{self, Work};
use super::{StepLimit, StopReason, TakeSet, values};
use crate::grundy::Budget;
use crate::grundy::generic::definition;
use crate::grundy::segment::{Sequence, Window};
use crate::integers::narrow;

/// Returns which codes are options of a segment, by all pairs of all sums.
pub(super) fn options(codes: &[u16], place: usize, (l, r): (usize, usize)) -> Vec<bool> {
    let mut options = vec![false; 1 << 16];
    for sum in TakeSet::window(l, r).sums(place) {
        (0..=sum / 2).for_each(|a| options[usize::from(codes[a] ^ codes[sum - a])] = true);
    }
    options
}

/// Returns the codes of a window up to `n`, under the split with the fewest rare values.
pub(super) fn codes(window: (usize, usize), n: usize) -> (Split, Vec<u16>) {
    let window = Window::new(window.0 as u64, window.1 as u64).unwrap();
    let nimbers = definition::of_window(window, n as u64);
    let mut histogram = vec![0; 1 << 12];
    for &nimber in &nimbers {
        histogram[nimber as usize] += 1;
    }
    let split = Split::best(&histogram, 2);
    (split, nimbers.into_iter().map(|nimber| split.code(narrow(nimber))).collect())
}

/// Returns an engine that may waste `slack` steps before it goes back to entering all pairs.
fn sparse<A: Epoch + Send>(l: usize, r: usize, n: usize, threads: usize, slack: u64) -> Sparse<A> {
    Sparse::new(&TakeSet::window(l, r), n, threads, Work::new(l, n, slack, StepLimit::NONE))
}

fn by_threads(window: Window, n: u64, threads: usize, slack: u64) -> Vec<u32> {
    let [l, r, n] = [window.l.min(n + 1), window.r.min(n + 1), n].map(narrow);
    let values = if r - l < 255 {
        sparse::<u8>(l, r, n, threads, slack).values(&mut |_, _| false, &mut |_| ())
    } else {
        sparse::<u32>(l, r, n, threads, slack).values(&mut |_, _| false, &mut |_| ())
    };
    values.ok().unwrap().0.values.into_iter().map(u32::from).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Any split gives the right values, even one that is slow or leaves too few pairs entered ahead.
    #[test]
    fn any_splits(
        l in 1_usize..6,
        more in 0_usize..12,
        threads in 1_usize..3,
        masks in prop::collection::vec((any::<u16>(), 0_usize..120), 1..12),
    ) {
        let n = l + masks.iter().map(|&(_, run)| run).sum::<usize>();
        let mut sparse = sparse::<u8>(l, l + more, n, threads, work::SLACK);
        for (mask, run) in masks {
            sparse.change_split(Split::new(mask % 64));
            (0..run).for_each(|_| sparse.step().unwrap());
        }
        sparse.step().unwrap();
        let window = Window::new(l as u64, (l + more) as u64).unwrap();
        let values: Vec<u32> = sparse.finish(None).0.values.into_iter().map(u32::from).collect();
        prop_assert_eq!(values, definition::of_window(window, n as u64));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// The values are right whether the engine goes back to entering all pairs at once, later or never.
    #[test]
    fn any_window_and_threads(
        l in 1_u64..30,
        more in prop_oneof![4 => 0_u64..8, 2 => 0_u64..60, 1 => 240_u64..270, 1 => 0_u64..3000],
        n in 0_u64..6000,
        threads in 1_usize..4,
        slack in prop_oneof![Just(0), 0_u64..1 << 16, Just(work::SLACK)],
    ) {
        let window = Window::new(l, l + more).unwrap();
        prop_assert_eq!(by_threads(window, n, threads, slack), definition::of_window(window, n));
    }
}

/// If rare segments keep coming, the engine leaves the sparse space, and the values stay right.
#[test]
fn back_to_all_pairs() {
    let n = 24_000;
    for (l, r) in [(1, 10), (2, 34), (3, 7)] {
        let mut engine = sparse::<u8>(l, r, n, 2, 1 << 10);
        let mut left = 0;
        while engine.commons.len() <= n {
            let was_sparse = engine.split.has_common();
            engine.advance(&mut |_| ()).unwrap();
            left += usize::from(was_sparse && !engine.split.has_common());
        }
        assert!(left > 0, "[{l}, {r}]");
        let window = Window::new(l as u64, r as u64).unwrap();
        let values: Vec<u32> = engine.finish(None).0.values.into_iter().map(u32::from).collect();
        assert_eq!(values, definition::of_window(window, n as u64), "[{l}, {r}]");
    }
}

/// If nimbers become too large for codes, the engine for large nimbers continues from the known values.
#[test]
fn nimbers_too_large_for_codes() {
    for (l, r, n) in [(1, 40_000, 34_000), (1, 600, 40_000)] {
        let window = Window::new(l, r).unwrap();
        let Err(StopReason::Wide(wide)) = values(window, n, StepLimit::NONE, &mut |_, _| false, &mut |_| ())
        else {
            panic!("[{l}, {r}] has a nimber of 2^15 or more")
        };
        assert!(wide.values.len() > 30_000, "[{l}, {r}]");
        let sequence = Sequence::up_to(window, n);
        assert_eq!(sequence.values(), definition::of_window(window, n), "[{l}, {r}]");
    }
}

/// The steps stay within the limit, and a larger computation is refused early because of an estimate.
#[test]
fn steps_within_the_limit() {
    let window = Window::new(7, 7).unwrap();
    let mut reached = 0;
    let limit = |steps: u128| StepLimit::of(&Budget::new(steps / 2, 0));
    let Err(StopReason::OutOfReach(steps)) =
        values(window, 1_000_000, limit(1 << 24), &mut |_, _| false, &mut |n| reached = n)
    else {
        panic!("all pairs of a million segments are more than 2^24")
    };
    assert!(steps > 1 << 37, "{steps}");
    assert!(reached < 10_000, "{reached}");
    let window = Window::new(1, 5).unwrap();
    let (_, steps) = values(window, 100_000, limit(1 << 26), &mut |_, _| false, &mut |_| ()).ok().unwrap();
    assert!(steps < 1 << 26, "{steps}");
}

/// While rare values keep coming, the estimate exceeds the steps that are needed. A budget that refuses late gets the
/// values.
#[test]
fn late_refusals() {
    let (window, n) = (Window::new(2, 8).unwrap(), 300_000);
    let without_limit = Budget::new(1 << 60, 1 << 30);
    let table = |budget: &mut Budget| Sequence::within(window, n, budget, &mut |_| ());
    let mut left = without_limit;
    let expected = table(&mut left).unwrap();
    let taken = without_limit.steps() - left.steps();
    let mut budget = Budget::new(taken * 3, 1 << 30);
    assert!(table(&mut budget).is_err());
    let mut late = budget.refusing_late();
    assert_eq!(table(&mut late).unwrap().values(), expected.values());
    assert_eq!(budget.steps() - late.steps(), taken);
    assert!(table(&mut late.with_steps(taken / 2)).is_err());
}

/// The number of steps does not depend on whether the guessing or the confirming thread is faster.
#[test]
fn steps_are_the_same_each_time() {
    for (l, r) in [(1, 3), (1, 33), (3, 6)] {
        let steps = |threads| {
            sparse::<u8>(l, r, 6000, threads, 1 << 16).values(&mut |_, _| false, &mut |_| ()).ok().unwrap().1
        };
        let once = steps(2);
        assert!([2, 2, 3, 2].into_iter().all(|threads| steps(threads) == once), "[{l}, {r}]");
    }
}
