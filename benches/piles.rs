//! Compares the sieve for the outcomes of subtract-a-square with a plain loop.
//!
//! Each line has the number of runs and their least times; the runs of the sieve and of the loop alternate. Run with `cargo bench --bench piles`; `docs/performance.md` has a result.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the bench chooses are small")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use zeroxor::GameSpec;
use zeroxor::grundy::{GrundyTable, Limit, ValueKind, table};
use zeroxor::rules::{Heap, PileGame};

fn main() {
    println!("| squares | runs | fast | plain | gain |\n|---|---|---|---|---|");
    for (n, runs) in [(1_000_000, 9), (10_000_000, 5)] {
        compare(
            &format!("outcomes to {n}"),
            runs,
            || squares(n, ValueKind::Outcome),
            || plain_outcomes(n as usize),
        );
    }
}

/// Returns the table of subtract-a-square up to `n`.
fn squares(n: u64, kind: ValueKind) -> Box<dyn GrundyTable> {
    let game = GameSpec::Piles { game: PileGame::Square, piles: vec![n], clauses: Vec::new() };
    table(&game, Heap::of(n), kind, &mut Limit::GAME.clone()).expect("the table is within the limit")
}

/// Returns for each pile size whether the player to move loses, by a search for a losing follower.
fn plain_outcomes(n: usize) -> Vec<bool> {
    let mut loses = Vec::with_capacity(n + 1);
    for pile in 0..=n {
        let mut followers = (1..).map(|root| root * root).map_while(|take| pile.checked_sub(take));
        let wins = followers.any(|follower| loses[follower]);
        loses.push(!wins);
    }
    loses
}

fn compare<T>(what: &str, runs: u32, fast: impl Fn() -> Box<dyn GrundyTable>, plain: impl Fn() -> T) {
    let (mut least, mut least_plain) = (Duration::MAX, Duration::MAX);
    for _ in 0..runs {
        least = least.min(time(&fast));
        least_plain = least_plain.min(time(&plain));
    }
    let gain = least_plain.as_secs_f64() / least.as_secs_f64();
    println!("| {what} | {runs} | {least:.1?} | {least_plain:.1?} | {gain:.1} |");
}

fn time<T>(work: impl Fn() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}
