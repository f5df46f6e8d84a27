//! Rare and common values, by the nimber alone or also by the place.

use super::super::leads::Leads;
use super::super::split::{COMMON, Split};
use crate::narrow::narrow;

/// What is rare and what is common: a [`Split`] of the nimbers, which at every second place may be the other way round.
///
/// Where all moves that leave two heaps take an odd number of cards, or all an even one, the places of the two heaps tell
/// whether that of their sum is even. So a class that changes with every place is one just as well: common = rare xor
/// common holds as before (A. Flammenkamp, pages on octal games, "sparse space of type 1"). Of 0.104 only 20 values are
/// rare in such a space, and half of all in each other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Classes {
    split: Split,
    /// By the lowest bit of the place: what is to be changed in a code of the split.
    flips: [u16; 2],
}

impl Classes {
    /// All codes are the nimbers.
    pub(super) const ALL_RARE: Self = Self { split: Split::ALL_RARE, flips: [0, 0] };

    /// The classes with the fewest rare values, and how many they are. `counts` has how often each nimber came at even and
    /// odd places; its length is a power of two.
    pub(super) fn best(leads: &Leads, counts: &[[u32; 2]]) -> (Self, u64) {
        let plain = Self::best_with(counts, [0, 0]);
        let by_place = takes_of_one_parity(leads).map(|odd| {
            let flips = if odd { [COMMON, 0] } else { [0, COMMON] };
            Self::best_with(counts, flips)
        });
        by_place.filter(|by_place| by_place.1 < plain.1).unwrap_or(plain)
    }

    /// The classes with this mask, by the place too if that is wanted and can be.
    #[cfg(feature = "analysis")]
    pub(super) fn new(leads: &Leads, mask: u16, is_by_place: bool) -> Option<Self> {
        let flips = match (is_by_place, takes_of_one_parity(leads)) {
            (false, _) => [0, 0],
            (true, odd) => {
                if odd? {
                    [COMMON, 0]
                } else {
                    [0, COMMON]
                }
            }
        };
        Some(Self { split: Split::new(mask), flips })
    }

    /// Those of a split.
    #[cfg(test)]
    pub(super) fn of(split: Split) -> Self {
        Self { split, flips: [0, 0] }
    }

    fn best_with(counts: &[[u32; 2]], flips: [u16; 2]) -> (Self, u64) {
        let sign = flips.map(|flip| if flip == 0 { 1 } else { -1 });
        let excess = |[even, odd]: &[u32; 2]| i64::from(*even) * sign[0] + i64::from(*odd) * sign[1];
        let all: u64 = counts.iter().flatten().copied().map(u64::from).sum();
        let (mask, excess) = Split::fewest_rares(counts.iter().map(excess).collect());
        let rares = all.saturating_add_signed(excess) / 2;
        // Without a mask nothing is common.
        (Self { split: Split::new(mask), flips }, if mask == 0 { all } else { rares })
    }

    fn flip(self, place: usize) -> u16 {
        self.flips[place % 2]
    }

    /// The code of a nimber below 2^15 at a place. The code of an XOR of two heaps, at the place of a heap from which a
    /// move leads to them, is the XOR of their codes.
    #[inline]
    pub(super) fn code(self, nimber: u16, place: usize) -> u16 {
        self.split.code(nimber) ^ self.flip(place)
    }

    /// The nimber of a code at a place.
    #[inline]
    pub(super) fn nimber(self, code: u16, place: usize) -> u16 {
        self.split.nimber(code ^ self.flip(place))
    }

    /// How often each nimber comes at even and odd places where these are the codes; the length is a power of two.
    pub(super) fn counts(self, codes: &[u16]) -> Vec<[u32; 2]> {
        let width = codes.iter().map(|code| code & !COMMON).max().map_or(0, |most| usize::from(most) + 1);
        let mut of_codes = vec![[[0_u32; 2]; 2]; width];
        for (place, &code) in codes.iter().enumerate() {
            of_codes[usize::from(code & !COMMON)][usize::from(code >= COMMON)][place % 2] += 1;
        }
        let of_codes = (0_u16..).zip(of_codes);
        let of_codes = of_codes.flat_map(|(code, [rare, common])| [(code, rare), (code | COMMON, common)]);
        let mut counts = vec![[0; 2]];
        for (code, of_code) in of_codes {
            for place in [0, 1].into_iter().filter(|&place| of_code[place] > 0) {
                let nimber = usize::from(self.nimber(code, place));
                if nimber >= counts.len() {
                    counts.resize((nimber + 1).next_power_of_two(), [0; 2]);
                }
                counts[nimber][place] += of_code[place];
            }
        }
        counts
    }

    /// How many rare nimbers are less than this common one at a place.
    pub(super) fn rares_below(self, common: u16, place: usize) -> usize {
        self.split.rares_below(common ^ self.flip(place))
    }

    /// What the code of a heap changes in where it is the only one that a move leaves, and so many were taken.
    pub(super) fn change(self, taken: usize) -> u16 {
        if taken.is_multiple_of(2) { 0 } else { self.flips[0] ^ self.flips[1] }
    }

    /// The bits of which a common nimber has an odd number, or an even one where the place changes it.
    pub(super) fn mask(self) -> u16 {
        self.split.mask()
    }

    /// Whether the class depends on the place.
    pub(super) fn is_by_place(self) -> bool {
        self.flips != [0, 0]
    }
}

/// The nimbers of codes, those of small codes in a table.
pub(super) struct Nimbers {
    classes: Classes,
    /// By the lowest bit of the place and the class.
    small: [[[u16; SMALL]; 2]; 2],
}

/// Smaller codes have their nimbers in a table.
const SMALL: usize = 256;

impl Nimbers {
    pub(super) fn of(classes: Classes) -> Self {
        let small = [0, 1].map(|place| {
            [0, COMMON]
                .map(|class| std::array::from_fn(|code| classes.nimber(narrow::<u16>(code) | class, place)))
        });
        Self { classes, small }
    }

    /// The nimber of a code at a place.
    #[inline]
    pub(super) fn at(&self, code: u16, place: usize) -> u16 {
        let small = &self.small[place % 2][usize::from(code >> 15)];
        match small.get(usize::from(code & !COMMON)) {
            Some(&nimber) => nimber,
            None => self.classes.nimber(code, place),
        }
    }
}

/// Whether what is taken where two heaps are left is always odd, or never; `None` if it is both.
fn takes_of_one_parity(leads: &Leads) -> Option<bool> {
    let odd = leads.l() % 2 == 1;
    let mut sums = leads.sums(leads.longest());
    sums.all(|sum| (leads.longest() - sum) % 2 == usize::from(odd)).then_some(odd)
}
