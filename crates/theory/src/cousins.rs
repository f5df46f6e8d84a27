//! Games with the same values, but for the number of cards.

use std::fmt;

use itertools::iproduct;
use zeroxor::grundy::TooLarge;
use zeroxor::grundy::segment::Period;
use zeroxor::{GameSpec, Nimber, OctalCode, nimbers};

use super::row_game::RowGame;
use super::rows::{BUDGET, ProvenPeriod, Rows};

/// What codes with the same values have in common, as far as it shows in their digits and first values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// The standard form, with every digit that changes no value.
    full: OctalCode,
    /// By how many cards the heaps are smaller there.
    shift: i64,
}

impl Form {
    /// The form of a code; `None` if its standard form has too many digits.
    pub(crate) fn of(code: OctalCode) -> Option<Self> {
        let (standard, shift) = code.standard_form()?;
        Some(Self { full: full(standard), shift: i64::try_from(shift).ok()? })
    }

    /// How many cards more the heaps of this code have than those of another one with the same values; `None` if that one
    /// is not known to have them.
    pub(crate) fn more_than(&self, other: &Self) -> Option<i64> {
        (self.full == other.full).then(|| self.shift - other.shift)
    }

    /// What it is sorted by.
    pub(crate) fn key(&self) -> Vec<u8> {
        self.full.digits().to_vec()
    }
}

/// The code with every move that changes no value, for as many digits as a code may have.
///
/// To take a whole heap of k cards leaves 0, which changes no value where the heap has a move to 0 without that: where its
/// value is not 0. To take k and leave one heap of m changes no value where some heap of j cards has the value 0 and k - j
/// may be taken to leave two heaps: of j and m, for that is worth as much as m alone.
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

/// The octal codes of up to three digits behind the point with the values of a code, each with the heap that has the value of n.
#[derive(Debug, Default)]
pub(crate) struct EqualCodes {
    /// Those whose values are proven to be the same: by their forms, or by the periods of both.
    pub proven: Vec<String>,
    /// Those whose first values are the same, without a proof that the others are.
    pub(crate) unproven: Vec<String>,
}

impl EqualCodes {
    /// Compares all codes with `code`. Most differ in the first values; of the others those up to `to` are computed.
    ///
    /// # Errors
    ///
    /// If these values take more memory than a table may.
    pub(crate) fn of(code: OctalCode, to: u64) -> Result<Self, TooLarge> {
        /// Values that are compared first, and up to which most periods are proven.
        const FEW: [u64; 2] = [60, 1000];
        let values = |code, to| Values::up_to(code, to);
        let (form, mine) = (Form::of(code), values(code, FEW[0])?);
        let (mut longer, mut equal): ([Option<Values>; 2], _) = ([None, None], Self::default());
        let digits = iproduct!([0, 4], 0..8, 0..8, 0..8);
        let codes = digits.filter_map(|(d0, d1, d2, d3)| OctalCode::new(&[d0, d1, d2, d3]));
        for other in codes.filter(|&other| other != code) {
            let first = values(other, FEW[0])?;
            if !mine.agrees(&first) {
                continue;
            }
            let name = at(other, mine.zeros - first.zeros);
            let has_form = form.and_then(|form| form.more_than(&Form::of(other)?)).is_some();
            let mut is_equal = has_form.then_some(true);
            for (to, mine) in [FEW[1].min(to), to].into_iter().zip(&mut longer) {
                if is_equal.is_none() {
                    let mine = match mine {
                        Some(mine) => mine,
                        None => mine.insert(values(code, to)?),
                    };
                    is_equal = mine.equals(&values(other, to)?);
                }
            }
            match is_equal {
                Some(true) => equal.proven.push(name),
                Some(false) => {}
                None => equal.unproven.push(name),
            }
        }
        Ok(equal)
    }
}

/// The first values of a code.
struct Values {
    rows: Rows,
    first: Vec<u32>,
    /// How many zeros come before the first other value.
    zeros: i64,
}

impl Values {
    fn up_to(code: OctalCode, to: u64) -> Result<Self, TooLarge> {
        let rows = Rows::within(RowGame::Code(code), to, true, &mut BUDGET.clone(), &mut |_| ())?;
        let first: Vec<u32> = rows.values().collect();
        let zeros = first.iter().take_while(|&&value| value == 0).count();
        Ok(Self { rows, first, zeros: i64::try_from(zeros).unwrap_or(i64::MAX) })
    }

    /// Whether no value differs from that of another code, the zeros before the first other value left out.
    fn agrees(&self, other: &Self) -> bool {
        let [mine, others] = [self, other].map(|values| values.first.iter().skip_while(|&&value| value == 0));
        mine.zip(others).all(|(a, b)| a == b)
    }

    /// Whether all values are the same, the zeros before the first other value left out; `None` if no value differs and periods
    /// do not prove that none does.
    ///
    /// The least period of equal values is equal. If it is, and the values are the same until both have repeated it once, they are
    /// the same for ever.
    fn equals(&self, other: &Self) -> Option<bool> {
        if !self.agrees(other) {
            return Some(false);
        }
        let [mine, others] = [self, other].map(|values| values.rows.proven_period());
        let (Some(ProvenPeriod { period, saltus }), Some(theirs)) = (mine, others) else { return None };
        let start = |period: Period, zeros: i64| i128::from(period.start) - i128::from(zeros);
        let start = start(period, self.zeros).max(start(theirs.period, other.zeros));
        let end = usize::try_from(start.max(0) + i128::from(period.length)).ok()?;
        let compared =
            [self, other].map(|values| i64::try_from(values.first.len()).unwrap_or(i64::MAX) - values.zeros);
        let are_compared =
            compared.iter().all(|&count| usize::try_from(count).is_ok_and(|count| count >= end));
        let is_equal = (period.length, saltus) == (theirs.period.length, theirs.saltus);
        (!is_equal || are_compared).then_some(is_equal)
    }
}

/// A game and the heap, of some cards less than n, that has the value of n.
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
        nimbers(&GameSpec::Octal { code, heaps: vec![1] }, 0..=200).unwrap()
    }

    #[test]
    fn games_that_are_the_same() {
        let same = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|code| Form::of(code.parse().unwrap()).unwrap());
            a.more_than(&b)
        };
        assert_eq!(same("0.07", "0.137"), Some(1));
        assert_eq!(same("0.137", "0.4"), Some(-2));
        assert_eq!(same("0.37", "0.6"), Some(-1));
        assert_eq!(same("0.37", "0.77"), None);
        // A heap of three has a move to 0 already, in the second pair by leaving heaps of 1 and 2 of equal value.
        assert_eq!(same("0.36", "0.361"), Some(0));
        assert_eq!(same("0.776", "0.777"), Some(0));
        // Two cards are worth 0: to leave them beside another heap is to leave that alone.
        assert_eq!(same("0.56", "0.563"), Some(0));
        assert_eq!(same("4.004", "4.006"), Some(0));
        assert_eq!(same("0.161", "0.36"), None);
        assert_eq!(same("0.314", "0.31"), None);
    }

    /// What is added changes no value.
    #[test]
    fn full_codes_have_the_same_values() {
        let digits = || 0..8_u8;
        for (zero, one, two, three) in itertools::iproduct!([0, 4], digits(), digits(), digits()) {
            let Some(code) = OctalCode::new(&[zero, one, two, three]) else { continue };
            assert_eq!(values(full(code)), values(code), "{code} {}", full(code));
        }
    }
}
