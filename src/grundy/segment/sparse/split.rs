//! Rare and common nimbers.

/// A division of the nimbers below 2^15 into rare and common ones. A nimber is common if it has an odd number of bits
/// under the mask. So rare xor rare and common xor common are rare, rare xor common is common, and 0 is rare.
///
/// Nimbers are stored as *codes*: the top bit is set if the nimber is common, and the lowest bit under the mask, which
/// follows from the others, is omitted. The code of an XOR is the XOR of the codes. The codes of each class are in the
/// order of its nimbers: two nimbers of a class that agree in all bits above the omitted bit also agree in the omitted
/// bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    mask: u16,
    /// The position of the omitted bit.
    place: u32,
}

/// The top bit of a code, which is set if the code is common: the common codes are `COMMON` and up.
pub(super) const COMMON: u16 = 1 << 15;

impl Split {
    /// Every nimber is rare.
    pub(super) const ALL_RARE: Self = Self { mask: 0, place: 15 };

    /// Returns the split with this mask.
    pub(super) fn new(mask: u16) -> Self {
        if mask == 0 { Self::ALL_RARE } else { Self { mask, place: mask.trailing_zeros() } }
    }

    /// Returns the split with the fewest rare values for a histogram of nimbers, whose length is a power of two;
    /// [`ALL_RARE`](Self::ALL_RARE) if more than one value in `rare_share` is rare under that split.
    ///
    /// The Walsh-Hadamard transform of the histogram has, for every mask, the number of rare values minus the number of
    /// common values. Time: O(k log k) for k nimbers.
    pub(super) fn best(histogram: &[u32], rare_share: i64) -> Self {
        let excess: Vec<i64> = histogram.iter().map(|&count| count.into()).collect();
        let all: i64 = excess.iter().sum();
        let (mask, excess) = Self::fewest_rares(excess);
        Self::new(if i64::midpoint(all, excess) * rare_share <= all { mask } else { 0 })
    }

    /// Returns the mask under which the most values are common, and the excess under this mask: the number of rare
    /// values minus the number of common values. `excess[x]` is the excess of only the values that equal x, under a
    /// mask of which x has an even number of bits.
    pub(super) fn fewest_rares(mut excess: Vec<i64>) -> (u16, i64) {
        let mut half = 1;
        while half < excess.len() {
            for block in excess.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = (*a + *b, *a - *b);
                }
            }
            half *= 2;
        }
        (0..).zip(excess).min_by_key(|&(_, excess)| excess).unwrap_or_default()
    }

    /// Returns the code of a nimber below 2^15.
    pub(super) fn code(self, nimber: u16) -> u16 {
        let below = (1 << self.place) - 1;
        let rest = nimber & below | nimber >> self.place >> 1 << self.place;
        let odd = (nimber & self.mask).count_ones() % 2;
        rest | (odd as u16) << 15
    }

    /// Returns the nimber of a code.
    pub(super) fn nimber(self, code: u16) -> u16 {
        let rest = code & !COMMON;
        if self.mask == 0 {
            return rest;
        }
        let below = (1 << self.place) - 1;
        let nimber = rest & below | (rest & !below) << 1;
        let odd = (nimber & self.mask).count_ones() % 2;
        nimber | ((odd as u16) ^ (code >> 15)) << self.place
    }

    /// Returns the number of rare nimbers less than the nimber of the code `common`.
    pub(super) fn rares_below(self, common: u16) -> usize {
        let (nimber, rest) = (self.nimber(common), usize::from(common & !COMMON));
        // A rare nimber that agrees with `nimber` in all bits above the omitted bit differs from `nimber` in the
        // omitted bit.
        let agreeing = usize::from(nimber >> self.place & 1);
        ((rest >> self.place) + agreeing) << self.place
    }

    /// Returns the mask. A common nimber has an odd number of bits under the mask.
    pub(super) fn mask(self) -> u16 {
        self.mask
    }

    /// Returns whether any nimber is common.
    pub(super) fn has_common(self) -> bool {
        self.mask != 0
    }
}
