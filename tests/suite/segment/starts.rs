//! Who wins the starts of all windows.

use zeroxor::grundy::segment::{AllWindows, PairIndex, Window};

use zeroxor::rules::Heap;
use zeroxor::{Nimber, Outcome, Solver};

use crate::definition::{self, position};

use super::grundy_table;

/// A sweep over all windows is what each of them says.
#[test]
fn a_sweep_of_all_windows() {
    let n = 24;
    let sweep = AllWindows::new(n as u64, &mut |_| ());
    let windows = || (1..=n).flat_map(|r| (1..=r).map(move |l| (l, r)));
    let values: Vec<Vec<u64>> = windows().map(|(l, r)| definition::segment(l, r, n)).collect();
    let mut won_by_second = vec![0; n];
    for ((l, r), values) in windows().zip(&values) {
        won_by_second[l - 1] += values[r..].iter().filter(|&&value| value == 0).count() as u64;
    }
    assert_eq!(sweep.won_by_second(), won_by_second);
    assert_eq!(sweep.windows(), windows().count() as u128);
    assert_eq!(sweep.starts(), windows().map(|(_, r)| n - r + 1).sum::<usize>() as u128);
    assert_eq!(Some(sweep.largest()), values.into_iter().flatten().max());
}

/// Of all starts with L = R <= N <= 2000, Second wins exactly 3,234: 1000 with L = 1, 296 with 2, 25 with 3.
#[test]
fn starts_won_by_second() {
    let won_by_second = |l: u64| {
        let index = PairIndex::new(Window::new(l, l).unwrap(), 2000).unwrap();
        (l..=2000).filter(|&n| index.nimber(n) == Nimber::ZERO).count()
    };
    let counts: Vec<usize> = (1..=2000).map(won_by_second).collect();
    assert_eq!(counts[..3], [1000, 296, 25]);
    assert_eq!(counts.iter().sum::<usize>(), 3234);
}

/// With L < R <= N <= 2000 Second wins none: some move of L or L+1 cards, legal under every such window,
/// leaves equal segments. The nimbers say the same for all windows to 60.
#[test]
fn no_wider_start_is_won_by_second() {
    for l in 1..2000 {
        let row = position(&format!("{} {l} {}", l + 1, l + 1));
        let rules = row.rules(0).unwrap();
        for n in l + 1..=2000 {
            let take = rules.cancelling_move(Heap::of(n), &[]).unwrap();
            assert!(rules.apply(Heap::of(n), take).is_ok(), "{n} {l}");
            assert!((l..=l + 1).contains(&take.count), "{n} {l}");
            assert_eq!(take.offset, n - take.count - take.offset, "{n} {l}");
        }
    }
    for n in 1..=60 {
        for (l, r) in (1..=n).flat_map(|r| (1..r).map(move |l| (l, r))) {
            assert_eq!(Solver::new().outcome(&position(&format!("{n} {l} {r}"))), Ok(Outcome::N));
            assert_ne!(grundy_table(l, r, n as u64).nimber(Heap::of(n as u64)), Nimber::ZERO);
        }
    }
}
