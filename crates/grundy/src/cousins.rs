//! The cousins of a code: octal codes whose values are the same up to a shift in the number of cards, by their forms or by
//! their periods.

use std::cell::LazyCell;
use std::fmt;

use itertools::iproduct;
use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

use super::rows::{RowGame, Rows};

/// The octal codes of up to three digits after the point with the same values as a code, each with the heap that has
/// the value of heap n of the code: `0.137 at n-1`.
#[derive(Debug, Default)]
pub(crate) struct EqualCodes {
    /// Codes whose values are proven to be the same: by their forms, or by the periods of both codes.
    pub proven: Vec<String>,
    /// Codes whose first values are the same, without a proof for the other values.
    pub(crate) unproven: Vec<String>,
}

impl EqualCodes {
    /// Compares all codes of up to three digits with `code`: first a few values, in which most codes differ, then the
    /// values up to `to` if no proof is found earlier.
    pub(crate) fn of(code: OctalCode, to: u64) -> Self {
        /// The largest heaps of the first two comparisons. The values up to the second heap prove most periods.
        const FIRST: [u64; 2] = [60, 1000];
        let (form, mine) = (CodeForm::of(code), FirstValues::up_to(code, FIRST[0]));
        let longer =
            [FIRST[1].min(to), to].map(|to| (to, LazyCell::new(move || FirstValues::up_to(code, to))));
        let mut equal = Self::default();
        let digits = iproduct!([0, 4], 0..8, 0..8, 0..8);
        let codes = digits.filter_map(|(d0, d1, d2, d3)| OctalCode::new(&[d0, d1, d2, d3]));
        for other in codes.filter(|&other| other != code) {
            let first = FirstValues::up_to(other, FIRST[0]);
            if !mine.agrees(&first) {
                continue;
            }
            let name = at(other, mine.zeros - first.zeros);
            let has_form = form.and_then(|form| form.more_than(&CodeForm::of(other)?)).is_some();
            let by_values =
                || longer.iter().find_map(|(to, mine)| mine.equals(&FirstValues::up_to(other, *to)));
            match has_form.then_some(true).or_else(by_values) {
                Some(true) => equal.proven.push(name),
                Some(false) => {}
                None => equal.unproven.push(name),
            }
        }
        equal
    }
}

struct FirstValues {
    rows: Rows,
    /// Number of leading zeros.
    zeros: i64,
}

impl FirstValues {
    fn up_to(code: OctalCode, to: u64) -> Self {
        let rows = Rows::compute(RowGame::Code(code), to, true);
        let zeros = rows.sequence.values.iter().take_while(|&&value| value == 0).count();
        Self { rows, zeros: i64::try_from(zeros).unwrap_or(i64::MAX) }
    }

    /// Checks whether the computed values of both codes agree after their leading zeros.
    fn agrees(&self, other: &Self) -> bool {
        let [mine, others] =
            [self, other].map(|values| values.rows.sequence.values.iter().skip_while(|&&value| value == 0));
        mine.zip(others).all(|(a, b)| a == b)
    }

    /// Checks whether all values of both codes agree after the leading zeros. Returns `None` if the computed values
    /// agree and the periods do not decide whether the later values agree.
    ///
    /// Equal sequences have the same least period. If the periods are the same, and the values agree up to the end of
    /// the first period of both sequences, all values agree.
    fn equals(&self, other: &Self) -> Option<bool> {
        if !self.agrees(other) {
            return Some(false);
        }
        let [mine, others] = [self, other].map(|values| values.rows.period);
        let (Some(period), Some(their_period)) = (mine, others) else {
            return None;
        };
        let after_zeros = |number: u64, values: &Self| i128::from(number) - i128::from(values.zeros);
        let start = after_zeros(period.start, self).max(after_zeros(their_period.start, other)).max(0);
        let end = start + i128::from(period.length);
        let computed = |values: &Self| after_zeros(values.rows.sequence.values.len() as u64, values);
        let is_equal = period.length == their_period.length;
        (!is_equal || computed(self).min(computed(other)) >= end).then_some(is_equal)
    }
}

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

/// Formats a game and its heap that has the value of heap n of another game: `0.137 at n-1` if `less` is 1.
pub(crate) fn at(game: impl fmt::Display, less: i64) -> String {
    match less {
        0 => game.to_string(),
        1.. => format!("{game} at n-{less}"),
        _ => format!("{game} at n+{}", less.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(code: OctalCode) -> Vec<Nimber> {
        nimbers(&GameSpec::of_code(code), 0..=60).unwrap()
    }

    /// Checks for all codes of up to three digits that the added moves change no value up to 60 cards.
    #[test]
    fn full_codes_have_the_same_values() {
        let digits = || 0..8_u8;
        for (zero, one, two, three) in itertools::iproduct!([0, 4], digits(), digits(), digits()) {
            let Some(code) = OctalCode::new(&[zero, one, two, three]) else { continue };
            assert_eq!(values(full(code)), values(code), "{code} {}", full(code));
        }
    }
}
