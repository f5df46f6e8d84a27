//! The engine for rows and codes: the Grundy values of all segments up to a length.
//!
//! A heap is a segment of adjacent cards. A move takes some of them and leaves two parts, either of which may be empty,
//! or one part. The value of a segment is the mex over the XORs of all *pairs* of parts, and over the single parts:
//!
//! - [`plain`]: the loop over all pairs. It computes the first values, and all values of games without a sparse space.
//! - [`sparse`]: the sparse-space method. It takes over when few values are rare.
//!
//! Sources: E. R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways", chapter 4; A. Gangolli and T. Plambeck
//! 1989, "A note on periodicity in some octal games".

use self::plain::Plain;
use self::sparse::Sparse;
use crate::grundy::nimber::Mex;
use crate::grundy::segment::{Period, Sequence};
use crate::integers::narrow;
use crate::rules::OctalCode;

mod plain;
mod sparse;
mod split;
mod take_set;
mod witnesses;

pub(in crate::grundy) use take_set::TakeSet;

/// The rare nimbers of a game with a sparse space, and how often they occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SparseSpace {
    /// A nimber is rare if it has an even number of bits under the mask; at the heaps of `exchanged`, if it has an odd
    /// number.
    pub mask: u64,
    /// The parity of the heaps at which rare and common nimbers are exchanged: 0 for even sizes, 1 for odd sizes.
    /// `None` if the same nimbers are rare at all heaps.
    pub exchanged: Option<u64>,
    /// The number of heaps with a rare value.
    pub rares: u64,
    /// The largest heap with a rare value; 0 if there is none.
    pub last: u64,
}

impl SparseSpace {
    /// Returns whether a nimber is rare at a heap.
    pub fn is_rare(self, heap: u64, nimber: u64) -> bool {
        let is_exchanged = self.exchanged == Some(heap % 2);
        (nimber & self.mask).count_ones().is_multiple_of(2) != is_exchanged
    }
}

/// Number of values after which a proof of a period is first tried.
const FIRST_PROOF: usize = 1024;

/// A proof of a period is tried only while it needs less memory than the missing values: it needs 4 bytes a value.
const WORTH_A_PROOF: usize = 2;

/// Computes the values of the heaps of 0 to `n` cards.
///
/// Time: at most about a nanosecond for each pair, n^2/4 pairs for each of the take set's
/// [sums](TakeSet::sums_entered); far less in a sparse space. Memory: up to 8 bytes for each value.
///
/// # Panics
///
/// If `n` is 2^31 or more, or if the memory cannot be allocated.
pub(in crate::grundy) fn values(take_set: &TakeSet, n: usize) -> Sequence {
    let shift = take_set.shift;
    let last = n.saturating_sub(shift);
    let mut plain = Plain::new(take_set, last);
    let (mut sparse, mut space, mut next_proof, mut period) = (None, None, FIRST_PROOF, None);
    while plain.len() <= last {
        if plain.len() >= next_proof && plain.len() * WORTH_A_PROOF <= last {
            next_proof = plain.len() * 4;
            period = take_set.move_bounds().and_then(|bounds| Period::proven(bounds, &plain.values));
            if period.is_some() {
                break;
            }
        }
        if let Some(mut found) = sparse.take().or_else(|| Sparse::of(&plain, last)) {
            let end = if plain.len() < next_proof { next_proof.min(last + 1) } else { last + 1 };
            while found.len() < end && found.pays() && found.advance() {}
            space = Some(found.space());
            if found.len() > last {
                plain.values.extend(found.values_from(plain.len()));
                break;
            }
            plain.continue_with(found.values_from(plain.len()));
            if found.len() >= end {
                sparse = Some(found);
                continue;
            }
        }
        space = None;
        // At this number of values it is time to look for a sparse space or a period again.
        let end = (plain.len() + plain.len() / 4).max(1024).min(last + 1);
        while plain.len() < end {
            plain.advance();
        }
    }
    let mut values = plain.values;
    if let Some(Period { length, .. }) = period {
        let length: usize = narrow(length);
        (values.len()..=last).for_each(|n| values.push(values[n - length]));
    }
    values.splice(0..0, std::iter::repeat_n(0, shift));
    values.truncate(n + 1);
    let later = shift as u64;
    Sequence {
        values,
        space: space.map(|space: SparseSpace| {
            let exchanged = space.exchanged.map(|parity| (parity + later) % 2);
            let last = if space.rares > 0 { space.last + later } else { 0 };
            // The heap of no cards has the value 0.
            let first = later * u64::from(SparseSpace { exchanged, ..space }.is_rare(0, 0));
            SparseSpace { exchanged, rares: space.rares + first, last, ..space }
        }),
        period: period.map(|period: Period| Period { start: period.start + later, ..period }),
    }
}

/// Returns the values of heaps of 0 to `n` cards under a code, each as the mex over all moves. For the first heaps, for
/// codes whose digits repeat, and for codes whose moves leave three heaps.
pub(in crate::grundy) fn by_definition(code: OctalCode, n: usize) -> Vec<u32> {
    let (mut values, mut mex): (Vec<u32>, _) = (Vec::new(), Mex::default());
    let most = code.longest_take().map_or(usize::MAX, narrow);
    for size in 0..=n {
        mex.clear();
        for take in 0..=size.min(most) {
            let (left, digit) = (size - take, code.digit(take as u64));
            if digit & 1 > 0 && left == 0 {
                mex.see(0);
            }
            if digit & 2 > 0 && left > 0 {
                mex.see(values[left]);
            }
            if digit & 4 > 0 {
                (1..=left / 2).for_each(|a| mex.see(values[a] ^ values[left - a]));
            }
            if digit & 8 > 0 {
                for a in 1..=left / 3 {
                    (a..=(left - a) / 2).for_each(|b| mex.see(values[a] ^ values[b] ^ values[left - a - b]));
                }
            }
        }
        values.push(mex.least());
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Octal, Window};

    /// The values by the loop over all pairs only.
    fn plain(take_set: &TakeSet, n: usize) -> Vec<u32> {
        let mut plain = Plain::new(take_set, n - take_set.shift);
        while plain.len() + take_set.shift <= n {
            plain.advance();
        }
        let mut values = vec![0; take_set.shift];
        values.extend(plain.values);
        values
    }

    /// Whether the values agree with those of the loop over all pairs, and whether a sparse space was used.
    fn compare(name: &str, take_set: &TakeSet, n: usize) -> bool {
        let found = values(take_set, n);
        let expected = plain(take_set, n);
        let first = found.values.iter().zip(&expected).position(|(a, b)| a != b);
        assert_eq!((found.values.len(), first), (n + 1, None), "{name}");
        if let Some(space) = found.space {
            let rares = (0..).zip(&expected).filter(|&(n, &value)| space.is_rare(n, value.into()));
            let rares: Vec<u64> = rares.map(|(n, _)| n).collect();
            assert_eq!((space.rares, Some(&space.last)), (rares.len() as u64, rares.last()), "{name}");
        }
        found.space.is_some()
    }

    fn compare_window((l, r): (u64, u64), n: usize) -> bool {
        let window = Window::new(l, r).unwrap();
        compare(&format!("{window:?}"), &TakeSet::of_window(window, n), n)
    }

    fn compare_octal(name: &str, rules: Octal, n: usize) -> bool {
        compare(name, &TakeSet::of_octal(&rules).unwrap(), n)
    }

    #[test]
    fn windows_as_by_all_pairs() {
        let windows = [(1, 3), (1, 5), (1, 9), (3, 5), (3, 3), (2, 40), (7, 70), (5, 5), (1, 33), (1, 63)];
        assert!(windows.into_iter().filter(|&window| compare_window(window, 4000)).count() > 3);
        // The sparse space is given up for a while.
        compare_window((3, 6), 6000);
    }

    /// Under these windows, a rare value follows after thousands of common values.
    #[test]
    #[ignore = "adds up a billion pairs"]
    fn long_windows_as_by_all_pairs() {
        assert!(compare_window((3, 6), 24_000) && compare_window((4, 6), 24_000));
    }

    #[test]
    fn codes_and_grundys_game_as_by_all_pairs() {
        let codes = "0.16 0.376 0.104 0.106 0.6 4.7 0.4004 0.6006 0.07077 0.14 0.054 0.1234567 4.04 0.0044 \
                     0.644 0.00400004";
        let sparse =
            codes.split(' ').filter(|code| compare_octal(code, Octal::new(code.parse().unwrap()), 3000));
        assert!(sparse.count() > 3);
        compare_octal("grundy", Octal::GRUNDYS_GAME, 2500);
    }
}
