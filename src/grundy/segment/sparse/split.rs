//! Rare and common nimbers.

/// A split of the nimbers below 2^15 into rare and common, by the parity of the bits under a mask: a common
/// nimber has an odd number of them. So rare xor rare and common xor common are rare, rare xor common is
/// common, and 0 is rare.
///
/// Nimbers are kept in *codes*: the top bit is set if the nimber is common, and the lowest bit of the
/// mask, which then follows from the others, is left out. The code of an XOR is the XOR of the codes, and
/// within each half of the codes the order is that of the nimbers: two nimbers of one half that agree above
/// that bit agree in it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    mask: u16,
    /// The place of the bit that is left out.
    place: u32,
}

/// The top bit of the codes of common nimbers: they are `COMMON` and up, in order.
pub(super) const COMMON: u16 = 1 << 15;

impl Split {
    /// Every nimber is rare.
    pub(super) const ALL_RARE: Self = Self { mask: 0, place: 15 };

    /// Calls those common that have an odd number of bits under the mask.
    pub(super) fn new(mask: u16) -> Self {
        if mask == 0 { Self::ALL_RARE } else { Self { mask, place: mask.trailing_zeros() } }
    }

    /// The split with the fewest rare values for a histogram of nimbers, whose length is a power of two; if
    /// even that leaves more than one in `most`, then none.
    ///
    /// Its Walsh-Hadamard transform gives for every mask how many more values are rare than common. Time: k
    /// log k.
    pub(super) fn best(histogram: &[u32], most: i64) -> Self {
        let excess: Vec<i64> = histogram.iter().map(|&count| count.into()).collect();
        let all: i64 = excess.iter().sum();
        let (mask, excess) = Self::fewest_rares(excess);
        Self::new(if i64::midpoint(all, excess) * most <= all { mask } else { 0 })
    }

    /// The mask for which the most values are common, and how many more are rare than common: by how many more values of
    /// each nimber are rare than common where it is rare.
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

    /// The code of a nimber below 2^15.
    pub(super) fn code(self, nimber: u16) -> u16 {
        let below = (1 << self.place) - 1;
        let rest = nimber & below | nimber >> self.place >> 1 << self.place;
        let odd = (nimber & self.mask).count_ones() % 2;
        rest | (odd as u16) << 15
    }

    /// The nimber of a code.
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

    /// How many rare nimbers are less than this common one.
    pub(super) fn rares_below(self, common: u16) -> usize {
        let (nimber, rest) = (self.nimber(common), usize::from(common & !COMMON));
        // Those that agree with it above the bit left out have the other bit there.
        let agreeing = usize::from(nimber >> self.place & 1);
        ((rest >> self.place) + agreeing) << self.place
    }

    /// The bits of which a common nimber has an odd number.
    pub(super) fn mask(self) -> u16 {
        self.mask
    }

    /// Whether there are common nimbers at all.
    pub(super) fn has_common(self) -> bool {
        self.mask != 0
    }
}
