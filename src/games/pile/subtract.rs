//! Subtraction games: a move takes one of a finite set of numbers. Their values are periodic in the end.

use super::super::gcd;
use super::tabled::Tabled;
use super::values::{BYTES, subtraction_values};
use super::{
    Budget, Detail, Illegal, MAX_SIZE, Opened, Setup, SetupError, Takes, Theory, TooLarge, listed, piles,
    table_of, words,
};

const FORM: &str = "\"subtract n1 n2 ... take s1 s2 ...\" with numbers from 1 to 1000000000000000000";

/// Sets up the piles.
pub(in crate::games) fn open(setup: &Setup) -> Result<Opened, SetupError> {
    let takes = listed(setup, "take").ok_or_else(|| setup.unfit(FORM))?;
    piles(setup, FORM, MAX_SIZE, Subtract { takes })
}

/// The least pre-period and the least period of the nimbers of a subtraction set, as the values themselves
/// prove them. A set without positive numbers allows no move: period 1 from 0 on.
///
/// # Errors
///
/// If no period shows in a table within the budget.
pub fn period(takes: &[u64], budget: &mut Budget) -> Result<(u64, u64), TooLarge> {
    let mut takes: Vec<u64> = takes.iter().copied().filter(|&take| take > 0).collect();
    takes.sort_unstable();
    takes.dedup();
    if takes.is_empty() {
        return Ok((0, 1));
    }
    let rules = Subtract { takes };
    let Periodic { gcd, period, .. } =
        Periodic::new(&rules.takes, MAX_SIZE, budget, || table_of("nimbers", MAX_SIZE, &rules.rules()))?;
    // A table that covers all piles would be beyond any budget.
    let (start, length) = period.unwrap_or((0, 1));
    Ok((start as u64 * gcd, length as u64 * gcd))
}

/// The rules; the numbers that may be taken in ascending order.
#[derive(Clone, Debug)]
struct Subtract {
    takes: Vec<u64>,
}

impl Takes for Subtract {
    fn rules(&self) -> String {
        words("subtract", "take", self.takes.iter().copied())
    }

    fn check(&self, _n: u64, take: u64) -> Result<(), Illegal> {
        self.takes.binary_search(&take).map(drop).map_err(|_| Illegal::NotListed)
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.takes[..self.count(n) as usize].iter().copied())
    }

    fn count(&self, n: u64) -> u64 {
        self.takes.partition_point(|&take| take <= n) as u64
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        let take = self.takes.get(usize::try_from(k).ok()?).copied();
        take.filter(|&take| take <= n)
    }

    fn least(&self) -> u64 {
        self.takes.first().copied().unwrap_or(1)
    }

    fn theory(
        &self,
        largest: u64,
        _detail: Detail,
        budget: &mut Budget,
    ) -> Result<Box<dyn Theory>, TooLarge> {
        let what = || table_of("nimbers", largest, &self.rules());
        let values = Periodic::new(&self.takes, largest, budget, what)?;
        Ok(Box::new(Tabled { takes: self.clone(), values: move |n: u64| values.get(n).into() }))
    }
}

/// The Grundy values of a subtraction set: of all piles up to a size, or of all by their period.
///
/// With d the greatest common divisor of the set, g(n) is the value of floor(n/d) under the set divided by d:
/// the remainder is never touched.
///
/// # Why a repeated window is a period
///
/// With m the largest of the set, g(n) is the mex of m values before it, those at n-s, so m values in a row
/// determine the next and hence all that follow. If the windows of m values that end before a and before a+p
/// are equal, then g(n) = g(n+p) for all n >= a-m. There are finitely many windows, so that must happen (S.
/// W. Golomb 1966, "A mathematical investigation of games of 'take-away'"). The nearest earlier window equal
/// to the last one gives the least period; going back from it as long as the values agree gives the least
/// pre-period.
struct Periodic {
    gcd: u64,
    values: Vec<u32>,
    /// The pre-period and the period, if one was needed and found.
    period: Option<(usize, usize)>,
}

impl Periodic {
    /// The table doubles until it shows a period, covers the piles, or exceeds the budget.
    fn new(
        takes: &[u64],
        largest: u64,
        budget: &mut Budget,
        what: impl Fn() -> String,
    ) -> Result<Self, TooLarge> {
        let gcd = takes.iter().copied().fold(0, gcd);
        let largest = largest / gcd;
        let takes: Vec<u64> = takes.iter().map(|take| take / gcd).filter(|&take| take <= largest).collect();
        // Where nothing can be taken, every pile is worth 0.
        let Some(&window) = takes.last() else {
            return Ok(Self { gcd, values: vec![0], period: Some((0, 1)) });
        };
        let mut length = window.saturating_mul(2).max(1024);
        let mut done = None;
        loop {
            let n = length.min(largest);
            let what = || match done {
                Some(n) => format!("{}, of which the first {} show no period yet,", what(), n * gcd),
                None => what(),
            };
            let piles = u128::from(n) + 1;
            // The search for a period keeps a number for each value of the window.
            let bytes = piles * BYTES + u128::from(window.min(n)) * size_of::<u32>() as u128;
            budget.spend(what, piles * takes.len() as u128, bytes)?;
            let takes: Vec<usize> = takes.iter().map(|&take| take as usize).collect();
            let values = subtraction_values(&takes, n as usize);
            if n == largest {
                return Ok(Self { gcd, values, period: None });
            }
            if let Some(period) = find_period(&values, window as usize) {
                return Ok(Self { gcd, values, period: Some(period) });
            }
            done = Some(n);
            length = length.saturating_mul(2);
        }
    }

    fn get(&self, n: u64) -> u32 {
        let n = (n / self.gcd) as usize;
        match self.period {
            Some((start, length)) if n >= start => self.values[start + (n - start) % length],
            _ => self.values[n],
        }
    }
}

/// The pre-period and the period that the last `window` values prove, if they stood there before.
///
/// The nearest earlier place is found by the failure function of the reversed sequence (D. E. Knuth, J. H.
/// Morris and V. R. Pratt 1977, "Fast pattern matching in strings"), in linear time.
fn find_period(values: &[u32], window: usize) -> Option<(usize, usize)> {
    let last = values.len() - 1;
    let fail = failure(values, window.min(values.len()));
    let mut matched = 0;
    let place = values.iter().rev().skip(1).position(|value| {
        while matched > 0 && values[last - matched] != *value {
            matched = fail[matched - 1] as usize;
        }
        matched += usize::from(values[last - matched] == *value);
        matched == window
    })?;
    let length = place + 2 - window;
    let repeats = (0..values.len() - length).rev().take_while(|&n| values[n] == values[n + length]).count();
    Some((values.len() - length - repeats, length))
}

/// For each prefix of the first `window` of the reversed values, the length of its longest proper prefix that
/// is also its end.
fn failure(values: &[u32], window: usize) -> Vec<u32> {
    let last = values.len() - 1;
    let mut fail = vec![0; window];
    let mut matched = 0;
    for at in 1..window {
        while matched > 0 && values[last - matched] != values[last - at] {
            matched = fail[matched - 1] as usize;
        }
        matched += usize::from(values[last - matched] == values[last - at]);
        fail[at] = matched as u32;
    }
    fail
}
