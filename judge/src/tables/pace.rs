//! What a table takes.

use std::time::{Duration, Instant};

/// Goes through all values of a table, which may be computed only then; also says in the last line of a
/// summary what that has taken, and how many of them that is in a second. `computing` is what some of it has
/// taken before.
pub(super) fn timed<T>(count: u64, what: &str, computing: Duration, go: impl FnOnce() -> T) -> (T, String) {
    let start = Instant::now();
    let found = go();
    let time = computing + start.elapsed();
    let rate = u128::from(count) * 1_000_000_000 / time.as_nanos().max(1);
    (found, format!("time: {:.3} s, {rate} {what}/s", time.as_secs_f64()))
}
