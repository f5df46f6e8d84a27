//! Compares the engine for long rows with the plain loop over all pairs and with the definition, at N = 10,000.
//!
//! Run with `cargo bench --bench long_rows`; `docs/performance.md` has a result.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]

use std::hint::black_box;

use divan::Bencher;
use zeroxor::grundy::segment::{Sequence, Window};

const N: usize = 10_000;

const WINDOWS: [(usize, usize); 5] = [(1, 3), (1, 9), (3, 3), (3, 5), (100, 900)];

fn main() {
    divan::main();
}

#[divan::bench(args = WINDOWS, sample_count = 10)]
fn engine(bencher: Bencher<'_, '_>, (l, r): (usize, usize)) {
    let window = Window::new(l as u64, r as u64).expect("the windows are valid");
    bencher.bench(|| Sequence::up_to(black_box(window), N as u64));
}

/// Computes the values from all pairs. `latest[x]` is 1 more than the largest sum of two sizes whose values have the
/// XOR x, or 0 if there is none.
#[divan::bench(args = WINDOWS, sample_count = 10)]
fn all_pairs(bencher: Bencher<'_, '_>, (l, r): (usize, usize)) {
    bencher.bench(|| {
        let mut latest = vec![0; (N / black_box(l) + 1).next_power_of_two()];
        let mut values: Vec<usize> = Vec::new();
        for i in 0..=N {
            if let Some(sum) = i.checked_sub(l) {
                (0..=sum / 2).for_each(|u| latest[values[u] ^ values[sum - u]] = sum + 1);
            }
            values.push(latest.iter().take_while(|&&sum| sum > i.saturating_sub(r)).count());
        }
        values
    });
}

/// Computes the values by the mex over every move of every segment.
#[divan::bench(args = [(1, 3), (3, 3), (3, 5)], sample_count = 3)]
fn definition(bencher: Bencher<'_, '_>, (l, r): (usize, usize)) {
    bencher.bench(|| {
        let mut values: Vec<usize> = Vec::new();
        for i in 0..=N {
            let mut options = vec![false; N / l + 2];
            for sum in black_box(i.saturating_sub(r)..(i + 1).saturating_sub(l)) {
                for u in 0..=sum / 2 {
                    // An XOR may be larger than all values; such an XOR cannot be the mex.
                    if let Some(option) = options.get_mut(values[u] ^ values[sum - u]) {
                        *option = true;
                    }
                }
            }
            values.push(options.iter().take_while(|&&seen| seen).count());
        }
        values
    });
}
