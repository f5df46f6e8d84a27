//! The engines for subtraction games. The values of a subtraction set are ultimately periodic. If a move may take a
//! range of numbers, or at most a K-th of the pile, the values have a closed form.

use std::iter;

use super::{Tabulated, TooLarge, Values, subtraction_values};
use crate::grundy::euclid::{TAKES_AT_EACH_END, compared};
use crate::grundy::segment::{MoveBounds, Period};
use crate::grundy::tabulated::fewest_replies;
use crate::grundy::{Cost, DelayMove, Engine, GrundyTable, Nimber, ValueKind};
use crate::integers::narrow;
use crate::rules::factor::gcd;
use crate::rules::pile::subtract::{Share, Subtract};
use crate::rules::{Heap, HeapMove, MAX_SIZE, Pile, Takes, Window, take};

/// Returns the least pre-period and the least period of the nimbers of a subtraction set. The set has the numbers of
/// all `windows`. Computed values prove both results; for a single window [L, R] they are known: the pre-period is 0,
/// and the period is L+R. An empty set allows no move, so its pre-period is 0 and its period is 1.
///
/// Let d be the greatest common divisor of the set. The result is d times the result of the set divided by d: the
/// nimbers of the set change only at multiples of d, and the nimbers of the divided set never become constant, because
/// a mex differs from the values of all followers.
///
/// # Errors
///
/// If no table of a size that may be computed shows a period.
///
/// ```
/// use zeroxor::grundy::subtraction_period;
/// use zeroxor::rules::Window;
///
/// // Taking 1 to 3: the nimber is n modulo 4 for all n.
/// let windows: Vec<_> = Window::new(1, 3).into_iter().collect();
/// assert_eq!(subtraction_period(&windows)?, (0, 4));
/// // Taking 10, 20 or 30: ten times the period.
/// let windows: Vec<_> = [10, 20, 30].into_iter().filter_map(|take| Window::new(take, take)).collect();
/// assert_eq!(subtraction_period(&windows)?, (0, 40));
/// # Ok::<(), zeroxor::grundy::TooLarge>(())
/// ```
pub fn subtraction_period(windows: &[Window]) -> Result<(u128, u128), TooLarge> {
    let rules = Subtract::new(windows);
    match *rules.windows {
        [] => return Ok((0, 1)),
        [Window { l, r }] => return Ok((0, u128::from(l + r))),
        _ => {}
    }
    let Periodic { gcd, period, .. } = Periodic::new(&rules, None)?;
    // A table that is not of all piles has a period.
    let Period { start, length } = period.unwrap_or(Period { start: 0, length: 1 });
    Ok((u128::from(start) * u128::from(gcd), u128::from(length) * u128::from(gcd)))
}

impl Engine for Pile<Subtract> {
    fn comparison_cost(&self, heap: Heap) -> Option<u128> {
        (self.0.windows.len() == 1).then(|| compared(self.0.count(heap.size)).count() as u128)
    }

    fn cost(&self, Heap { size: largest, .. }: Heap, _kind: ValueKind) -> Cost {
        /// Steps of a pile besides its moves: the mex and the search for a period.
        const STEPS_PER_PILE: u128 = 20;

        if let [_] = *self.0.windows {
            return Cost::default();
        }
        let takes = u128::from(self.0.count(largest));
        let computed = self.0.most_computed(Some(largest));
        let piles = u128::from(computed) + 1;
        // Values that are fewer than the numbers of the set show no period.
        let most = self.0.windows.last().map_or(0, |window| u128::from(window.r.min(largest) / self.0.gcd()));
        let each = if piles <= most { u128::MAX } else { takes + STEPS_PER_PILE };
        Cost::of_values(piles.saturating_mul(each), computed)
    }

    fn move_bounds(&self) -> Option<MoveBounds> {
        Some(MoveBounds { longest_take: self.0.windows.last()?.r, most_heaps: 1 })
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        if let [window] = *self.0.windows {
            return Ok(Box::new(RangeTable(window)));
        }
        Ok(Box::new(Tabulated::new(self, Periodic::new(&self.0, Some(largest.size))?)))
    }
}

impl Subtract {
    fn gcd(&self) -> u64 {
        let differences = self.windows.iter().map(|window| if window.l < window.r { 1 } else { window.l });
        differences.fold(0, gcd).max(1)
    }

    /// The largest pile of a table of piles up to `largest`, in multiples of the greatest common divisor. A third of the
    /// limit of a game, so that a sum may have several sets whose period is not known in advance.
    fn most_computed(&self, largest: Option<u64>) -> u64 {
        const STEPS: u64 = 1_000_000_000;
        const PILES: u64 = 1 << 23;
        let all = largest.map_or(u64::MAX, |largest| largest / self.gcd());
        all.min(STEPS / self.count(largest.unwrap_or(MAX_SIZE)).max(1)).min(PILES)
    }
}

/// Factor between the numbers of piles of one table and the next.
const GROWTH: u64 = 4;

/// The Grundy values of a subtraction set: of all piles if a period is known, otherwise of the piles up to a size.
///
/// Let d be the greatest common divisor of the set. g(n) is the value of floor(n/d) under the set divided by d,
/// because no move changes the remainder of n modulo d.
///
/// The number of different windows of m consecutive values, where m is the largest number of the set, is finite, so
/// two windows must be equal, and [prove](Period::proven) a period (S. W. Golomb 1966, "A mathematical investigation of
/// games of 'take-away'").
struct Periodic {
    gcd: u64,
    values: Vec<u32>,
    /// The period of `values`; `None` if they are those of all requested piles.
    period: Option<Period>,
}

impl Periodic {
    /// Computes larger and larger tables, until one has all piles up to `largest` or shows a period. Without `largest`,
    /// the period is needed. Fails if the largest table that may be computed shows none.
    fn new(rules: &Subtract, largest: Option<u64>) -> Result<Self, TooLarge> {
        let (gcd, most) = (rules.gcd(), rules.most_computed(largest));
        let all = largest.map_or(u64::MAX, |largest| largest / gcd);
        let takes: Vec<u64> = rules.takes(most.saturating_mul(gcd)).map(|take| take / gcd).collect();
        let longest_take = rules.windows.last().map_or(0, |last| last.r / gcd);
        let bounds = MoveBounds { longest_take, most_heaps: 1 };
        // A table with twice the longest take may show a period.
        let mut n = longest_take.saturating_mul(2).max(1024);
        loop {
            n = n.min(most);
            let values = subtraction_values(&takes, n);
            let period = if n == all { None } else { Period::proven(bounds, &values) };
            if n == all || period.is_some() {
                return Ok(Self { gcd, values, period });
            }
            if n == most {
                let (game, size) = (rules.words(), largest.unwrap_or(MAX_SIZE));
                let largest = most.saturating_mul(gcd);
                return Err(TooLarge::Size { game, size, largest, is_alone: true });
            }
            n = n.saturating_mul(GROWTH);
        }
    }
}

impl Values for Periodic {
    fn value(&self, n: u64) -> u64 {
        let n = n / self.gcd;
        self.values.value(self.period.map_or(n, |period| period.earlier(n)))
    }
}

/// The values of all piles if a move may take any number of a window.
///
/// If a move takes L to R, then g(n) = floor((n mod (L+R)) / L) (AtCoder Beginner Contest 297 G, "Constrained Nim 2").
/// Proof by induction: let p = L+R and n = qp + x with 0 <= x < p, and let a move leave m, so n-R <= m <= n-L. If
/// m = qp + y, then 0 <= y <= x-L, so g(m) = floor(y/L) < floor(x/L). If m < qp, then m = (q-1)p + y with y >= x+L, so
/// g(m) > floor(x/L). It remains to show that each v < floor(x/L) is a g(m): let y be the larger of vL and x-R. Then
/// x-R <= y <= x-L. If y is not vL, then vL < x-R < L, so v = 0 and y < L. So floor(y/L) = v in both cases.
#[derive(Clone, Copy)]
struct RangeTable(Window);

impl RangeTable {
    /// Returns the takes that leave the value `target`, as ascending ranges: the first and the last take of each.
    ///
    /// The moves from one pile leave consecutive piles, fewer than L+R in number. So these piles lie in at most two
    /// periods.
    fn takes_to(self, n: u64, target: u64) -> impl Iterator<Item = (u64, u64)> {
        let Window { l, r } = self.0;
        let period = l + r;
        let largest = n.checked_sub(l).filter(|_| target <= (period - 1) / l);
        let last = largest.unwrap_or(0) / period;
        (last.saturating_sub(1)..=last).rev().filter_map(move |at| {
            let (largest, start) = (largest?, at * period);
            let from = start + target * l;
            let to = (from + l - 1).min(start + period - 1).min(largest);
            let from = from.max(n - r.min(n));
            (from <= to).then(|| (n - to, n - from))
        })
    }
}

impl GrundyTable for RangeTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        let Window { l, r } = self.0;
        Nimber(heap.size % (l + r) / l)
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let takes = self.takes_to(heap.size, target.0).flat_map(|(first, last)| first..=last);
        // The caller measures the time of a search by the number of its items. End with `None`, so that a search
        // without a result also has an item.
        Box::new(takes.map(|count| Some(take(count))).chain(iter::once(None)))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(self.takes_to(heap.size, target.0).map(|(first, last)| u128::from(last - first) + 1).sum())
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let (n, Window { l, r }) = (heap.size, self.0);
        let counts = compared((r.min(n) + 1).saturating_sub(l)).map(|index| l + index - 1);
        let moves = counts.map(|count| (take(count), [Heap::of(n - count)]));
        fewest_replies(self, heap, moves, |pile| pile.size / l, elsewhere)
    }
}

/// A [`ShareTable`] stores all its values if its largest pile is smaller than `MAX_STORED`.
const MAX_STORED: u64 = 1 << 24;

/// Number of steps to compute and store a value.
const STORE_STEPS: u128 = 4;

/// Number of steps of one pass of a loop of [`ShareTable`]. Each pass has divisions.
const PASS_STEPS: u128 = 10;

/// Number of values charged in advance without stored values: those of the followers after some moves.
const CHARGED_VALUES: u128 = 64;

/// The values of all piles if a move may take at most a K-th of the pile, rounded down.
///
/// Let q = floor(n/K). If K divides n, then g(n) = q, else g(n) = g(n-q-1) (AtCoder Regular Contest 091 F, "Strange
/// Nim"; for K = 2 see L. Levine 2006, "Fractal sequences and restricted Nim"). Proof by induction, together with the
/// claim that the q+1 piles from n-q to n have the values 0 to q, each once, which is true for n = 0. If K divides
/// n > 0, then by the claim for n-1 the followers of n, from n-q to n-1, have the values 0 to q-1, so g(n) = q. If K
/// does not divide n, then the piles from n-q-1 to n-1 have the values 0 to q. All of them but n-q-1 are followers of
/// n, so g(n) = g(n-q-1).
///
/// By the claim, exactly one move from n leaves each value from 0 to q, except that no move leaves g(n).
///
/// With K = 1 a pile is its own nimber (C. L. Bouton 1901, "Nim, a game with a complete mathematical theory").
struct ShareTable {
    rules: Share,
    /// The values of all piles up to the largest; empty if they are computed on demand.
    stored: Vec<u32>,
}

impl Share {
    /// Returns an upper bound of the number of passes of the loop that computes the value of a pile of `n`. While
    /// floor(n/K) is at least K, each pass removes more than a K-th of the pile; after that, each pass decreases
    /// floor(n/K).
    fn passes(self, n: u64) -> u128 {
        let (divisor, quotient) = (u128::from(self.divisor), u128::from(n / self.divisor));
        let doublings = (quotient / divisor).checked_ilog2().map_or(0, |log| log + 1);
        // (1 - 1/K)^K is less than a half.
        quotient.min(divisor) + divisor * u128::from(doublings) + 1
    }

    /// Returns the takes that are compared in a lost position. In a large pile of nim, the number of winning replies
    /// depends only on the highest bit of the XOR after the move, so only the least take for each highest bit is
    /// compared.
    fn compared(self, n: u64) -> impl Iterator<Item = u64> {
        let is_large_nim = self.is_nim() && n > TAKES_AT_EACH_END;
        let bits = (0..u64::BITS).map(|bit| 1_u64 << bit).filter(move |bit| is_large_nim && n & bit != 0);
        let by_bits = bits.map(move |bit| n % (2 * bit) - (bit - 1));
        compared(if is_large_nim { 0 } else { self.most(n) }).chain(by_bits)
    }
}

impl Engine for Pile<Share> {
    fn comparison_cost(&self, heap: Heap) -> Option<u128> {
        let n = heap.size;
        let passes = if n < MAX_STORED { 1 } else { self.0.passes(n) };
        // The value of each follower is computed for itself and for the replies in it.
        let steps = if self.0.is_nim() { 1 } else { passes * PASS_STEPS * 2 };
        Some(self.0.compared(n).count() as u128 * steps)
    }

    /// A table of fewer piles is never dearer than one of more.
    fn cost(&self, largest: Heap, _kind: ValueKind) -> Cost {
        if self.0.is_nim() {
            return Cost::default();
        }
        let stored = u128::from(largest.size.min(MAX_STORED)) + 1;
        let passes = if largest.size < MAX_STORED { 0 } else { self.0.passes(largest.size) };
        Cost {
            steps: stored * STORE_STEPS + passes * PASS_STEPS * CHARGED_VALUES,
            bytes: stored * size_of::<u32>() as u128,
        }
    }

    fn table(&self, largest: Heap, _kind: ValueKind) -> Result<Box<dyn GrundyTable>, TooLarge> {
        let is_stored = largest.size < MAX_STORED && !self.0.is_nim();
        let stored = if is_stored { values(self.0, largest.size) } else { Vec::new() };
        Ok(Box::new(ShareTable { rules: self.0, stored }))
    }
}

/// Returns the values of the piles from 0 to `largest`, which is less than [`MAX_STORED`].
fn values(rules: Share, largest: u64) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::with_capacity(narrow::<usize>(largest) + 1);
    for n in 0..=largest {
        let quotient = rules.most(n);
        let is_multiple = n.is_multiple_of(rules.divisor);
        values.push(if is_multiple { narrow(quotient) } else { values[narrow::<usize>(n - quotient - 1)] });
    }
    values
}

impl ShareTable {
    /// Returns the value of a pile. The formula subtracts q + 1 as long as K does not divide n. While q stays the same,
    /// one pass of the loop does all these subtractions at once.
    fn value(&self, mut n: u64) -> u64 {
        let divisor = self.rules.divisor;
        loop {
            if let Some(&stored) = usize::try_from(n).ok().and_then(|n| self.stored.get(n)) {
                return stored.into();
            }
            let (quotient, rest) = (n / divisor, n % divisor);
            if quotient == 0 || rest == 0 {
                return quotient;
            }
            // After `times` subtractions the quotient is less, or the rest is 0.
            let times = rest.div_ceil(quotient + 1);
            n -= times * (quotient + 1);
        }
    }

    /// Returns the take that leaves the value `target`, if there is one.
    ///
    /// The least pile with the value v is vK. If m has the value v, the next pile n with this value is m +
    /// floor(m/(K-1)) + 1: with n = Kq + r and 0 < r < K, m = n-q-1 = (K-1)q + r-1, so q = floor(m/(K-1)). While q
    /// stays the same, one pass of the loop makes all these additions at once.
    fn take_to(&self, n: u64, target: u64) -> Option<u64> {
        let Share { divisor } = self.rules;
        if target > self.rules.most(n) || target == self.value(n) {
            return None;
        }
        let mut left = target * divisor;
        let Some(below) = divisor.checked_sub(1).filter(|&below| below > 0) else { return Some(n - left) };
        loop {
            let quotient = left / below;
            let times = ((quotient + 1) * below - left).div_ceil(quotient + 1);
            let within = (n - 1 - left) / (quotient + 1);
            left += times.min(within) * (quotient + 1);
            if within < times || left == n - 1 {
                break;
            }
        }
        Some(n - left)
    }
}

impl GrundyTable for ShareTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(self.value(heap.size))
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        Box::new(iter::once(self.take_to(heap.size, target.0).map(take)))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        let is_left = target.0 <= self.rules.most(heap.size) && target != self.nimber(heap);
        Some(is_left.into())
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let n = heap.size;
        let moves = self.rules.compared(n).map(|count| (take(count), [Heap::of(n - count)]));
        fewest_replies(self, heap, moves, |pile| self.rules.max_plies(pile.size), elsewhere)
    }
}
