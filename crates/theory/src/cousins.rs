//! Games with the same values, except for a difference in the number of cards.

use std::fmt;

use itertools::iproduct;
use zeroxor::OctalCode;
use zeroxor::grundy::TooLarge;
use zeroxor::grundy::segment::Period;

use super::code_form::CodeForm;
use super::period_status::ProvenPeriod;
use super::row_game::RowGame;
use super::rows::{BUDGET, Rows};

/// The octal codes of up to three digits after the point with the same values as a code. Each is listed with the heap
/// that has the value of heap n of the code.
#[derive(Debug, Default)]
pub(crate) struct EqualCodes {
    /// Codes whose values are proven to be the same: by their forms, or by the periods of both codes.
    pub proven: Vec<String>,
    /// Codes whose first values are the same, without a proof for the other values.
    pub(crate) unproven: Vec<String>,
}

impl EqualCodes {
    /// Compares all codes with `code`. Most codes differ in the first values. For the others the values up to `to` are
    /// compared.
    ///
    /// # Errors
    ///
    /// If these values need more memory than a table may use.
    pub(crate) fn of(code: OctalCode, to: u64) -> Result<Self, TooLarge> {
        /// Numbers of values that are compared first. The second number suffices to prove most periods.
        const FEW: [u64; 2] = [60, 1000];
        let values = |code, to| Values::up_to(code, to);
        let (form, mine) = (CodeForm::of(code), values(code, FEW[0])?);
        let (mut longer, mut equal): ([Option<Values>; 2], _) = ([None, None], Self::default());
        let digits = iproduct!([0, 4], 0..8, 0..8, 0..8);
        let codes = digits.filter_map(|(d0, d1, d2, d3)| OctalCode::new(&[d0, d1, d2, d3]));
        for other in codes.filter(|&other| other != code) {
            let first = values(other, FEW[0])?;
            if !mine.agrees(&first) {
                continue;
            }
            let name = at(other, mine.zeros - first.zeros);
            let has_form = form.and_then(|form| form.more_than(&CodeForm::of(other)?)).is_some();
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
    /// Number of leading zeros.
    zeros: i64,
}

impl Values {
    fn up_to(code: OctalCode, to: u64) -> Result<Self, TooLarge> {
        let rows = Rows::within(RowGame::Code(code), to, true, &mut BUDGET.clone(), &mut |_| ())?;
        let first: Vec<u32> = rows.values().collect();
        let zeros = first.iter().take_while(|&&value| value == 0).count();
        Ok(Self { rows, first, zeros: i64::try_from(zeros).unwrap_or(i64::MAX) })
    }

    /// Checks that no computed value differs from that of another code, without leading zeros.
    fn agrees(&self, other: &Self) -> bool {
        let [mine, others] = [self, other].map(|values| values.first.iter().skip_while(|&&value| value == 0));
        mine.zip(others).all(|(a, b)| a == b)
    }

    /// Checks whether all values are the same, without leading zeros; `None` if no computed value differs but periods
    /// do not prove that the other values agree.
    ///
    /// Equal sequences have the same least period. If the periods are the same, and the values agree until both
    /// sequences have repeated their period once, all values agree.
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

/// Formats a game and the heap that has the value of n, which has `less` cards less than n.
pub(crate) fn at(game: impl fmt::Display, less: i64) -> String {
    match less {
        0 => game.to_string(),
        1.. => format!("{game} at n-{less}"),
        _ => format!("{game} at n+{}", less.unsigned_abs()),
    }
}
