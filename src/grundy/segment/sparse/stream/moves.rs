//! The moves from a segment, as a stream needs them.

use super::super::leads::Leads;
use super::classes::Classes;
use super::codes::Codes;

/// What the moves from a segment take.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    /// Where two parts are left, in ascending order.
    pub(super) takes: Vec<usize>,
    /// Where one is left, and what that changes in its code.
    pub(super) singles: Vec<(usize, u16)>,
}

impl Moves {
    pub(super) fn new(leads: &Leads, classes: Classes) -> Self {
        let single = |taken: usize| (taken, classes.change(taken));
        Self {
            takes: leads.pair_takes(),
            singles: leads.single_takes().iter().copied().map(single).collect(),
        }
    }

    /// The most that is taken where two parts are left.
    pub(super) fn longest(&self) -> usize {
        self.takes.last().copied().unwrap_or(0)
    }

    /// The codes of the parts that a move from `n` leaves alone.
    #[inline]
    pub(super) fn singles(&self, n: usize, codes: &Codes) -> impl Iterator<Item = u16> {
        let (base, last) = (codes.base(), codes.last());
        let parts =
            self.singles.iter().filter_map(move |&(taken, change)| Some((n.checked_sub(taken)?, change)));
        parts.map(move |(place, change)| last[place - base] ^ change)
    }
}
