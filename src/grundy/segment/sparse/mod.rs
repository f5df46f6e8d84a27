//! The sparse-space engine, which computes the Grundy values of long rows. Its modules use these terms:
//!
//! - A *segment* is identified by its number of cards, which is also called its *place*.
//! - The nimbers are divided into two classes, *rare* and *common*. A segment is rare or common if its nimber is.
//! - Nimbers are stored as *codes*: the top bit of a code is set if the nimber is common, see [`Split`](split::Split).
//! - A *sum* is the number of cards that a move leaves. The *pairs* of a sum are the pairs of segments with this total.
//!   The XOR of the two codes of a pair is *seen* at the sum. To *enter* a pair is to record its XOR; to enter a sum is
//!   to enter pairs of this sum.
//! - The *next* segment is the shortest segment whose code is not known yet.
//! - The *latest* sum of a segment is the greatest sum that a move from the segment leaves. Without a named segment,
//!   the latest sum is that of the next segment.
//! - A *single part* is the only segment that a move leaves, unless the move counts as a move to two parts, one of them
//!   empty.

use std::thread;

use super::Window;
use super::handover::{Found, GiveUp, SparseSpace, StepLimit, StopReason, Wide};

mod engine;
mod rows;
mod scan;
mod seen;
mod split;
pub(super) mod stream;
mod sum_block;
mod take_set;
#[cfg(test)]
mod tests;
mod witnesses;
mod work;

pub(in crate::grundy) use take_set::TakeSet;

use engine::Sparse;
use seen::{Epoch, History};
use work::Work;

/// Computes the Grundy values of the segments of 0 to `n` cards under `window`, and returns them with the number of
/// steps, which is at most about `limit`.
pub(super) fn values(
    window: Window,
    n: u64,
    limit: StepLimit,
    give_up: GiveUp<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<(Found, u64), StopReason> {
    let n = usize::try_from(n).ok().filter(|&n| n < i32::MAX as usize);
    let n = n.ok_or_else(|| StopReason::Wide(Wide::default()))?;
    let [l, r] = [window.l, window.r].map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
    let (l, r) = (l.min(n + 1), r.min(n + 1));
    TakeSet::window(l, r).values(n, limit, give_up, progress)
}

impl TakeSet {
    /// Computes the Grundy values of the segments of 0 to `n` cards, and returns them with the number of steps, which
    /// is at most about `limit`. `n` is below 2^31 and at least the number of values in `first`.
    pub(in crate::grundy) fn values(
        &self,
        n: usize,
        limit: StepLimit,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, u64), StopReason> {
        match (self.is_window(), self.span()) {
            (true, 0..=0xff) => self.values_by::<u8>(n, limit, give_up, progress),
            (true, 0x100..=0xffff) => self.values_by::<u16>(n, limit, give_up, progress),
            (true, _) => self.values_by::<u32>(n, limit, give_up, progress),
            (false, 0..=8) => self.values_by::<History<u8>>(n, limit, give_up, progress),
            (false, 9..=16) => self.values_by::<History<u16>>(n, limit, give_up, progress),
            (false, 17..=32) => self.values_by::<History<u32>>(n, limit, give_up, progress),
            (false, 33..=64) => self.values_by::<History<u64>>(n, limit, give_up, progress),
            (false, _) => self.values_by::<History<u128>>(n, limit, give_up, progress),
        }
    }

    fn values_by<A: Epoch + Send>(
        &self,
        n: usize,
        limit: StepLimit,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, u64), StopReason> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let work = Work::new(self.l(), n, work::SLACK, limit);
        Sparse::<A>::new(self, n, threads, work).values(give_up, progress)
    }
}
