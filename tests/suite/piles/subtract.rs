//! Subtraction sets and their periods.

use zeroxor::grundy::{Budget, subtraction_period};

use super::{assert_game, grundy};

#[test]
fn all_small_subtraction_sets() {
    for bits in 1_u64..64 {
        let list: Vec<u64> = (0..6).filter(|bit| bits >> bit & 1 == 1).map(|bit| bit + 1).collect();
        assert_game("subtract", &list, 40);
    }
}

/// The least period and pre-period of a set and of all that it scales to, against the values themselves.
#[test]
fn periods_of_scaled_sets() {
    for bits in 1_u64..64 {
        let set: Vec<u64> = (0..6).filter(|bit| bits >> bit & 1 == 1).map(|bit| bit + 1).collect();
        for scale in [1, 2, 3, 7, 30] {
            let takes: Vec<u64> = set.iter().map(|take| take * scale).collect();
            let n = 60 * scale as usize;
            let g = grundy("subtract", &takes, n as u64);
            // What repeats over two thirds of such a table is a period.
            let repeats =
                |length: usize| (0..=n - length).rev().take_while(|&at| g[at] == g[at + length]).count();
            let length = (1..=n / 3).find(|&length| repeats(length) > 2 * n / 3 - length).unwrap();
            let start = n - length + 1 - repeats(length);
            let found = subtraction_period(&takes, &mut Budget::GAME.clone()).unwrap();
            assert_eq!(found, (start as u128, length as u128), "{takes:?}");
            let huge: Vec<u64> = takes.iter().map(|take| take * 1_000_000_000_000_000).collect();
            let scaled = subtraction_period(&huge, &mut Budget::GAME.clone()).unwrap();
            assert_eq!(scaled, (found.0 * 10_u128.pow(15), found.1 * 10_u128.pow(15)), "{takes:?}");
        }
    }
}
