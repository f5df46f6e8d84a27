//! Detects octal codes whose values are the same up to a shift in the number of cards.

use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

/// The standard form of a code, with added moves that change no value. Codes with the same `full` have the same values,
/// shifted by the difference of their `shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeForm {
    /// The standard form, with the moves that [`full`] adds.
    full: OctalCode,
    /// Number of cards by which a heap is larger than the heap of the standard form with the same value.
    shift: i64,
}

impl CodeForm {
    /// Computes the form of a code; `None` if the code has no standard form, or one with too many digits.
    pub(crate) fn of(code: OctalCode) -> Option<Self> {
        let (standard, shift) = code.standard_form()?;
        Some(Self { full: full(standard), shift: i64::try_from(shift).ok()? })
    }

    /// Returns by how many cards a heap of this code is larger than one of `other` with the same value, if it is known.
    pub(crate) fn more_than(&self, other: &Self) -> Option<i64> {
        (self.full == other.full).then(|| self.shift - other.shift)
    }
}

/// Adds to a code the moves that leave at most one heap and change no value, up to the maximum number of digits.
///
/// - Taking a whole heap of k cards leaves the value 0. This move changes no value if the value of the heap is not 0:
///   then the heap already has a move to 0.
/// - Taking k cards and leaving one heap of m changes no value if some heap of j cards has the value 0 and a move may
///   take k - j cards and leave two heaps: the heaps of j and m together have the value of m.
fn full(code: OctalCode) -> OctalCode {
    let longest = OctalCode::MAX_DIGITS as u64;
    let Ok(values) = nimbers(&GameSpec::of_code(code), 0..=longest) else { return code };
    let is_zero = |size: u64| usize::try_from(size).is_ok_and(|size| values.get(size) == Some(&Nimber::ZERO));
    let digit = |take: u64| {
        let whole = take > 0 && !is_zero(take);
        let single = (1..=take).any(|heap| is_zero(heap) && code.allows(take - heap, 2));
        code.digit(take) | u8::from(whole) | u8::from(single) << 1
    };
    let digits: Vec<u8> = (0..=longest).map(digit).collect();
    OctalCode::new(&digits).unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(code: OctalCode) -> Vec<Nimber> {
        nimbers(&GameSpec::of_code(code), 0..=100).unwrap()
    }

    /// Checks for all codes of up to three digits that the added moves change no value up to 100 cards.
    #[test]
    fn full_codes_have_the_same_values() {
        let digits = || 0..8_u8;
        for (zero, one, two, three) in itertools::iproduct!([0, 4], digits(), digits(), digits()) {
            let Some(code) = OctalCode::new(&[zero, one, two, three]) else { continue };
            assert_eq!(values(full(code)), values(code), "{code} {}", full(code));
        }
    }
}
