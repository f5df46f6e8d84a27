//! When two octal codes are known to have the same values, but for the number of cards.

use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

/// A form that codes share only if they have the same values, found from their digits and first values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeForm {
    /// The standard form, with every digit that changes no value.
    full: OctalCode,
    /// How many cards less the heaps have there.
    shift: i64,
}

impl CodeForm {
    /// The form of a code; `None` if its standard form has too many digits.
    pub(crate) fn of(code: OctalCode) -> Option<Self> {
        let (standard, shift) = code.standard_form()?;
        Some(Self { full: full(standard), shift: i64::try_from(shift).ok()? })
    }

    /// How many cards more the heaps of this code have than those of another code with the same values; `None` if these are
    /// not known to be the same.
    pub(crate) fn more_than(&self, other: &Self) -> Option<i64> {
        (self.full == other.full).then(|| self.shift - other.shift)
    }

    /// The sort key.
    pub(crate) fn key(&self) -> Vec<u8> {
        self.full.digits().to_vec()
    }
}

/// The code with every move that changes no value, for as many digits as a code may have.
///
/// To take a whole heap of k cards leaves 0, which changes no value if the heap has another move to 0: if its value is not
/// 0. To take k and leave one heap of m changes no value if some heap of j cards has the value 0 and k - j may be taken to
/// leave two heaps: of j and m, which are worth as much as m.
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
        // A heap of three has a move to 0 already, in the second pair by leaving heaps of 1 and 2 of equal value.
        assert_eq!(same("0.36", "0.361"), Some(0));
        assert_eq!(same("0.776", "0.777"), Some(0));
        // Two cards are worth 0: to leave them beside another heap is to leave only that one.
        assert_eq!(same("0.56", "0.563"), Some(0));
        assert_eq!(same("4.004", "4.006"), Some(0));
        assert_eq!(same("0.161", "0.36"), None);
        assert_eq!(same("0.314", "0.31"), None);
    }

    /// The added moves change no value.
    #[test]
    fn full_codes_have_the_same_values() {
        let digits = || 0..8_u8;
        for (zero, one, two, three) in itertools::iproduct!([0, 4], digits(), digits(), digits()) {
            let Some(code) = OctalCode::new(&[zero, one, two, three]) else { continue };
            assert_eq!(values(full(code)), values(code), "{code} {}", full(code));
        }
    }
}
