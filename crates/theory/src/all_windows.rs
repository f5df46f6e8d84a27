//! The sweep over all windows: how many starts Second wins.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use zeroxor::grundy::segment::AllWindows;

use common::progress::Progress;

/// What all windows up to a length come to, and how long it took to find.
pub(crate) struct AllWindowsSummary {
    n: u64,
    windows: AllWindows,
    time: Duration,
}

impl AllWindowsSummary {
    /// Computes the values of all windows 1 <= L <= R <= n on the rows of R to n cards. Time: n^3/12 steps at most.
    pub(crate) fn compute(n: u64) -> Self {
        let progress = Progress::new(n);
        let start = Instant::now();
        let windows = AllWindows::new(n, &mut |l| progress.reach(l));
        Self { n, windows, time: start.elapsed() }
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { n, windows, time } = self;
        let counts = windows.won_by_second();
        let listed = (1..).zip(counts).take(3).map(|(l, count)| format!("{count} with L = {l}"));
        let more = counts.iter().skip(3).sum::<u64>();
        let listed = listed.chain((more > 0).then(|| format!("and {more} with a larger L")));
        let listed: Vec<String> = listed.collect();
        writeln!(out, "windows: {}, 1 <= L <= R <= {n}", windows.windows())?;
        writeln!(out, "starts: {}, rows of R to {n} cards", windows.starts())?;
        let total = counts.iter().sum::<u64>();
        writeln!(out, "won by Second: {total}, all with L = R: {}", listed.join(", "))?;
        writeln!(out, "largest nimber: {0}, of {0} cards under [1, {0}]", windows.largest())?;
        writeln!(out, "time: {:.3} s", time.as_secs_f64())
    }
}
