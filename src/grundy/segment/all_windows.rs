//! All windows at once.

use super::{Sequence, Window};
use crate::integers::narrow;

/// What all windows 1 <= L <= R <= N come to on the rows of R <= n <= N cards.
///
/// # What theory says before anything is computed
///
/// - With L < R First wins every start: a move of L or L+1 cards from the middle, whichever leaves an even
///   number, leaves equal segments. So only the N windows with L = R need their values.
/// - `g(n) <= n/L`, for each of the g(n) moves from nimber g(n) down to 0 takes at least L cards. Under (1,
///   N) a row is worth its length: a move of 1 to n cards reaches every shorter row. So the largest nimber is
///   N.
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
    /// Goes through all windows; `progress` receives the number of L that are done. Time: at most N^3/12 steps.
    ///
    /// # Panics
    ///
    /// If there is no room for the values of a single window up to `n`.
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

    /// How many windows there are.
    pub fn windows(&self) -> u128 {
        let n = u128::from(self.n);
        n * (n + 1) / 2
    }

    /// How many starts there are, rows of n cards with a window up to n.
    pub fn starts(&self) -> u128 {
        let n = u128::from(self.n);
        n * (n + 1) * (n + 2) / 6
    }

    /// How many starts with L = R = 1, 2, ..., N are won by Second: all that are.
    pub fn won_by_second(&self) -> &[u64] {
        &self.won_by_second
    }

    /// The largest nimber, which is also the length of the row that has it, under the window (1, N).
    pub fn largest(&self) -> u64 {
        self.n
    }
}
