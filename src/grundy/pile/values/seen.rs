//! What the followers of a stripe of piles are worth.
//!
//! Eight values are a group. For each group and pile of a stripe there is a byte, with a bit for each value
//! that the pile sees. A take leads from neighbouring piles to neighbouring ones, so it is entered for 16 or
//! 32 piles at once: for each group their followers' groups are compared, and the bits of those that are
//! equal are added. That is three instructions of the processor's vectors; a store for each follower would be
//! 16 or 32 of the others.

use crate::integers::narrow;

/// Neighbouring piles that are entered together. Takes of fewer stones lead back among them.
pub(super) const STRIPE: usize = 64;

/// The groups of a batch: as many as stay in registers while take after take is entered.
const GROUPS: usize = 8;

/// The values of a batch.
pub(super) const BATCH: usize = GROUPS * 8;

/// The takes that are entered into all batches before the next: what they lead to stays in the first-level
/// cache.
const ROUND: usize = 32;

/// Settled piles that lie side by side.
pub(super) struct Row {
    /// The place of the first.
    start: usize,
    /// By pile, the group of its value.
    groups: Vec<u8>,
    /// By pile, the bit of its value in the group; none where no value is known, which enters nothing.
    bits: Vec<u8>,
}

impl Row {
    /// The first `places` places, without a value.
    pub(super) fn new(places: usize) -> Self {
        Self { start: 0, groups: vec![0; places], bits: vec![0; places] }
    }

    /// Gets room for more places.
    pub(super) fn reserve(&mut self, places: usize) {
        self.groups.reserve_exact(places);
        self.bits.reserve_exact(places);
    }

    /// Gives a place its value, below 2048.
    pub(super) fn set(&mut self, place: usize, value: usize) {
        self.groups[place - self.start] = narrow(value / 8);
        self.bits[place - self.start] = 1 << (value % 8);
    }

    /// Adds what the other row has from a place on, which is where this one ends.
    pub(super) fn append(&mut self, other: &Self, place: usize) {
        self.groups.extend_from_slice(&other.groups[place - other.start..]);
        self.bits.extend_from_slice(&other.bits[place - other.start..]);
    }

    /// Drops the first places, and has as many more without a value.
    pub(super) fn advance(&mut self, places: usize) {
        self.start += places;
        for row in [&mut self.groups, &mut self.bits] {
            row.drain(..places);
            row.resize(row.len() + places, 0);
        }
    }

    /// The groups and bits from a place on.
    fn lanes<const LANES: usize>(&self, place: usize) -> ([u8; LANES], [u8; LANES]) {
        let range = place - self.start..place - self.start + LANES;
        let [mut groups, mut bits] = [[0; LANES]; 2];
        groups.copy_from_slice(&self.groups[range.clone()]);
        bits.copy_from_slice(&self.bits[range]);
        (groups, bits)
    }
}

/// Which values the followers of a stripe have, in batches, by group and pile.
#[derive(Default)]
pub(super) struct Seen(Vec<[[u8; STRIPE]; GROUPS]>);

impl Seen {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Enters what the takes, in ascending order, lead to from the stripe at a place. By batch, no place
    /// before the onset has a value of the batch: what leads there is left out.
    ///
    /// Time: 3/8 of a vector instruction for each value of a batch and each take, for 16 or 32 piles.
    pub(super) fn enter(&mut self, row: &Row, place: usize, takes: &[usize], onsets: &[usize]) {
        if self.0.len() < onsets.len() {
            self.0.resize(onsets.len(), [[0; STRIPE]; GROUPS]);
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "vectors of 32 piles take 0.6 of the time of those of 16")]
            // SAFETY: the function is safe but for its need of AVX2, which this processor has.
            return unsafe { self.enter_by_avx2(row, place, takes, onsets) };
        }
        self.enter_by::<16>(row, place, takes, onsets);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn enter_by_avx2(&mut self, row: &Row, place: usize, takes: &[usize], onsets: &[usize]) {
        self.enter_by::<32>(row, place, takes, onsets);
    }

    /// Enters a row for a group of piles at once. It is compiled for the instructions of its caller, and so must be
    /// inlined.
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

    /// Enters what one pile of the stripe sees at a place.
    pub(super) fn see(&mut self, pile: usize, row: &Row, place: usize) {
        let group = usize::from(row.groups[place - row.start]);
        if group / GROUPS >= self.0.len() {
            self.0.resize(group / GROUPS + 1, [[0; STRIPE]; GROUPS]);
        }
        self.0.as_flattened_mut()[group][pile] |= row.bits[place - row.start];
    }

    /// The first value that a pile of the stripe has not seen.
    pub(super) fn mex(&self, pile: usize) -> usize {
        let groups = self.0.as_flattened();
        let full = groups.iter().take_while(|group| group[pile] == u8::MAX).count();
        full * 8 + groups.get(full).map_or(0, |group| group[pile].trailing_ones() as usize)
    }
}

/// Enters one follower for each pile. Without a branch, so that it becomes vectors.
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

        /// With whatever instructions, what is entered is what one pile after the other sees.
        #[test]
        fn enters_what_each_pile_sees(
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
