//! Arithmetic periods, values that grow by the same number in each period, and their proof from finitely many values.

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
    /// Whether the values prove this for all n; otherwise it holds for the computed values.
    pub is_proven: bool,
}

impl CodeSequence {
    /// Returns the least p with g(n+p) = g(n) + s for some s > 0 and all computed values from some heap on: at least half of the
    /// values, and two periods. Many codes whose moves leave three heaps have an arithmetic period (S. Howse and R. J. Nowakowski
    /// 2004, "Periodicity and arithmetic-periodicity in hexadecimal games"). If s is a power of two, some more periods usually
    /// prove it. Time and memory are linear.
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

/// Small heaps, which are combined with a large one, have fewer cards than this.
const SMALL: usize = 100;

/// Whether the values of heaps from 0 on prove that they grow so for ever, where the saltus is a power of two.
///
/// Let g(n+p) = g(n) + s for all n from e on that the values have. Let S be a power of two that s divides, and P = p S/s, so
/// that also g(n+P) = g(n) + S. The later heaps have the values that follow from this, if for each of them
///
/// 1. its value is no option. Of the values of up to three heaps of n - t cards, the sum is less than that of n and some D
///    more: all values lie between two lines of the slope s/p. So where the XOR of these values is that of n, no two of them
///    share a bit of S or more, if 2S is more than D. Let U be such a value without its bits below S, divided by S. In the
///    heaps with U > 0 it can be replaced by 1, 2 and 4, and P cards fewer for each 1 that is taken away; n then has as many
///    cards fewer, and its value is the XOR of theirs again. Then it has less than e + 8P cards, and its value is computed;
/// 2. all smaller values are options. Two equal heaps of b cards beside one of a leave the value of a, whose parity is that of
///    n - t. If each value is that of some heap of such a parity, not far above a line, these are all but the largest. Those
///    are options of the heaps of 2P sizes in sequence, each by one large heap and small ones whose values XOR to less than
///    S. With P cards more in the large heap, they are so of all later ones.
///
/// That hexadecimal games may be arithmetic periodic is known from S. Howse and R. J. Nowakowski (2004, "Periodicity and
/// arithmetic-periodicity in hexadecimal games"), who have another condition.
pub(super) fn is_proven(code: OctalCode, values: &[u16], period: ArithmeticPeriod) -> bool {
    Proof::new(code, values, period).is_some_and(|proof| proof.smaller_values_are_options())
}

/// No heap of a table has as many cards as would not fit.
fn signed(cards: usize) -> i64 {
    i64::try_from(cards).unwrap_or(i64::MAX)
}

/// What is known of the values, if no heap's value is an option.
struct Proof<'a> {
    code: OctalCode,
    values: &'a [u16],
    /// What a move may take.
    takes: Vec<usize>,
    start: usize,
    /// The period, how many cards it has, and the saltus.
    length: i64,
    cards: usize,
    saltus: i64,
    /// The most that a value is above the line, times the period.
    above: i64,
    /// A multiple of the period whose saltus is a power of two.
    block: usize,
    block_saltus: i64,
}

impl<'a> Proof<'a> {
    /// `None` if that cannot be told.
    fn new(code: OctalCode, values: &'a [u16], period: ArithmeticPeriod) -> Option<Self> {
        let ArithmeticPeriod { start, length, saltus, .. } = period;
        let (start, cards): (usize, usize) = (narrow(start), narrow(length));
        let (length, saltus) = (signed(cards), signed(narrow(saltus)));
        if saltus.count_ones() != 1 {
            return None;
        }
        let takes: Vec<usize> =
            (0..=code.longest_take()).filter(|&take| code.digit(take) > 0).map(narrow).collect();
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

    fn smaller_values_are_options(&self) -> bool {
        let late = [0, 1].map(|parity| self.lateness_of_first_heaps(parity));
        // For n of either parity, by how much at most a value may be below that of n and no option in this way.
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

    /// By value, how late by the slope the first heap of this parity and of at least one card has it, times the saltus; `None`
    /// where no such heap is seen. From some value on it is the same for those two blocks later, so these are left out.
    fn lateness_of_first_heaps(&self, parity: usize) -> Vec<Option<i64>> {
        let of_parity = |&size: &usize| size > 0 && size % 2 == parity;
        // The first heaps of larger values come again.
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

    /// Whether the `many` values below that of a heap are options by one large heap and others whose values XOR to less than
    /// the saltus of a block.
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
