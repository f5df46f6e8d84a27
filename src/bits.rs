//! Rows of bits.

/// The places of the bits that are set, in ascending order: 64 to a word, the lowest bit first.
pub(crate) fn ones(words: impl IntoIterator<Item = u64>) -> impl Iterator<Item = usize> {
    (0..).step_by(64).zip(words).flat_map(|(from, mut word)| {
        std::iter::from_fn(move || {
            let place = (word != 0).then(|| from + word.trailing_zeros() as usize);
            word &= word.wrapping_sub(1);
            place
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_bits() {
        assert!(ones([0b1010_0001, 0, 1 << 63]).eq([0, 5, 7, 191]));
        assert_eq!(ones([]).next(), None);
        assert!(ones([u64::MAX]).eq(0..64));
    }
}
