//! Rows of bits.

use std::iter;

/// The places of the bits that are set in a word, in ascending order, the lowest bit first.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        place
    })
}

/// The places of the bits that are set in a row of words, 64 to a word.
pub(crate) fn ones_of(words: impl IntoIterator<Item = u64>) -> impl Iterator<Item = usize> {
    (0..).step_by(64).zip(words).flat_map(|(from, word)| ones(word).map(move |place| from + place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_bits() {
        assert!(ones_of([0b1010_0001, 0, 1 << 63]).eq([0, 5, 7, 191]));
        assert_eq!(ones_of([]).next(), None);
        assert!(ones(u64::MAX).eq(0..64));
    }
}
