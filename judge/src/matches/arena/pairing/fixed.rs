//! Meetings that are fixed before the first game.

use itertools::Itertools;

use super::paired_game::PairedGame;

/// Bots that meet, each two of them as often. A run with more pairs begins with the games of one with fewer.
#[derive(Debug)]
pub(crate) struct FixedMeetings {
    name: &'static str,
    meetings: Vec<(usize, usize)>,
    pairs: u64,
}

impl FixedMeetings {
    /// Each bot against each other.
    pub(super) fn round_robin(bots: usize, pairs: u32) -> Self {
        let meetings = (0..bots).tuple_combinations().collect();
        Self { name: "round-robin", meetings, pairs: u64::from(pairs) }
    }

    /// The first bot against all others.
    pub(super) fn gauntlet(bots: usize, pairs: u32) -> Self {
        let meetings = (1..bots).map(|other| (0, other)).collect();
        Self { name: "gauntlet", meetings, pairs: u64::from(pairs) }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn games(&self) -> u64 {
        2 * self.pairs * self.meetings.len() as u64
    }

    pub(super) fn starts(&self) -> u64 {
        self.pairs
    }

    pub(super) fn game(&self, index: u64) -> Option<PairedGame> {
        let count = self.meetings.len().max(1) as u64;
        let meeting = usize::try_from(index / 2 % count).ok()?;
        let &(a, b) = self.meetings.get(meeting)?;
        let seats = if index.is_multiple_of(2) { [a, b] } else { [b, a] };
        Some(PairedGame { seats, start: index / 2 / count, round: None })
    }
}
