//! Subtraction games, whose values are ultimately periodic.

use super::range::RangeTable;
use super::values::{BYTES, subtraction_values};
use super::{
    Budget, Engine, GrundyTable, Heap, Pile, TableRequest, Tabulated, TooLarge, cost_of_all_replies, table_of,
};
use crate::grundy::segment::repeats;
use crate::integers::narrow;
use crate::rules::factor::gcd;
#[cfg(feature = "analysis")]
use crate::rules::{MAX_SIZE, Window};
use crate::rules::{Subtract, Takes};
use crate::words::MAX_LINE;
#[cfg(feature = "analysis")]
use crate::words::quoted;

/// Returns the least pre-period and the least period of the nimbers of a subtraction set, the numbers in some windows.
/// The computed values prove both; for a single window [L, R] the period is known to be L+R. An empty set allows no
/// move, so its pre-period is 0 and its period is 1.
///
/// Let d be the greatest common divisor of the set. The result is d times the result of the set divided by d, because
/// the nimbers of the set change only at multiples of d, and the nimbers of the divided set are not constant from any
/// pile on (a mex differs from the values of all followers).
///
/// # Errors
///
/// If no table within the budget shows a period, or if several windows have too many numbers.
///
/// ```
/// use zeroxor::grundy::{Budget, subtraction_period};
/// use zeroxor::rules::Window;
///
/// // Taking 1 to 3: n modulo 4, from the first pile on.
/// let windows: Vec<_> = Window::new(1, 3).into_iter().collect();
/// assert_eq!(subtraction_period(&windows, &mut Budget::GAME.clone())?, (0, 4));
/// // Taking 10, 20 or 30: ten times the period.
/// let windows: Vec<_> = [10, 20, 30].into_iter().filter_map(|take| Window::new(take, take)).collect();
/// assert_eq!(subtraction_period(&windows, &mut Budget::GAME.clone())?, (0, 40));
/// # Ok::<(), zeroxor::grundy::TooLarge>(())
/// ```
#[cfg(feature = "analysis")]
pub fn subtraction_period(windows: &[Window], budget: &mut Budget) -> Result<(u128, u128), TooLarge> {
    let rules = Subtract::new(windows);
    match *rules.windows {
        [] => return Ok((0, 1)),
        [Window { l, r }] => return Ok((0, u128::from(l + r))),
        _ => {}
    }
    let what = || format!("a period of the nimbers of piles under {}", quoted(rules.words().as_bytes()));
    let takes = rules.listed(MAX_SIZE, what)?;
    let Periodic { gcd, period, .. } = Periodic::new(&takes, None, budget, what)?;
    // Without a largest pile the table always has a period.
    let (start, length) = period.unwrap_or((0, 1));
    Ok((start as u128 * u128::from(gcd), length as u128 * u128::from(gcd)))
}

impl Engine for Pile<Subtract> {
    fn comparison_cost(&self, heap: Heap) -> u128 {
        match *self.0.windows {
            [window] => RangeTable(window).compared(heap.size),
            _ => cost_of_all_replies(&self.0, heap.size),
        }
    }

    fn table(&self, request: TableRequest<'_>) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let TableRequest { largest, budget, .. } = request;
        if let [window] = *self.0.windows {
            return Ok(Box::new(RangeTable(window)));
        }
        let what = || table_of("nimbers", largest.size, &self.0);
        let takes = self.0.listed(largest.size, what)?;
        let values = Periodic::new(&takes, Some(largest.size), budget, what)?;
        Ok(Box::new(Tabulated::new(self, move |n: u64| values.get(n).into())))
    }
}

/// Maximum number of numbers that are listed for a table: as many as the longest header can list one by one.
const MAX_LISTED: u64 = MAX_LINE as u64 / 2;

impl Subtract {
    /// Returns the numbers that may be taken from a pile of `n`.
    ///
    /// # Errors
    ///
    /// If there are more than [`MAX_LISTED`]. `what` names the table that needs them.
    fn listed(&self, n: u64, what: impl Fn() -> String) -> Result<Vec<u64>, TooLarge> {
        let [asked, limit] = [self.count(n), MAX_LISTED].map(u128::from);
        if asked > limit {
            return Err(TooLarge { what: what(), asked, left: limit, limit, unit: "numbers to take" });
        }
        Ok(self.takes(n).collect())
    }
}

/// Factor between the numbers of piles of one table and the next.
const GROWTH: u64 = 4;

/// If a table would have more than one in `WORTH_ALL` of the requested piles, all requested piles are computed at once.
const WORTH_ALL: u64 = 8;

/// The Grundy values of a subtraction set: of the piles up to a size, or by the period, of all piles.
///
/// Let d be the greatest common divisor of the set. g(n) is the value of floor(n/d) under the set divided by d,
/// because no move changes the remainder of n modulo d.
///
/// # Why a repeated window is a period
///
/// Let m be the largest number of the set. g(n) is the mex of the values g(n-s) for the numbers s of the set, all
/// among the previous m values. So m consecutive values determine the next value, and hence all later values. If the
/// windows of m values that end before a and before a+p are equal, then g(n) = g(n+p) for all n >= a-m. The number of
/// different windows is finite, so two windows must be equal (S. W. Golomb 1966, "A mathematical investigation of
/// games of 'take-away'"). The nearest earlier window that equals the last window gives the least period. The least
/// pre-period is the first pile from which on each value equals the value a period later.
struct Periodic {
    gcd: u64,
    values: Vec<u32>,
    /// The pre-period and the period; `None` if `values` has all requested piles.
    period: Option<(usize, usize)>,
}

impl Periodic {
    /// Computes the values of piles up to `largest`; of all piles if `largest` is `None`.
    ///
    /// Computes larger and larger tables until one shows a period, or until a table of all piles costs little more.
    /// Only the last table is charged to the budget: a table usually has [`GROWTH`] times as many piles as the previous
    /// one, so all smaller tables together need a third of its time.
    fn new(
        takes: &[u64],
        largest: Option<u64>,
        budget: &mut Budget,
        what: impl Fn() -> String,
    ) -> Result<Self, TooLarge> {
        let max_speculative_steps = if largest.is_some() { Budget::MAX_SPECULATIVE_STEPS } else { u128::MAX };
        let gcd = takes.iter().copied().fold(0, gcd).max(1);
        let largest = largest.map_or(u64::MAX, |largest| largest / gcd);
        let takes: Vec<u64> = takes.iter().map(|take| take / gcd).filter(|&take| take <= largest).collect();
        // If nothing can be taken, each pile has the value 0.
        let Some(&window) = takes.last() else {
            return Ok(Self { gcd, values: vec![0], period: Some((0, 1)) });
        };
        let cost = |n: u64| {
            let piles = u128::from(n) + 1;
            // The search for a period stores a number for each value of the window.
            let bytes = piles * BYTES + u128::from(window.min(n)) * size_of::<u32>() as u128;
            (piles * takes.len() as u128, bytes)
        };
        let allowed = *budget;
        // The first table has at least two windows.
        let mut n = window.saturating_mul(2).max(1024);
        let mut done = None;
        loop {
            n = n.min(largest);
            if n > largest / WORTH_ALL {
                let (steps, bytes) = cost(largest);
                n = if allowed.allows(String::new, steps, bytes).is_ok() { largest } else { n };
            }
            let what = || match done {
                Some(n) => {
                    let n = u128::from(n) * u128::from(gcd);
                    format!("{} (the first {n} values show no period)", what())
                }
                None => what(),
            };
            let (steps, bytes) = cost(n);
            *budget = allowed;
            if n < largest && steps > max_speculative_steps {
                let (steps, bytes) = cost(largest);
                budget.allows(what, steps, bytes)?;
            }
            budget.spend(what, steps, bytes)?;
            // Only for the table of all piles is the number of steps a final one, so only this table is probed.
            let probe = budget.probe.filter(|_| n == largest);
            let mut cpu_watch = budget.probing(probe).watch_cpu();
            let mut check = |done| cpu_watch.check(what, cost(done as u64).0, steps);
            let takes: Vec<usize> = takes.iter().copied().map(narrow).collect();
            let values = subtraction_values(&takes, narrow(n), &mut check)?;
            if n == largest {
                return Ok(Self { gcd, values, period: None });
            }
            if let Some(period) = find_period(&values, narrow(window)) {
                return Ok(Self { gcd, values, period: Some(period) });
            }
            done = Some(n);
            // If a table of `GROWTH` times as many piles exceeds the budget, try twice as many.
            let [twice, most] = [2, GROWTH].map(|times| n.saturating_mul(times));
            let fits = |&n: &u64| {
                let (steps, bytes) = cost(n);
                allowed.allows(String::new, steps, bytes).is_ok()
            };
            n = Some(most).filter(fits).unwrap_or(twice);
        }
    }

    fn get(&self, n: u64) -> u32 {
        let n: usize = narrow(n / self.gcd);
        match self.period {
            Some((start, length)) if n >= start => self.values[start + (n - start) % length],
            _ => self.values[n],
        }
    }
}

/// Returns the pre-period and the period that the last `window` values prove; `None` if no earlier window is equal.
fn find_period(values: &[u32], window: usize) -> Option<(usize, usize)> {
    let (length, repeats) = (1..).zip(repeats(values, window)).find(|&(_, repeats)| repeats >= window)?;
    Some((values.len() - length - repeats, length))
}
