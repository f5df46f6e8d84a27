//! The values of the followers of a *stripe*, which has 64 consecutive piles.
//!
//! Eight values form a group. For each group and each pile of a stripe, a byte has one bit per value. The bit is set if
//! a follower of the pile has the value. A take leads from consecutive piles to consecutive followers, so 16 or 32
//! piles are processed at once: for each group, the groups of the followers' values are compared with this group, and
//! if they are equal, the bits of the values are added. This needs three vector instructions; one store per follower
//! would need 16 or 32 scalar instructions.

use crate::integers::narrow;

/// Number of piles in a stripe: consecutive piles that are processed together. Only takes of fewer than `STRIPE` stones
/// lead from one pile of a stripe to another.
pub(super) const STRIPE: usize = 64;

/// Number of groups in a batch. The bytes of a batch stay in registers during the loop over the takes.
const GROUPS: usize = 8;

/// Number of values in a batch.
pub(super) const BATCH: usize = GROUPS * 8;

/// Number of takes in a round. A round processes its takes for all batches before the next round begins, because the
/// followers that its takes lead to fit into the L1 cache.
const ROUND: usize = 32;

/// The values of consecutive piles. The *place* of a pile is its size plus [`ORIGIN`](super::ORIGIN).
pub(super) struct Row {
    /// The place of the first pile.
    start: usize,
    /// For each pile, the group of its value.
    groups: Vec<u8>,
    /// For each pile, the bit of its value in its group; 0 if the pile has no value.
    bits: Vec<u8>,
}

impl Row {
    /// Returns a row of `places` places without values.
    pub(super) fn new(places: usize) -> Self {
        Self { start: 0, groups: vec![0; places], bits: vec![0; places] }
    }

    /// Reserves memory for `places` more places.
    pub(super) fn reserve(&mut self, places: usize) {
        self.groups.reserve_exact(places);
        self.bits.reserve_exact(places);
    }

    /// Sets the value of a place. The value is less than 2048.
    pub(super) fn set(&mut self, place: usize, value: usize) {
        self.groups[place - self.start] = narrow(value / 8);
        self.bits[place - self.start] = 1 << (value % 8);
    }

    /// Appends the values of `other` from `place` on, which must be the end of this row.
    pub(super) fn append(&mut self, other: &Self, place: usize) {
        self.groups.extend_from_slice(&other.groups[place - other.start..]);
        self.bits.extend_from_slice(&other.bits[place - other.start..]);
    }

    /// Removes the first `places` places, and appends as many places without values.
    pub(super) fn advance(&mut self, places: usize) {
        self.start += places;
        for row in [&mut self.groups, &mut self.bits] {
            row.drain(..places);
            row.resize(row.len() + places, 0);
        }
    }

    /// Returns the groups and bits of `LANES` places from `place` on.
    fn lanes<const LANES: usize>(&self, place: usize) -> ([u8; LANES], [u8; LANES]) {
        let range = place - self.start..place - self.start + LANES;
        let [mut groups, mut bits] = [[0; LANES]; 2];
        groups.copy_from_slice(&self.groups[range.clone()]);
        bits.copy_from_slice(&self.bits[range]);
        (groups, bits)
    }
}

/// The values that the followers of a stripe have. For each batch, each group of the batch and each pile of the stripe,
/// a byte has one bit for each of the 8 values of the group.
#[derive(Default)]
pub(super) struct Seen(Vec<[[u8; STRIPE]; GROUPS]>);

impl Seen {
    /// Removes all values.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the values of the followers that `takes`, in ascending order, lead to from the stripe at `place`. For each
    /// batch, `onsets` has the first place with a value of the batch; for this batch, takes that lead only to earlier
    /// places are skipped.
    ///
    /// Time: for 16 or 32 piles at a time, 3/8 of a vector instruction per take and per value of a batch.
    pub(super) fn enter(&mut self, row: &Row, place: usize, takes: &[usize], onsets: &[usize]) {
        if self.0.len() < onsets.len() {
            self.0.resize(onsets.len(), [[0; STRIPE]; GROUPS]);
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "vectors of 32 piles take 0.6 of the time of those of 16")]
            // SAFETY: the only condition of the function is AVX2, and this processor has AVX2.
            return unsafe { self.enter_by_avx2(row, place, takes, onsets) };
        }
        self.enter_by::<16>(row, place, takes, onsets);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn enter_by_avx2(&mut self, row: &Row, place: usize, takes: &[usize], onsets: &[usize]) {
        self.enter_by::<32>(row, place, takes, onsets);
    }

    /// Adds the values of followers, `LANES` piles at once. Must be inlined to use the instruction set of its caller.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else it has no AVX2")]
    fn enter_by<const LANES: usize>(&mut self, row: &Row, place: usize, takes: &[usize], onsets: &[usize]) {
        for takes in takes.chunks(ROUND) {
            for (batch, (seen, onset)) in self.0.iter_mut().zip(onsets).enumerate() {
                let takes = &takes[..takes.partition_point(|take| take + onset < place + STRIPE)];
                for first in (0..STRIPE).step_by(LANES) {
                    let mut own = [[0; LANES]; GROUPS];
                    for (own, seen) in own.iter_mut().zip(&*seen) {
                        own.copy_from_slice(&seen[first..first + LANES]);
                    }
                    for take in takes {
                        enter_lanes(&mut own, batch, row.lanes(place + first - take));
                    }
                    for (own, seen) in own.iter().zip(&mut *seen) {
                        seen[first..first + LANES].copy_from_slice(own);
                    }
                }
            }
        }
    }

    /// Adds the value of the follower at `place` to pile `pile` of the stripe.
    pub(super) fn see(&mut self, pile: usize, row: &Row, place: usize) {
        let group = usize::from(row.groups[place - row.start]);
        if group / GROUPS >= self.0.len() {
            self.0.resize(group / GROUPS + 1, [[0; STRIPE]; GROUPS]);
        }
        self.0.as_flattened_mut()[group][pile] |= row.bits[place - row.start];
    }

    /// Returns the least value that no follower of pile `pile` of the stripe has.
    pub(super) fn mex(&self, pile: usize) -> usize {
        let groups = self.0.as_flattened();
        let full = groups.iter().take_while(|group| group[pile] == u8::MAX).count();
        full * 8 + groups.get(full).map_or(0, |group| group[pile].trailing_ones() as usize)
    }
}

/// Adds the value of one follower to each pile. Has no branches, so that the compiler uses vector instructions.
#[inline(always)]
#[expect(clippy::inline_always, reason = "for the caller's instructions")]
fn enter_lanes<const LANES: usize>(
    seen: &mut [[u8; LANES]; GROUPS],
    batch: usize,
    (groups, bits): ([u8; LANES], [u8; LANES]),
) {
    for (at, seen) in seen.iter_mut().enumerate() {
        let this: u8 = narrow(batch * GROUPS + at);
        for lane in 0..LANES {
            let mask = if groups[lane] == this { u8::MAX } else { 0 };
            seen[lane] |= bits[lane] & mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        /// `enter`, with AVX2 if the processor has it, and `enter_by::<16>` give the same result as `see`.
        #[test]
        fn enter_agrees_with_see(
            values in prop::collection::vec(0_usize..150, 500),
            takes in prop::collection::btree_set(STRIPE..400, 0..100),
        ) {
            let (place, takes) = (420, takes.into_iter().collect::<Vec<_>>());
            let mut row = Row::new(values.len());
            (0..).zip(&values).for_each(|(place, &value)| row.set(place, value));
            let onsets: Vec<usize> = (0..3)
                .map(|batch| values.iter().position(|value| value / BATCH >= batch).unwrap_or(values.len()))
                .collect();
            let [mut widest, mut by_16, mut one_by_one] = [(); 3].map(|()| Seen::default());
            widest.enter(&row, place, &takes, &onsets);
            by_16.0.resize(3, [[0; STRIPE]; GROUPS]);
            by_16.enter_by::<16>(&row, place, &takes, &onsets);
            one_by_one.0.resize(3, [[0; STRIPE]; GROUPS]);
            for (pile, take) in (0..STRIPE).flat_map(|pile| takes.iter().map(move |take| (pile, take))) {
                one_by_one.see(pile, &row, place + pile - take);
            }
            prop_assert_eq!(&widest.0, &one_by_one.0);
            prop_assert_eq!(&by_16.0, &one_by_one.0);
        }
    }
}
