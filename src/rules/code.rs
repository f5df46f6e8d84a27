//! The code of a taking-and-breaking game: for each number of cards taken from a heap, how many heaps may be left.

use std::fmt;

use super::MAX_SIZE;
use crate::integers::narrow;

/// The code of an octal or hexadecimal game.
///
/// In `d0.d1d2d3...` the digit dk is a sum of bits for moves that take k cards from a heap. Bit 1 allows leaving
/// nothing, bit 2 one heap, bit 4 two heaps, and bit 8 (in hexadecimal codes) three heaps. The digit d0 is for moves
/// that take no cards; they can only split a heap. The heaps left may have any sizes of at least 1 (R. K. Guy and C.
/// A. B. Smith 1956, "The G-values of various games").
///
/// Digits in brackets at the end repeat for ever: `0.[3]` is nim, and `4.[3]` is Lasker's nim.
///
/// A 0 before the point and zeros at the end have no meaning, so two spellings of one game are equal: `.77`, `0.77` and
/// `0.770` are the same code, and so are `4.` and `4.0`, or `0.3[33]` and `0.[3]`.
///
/// ```
/// use zeroxor::OctalCode;
/// use zeroxor::rules::Window;
///
/// let kayles: OctalCode = "0.77".parse()?;
/// assert_eq!(kayles, ".770".parse()?);
/// assert_eq!(kayles.to_string(), "0.77");
/// let lasker: OctalCode = "4.[3]".parse()?;
/// assert!(lasker.allows(0, 2) && lasker.allows(1_000_000, 1));
/// assert_eq!(OctalCode::new(&[4, 7]).map(|code| code.to_string()), Some("4.7".to_owned()));
/// let code: OctalCode = "0.1[23]".parse()?;
/// assert_eq!([0, 1, 2, 3, 4].map(|count| code.digit(count)), [0, 1, 2, 3, 2]);
/// assert_eq!((code.digits(), code.repeated()), (&[0, 1, 2, 3][..], &[2, 3][..]));
/// // The standard form of Dawson's Kayles is Dawson's Chess.
/// assert_eq!("0.07".parse::<OctalCode>()?.standard_form(), Some(("0.137".parse()?, 1)));
/// assert_eq!((kayles.window(), Window::new(1, 2).unwrap().code()), (Window::new(1, 2), Some(kayles)));
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OctalCode {
    /// The digit for each number of cards taken; 0 from index `len` on.
    digits: [u8; Self::MAX_DIGITS + 1],
    /// The number of digits up to the last digit that is not 0, or up to the last repeated digit.
    len: u8,
    /// The number of digits before index `len` that repeat for ever; 0 if none do.
    repeated: u8,
}

const EXPECTED_FORM: &str = "a code such as \"0.77\", \"4.7\" or \"4.[3]\": 0, 4, 8 or c, a point, up to 64 octal or \
    hexadecimal digits, the last of them in brackets if they repeat";

impl OctalCode {
    /// Maximum number of digits after the point.
    pub const MAX_DIGITS: usize = 64;

    /// The code 4.0: a move only splits a heap.
    pub(crate) const SPLITS: Self = {
        let mut digits = [0; Self::MAX_DIGITS + 1];
        digits[0] = 4;
        Self { digits, len: 1, repeated: 0 }
    };

    /// Returns the code with these digits, from d0 on. Returns `None` if there are too many digits, if a digit is too
    /// large, if d0 has bit 1 or 2, or if the digits allow no move.
    pub fn new(digits: &[u8]) -> Option<Self> {
        Self::repeating(digits, &[])
    }

    /// Returns the code with the digits `first`, from d0 on, and then `repeated` again and again. Returns `None` in the
    /// cases of [`new`](Self::new), or if `first` is empty and digits repeat.
    pub fn repeating(first: &[u8], repeated: &[u8]) -> Option<Self> {
        let (mut first, mut repeated) = (first.to_vec(), repeated.to_vec());
        if let Some(period) = (1..repeated.len()).find(|&period| repeats(&repeated, period)) {
            repeated.truncate(period);
        }
        while first.len() > 1 && first.last() == repeated.last() {
            first.pop();
            repeated.rotate_right(1);
        }
        if repeated.iter().all(|&digit| digit == 0) {
            repeated.clear();
            first.truncate(first.iter().rposition(|&digit| digit > 0)? + 1);
        }
        let all = [&first[..], &repeated[..]].concat();
        let mut digits = [0; Self::MAX_DIGITS + 1];
        digits.get_mut(..all.len())?.copy_from_slice(&all);
        let is_code = all.iter().all(|&digit| digit < 16) && first.first()?.is_multiple_of(4);
        let [len, repeated] = [all.len(), repeated.len()].map(narrow);
        is_code.then_some(Self { digits, len, repeated })
    }

    /// Returns the digit for taking `take` cards; 0 if the code has no such digit.
    pub fn digit(&self, take: u64) -> u8 {
        let [len, repeated] = [self.len, self.repeated].map(u64::from);
        let later = take.checked_sub(len).and_then(|later| later.checked_rem(repeated));
        let index = later.map_or(take, |later| len - repeated + later);
        usize::try_from(index).ok().and_then(|index| self.digits.get(index)).copied().unwrap_or(0)
    }

    /// Returns the digits from d0 to the last digit that is not 0, or to the last repeated digit.
    pub fn digits(&self) -> &[u8] {
        &self.digits[..self.len.into()]
    }

    /// Returns the digits at the end of [`digits`](Self::digits) that repeat for ever. Empty if none do.
    pub fn repeated(&self) -> &[u8] {
        &self.digits()[(self.len - self.repeated).into()..]
    }

    /// Returns whether a move that takes `take` cards may leave `heaps` heaps.
    pub fn allows(&self, take: u64, heaps: usize) -> bool {
        heaps < 4 && self.digit(take) >> heaps & 1 == 1
    }

    /// Returns the maximum number of cards that a move takes; `None` if the digits repeat, so that there is no maximum.
    pub fn longest_take(&self) -> Option<u64> {
        (self.repeated == 0).then(|| u64::from(self.len) - 1)
    }

    /// Returns whether each move leaves at most two heaps, so that two numbers describe it: a place, and the number
    /// taken.
    pub fn is_playable(&self) -> bool {
        self.digits.iter().all(|&digit| digit < 8)
    }

    /// Returns the largest heap that a game may begin with. If digits repeat, the limit is lower, because the moves are
    /// then counted separately for each number that may be taken.
    pub(crate) fn max_heap(&self) -> u64 {
        if self.repeated == 0 { MAX_SIZE } else { 10_000 }
    }

    /// Returns the code in standard form, in which d1 is odd, and a shift k. A heap of n > k cards has the value of a
    /// heap of n - k cards under the code in standard form. A heap of at most k cards has the value 0. Returns `None`
    /// if the code in standard form has too many digits, or if digits repeat.
    ///
    /// If d1 is even, a heap of one card has no move and counts as no heap, so each heap can be regarded as one card
    /// smaller. For example, a move that took k cards and left two heaps of at least one card now takes k + 1 cards and
    /// leaves two heaps of any size (E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways", chapter 4,
    /// "cousins").
    pub fn standard_form(&self) -> Option<(Self, u64)> {
        self.longest_take()?;
        let (mut digits, mut shift) = (self.digits().to_vec(), 0);
        while digits.get(1).is_none_or(|digit| digit % 2 == 0) {
            digits = one_card_less(&digits);
            shift += 1;
        }
        Some((Self::new(&digits)?, shift))
    }
}

/// Returns whether `digits` are a repetition of their first `period` digits.
fn repeats(digits: &[u8], period: usize) -> bool {
    digits.len().is_multiple_of(period) && digits.chunks(period).all(|chunk| *chunk == digits[..period])
}

/// Returns the digits of the code in which each heap has one card less. A heap of one card must have no move.
fn one_card_less(digits: &[u8]) -> Vec<u8> {
    let mut less = vec![0_u8; digits.len() + 2];
    for (take, &digit) in digits.iter().enumerate() {
        // A move that took k cards and left h heaps now takes k + h - 1 cards, because the old heap and the h new heaps
        // have one card less each. The h heaps may now be empty.
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
    less
}

impl OctalCode {
    /// Parses a code. The error is the expected form.
    pub(crate) fn read(text: &str) -> Result<Self, &'static str> {
        let (before, after) = text.split_once('.').filter(|_| text != ".").ok_or(EXPECTED_FORM)?;
        let before = if before.is_empty() { "0" } else { before };
        let (first, repeated) = match after.split_once('[') {
            Some((first, bracket)) => (first, bracket.strip_suffix(']').filter(|digits| !digits.is_empty())),
            None => (after, Some("")),
        };
        let repeated = repeated.ok_or(EXPECTED_FORM)?;
        if before.len() > 1 || first.len() + repeated.len() > Self::MAX_DIGITS {
            return Err(EXPECTED_FORM);
        }
        let digit = |digit: char| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let digits = |text: &str| text.chars().map(digit).collect::<Option<Vec<u8>>>().ok_or(EXPECTED_FORM);
        let (first, repeated) = (digits(&(before.to_owned() + first))?, digits(repeated)?);
        if first.iter().chain(&repeated).all(|&digit| digit == 0) {
            return Err("a code that allows a move: at least one digit other than 0");
        }
        Self::repeating(&first, &repeated).ok_or(EXPECTED_FORM)
    }
}

impl fmt::Display for OctalCode {
    /// Writes one digit before the point and at least one digit after it. Other zeros at the end are left out. Digits
    /// that repeat are in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = &self.digits[..self.digits().len().max(2)];
        let (first, repeated) = digits.split_at(digits.len() - self.repeated().len());
        write!(f, "{:x}.", first[0])?;
        first[1..].iter().try_for_each(|digit| write!(f, "{digit:x}"))?;
        if repeated.is_empty() {
            return Ok(());
        }
        f.write_str("[")?;
        repeated.iter().try_for_each(|digit| write!(f, "{digit:x}"))?;
        f.write_str("]")
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
        let spellings = "0.77=0.77 .77=0.77 0.7700=0.77 4.7=4.7 4.0=4.0 4.=4.0 C.=c.0 8.0=8.0 C.aF=c.af 0.[3]=0.[3] \
                         .3[33]=0.[3] 0.323[23]=0.[32] 4.[3]=4.[3] 0.[4]=0.[4] 4.[4]=4.[4] 0.[30]=0.[30] \
                         0.70[0]=0.7 4.[0]=4.0 0.1[7a]=0.1[7a]";
        let longest = format!("0.{}7", "0".repeat(63));
        let spellings = spellings.split(' ').filter_map(|spelling| spelling.split_once('='));
        for (text, written) in spellings.chain([(&*longest, &*longest)]) {
            assert_eq!(code(text).to_string(), written, "{text}");
            assert_eq!(code(written), code(text), "{text}");
        }
        let too_long = format!("0.{}", "7".repeat(65));
        let repeated_too_long = format!("0.{}[12]", "7".repeat(63));
        let malformed =
            ",.,7,4,1.,44.,00.7,1.7,7.7,0.7g,0.7.7,0.-7,0.+7,0. 7,0.[],0.[3,0.3],0.[3]3,0.[[3]],[4].3,4[3]"
                .split(',');
        for text in malformed.chain([&*too_long, &*repeated_too_long]) {
            assert_eq!(OctalCode::read(text), Err(EXPECTED_FORM), "{text:?}");
        }
        for text in ["0.000", "0.", ".0", "0.0[00]"] {
            assert!(OctalCode::read(text).unwrap_err().contains("allows a move"), "{text}");
        }
    }
}
