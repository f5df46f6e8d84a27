//! What a table comes to.

use std::fmt;
use std::time::Duration;

use itertools::Itertools;

use super::pace::timed;

/// What else there is to say: names and what belongs to each.
pub(crate) type Notes = Vec<(&'static str, String)>;

/// A table in a few lines.
#[derive(Debug)]
pub(crate) struct Summary {
    game: String,
    to: u64,
    /// The largest nimber and the first size that has it.
    largest: (u32, u64),
    p_positions: PPositions,
    notes: Notes,
    time: String,
}

impl Summary {
    /// Sums up the nimbers of the sizes 0, 1, ...; so long has been spent to compute them.
    pub(crate) fn of(
        game: &str,
        nimbers: impl ExactSizeIterator<Item = u32>,
        notes: Notes,
        time: Duration,
    ) -> Self {
        let sizes = nimbers.len() as u64;
        let (mut largest, mut p_positions) = ((0, 0), PPositions::default());
        let ((), time) = timed(sizes, "values", time, || {
            for (n, nimber) in (0..).zip(nimbers) {
                if nimber > largest.0 {
                    largest = (nimber, n);
                }
                if nimber == 0 {
                    p_positions.enter(n);
                }
            }
        });
        Self { game: game.to_owned(), to: sizes.saturating_sub(1), largest, p_positions, notes, time }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nimber, at) = self.largest;
        writeln!(f, "game: {}, n = 0 to {}", self.game, self.to)?;
        writeln!(f, "largest nimber: {nimber}, first at n = {at}")?;
        writeln!(f, "P-positions: {}", self.p_positions)?;
        for (name, text) in &self.notes {
            writeln!(f, "{name}: {text}")?;
        }
        writeln!(f, "{}", self.time)
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
