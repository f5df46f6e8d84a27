//! Values that grow by the same number again and again.

use super::CodeSequence;
use super::arithmetic_proof::is_proven;
use crate::grundy::repeats::repeats;

/// From `start` on the values grow by `saltus` every `length`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArithmeticPeriod {
    /// The first heap from which they do.
    pub start: u64,
    /// The period.
    pub length: u64,
    /// By how much a value is larger a period later.
    pub saltus: u64,
    /// Whether the values prove that this goes on for ever.
    pub is_proven: bool,
}

impl CodeSequence {
    /// The least p for which g(n+p) = g(n) + s, with the same s above 0 for all n from some heap on, as far as the values
    /// go: for half of them and two periods at least. The values of many codes whose moves leave three heaps do so for ever
    /// (S. Howse and R. J. Nowakowski 2004, "Periodicity and arithmetic-periodicity in hexadecimal games"); where s is a
    /// power of two, the values of some more periods mostly prove it. Time and memory are linear.
    ///
    /// ```
    /// use zeroxor::grundy::Budget;
    /// use zeroxor::grundy::octal::{ArithmeticPeriod, CodeSequence};
    ///
    /// let values = CodeSequence::within("0.8".parse()?, 1000, &mut Budget::GAME.clone(), &mut |_| ())?;
    /// let period = ArithmeticPeriod { start: 1, length: 3, saltus: 1, is_proven: true };
    /// assert_eq!(values.arithmetic_period(), Some(period));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn arithmetic_period(&self) -> Option<ArithmeticPeriod> {
        let steps: Vec<i32> =
            self.values().windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
        let (length, repeats) = (1..)
            .zip(repeats(&steps, steps.len()))
            .find(|&(length, repeats)| repeats >= steps.len().div_ceil(2).max(2 * length))?;
        let start = steps.len() - length - repeats;
        let saltus =
            self.values[start + length].checked_sub(self.values[start]).filter(|&saltus| saltus > 0)?;
        let (start, length, saltus) = (start as u64, length as u64, saltus.into());
        let period = ArithmeticPeriod { start, length, saltus, is_proven: false };
        Some(ArithmeticPeriod { is_proven: is_proven(self.code, &self.values, period), ..period })
    }
}
