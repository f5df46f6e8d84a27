//! The sparse-space engine: Grundy values of long rows.

use std::thread;

use super::{Period, Window};

mod common_scan;
mod engine;
mod guess;
mod handover;
mod leads;
mod rare_scan;
mod rows;
mod seen;
mod split;
#[cfg(not(contest))]
pub(super) mod stream;
mod sum_block;
#[cfg(test)]
mod tests;
mod witness_rows;
mod witnesses;
mod work;

pub(super) use handover::GiveUp;
pub(in crate::grundy) use handover::Left;
pub(in crate::grundy) use leads::Leads;

use engine::Sparse;
use handover::Wide;
use seen::{Epoch, History};
pub(in crate::grundy) use work::StepLimit;
use work::Work;

/// What splits the values of a window into rare and common ones.
///
/// ```
/// use zeroxor::grundy::segment::{Sequence, Window};
///
/// let values = Sequence::up_to(Window::new(1, 5).unwrap(), 20_000);
/// let space = values.space().unwrap();
/// let is_rare = |value: u32| (u64::from(value) & space.mask).count_ones() % 2 == 0;
/// let rares = values.values().iter().filter(|&&value| is_rare(value)).count();
/// assert_eq!(rares as u64, space.rares);
/// assert!(is_rare(values.values()[space.last as usize]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseSpace {
    /// A nimber is rare when the number of its bits under the mask is even.
    pub mask: u64,
    /// How many segments have a rare value.
    pub rares: u64,
    /// The last of them.
    pub last: u64,
}

/// What has been found.
pub(in crate::grundy) struct Found {
    /// From 0 on.
    pub(in crate::grundy) values: Vec<u16>,
    pub(in crate::grundy) space: Option<SparseSpace>,
    /// Proven on the way; the values behind were not looked for any more.
    pub(in crate::grundy) period: Option<Period>,
}

/// The Grundy values of a window up to `n`, and the steps that they took, if these are no more than `limit`.
pub(super) fn values(
    window: Window,
    n: u64,
    limit: StepLimit,
    give_up: GiveUp<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<(Found, u64), Left> {
    let n = usize::try_from(n).ok().filter(|&n| n < i32::MAX as usize);
    let n = n.ok_or_else(|| Left::Wide(Wide::default()))?;
    let [l, r] = [window.l, window.r].map(|bound| usize::try_from(bound).unwrap_or(usize::MAX));
    let (l, r) = (l.min(n + 1), r.min(n + 1));
    Leads::window(l, r).values(n, limit, give_up, progress)
}

impl Leads {
    /// The Grundy values of segments up to `n`, below 2^31 and no fewer than the first values, and the steps that they
    /// took, if these are no more than `limit`.
    pub(in crate::grundy) fn values(
        &self,
        n: usize,
        limit: StepLimit,
        give_up: GiveUp<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Found, u64), Left> {
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
    ) -> Result<(Found, u64), Left> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let work = Work::new(self.l(), n, work::SLACK, limit);
        Sparse::<A>::new(self, n, threads, work).values(give_up, progress)
    }
}
