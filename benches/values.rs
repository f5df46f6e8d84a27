//! Compares the engine for long rows with a plain loop over all pairs, and the sieve for the outcomes of
//! subtract-a-square with a plain loop, by their CPU times summed over all threads.
//!
//! `cargo bench --bench values [N [EVERY]]` computes the values of rows of up to N cards (default 50,000) under every
//! EVERY-th window (default 1) with R <= 64, and under 300 random windows with R <= N, and prints the windows with the
//! highest ratios of the engine's time to the loop's. The ratio depends little on the load of the machine. If it is above
//! 1, both versions are run again, and the least times are compared. `docs/performance.md` has a result.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the bench chooses are small")]

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use zeroxor::grundy::segment::{Sequence, Window};
use zeroxor::grundy::{GrundyTable, Limit, ValueKind, table};
use zeroxor::rules::Heap;
use zeroxor::{GameSpec, Nimber};

/// Number of repeated runs of a window, to distinguish a slow window from a busy machine.
const RERUNS: usize = 3;

fn main() {
    for (n, runs) in [(1_000_000, 9), (10_000_000, 5)] {
        let [sieve, plain] = least_times(
            runs,
            || squares(n),
            || plain_squares(n as usize),
            |sieve, plain| {
                let mut sieved = (0..=n).map(|pile| sieve.nimber(Heap::of(pile)) == Nimber::ZERO);
                plain.iter().all(|&loses| sieved.next() == Some(loses))
            },
        );
        println!("squares to {n}: sieve {sieve:.3} s, plain loop {plain:.3} s, gain {:.1}", plain / sieve);
    }
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<usize>().ok());
    let (n, every) = (numbers.next().unwrap_or(50_000), numbers.next().unwrap_or(1));
    let narrow = (1..=64).flat_map(|r| (1..=r).map(move |l| (l, r))).step_by(every);
    report(&format!("R <= 64, one window in {every}"), n, narrow);
    let mut state = 1_u64;
    let mut random = || {
        // The generator of D. E. Knuth's MMIX.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n + 1
    };
    let random: Vec<_> = (0..300).map(|_| (random(), random())).map(|(a, b)| (a.min(b), a.max(b))).collect();
    report("300 random windows", n, random.into_iter());
}

/// Prints the total times, and the five windows with the highest ratios of the engine's time to the plain loop's time.
fn report(what: &str, n: usize, windows: impl Iterator<Item = (usize, usize)>) {
    let mut times: Vec<_> = windows.map(|(l, r)| (compare(l, r, n), l, r)).collect();
    let ratio = |&([engine, plain], ..): &([f64; 2], usize, usize)| engine / plain;
    times.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
    let [engine, plain] = [0, 1].map(|which| times.iter().map(|(times, ..)| times[which]).sum::<f64>());
    println!("{what}, values to {n}: {} windows", times.len());
    println!("  all: engine {engine:.1} s, plain loop {plain:.1} s");
    for window in times.iter().take(5) {
        let &([engine, plain], l, r) = window;
        println!("  {:.2} [{l}, {r}]: engine {engine:.3} s, plain loop {plain:.3} s", ratio(window));
    }
}

/// Returns the CPU times of the engine and of the plain loop for a window, in seconds.
fn compare(l: usize, r: usize, n: usize) -> [f64; 2] {
    let window = Window::new(l as u64, r as u64).expect("the windows are valid");
    let least = |runs| {
        let engine = || Sequence::up_to(black_box(window), n as u64);
        least_times(runs, engine, || all_pairs(black_box(l), r, n), |engine, plain| engine.values == *plain)
    };
    let [engine, plain] = least(1);
    if engine <= plain {
        return [engine, plain];
    }
    let again = least(RERUNS);
    [engine.min(again[0]), plain.min(again[1])]
}

/// Returns the least CPU times of two ways to compute the same, in seconds, of alternate runs.
fn least_times<A, B>(
    runs: usize,
    fast: impl Fn() -> A,
    plain: impl Fn() -> B,
    agree: impl Fn(&A, &B) -> bool,
) -> [f64; 2] {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..runs {
        let (fast_time, found) = timed(&fast);
        let (plain_time, expected) = timed(&plain);
        assert!(agree(&found, &expected), "the values differ");
        least = [least[0].min(fast_time), least[1].min(plain_time)];
    }
    least
}

fn timed<T>(run: impl Fn() -> T) -> (f64, T) {
    let start = processor_time();
    let result = run();
    (processor_time() - start, result)
}

fn processor_time() -> f64 {
    let time: Duration = clock_gettime(ClockId::ProcessCPUTime).try_into().expect("CPU time is not negative");
    time.as_secs_f64()
}

/// Returns the table of outcomes of subtract-a-square up to `n`.
fn squares(n: u64) -> Box<dyn GrundyTable> {
    let game = GameSpec::of_rules("square").expect("these are rules");
    let table = table(&game, Heap::of(n), ValueKind::Outcome, &mut Limit::GAME.clone());
    table.expect("the table is within the limit")
}

/// Returns for each pile size whether the player to move loses, by a search for a losing follower.
fn plain_squares(n: usize) -> Vec<bool> {
    let mut loses = Vec::with_capacity(n + 1);
    for pile in 0..=n {
        let mut followers = (1..).map(|root| root * root).map_while(|take| pile.checked_sub(take));
        let wins = followers.any(|follower| loses[follower]);
        loses.push(!wins);
    }
    loses
}

/// Computes the values from all pairs of segment sizes. `latest[x]` is 1 more than the largest sum of two sizes whose
/// values have the XOR x, or 0 if there is none.
fn all_pairs(l: usize, r: usize, n: usize) -> Vec<u32> {
    let width = (n / l + 1).next_power_of_two();
    let mut latest = vec![0_u32; width];
    let mut values: Vec<u32> = Vec::with_capacity(n + 1);
    for i in 0..=n {
        if let Some(sum) = i.checked_sub(l) {
            let (up, down) = (&values[..=sum / 2], values[..=sum].iter().rev());
            for (a, b) in up.iter().zip(down) {
                // The mask lets the compiler omit the bounds check.
                latest[(a ^ b) as usize & (width - 1)] = sum as u32 + 1;
            }
        }
        let least = i.saturating_sub(r) as u32 + 1;
        values.push(latest.iter().take_while(|&&sum| sum >= least).count() as u32);
    }
    values
}
