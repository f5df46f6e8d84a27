//! Arithmetic periods: values that grow by the same number in each period. Finitely many values can prove such a
//! period.

use super::{CodeSequence, OctalCode};
use crate::grundy::segment::repeats;
use crate::integers::narrow;

/// An arithmetic period: `g(n + length) = g(n) + saltus` for all n >= `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArithmeticPeriod {
    /// The pre-period.
    pub start: u64,
    /// The period.
    pub length: u64,
    /// The difference of two values a period apart.
    pub saltus: u64,
    /// Whether the values prove the equation for all n. If `false`, it is only known for the computed values.
    pub is_proven: bool,
}

impl CodeSequence {
    /// Returns the arithmetic period with the least length p, such that g(n+p) = g(n) + s for all computed values from
    /// some heap on. The equation must be true for at least half of the values, and for at least two periods. Returns
    /// `None` if there is no such p, or if s is not positive for the least p. Many codes whose moves leave three heaps
    /// have an arithmetic period (S. Howse and R. J. Nowakowski 2004, "Periodicity and arithmetic-periodicity in
    /// hexadecimal games"). If s is a power of two, a few more periods of values usually prove the arithmetic period.
    /// Time and memory are linear.
    pub fn arithmetic_period(&self) -> Option<ArithmeticPeriod> {
        let differences: Vec<i32> =
            self.values().windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
        let (length, repeats) = (1..)
            .zip(repeats(&differences, differences.len()))
            .find(|&(length, repeats)| repeats >= differences.len().div_ceil(2).max(2 * length))?;
        let start = differences.len() - length - repeats;
        let saltus =
            self.values[start + length].checked_sub(self.values[start]).filter(|&saltus| saltus > 0)?;
        let (start, length, saltus) = (start as u64, length as u64, saltus.into());
        let period = ArithmeticPeriod { start, length, saltus, is_proven: false };
        Some(ArithmeticPeriod { is_proven: is_proven(self.code, &self.values, period), ..period })
    }
}

/// Small heaps, which are combined with one large heap, have fewer than `SMALL` cards.
const SMALL: usize = 100;

/// Returns whether the values of heaps from 0 on prove the period for all heaps; `false` if the saltus is not a power
/// of two, or if digits of the code repeat.
///
/// Let g(n+p) = g(n) + s for all computed values from heap e on. Let S be a power of two that is a multiple of s, and P
/// = p S/s. Then g(n+P) = g(n) + S is true too. The equation gives a value for every later heap n. This value is right
/// if two conditions are true for every such n:
///
/// 1. No option of n has this value. Assume the contrary: a move takes t cards and leaves up to three heaps whose
///    values XOR to the value of n. All values lie between two lines of the slope s/p, so the sum of the three values
///    is less than the value of n plus some constant D. If 2S is more than D, no two of the three values have a common
///    bit of S or more. Divide the three values by S and round down. The quotients above 0 can be replaced by 1, 2 and
///    4: for each 1 by which a quotient decreases, remove P cards from its heap and from n. The value of n is still the
///    XOR of the three values. Now n has fewer than e + 8P cards, so its value has been computed by the mex. This is a
///    contradiction, because such a value is never the value of an option.
/// 2. All smaller values are options of n. A move that leaves a heap of a cards and two equal heaps of b cards leaves
///    the value of the heap a, and a has the parity of n - t. Assume that each value v occurs at a heap of each parity,
///    with at most a bounded number of cards more than pv/s, where the line of slope s/p reaches v. Then all smaller
///    values, except the few just below the value of n, are values of such options. Those few are tested for 2P
///    consecutive heaps: for each of them, some move must leave one large heap, and small heaps whose values XOR to
///    less than S. With P more cards in the large heap, the same move shows this for all later heaps.
///
/// S. Howse and R. J. Nowakowski (2004, "Periodicity and arithmetic-periodicity in hexadecimal games") prove
/// arithmetic periods of hexadecimal games under another condition.
pub(super) fn is_proven(code: OctalCode, values: &[u16], period: ArithmeticPeriod) -> bool {
    Proof::new(code, values, period).is_some_and(|proof| proof.smaller_values_are_options())
}

/// Converts a number of cards to `i64`. The conversion never saturates, because no table has heaps that large.
fn signed(cards: usize) -> i64 {
    i64::try_from(cards).unwrap_or(i64::MAX)
}

/// A period that satisfies condition 1 of [`is_proven`].
struct Proof<'a> {
    code: OctalCode,
    values: &'a [u16],
    /// The numbers of cards that a move may take.
    takes: Vec<usize>,
    start: usize,
    /// The period p.
    length: i64,
    /// The period p as a `usize`, for indices.
    cards: usize,
    /// The saltus s.
    saltus: i64,
    /// The maximum of p g(n) - s n.
    above: i64,
    /// The multiple P of the period p.
    block: usize,
    /// The saltus S of a block, a power of two.
    block_saltus: i64,
}

impl<'a> Proof<'a> {
    /// Tests condition 1; `None` if the values do not prove it.
    fn new(code: OctalCode, values: &'a [u16], period: ArithmeticPeriod) -> Option<Self> {
        let ArithmeticPeriod { start, length, saltus, .. } = period;
        let (start, cards): (usize, usize) = (narrow(start), narrow(length));
        let (length, saltus) = (signed(cards), signed(narrow(saltus)));
        if saltus.count_ones() != 1 {
            return None;
        }
        let takes: Vec<usize> =
            (0..=code.longest_take()?).filter(|&take| code.digit(take) > 0).map(narrow).collect();
        let (&least, &longest) = (takes.first()?, takes.last()?);
        let height = |(size, &value): (usize, &u16)| length * i64::from(value) - saltus * signed(size);
        let first_period = start + cards;
        let above = values.iter().enumerate().take(first_period).map(height).max()?;
        let below = values.iter().enumerate().take(first_period).skip(start).map(height).min()?;
        let more = (1..=3).map(|heaps| heaps * above).max()? - saltus * signed(least) - below;
        let largest_before = values[..start].iter().copied().max().map_or(0, i64::from);
        let (mut block, mut block_saltus) = (cards, saltus);
        loop {
            if start + 8 * block + longest >= values.len() {
                return None;
            }
            let largest = values[start..start + block].iter().copied().max().map_or(0, i64::from);
            if 2 * block_saltus * length > more && largest_before < block_saltus && largest < 2 * block_saltus
            {
                return Some(Self {
                    code,
                    values,
                    takes,
                    start,
                    length,
                    cards,
                    saltus,
                    above,
                    block,
                    block_saltus,
                });
            }
            (block, block_saltus) = (2 * block, 2 * block_saltus);
        }
    }

    /// Tests condition 2.
    fn smaller_values_are_options(&self) -> bool {
        let late = [0, 1].map(|parity| self.lateness_of_first_heaps(parity));
        // For each parity of n, the number of values just below g(n) that may not be the value of an option with two
        // equal heaps.
        let rest = [0, 1].map(|parity| {
            let takes = self.takes.iter().filter(|&&take| self.code.allows(take as u64, 3));
            let least = |value: usize| {
                let late = |&take: &usize| {
                    Some(late[(parity + take) % 2].get(value).copied()?? + self.saltus * (signed(take) + 2))
                };
                takes.clone().filter_map(late).min()
            };
            let least: Option<Vec<i64>> = (0..late[parity].len()).map(least).collect();
            let rest = (self.above + least?.into_iter().max()?).max(0);
            usize::try_from(rest).ok().map(|rest| rest.div_ceil(self.cards))
        });
        let [Some(even), Some(odd)] = rest else { return false };
        let (rest, last) = (even.max(odd), self.values.len() - 1);
        (last - 2 * self.block + 1..=last).all(|size| self.has_options_below(size, rest))
    }

    /// Returns s n - p v for each value v, where n is the least positive heap of this parity with the value v; `None`
    /// if no computed heap of this parity has the value. The results for large v repeat with the period 2S, so the list
    /// ends after 2S of them.
    fn lateness_of_first_heaps(&self, parity: usize) -> Vec<Option<i64>> {
        let of_parity = |&size: &usize| size > 0 && size % 2 == parity;
        let before = self.values[..=self.start].iter().max().map_or(0, |&value| i64::from(value) + 1);
        let end = usize::try_from(before + 2 * self.block_saltus).unwrap_or(0);
        let mut first: Vec<Option<usize>> = vec![None; end];
        for size in (0..self.values.len()).filter(of_parity) {
            if let Some(first) = first.get_mut(usize::from(self.values[size])) {
                first.get_or_insert(size);
            }
        }
        let late =
            |(value, first): (i64, Option<usize>)| Some(self.saltus * signed(first?) - self.length * value);
        (0..).zip(first).map(late).collect()
    }

    /// Returns whether each of the `many` values just below the value of heap `size` is the value of an option that
    /// leaves one large heap, and small heaps whose values XOR to less than the saltus of a block.
    fn has_options_below(&self, size: usize, many: usize) -> bool {
        let value = usize::from(self.values[size]);
        let lowest = value.saturating_sub(many);
        let mut missing = vec![true; value - lowest];
        let mut left = missing.len();
        let small = |size: usize| self.values[size];
        let sizes = || 1..SMALL.min(self.values.len());
        for &take in &self.takes {
            let rest = size - take;
            let allows = |heaps| self.code.allows(take as u64, heaps);
            let none = allows(1).then_some((0, 0));
            let one = sizes().filter(|_| allows(2)).map(|b| (b, small(b)));
            let two = sizes()
                .filter(|_| allows(3))
                .flat_map(|b| sizes().skip(b - 1).map(move |c| (b + c, small(b) ^ small(c))));
            for (cards, nimber) in none.into_iter().chain(one).chain(two) {
                if left == 0 {
                    return true;
                }
                let Some(large) = rest.checked_sub(cards).filter(|&large| large >= self.start.max(1)) else {
                    continue;
                };
                if i64::from(nimber) >= self.block_saltus {
                    continue;
                }
                let option = usize::from(nimber ^ self.values[large]);
                if let Some(missing) = option.checked_sub(lowest).and_then(|at| missing.get_mut(at))
                    && std::mem::take(missing)
                {
                    left -= 1;
                }
            }
        }
        left == 0
    }
}
