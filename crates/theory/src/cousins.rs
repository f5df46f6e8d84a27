//! Games with the same values, but for the number of cards.

use std::fmt;

use itertools::iproduct;
use zeroxor::OctalCode;
use zeroxor::grundy::TooLarge;
use zeroxor::grundy::segment::Period;

use super::code_form::CodeForm;
use super::period_status::ProvenPeriod;
use super::row_game::RowGame;
use super::rows::{BUDGET, Rows};

/// The octal codes of up to three digits after the point with the values of a code, each with the heap that has the value of n.
#[derive(Debug, Default)]
pub(crate) struct EqualCodes {
    /// Those whose values are proven to be the same: by their forms, or by the periods of both.
    pub proven: Vec<String>,
    /// Those whose first values are the same, without a proof that the others are.
    pub(crate) unproven: Vec<String>,
}

impl EqualCodes {
    /// Compares all codes with `code`. Most differ in the first values; for the others the values up to `to` are compared.
    ///
    /// # Errors
    ///
    /// If these values take more memory than a table may.
    pub(crate) fn of(code: OctalCode, to: u64) -> Result<Self, TooLarge> {
        /// Values that are compared first, and up to which most periods are proven.
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
    /// Number of zeros before the first other value.
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

/// A game and the heap that has the value of n, of `less` cards less than n.
pub(crate) fn at(game: impl fmt::Display, less: i64) -> String {
    match less {
        0 => game.to_string(),
        1.. => format!("{game} at n-{less}"),
        _ => format!("{game} at n+{}", less.unsigned_abs()),
    }
}
