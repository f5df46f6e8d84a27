//! The code of a taking-and-breaking game: what taking each number of cards from a heap may leave.

use std::fmt;

/// The code of an octal game, or of a hexadecimal one.
///
/// In `d0.d1d2d3...` the digit dk says what taking k cards from a heap may leave: nothing if it has the bit 1, one heap
/// with the bit 2, two heaps with the bit 4, and in hexadecimal codes three heaps with the bit 8. d0 is what a move may
/// do that takes nothing: it can only split. The heaps that are left are of any sizes, at least 1, that add up to what
/// is left (R. K. Guy and C. A. B. Smith 1956, "The G-values of various games").
///
/// Two spellings of one game are equal: a 0 before the point and zeros at the end say nothing, so `.77`, `0.77` and `0.770`
/// are one code, and `4.` and `4.0`.
///
/// ```
/// use zeroxor::OctalCode;
///
/// let kayles: OctalCode = "0.77".parse()?;
/// assert_eq!(kayles, ".770".parse()?);
/// assert_eq!(kayles.to_string(), "0.77");
/// // Two cards may be taken from the middle of a heap, three may not.
/// assert!(kayles.allows(2, 2) && !kayles.allows(3, 2));
///
/// // 9 is a hexadecimal digit: nothing or three heaps.
/// assert!("0.79".parse::<OctalCode>()?.allows(2, 3));
/// assert!("0.7x".parse::<OctalCode>().is_err());
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OctalCode {
    /// By how many are taken.
    digits: [u8; Self::MAX_DIGITS + 1],
}

/// What a code must be.
const A_CODE: &str =
    "a code such as \"0.77\" or \"4.7\": 0, 4, 8 or c, a point, up to 64 octal or hexadecimal digits";

impl OctalCode {
    /// Maximum number of digits after the point.
    pub const MAX_DIGITS: usize = 64;

    /// The code with these digits, from d0 on; `None` if they are too many or too large, if d0 is no way to split, or if
    /// they allow no move.
    ///
    /// ```
    /// use zeroxor::OctalCode;
    ///
    /// assert_eq!(OctalCode::new(&[4, 7]).map(|code| code.to_string()), Some("4.7".to_owned()));
    /// assert_eq!(OctalCode::new(&[1, 7]), None);
    /// assert_eq!(OctalCode::new(&[0, 0]), None);
    /// ```
    pub fn new(digits: &[u8]) -> Option<Self> {
        let mut all = [0; Self::MAX_DIGITS + 1];
        all.get_mut(..digits.len())?.copy_from_slice(digits);
        let is_code = all.iter().all(|&digit| digit < 16) && all[0].is_multiple_of(4);
        let has_moves = all.iter().any(|&digit| digit > 0);
        (is_code && has_moves).then_some(Self { digits: all })
    }

    /// The digit for taking `take` cards, 0 if there is none.
    ///
    /// ```
    /// let code: zeroxor::OctalCode = "0.137".parse()?;
    /// assert_eq!([0, 1, 2, 3, 4].map(|count| code.digit(count)), [0, 1, 3, 7, 0]);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn digit(&self, take: u64) -> u8 {
        usize::try_from(take).ok().and_then(|take| self.digits.get(take)).copied().unwrap_or(0)
    }

    /// The digits from d0 to the last that is not 0.
    ///
    /// ```
    /// let code: zeroxor::OctalCode = "4.7".parse()?;
    /// assert_eq!(code.digits(), [4, 7]);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn digits(&self) -> &[u8] {
        let last = self.digits.iter().rposition(|&digit| digit > 0).unwrap_or(0);
        &self.digits[..=last]
    }

    /// Whether a move that takes `take` cards may leave `heaps` heaps.
    pub fn allows(&self, take: u64, heaps: usize) -> bool {
        heaps < 4 && self.digit(take) >> heaps & 1 == 1
    }

    /// The most cards that a move takes.
    ///
    /// ```
    /// let code: zeroxor::OctalCode = "0.0070".parse()?;
    /// assert_eq!(code.longest_take(), 3);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn longest_take(&self) -> u64 {
        self.digits().len() as u64 - 1
    }

    /// Whether each move takes cards and leaves two heaps at most: then "take y at place x" says all of it.
    ///
    /// ```
    /// use zeroxor::OctalCode;
    ///
    /// assert!("0.77".parse::<OctalCode>()?.is_playable());
    /// // Daisies: a heap may be split without taking.
    /// assert!(!"4.7".parse::<OctalCode>()?.is_playable());
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn is_playable(&self) -> bool {
        self.digits[0] == 0 && self.digits.iter().all(|&digit| digit < 8)
    }

    /// The code in standard form, where d1 is odd, and by how many cards its heaps are smaller: a heap of `n` cards has
    /// the value of one of `n` less that many, and 0 if it is no larger. `None` if that code has too many digits.
    ///
    /// Where d1 is even a heap of one card has no move, so it counts for as much as none, and each heap can be taken to
    /// be one card smaller: what left two heaps of at least one card leaves two of any size with one card more taken, and
    /// so on (E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways", chapter 4, "cousins").
    ///
    /// ```
    /// use zeroxor::OctalCode;
    ///
    /// // Dawson's Kayles and Dawson's Chess.
    /// let dawson: OctalCode = "0.07".parse()?;
    /// assert_eq!(dawson.standard_form(), Some(("0.137".parse()?, 1)));
    /// // Officers.
    /// assert_eq!("0.6".parse::<OctalCode>()?.standard_form(), Some(("0.37".parse()?, 1)));
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn standard_form(&self) -> Option<(Self, u64)> {
        let (mut digits, mut shift) = (self.digits().to_vec(), 0);
        while digits.get(1).is_none_or(|digit| digit % 2 == 0) {
            digits = one_card_less(&digits);
            shift += 1;
        }
        Some((Self::new(&digits)?, shift))
    }
}

/// The digits of the code in which a heap has one card less, where one card alone allows no move.
fn one_card_less(digits: &[u8]) -> Vec<u8> {
    let mut less = vec![0_u8; digits.len() + 2];
    for (take, &digit) in digits.iter().enumerate() {
        // Nothing was left of as many cards as were taken: of one more than there are now.
        for (bit, at, allowed) in
            [(0, take.wrapping_sub(1), 1), (1, take, 3), (2, take + 1, 7), (3, take + 2, 15)]
        {
            if digit >> bit & 1 == 1
                && let Some(slot) = less.get_mut(at)
            {
                *slot |= allowed;
            }
        }
    }
    while less.last() == Some(&0) {
        less.pop();
    }
    less
}

impl OctalCode {
    /// Reads a code; an error says what was expected.
    pub(crate) fn read(text: &str) -> Result<Self, &'static str> {
        let (before, behind) = text.split_once('.').filter(|_| text != ".").ok_or(A_CODE)?;
        let before = if before.is_empty() { "0" } else { before };
        if before.len() > 1 || behind.len() > Self::MAX_DIGITS {
            return Err(A_CODE);
        }
        let digit = |digit: char| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let digits: Option<Vec<u8>> = before.chars().chain(behind.chars()).map(digit).collect();
        let digits = digits.ok_or(A_CODE)?;
        if digits.iter().all(|&digit| digit == 0) {
            return Err("a code that allows a move: at least one digit other than 0");
        }
        Self::new(&digits).ok_or(A_CODE)
    }
}

impl fmt::Display for OctalCode {
    /// With a digit before the point, one at least after it, and none for nothing at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = &self.digits[..self.digits().len().max(2)];
        write!(f, "{:x}.", digits[0])?;
        digits[1..].iter().try_for_each(|digit| write!(f, "{digit:x}"))
    }
}

impl fmt::Debug for OctalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OctalCode({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> OctalCode {
        OctalCode::read(text).unwrap()
    }

    #[test]
    fn spellings() {
        for (text, written) in [
            ("0.77", "0.77"),
            (".77", "0.77"),
            ("0.7700", "0.77"),
            ("4.7", "4.7"),
            ("4.0", "4.0"),
            ("4.", "4.0"),
            ("C.", "c.0"),
            ("8.0", "8.0"),
            ("C.aF", "c.af"),
            (
                "0.0000000000000000000000000000000000000000000000000000000000000007",
                "0.0000000000000000000000000000000000000000000000000000000000000007",
            ),
        ] {
            assert_eq!(code(text).to_string(), written, "{text}");
            assert_eq!(code(written), code(text), "{text}");
        }
        let too_long = format!("0.{}", "7".repeat(65));
        for text in [
            "", ".", "7", "4", "1.", "44.", "00.7", "1.7", "7.7", "0.7g", "0.7.7", "0.-7", "0.+7", "0. 7",
            &too_long,
        ] {
            assert_eq!(OctalCode::read(text), Err(A_CODE), "{text:?}");
        }
        for text in ["0.000", "0.", ".0"] {
            assert!(OctalCode::read(text).unwrap_err().contains("allows a move"), "{text}");
        }
    }

    #[test]
    fn standard_forms() {
        for (text, standard, shift) in [
            ("0.77", "0.77", 0),
            ("0.07", "0.137", 1),
            ("0.137", "0.137", 0),
            ("0.4", "0.137", 2),
            ("0.6", "0.37", 1),
            ("0.007", "0.11337", 2),
            ("0.27", "0.337", 1),
            ("0.26", "0.337", 1),
            ("4.7", "4.7", 0),
            ("4.0", "0.7", 1),
        ] {
            assert_eq!(code(text).standard_form(), Some((code(standard), shift)), "{text}");
        }
        let longest = format!("0.{}7", "0".repeat(63));
        assert_eq!(code(&longest).standard_form(), None);
    }
}
