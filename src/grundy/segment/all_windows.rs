//! A summary of all windows up to a length.

use super::{Sequence, Window};
use crate::integers::narrow;

/// A summary of all windows 1 <= L <= R <= N: who wins the rows of R <= n <= N cards, and the largest nimber.
///
/// # Which values are needed
///
/// - With L < R, First wins every start: taking L or L+1 cards from the middle, whichever leaves an even number of
///   cards, leaves two equal segments. So values are needed only for the N windows with L = R.
/// - `g(n) <= n/L`, because from nimber g(n) there is a play through g(n)-1, g(n)-2, ... to 0, and each of its moves
///   takes at least L cards. Under (1, N) `g(n) = n`, because a move can leave any shorter row. So the largest nimber
///   is N.
///
/// ```
/// use zeroxor::grundy::segment::AllWindows;
///
/// let all = AllWindows::new(4, &mut |_| ());
/// assert_eq!((all.windows(), all.starts()), (10, 20));
/// // Rows of 2 and of 4 cards, one card at a time.
/// assert_eq!(all.won_by_second(), [2, 0, 0, 0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllWindows {
    n: u64,
    won_by_second: Vec<u64>,
}

impl AllWindows {
    /// Computes the summary for N = `n`. `progress` is called with each finished L. Time: at most n^3/12 splits.
    ///
    /// # Panics
    ///
    /// If the memory for the values of one window up to `n` cannot be allocated.
    pub fn new(n: u64, progress: &mut dyn FnMut(u64)) -> Self {
        let won_by_second = (1..=n).map(|l| {
            let values = Window::new(l, l).map(|window| Sequence::up_to(window, n));
            let starts = values.iter().flat_map(|values| values.values().iter().skip(narrow(l)));
            let won = starts.filter(|&&value| value == 0).count() as u64;
            progress(l);
            won
        });
        Self { n, won_by_second: won_by_second.collect() }
    }

    /// Returns the number of windows.
    pub fn windows(&self) -> u128 {
        let n = u128::from(self.n);
        n * (n + 1) / 2
    }

    /// Returns the number of starts: rows of n cards under windows with R <= n.
    pub fn starts(&self) -> u128 {
        let n = u128::from(self.n);
        n * (n + 1) * (n + 2) / 6
    }

    /// Returns, for L = R = 1, 2, ..., N, the number of starts that Second wins. Second wins no other start.
    pub fn won_by_second(&self) -> &[u64] {
        &self.won_by_second
    }

    /// Returns the largest nimber: N, the nimber of the row of N cards under the window (1, N).
    pub fn largest(&self) -> u64 {
        self.n
    }
}
