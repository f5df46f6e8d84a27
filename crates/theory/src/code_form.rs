//! Detects octal codes with the same values, except for a difference in the number of cards.

use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

/// A form of a code, found from its digits and first values. Codes with the same form have the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeForm {
    /// The standard form, extended by every digit that changes no value.
    full: OctalCode,
    /// By how many cards the heaps are smaller in the standard form.
    shift: i64,
}

impl CodeForm {
    /// Computes the form of a code; `None` if its standard form has too many digits.
    pub(crate) fn of(code: OctalCode) -> Option<Self> {
        let (standard, shift) = code.standard_form()?;
        Some(Self { full: full(standard), shift: i64::try_from(shift).ok()? })
    }

    /// Returns by how many cards the heaps of this code are larger than the equal heaps of another code with the same
    /// values; `None` if the values are not known to be the same.
    pub(crate) fn more_than(&self, other: &Self) -> Option<i64> {
        (self.full == other.full).then(|| self.shift - other.shift)
    }

    /// Returns the sort key.
    pub(crate) fn key(&self) -> Vec<u8> {
        self.full.digits().to_vec()
    }
}

/// Returns the code with every additional move that changes no value, up to the maximum number of digits of a code.
///
/// Taking a whole heap of k cards leaves 0. This move changes no value if the heap has another move to 0, which is
/// true if the value of the heap is not 0. Taking k and leaving one heap of m changes no value if some heap of j cards
/// has the value 0 and a move may take k - j and leave two heaps: the heaps of j and m together have the value of m.
fn full(code: OctalCode) -> OctalCode {
    let longest = OctalCode::MAX_DIGITS as u64;
    let Ok(values) = nimbers(&GameSpec::Octal { code, heaps: vec![1] }, 0..=longest) else { return code };
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
        nimbers(&GameSpec::Octal { code, heaps: vec![1] }, 0..=200).unwrap()
    }

    #[test]
    fn games_that_are_the_same() {
        let same = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|code| CodeForm::of(code.parse().unwrap()).unwrap());
            a.more_than(&b)
        };
        assert_eq!(same("0.07", "0.137"), Some(1));
        assert_eq!(same("0.137", "0.4"), Some(-2));
        assert_eq!(same("0.37", "0.6"), Some(-1));
        assert_eq!(same("0.37", "0.77"), None);
        // A heap of three already has a move to 0. In the second pair this move leaves heaps of 1 and 2, which have
        // equal values.
        assert_eq!(same("0.36", "0.361"), Some(0));
        assert_eq!(same("0.776", "0.777"), Some(0));
        // Two cards have the value 0: leaving them next to another heap equals leaving only the other heap.
        assert_eq!(same("0.56", "0.563"), Some(0));
        assert_eq!(same("4.004", "4.006"), Some(0));
        assert_eq!(same("0.161", "0.36"), None);
        assert_eq!(same("0.314", "0.31"), None);
    }

    /// Checks that the added moves change no value.
    #[test]
    fn full_codes_have_the_same_values() {
        let digits = || 0..8_u8;
        for (zero, one, two, three) in itertools::iproduct!([0, 4], digits(), digits(), digits()) {
            let Some(code) = OctalCode::new(&[zero, one, two, three]) else { continue };
            assert_eq!(values(full(code)), values(code), "{code} {}", full(code));
        }
    }
}
