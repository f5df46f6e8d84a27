//! Integers: in a smaller type, where they are known to fit, and the places of the bits that are set in them.

use std::iter;

/// An integer that may be known to fit into `T`.
pub(crate) trait Narrow<T> {
    /// See [`narrow`].
    fn narrow(self) -> T;
}

/// Converts a number to a smaller type. The caller knows that it fits: a bound on the length of a table, a mask, a
/// remainder.
///
/// It is for hot loops, and for what cannot be otherwise; what comes from outside goes through `TryFrom`. A number
/// that does not fit is a mistake: it panics where debug assertions are on, as an overflow does, and else loses its
/// upper bits.
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
                debug_assert!(<$to>::try_from(self).is_ok(), "{self} fits into no {}", stringify!($to));
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
    fn what_fits_stays_the_same() {
        assert_eq!(narrow::<u8>(255_usize), 255);
        assert_eq!(narrow::<u16>(65_535_u64), 65_535);
        assert_eq!(narrow::<u64>(u128::from(u64::MAX)), u64::MAX);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "65536 fits into no u16")]
    fn what_does_not_fit_is_a_mistake() {
        narrow::<u16>(65_536_u64);
    }

    #[test]
    fn places_of_bits() {
        assert!(ones_of([0b1010_0001, 0, 1 << 63]).eq([0, 5, 7, 191]));
        assert_eq!(ones_of([]).next(), None);
        assert!(ones(u64::MAX).eq(0..64));
    }
}
