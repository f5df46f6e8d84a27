//! Benchmarks tables of subtract-a-square and counts of winning pairs. Compares the smaller tables with plain loops.
//!
//! Each line about tables has the number of runs and their least time; the runs of a table and of its plain loop
//! alternate. Run with `cargo bench --bench piles`; `docs/performance.md` has a result.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]
#![allow(clippy::cast_possible_truncation, reason = "sizes that the bench chooses are small")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use zeroxor::GameSpec;
use zeroxor::grundy::{Budget, GrundyTable, ValueKind, table, winning_pairs};
use zeroxor::rules::{Clause, Heap, PileGame};

fn main() {
    println!("| squares | runs | fast | plain | gain |\n|---|---|---|---|---|");
    for (n, runs) in [(1_000_000, 9), (10_000_000, 5)] {
        compare(
            &format!("outcomes to {n}"),
            runs,
            || squares(n, ValueKind::Outcome, &[]),
            || plain_outcomes(n as usize),
        );
    }
    for n in [1 << 18, 1 << 20] {
        compare(
            &format!("nimbers to {n}"),
            5,
            || squares(n, ValueKind::Nimber, &[]),
            || plain_nimbers(n as usize),
        );
    }
    println!("\n| squares | runs | time |\n|---|---|---|");
    let bans = |factor: u64| (1..10_000).map(|root| factor * root * root).collect::<Vec<_>>();
    bench("outcomes to 10^8", 3, || squares(100_000_000, ValueKind::Outcome, &[]));
    bench("outcomes to 10^8 without multiples of 25", 3, || {
        squares(100_000_000, ValueKind::Outcome, &bans(25))
    });
    bench("outcomes to 10^8 without even squares", 1, || squares(100_000_000, ValueKind::Outcome, &bans(4)));
    bench("outcomes to 10^9", 1, || squares(1_000_000_000, ValueKind::Outcome, &[]));
    bench("nimbers to 2^22", 1, || squares(1 << 22, ValueKind::Nimber, &[]));
    counts();
}

/// Returns the table of subtract-a-square up to `n`.
fn squares(n: u64, kind: ValueKind, banned: &[u64]) -> Box<dyn GrundyTable> {
    let game = GameSpec::Piles { game: PileGame::Square, piles: vec![n], clauses: Clause::banning(banned) };
    let table = table(&game, Heap::of(n), kind, &mut Budget::GAME.clone(), &mut |_| ());
    table.expect("the table is within the budget")
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

/// Returns the nimbers. For each pile, the values of its followers are marked, and the first value without a mark is
/// the mex.
fn plain_nimbers(n: usize) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::with_capacity(n + 1);
    let mut seen = vec![0; 4096];
    for pile in 0..=n {
        for follower in (1..).map(|root| root * root).map_while(|take| pile.checked_sub(take)) {
            seen[values[follower] as usize] = pile + 1;
        }
        values.push(seen.iter().take_while(|&&at| at == pile + 1).count() as u32);
    }
    values
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

fn bench(what: &str, runs: u32, work: impl Fn() -> Box<dyn GrundyTable>) {
    let least = (0..runs).map(|_| time(&work)).min().unwrap_or_default();
    println!("| {what} | {runs} | {least:.2?} |");
}

fn time<T>(work: impl Fn() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// Measures how long it takes to count the winning pairs of the Number Game in a rectangle.
fn counts() {
    println!("\n| rectangles with bounds up to | each |\n|---|---|");
    for bound in [1_000_000_u64, 1_000_000_000_000_000_000] {
        let mut random = 1_u64;
        let mut below = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((u128::from(random) * u128::from(bound)) >> 64) as u64 + 1
        };
        let rectangles: Vec<[u64; 4]> = (0..100_000)
            .map(|_| {
                let (a, b) = ([below(), below()], [below(), below()]);
                [a[0].min(a[1]), a[0].max(a[1]), b[0].min(b[1]), b[0].max(b[1])]
            })
            .collect();
        let start = Instant::now();
        for &[a1, a2, b1, b2] in &rectangles {
            black_box(winning_pairs((a1, a2), (b1, b2)));
        }
        println!("| {bound} | {:.2?} |", start.elapsed() / 100_000);
    }
}
