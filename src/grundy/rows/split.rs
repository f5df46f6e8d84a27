//! Rare and common nimbers.

/// A division of the nimbers below 2^15 into rare and common ones.
///
/// Nimbers are stored as *codes*, which have the class in the top bit, set for common nimbers. A nimber is common if it
/// has an odd number of bits under the mask. So the code of an XOR is the XOR of the codes: rare xor rare and common
/// xor common are rare, rare xor common is common, and 0 is rare. The lowest bit under the mask follows from the others
/// and is left out of the code, so that the codes of each class are consecutive, in the order of the nimbers.
///
/// If the two parts that a move leaves always have an even number of cards in total for odd segments and an odd number
/// for even ones (or the reverse), the classes may be exchanged at every other segment: the parity of a segment then
/// counts as one more bit under the mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) mask: u16,
    /// The parity of the segments at which the classes are exchanged.
    pub(super) exchanged: Option<usize>,
}

/// The top bit of a code, which is set if the code is common.
pub(super) const COMMON: u16 = 1 << 15;

impl Split {
    /// The position of the bit that is left out.
    fn place(self) -> u32 {
        self.mask.trailing_zeros()
    }

    fn is_exchanged(self, segment: usize) -> bool {
        self.exchanged == Some(segment % 2)
    }

    /// The code of a nimber below 2^15 as the value or an option of a segment.
    pub(super) fn code(self, nimber: u16, segment: usize) -> u16 {
        let below = (1 << self.place()) - 1;
        let rest = nimber & below | nimber >> self.place() >> 1 << self.place();
        let is_common = ((nimber & self.mask).count_ones() % 2 == 1) != self.is_exchanged(segment);
        rest | u16::from(is_common) << 15
    }

    pub(super) fn nimber(self, code: u16, segment: usize) -> u16 {
        let rest = code & !COMMON;
        let below = (1 << self.place()) - 1;
        let nimber = rest & below | (rest & !below) << 1;
        let is_odd = (code >= COMMON) != self.is_exchanged(segment);
        let left_out = ((nimber & self.mask).count_ones() % 2 == 1) != is_odd;
        nimber | u16::from(left_out) << self.place()
    }

    /// Number of rare codes whose nimbers are less than the nimber of a common code of a segment.
    ///
    /// A rare nimber that agrees with the nimber of `common` in all bits above the left out bit differs in that bit.
    pub(super) fn rares_below(self, common: u16, segment: usize) -> usize {
        let below = (1 << self.place()) - 1;
        let rest = common & !COMMON;
        let is_set = self.nimber(common, segment) >> self.place() & 1 == 1;
        if is_set { usize::from(rest | below) + 1 } else { usize::from(rest & !below) }
    }

    /// The split under which the fewest of `values`, from segment 0 on, are rare, with the number of rare values. All
    /// values must be below 2^15. `may_exchange` is the parity of the segments at which the classes may be exchanged.
    ///
    /// The Walsh-Hadamard transform of the histogram has, for every mask, the number of values with an even number of
    /// bits under the mask minus the number of the others. Time: O(n + k log k) for n values below k.
    pub(super) fn best(values: &[u32], may_exchange: Option<usize>) -> Option<(Self, usize)> {
        let width = (values.iter().max().map_or(0, |&most| most as usize) + 1).next_power_of_two();
        let best_of = |exchanged: Option<usize>| {
            let mut excess = vec![0_i64; width];
            for (segment, &value) in values.iter().enumerate() {
                excess[value as usize] += if exchanged == Some(segment % 2) { -1 } else { 1 };
            }
            transform(&mut excess);
            let masks = (0_u16..).zip(excess).skip(1);
            let (excess, mask) = masks.map(|(mask, excess)| (excess, mask)).min()?;
            let count = i64::try_from(values.len()).ok()?;
            let rares = usize::try_from(i64::midpoint(count, excess)).ok()?;
            Some((Self { mask, exchanged }, rares))
        };
        let plain = best_of(None);
        let exchanged = may_exchange.and_then(|parity| best_of(Some(parity)));
        plain.into_iter().chain(exchanged).min_by_key(|&(_, rares)| rares)
    }
}

/// The Walsh-Hadamard transform. The length must be a power of two.
fn transform(values: &mut [i64]) {
    let mut half = 1;
    while half < values.len() {
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integers::narrow;

    #[test]
    fn the_best_split_has_the_fewest_rare_values() {
        let values: Vec<u32> = (0..500).map(|n| (n * n % 61) | u32::from(n % 9 != 0)).collect();
        let (split, rares) = Split::best(&values, Some(0)).unwrap();
        let count = |split: Split| {
            let rare = |&(n, &value): &(usize, &u32)| split.code(narrow(value), n) < COMMON;
            values.iter().enumerate().filter(rare).count()
        };
        assert_eq!(rares, count(split));
        for mask in 1..64 {
            assert!([None, Some(0)].iter().all(|&exchanged| count(Split { mask, exchanged }) >= rares));
        }
    }
}
