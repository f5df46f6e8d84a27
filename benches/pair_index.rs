//! Compares the pair index with two other implementations at N = 2000: the plain version of the index, which the
//! editorial of AtCoder ABC278 G describes, and the definition of the values.
//!
//! The times of the pair index and of the plain version include the search for the first move to nimber 0, if there is
//! one. The plain version keeps every pair; its mex needs a binary search for each value that it tests. Run with
//! `cargo bench --bench pair_index`; `docs/performance.md` has a result.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the bench chooses are small")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use divan::Bencher;
use zeroxor::Nimber;
use zeroxor::grundy::segment::{Pair, PairIndex, Window};

const N: u64 = 2000;

const WINDOWS: [(u64, u64); 12] = [
    (1, 1),
    (1, 2),
    (2, 2),
    (3, 3),
    (3, 5),
    (20, 20),
    (1, 1000),
    (1, 2000),
    (100, 900),
    (1000, 1000),
    (1999, 2000),
    (2000, 2000),
];

/// Windows for the definition. More windows would take minutes, because every move of every segment is tested.
const DEFINITION_WINDOWS: [(usize, usize); 7] = [(1, 1), (1, 2), (2, 2), (3, 3), (3, 5), (20, 20), (1, 1000)];

fn main() {
    divan::main();
    slowest_windows();
}

fn window((l, r): (u64, u64)) -> Window {
    Window::new(l, r).expect("the windows are valid")
}

#[divan::bench(args = WINDOWS)]
fn pair_index(bencher: Bencher<'_, '_>, (l, r): (u64, u64)) {
    bencher.bench(|| first_move(black_box((l, r))));
}

/// Computes the index with all its lists, which is more than a game needs.
#[divan::bench(args = WINDOWS, sample_count = 5)]
fn all_lists(bencher: Bencher<'_, '_>, (l, r): (u64, u64)) {
    bencher.bench(|| PairIndex::new(black_box(window((l, r))), N).map(|index| index.pairs()));
}

#[divan::bench(args = WINDOWS)]
fn plain(bencher: Bencher<'_, '_>, (l, r): (u64, u64)) {
    bencher.bench(|| plain_index(black_box(l as usize), black_box(r as usize), N as usize));
}

/// Computes only the values, each by the mex over every move.
#[divan::bench(args = DEFINITION_WINDOWS, sample_count = 3, sample_size = 1)]
fn definition(bencher: Bencher<'_, '_>, (l, r): (usize, usize)) {
    bencher.bench(|| {
        let mut values: Vec<usize> = Vec::new();
        for i in 0..=N as usize {
            // No value is more than `N`, and every XOR is less than the next power of two.
            let mut options = [false; 2048];
            for sum in black_box(i.saturating_sub(r)..(i + 1).saturating_sub(l)) {
                (0..=sum / 2).for_each(|u| options[values[u] ^ values[sum - u]] = true);
            }
            values.push(options.iter().take_while(|&&seen| seen).count());
        }
        values
    });
}

fn first_move((l, r): (u64, u64)) -> Option<Pair> {
    PairIndex::new(window((l, r)), N)?.split(N, Nimber::ZERO)
}

/// Computes the values and the pairs of each XOR value, sorted by the sum, and returns the first move to nimber 0.
fn plain_index(l: usize, r: usize, n: usize) -> Option<(u16, u16)> {
    let mut values: Vec<u16> = Vec::new();
    let mut lists: Vec<Vec<(u16, u16)>> = vec![Vec::new(); (n / l + 1).next_power_of_two()];
    let first_of =
        |list: &[(u16, u16)], least| list.get(list.partition_point(|&(sum, _)| sum < least)).copied();
    for i in 0..=n {
        if let Some(sum) = i.checked_sub(l) {
            for u in 0..=sum / 2 {
                lists[usize::from(values[u] ^ values[sum - u])].push((sum as u16, u as u16));
            }
        }
        let least = i.saturating_sub(r) as u16;
        let mex = lists.iter().take_while(|list| first_of(list, least).is_some()).count();
        values.push(mex as u16);
    }
    first_of(&lists[0], n.saturating_sub(r) as u16)
}

/// Times the index and the plain version on windows of many sizes; their runs alternate. Prints how many times faster
/// the index is, for the eight windows with the smallest gains, the window with the largest gain, and two fixed
/// windows.
fn slowest_windows() {
    let edges = [1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 100, 200, 400, 700, 1000, 1300, 1600, 1900, 2000];
    let pairs = edges.iter().flat_map(|&r| edges.iter().map(move |&l| (l, r))).filter(|(l, r)| l <= r);
    let mut gains: Vec<(f64, (u64, u64))> = pairs
        .map(|(l, r)| {
            let (mut fast, mut slow) = (Duration::MAX, Duration::MAX);
            for _ in 0..15 {
                fast = fast.min(time(|| first_move((l, r))));
                slow = slow.min(time(|| plain_index(l as usize, r as usize, N as usize)));
            }
            (slow.as_secs_f64() / fast.as_secs_f64(), (l, r))
        })
        .collect();
    gains.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("\nplain / pair index, least of 15 runs each, over {} windows:", gains.len());
    for (gain, (l, r)) in gains.iter().take(8).chain(gains.last()) {
        println!("{gain:8.2}  [{l}, {r}]");
    }
    for (gain, (l, r)) in gains.iter().filter(|(_, window)| [(1, 1000), (3, 3)].contains(window)) {
        println!("{gain:8.2}  [{l}, {r}]");
    }
}

fn time<T>(work: impl Fn() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}
