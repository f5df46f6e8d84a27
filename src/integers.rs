//! Conversions of integers to smaller types, and the indices of the bits that are set in a word.

use std::iter;

/// An integer type that can be converted to the smaller type `T`.
pub(crate) trait Narrow<T> {
    /// See [`narrow`].
    fn narrow(self) -> T;
}

/// Converts `number` to a smaller type. The caller must know that it fits, for instance because of the length of a
/// table, a mask or a remainder: if it does not, this panics with debug assertions, and drops the upper bits without
/// them. Use `TryFrom` for numbers from outside.
#[inline]
pub(crate) fn narrow<T>(number: impl Narrow<T>) -> T {
    number.narrow()
}

macro_rules! narrow {
    ($($from:ty => $($to:ty),+;)+) => {$($(
        impl Narrow<$to> for $from {
            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "the caller knows that it fits")]
            fn narrow(self) -> $to {
                debug_assert!(<$to>::try_from(self).is_ok(), "{self} does not fit into {}", stringify!($to));
                self as $to
            }
        }
    )+)+};
}

narrow! {
    u32 => u16;
    u64 => u16, u32, usize;
    usize => u8, u16, u32;
    u128 => u64;
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
    #[cfg(debug_assertions)]
    #[should_panic(expected = "65536 does not fit into u16")]
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
