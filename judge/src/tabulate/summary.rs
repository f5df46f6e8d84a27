//! What a table comes to.

use std::fmt;
use std::time::Duration;

use itertools::Itertools;

/// A table in a few lines.
#[derive(Debug)]
pub(crate) struct Summary {
    game: String,
    to: u64,
    /// The largest nimber and the first size that has it.
    largest: (u32, u64),
    p_positions: PPositions,
    /// What else there is to say: a name and what belongs to it.
    notes: Vec<(&'static str, String)>,
    time: Duration,
}

impl Summary {
    /// Sums up the nimbers of the sizes 0, 1, ..., which took so long to compute.
    pub(crate) fn of(
        game: &str,
        nimbers: impl IntoIterator<Item = u32>,
        notes: Vec<(&'static str, String)>,
        time: Duration,
    ) -> Self {
        let mut summary = Self {
            game: game.to_owned(),
            to: 0,
            largest: (0, 0),
            p_positions: PPositions::default(),
            notes,
            time,
        };
        for (n, nimber) in (0..).zip(nimbers) {
            summary.to = n;
            if nimber > summary.largest.0 {
                summary.largest = (nimber, n);
            }
            if nimber == 0 {
                summary.p_positions.enter(n);
            }
        }
        summary
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nimber, at) = self.largest;
        let rate = u128::from(self.to + 1) * 1_000_000_000 / self.time.as_nanos().max(1);
        writeln!(f, "game: {}, n = 0 to {}", self.game, self.to)?;
        writeln!(f, "largest nimber: {nimber}, first at n = {at}")?;
        writeln!(f, "P-positions: {}", self.p_positions)?;
        for (name, text) in &self.notes {
            writeln!(f, "{name}: {text}")?;
        }
        writeln!(f, "time: {:.3} s, {rate} values/s", self.time.as_secs_f64())
    }
}

/// How many P-positions are listed.
const LISTED: usize = 10;

/// The P-positions of a table: how many they are, and the first of them.
#[derive(Debug, Default)]
pub(super) struct PPositions {
    count: u64,
    first: Vec<u64>,
}

impl PPositions {
    fn enter(&mut self, n: u64) {
        self.count += 1;
        if self.first.len() < LISTED {
            self.first.push(n);
        }
    }
}

impl FromIterator<u64> for PPositions {
    fn from_iter<I: IntoIterator<Item = u64>>(sizes: I) -> Self {
        let mut p_positions = Self::default();
        sizes.into_iter().for_each(|n| p_positions.enter(n));
        p_positions
    }
}

impl fmt::Display for PPositions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.count > LISTED as u64 { " ..." } else { "" };
        write!(f, "{} (n = {}{more})", self.count, self.first.iter().join(" "))
    }
}
