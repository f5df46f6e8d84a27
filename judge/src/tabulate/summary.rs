//! What a table comes to.

use std::fmt;
use std::time::Duration;

use itertools::Itertools;

/// How many P-positions are listed.
const LISTED: usize = 10;

/// A table in a few lines.
#[derive(Debug)]
pub(crate) struct Summary {
    game: String,
    to: u64,
    /// The largest nimber and the first size that has it.
    largest: (u32, u64),
    p_positions: u64,
    first_p_positions: Vec<u64>,
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
            p_positions: 0,
            first_p_positions: Vec::new(),
            notes,
            time,
        };
        for (n, nimber) in (0..).zip(nimbers) {
            summary.to = n;
            if nimber > summary.largest.0 {
                summary.largest = (nimber, n);
            }
            if nimber == 0 {
                summary.p_positions += 1;
                if summary.first_p_positions.len() < LISTED {
                    summary.first_p_positions.push(n);
                }
            }
        }
        summary
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nimber, at) = self.largest;
        let rate = u128::from(self.to + 1) * 1_000_000_000 / self.time.as_nanos().max(1);
        let listed = self.first_p_positions.iter().join(" ");
        let more = if self.p_positions > LISTED as u64 { " ..." } else { "" };
        writeln!(f, "game: {}, n = 0 to {}", self.game, self.to)?;
        writeln!(f, "largest nimber: {nimber}, first at n = {at}")?;
        writeln!(f, "P-positions: {} (n = {listed}{more})", self.p_positions)?;
        for (name, text) in &self.notes {
            writeln!(f, "{name}: {text}")?;
        }
        writeln!(f, "time: {:.3} s, {rate} values/s", self.time.as_secs_f64())
    }
}
