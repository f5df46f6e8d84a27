//! Conversions of integers to smaller types, and the indices of the bits that are set in a word.

use std::any::type_name;
use std::iter;

/// Converts `number` to a smaller type. The caller must know that it fits, for instance because of the length of a
/// table, a mask or a remainder: if it does not, this panics. Use `TryFrom` for numbers from outside.
#[inline]
pub(crate) fn narrow<T>(number: impl TryInto<T>) -> T {
    number.try_into().unwrap_or_else(|_| unreachable!("a number does not fit into {}", type_name::<T>()))
}

/// Returns the indices of the bits set in `word`, in ascending order. The lowest bit has index 0.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        let index = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        index
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "does not fit into u16")]
    fn narrow_panics_if_a_number_does_not_fit() {
        narrow::<u16>(65_536_u64);
    }

    #[test]
    fn indices_of_bits() {
        assert!(ones(0b1010_0001).eq([0, 5, 7]));
        assert_eq!(ones(0).next(), None);
        assert!(ones(u64::MAX).eq(0..64));
    }
}
