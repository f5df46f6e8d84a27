//! Measures how long the bot takes for each reply at N = 2000, the contest's limit.
//!
//! Run with `cargo bench --bench contest`; `docs/performance.md` has a result, and how the start is measured.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]

use std::ops::Range;
use std::time::{Duration, Instant};

use itertools::Itertools;
use zeroxor::core::row::{Move, Row};
use zeroxor::core::strategy::{Side, Strategy};

const N: usize = 2000;

/// The bounds of the windows. All pairs L <= R of these numbers are used.
const ENDS: [usize; 14] = [1, 2, 3, 5, 7, 20, 50, 100, 300, 700, 1000, 1300, 1999, 2000];

fn main() {
    let times = |window| replies_in(window).into_iter().map(move |time| (time, window));
    let windows = ENDS.into_iter().cartesian_product(ENDS).filter(|(l, r)| l <= r);
    let replies: Vec<_> = windows.flat_map(times).collect();
    let (most, (l, r)) = replies.iter().copied().max().unwrap_or_default();
    let mut times: Vec<Duration> = replies.iter().map(|&(time, _)| time).collect();
    times.sort();
    let [median, high] = [50, 99].map(|percent| times[(times.len() - 1) * percent / 100]);
    println!("| replies, one game a window | median | 99 % | most |\n|---|---|---|---|");
    println!("| {} | {median:.1?} | {high:.1?} | {most:.1?} in [{l}, {r}] |", times.len());
}

/// Returns the times of the bot's replies in one game, in which the other side plays random moves. The time of the
/// nimbers, which are computed before the first line, is not included.
fn replies_in((l, r): (usize, usize)) -> Vec<Duration> {
    let mut row = Row::new(N, l, r).expect("it is a game");
    let strategy = Strategy::new(&row);
    let mut random = l * 4001 + r;
    let mut last = None;
    let mut times = Vec::new();
    loop {
        if last.is_some() || strategy.side(&row) == Side::First {
            let start = Instant::now();
            let mv = strategy.answer(&row, last).expect("the bot wins");
            row.take(mv).expect("it is legal");
            times.push(start.elapsed());
        }
        let starts = |segment: &Range<usize>| segment.start..(segment.end + 1).saturating_sub(l);
        let places: Vec<usize> = row.segments().iter().flat_map(starts).collect();
        if places.is_empty() {
            return times;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = Move { x: places[(random >> 16) % places.len()], y: l };
        row.take(mv).expect("it is legal");
        last = Some(mv);
    }
}
