//! Codes: the rare and common values of heaps, those that are kept, and the moves between them.

use super::super::split::{COMMON, Split};
use super::super::take_set::TakeSet;
use crate::integers::narrow;

/// The codes of the first and of the last places; of all places while they are few enough to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Codes {
    /// The codes of the first places; empty until the front of `last` has been dropped.
    first: Vec<u16>,
    /// The place of `last[0]`.
    base: usize,
    last: Vec<u16>,
    /// Minimum number of last codes that are kept.
    keep: usize,
}

impl Codes {
    /// These codes, from the first place on. `keep` of the first ones are kept, and `keep` to `2 * keep` of the last ones.
    pub(super) fn new(last: Vec<u16>, keep: usize) -> Self {
        Self { first: Vec::new(), base: 0, last, keep }
    }

    /// These first codes, and the last ones from a place on.
    pub(super) fn with_gap(first: Vec<u16>, base: usize, last: Vec<u16>, keep: usize) -> Self {
        Self { first, base, last, keep }
    }

    /// How many there have been.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.base + self.last.len()
    }

    /// How many are kept at least.
    #[cfg(feature = "analysis")]
    pub(super) fn keep(&self) -> usize {
        self.keep
    }

    /// Keeps at least `keep` codes from now on.
    pub(super) fn keep_more(&mut self, keep: usize) {
        self.keep = self.keep.max(keep);
    }

    /// The place of `last[0]`.
    #[inline]
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// Whether all are kept in one piece.
    pub(super) fn is_whole(&self) -> bool {
        self.base == 0
    }

    /// Joins both parts if no code is missing between them; returns whether they are joined now.
    pub(super) fn make_whole(&mut self) -> bool {
        if self.base > self.first.len() {
            return false;
        }
        if !self.is_whole() {
            self.first.truncate(self.base);
            self.first.append(&mut self.last);
            self.last = std::mem::take(&mut self.first);
            self.base = 0;
        }
        true
    }

    /// The first ones, at least as many as are kept.
    pub(super) fn first(&self) -> &[u16] {
        if self.is_whole() { &self.last } else { &self.first }
    }

    /// The last ones, from [`base`](Self::base) on.
    #[inline]
    pub(super) fn last(&self) -> &[u16] {
        &self.last
    }

    /// The last ones, to be changed.
    pub(super) fn last_mut(&mut self) -> &mut [u16] {
        &mut self.last
    }

    /// The last `many` codes before a place.
    pub(super) fn before(&self, place: usize, many: usize) -> &[u16] {
        &self.last[place - many - self.base..place - self.base]
    }

    /// Appends one.
    #[inline]
    pub(super) fn push(&mut self, code: u16) {
        self.last.push(code);
    }

    /// Forgets those from a place on, which must be among the last.
    pub(super) fn truncate(&mut self, len: usize) {
        self.last.truncate(len - self.base);
    }

    /// Drops the codes that need not be kept, once there are many.
    pub(super) fn drop_old(&mut self) {
        if self.last.len() / 2 < self.keep {
            return;
        }
        if self.is_whole() {
            self.first = self.last[..self.keep].to_vec();
        }
        let dropped = self.last.len() - self.keep;
        self.last.drain(..dropped);
        self.base += dropped;
    }
}

/// What is rare and what is common: a [`Split`] of the nimbers, which at every second place may be the other way round.
///
/// If all moves that leave two heaps take an odd number of cards, or all take an even number, the places of the two
/// heaps determine whether that of their sum is even. So a classification that flips at every place is valid too:
/// common = rare xor common holds as before (A. Flammenkamp, pages on octal games, "sparse space of type 1"). In such a
/// space only 20 values of 0.104 are rare; in every other sparse space half of all values are.
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
    pub(super) fn best(take_set: &TakeSet, counts: &[[u32; 2]]) -> (Self, u64) {
        let plain = Self::best_with(counts, [0, 0]);
        let by_place = takes_of_one_parity(take_set).map(|odd| {
            let flips = if odd { [COMMON, 0] } else { [0, COMMON] };
            Self::best_with(counts, flips)
        });
        by_place.filter(|by_place| by_place.1 < plain.1).unwrap_or(plain)
    }

    /// The classes with this mask, depending on the place if `is_by_place` is set; `None` if the take set does not
    /// allow that.
    #[cfg(feature = "analysis")]
    pub(super) fn new(take_set: &TakeSet, mask: u16, is_by_place: bool) -> Option<Self> {
        let flips = match (is_by_place, takes_of_one_parity(take_set)) {
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

    /// What changes in the code of a heap that is the only one left by a move that took `taken` cards.
    pub(super) fn change(self, taken: usize) -> u16 {
        if taken.is_multiple_of(2) { 0 } else { self.flips[0] ^ self.flips[1] }
    }

    /// The mask: a common nimber has an odd number of these bits set, or an even number where the place flips the
    /// class.
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
fn takes_of_one_parity(take_set: &TakeSet) -> Option<bool> {
    let odd = take_set.l() % 2 == 1;
    let mut sums = take_set.sums(take_set.longest());
    sums.all(|sum| (take_set.longest() - sum) % 2 == usize::from(odd)).then_some(odd)
}

/// Codes below this are represented by one bit each in a word of [`RaresBelow`].
pub(super) const IN_WORD: usize = 63;

/// By the code of a common nimber, at even and odd places: how many rare nimbers are less. They have the first codes.
///
/// They are known for the codes that were learned.
pub(super) struct RaresBelow {
    classes: Classes,
    counts: Vec<[u16; 2]>,
    words: Vec<[u64; 2]>,
}

impl RaresBelow {
    pub(super) fn new(classes: Classes) -> Self {
        Self { classes, counts: Vec::new(), words: Vec::new() }
    }

    /// Learns them for each code up to the largest of these at least.
    pub(super) fn learn_all(&mut self, codes: &[u16]) {
        // No less than the largest.
        self.learn(codes.iter().fold(0, |all, code| all | code));
    }

    /// How many are less than that of this code at a place.
    pub(super) fn count(&self, code: u16, place: usize) -> usize {
        self.counts[usize::from(code & !COMMON)][place % 2].into()
    }

    /// Their codes as bits of a word, or a full word if there are more than [`IN_WORD`].
    #[inline]
    pub(super) fn word(&self, code: u16, place: usize) -> u64 {
        self.words[usize::from(code & !COMMON)][place % 2]
    }

    fn learn(&mut self, largest: u16) {
        for code in narrow(self.counts.len())..=largest & !COMMON {
            let below = [0, 1].map(|place| self.classes.rares_below(code | COMMON, place));
            self.counts.push(below.map(narrow));
            self.words.push(below.map(|below| if below <= IN_WORD { (1 << below) - 1 } else { u64::MAX }));
        }
    }
}

/// Places in ascending order, and their codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Partners {
    places: Vec<usize>,
    codes: Vec<u16>,
}

impl Partners {
    /// The rare ones among these codes, from the first place on.
    pub(super) fn rare_of(codes: &[u16]) -> Self {
        let mut rares = Self::default();
        let rare = codes.iter().enumerate().filter(|(_, code)| **code < COMMON);
        rare.for_each(|(place, &code)| rares.push(place, code));
        rares
    }

    /// Adds one after all others.
    pub(super) fn push(&mut self, place: usize, code: u16) {
        self.places.push(place);
        self.codes.push(code);
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The last place; 0 if there is none.
    #[inline]
    pub(super) fn last(&self) -> usize {
        self.places.last().copied().unwrap_or(0)
    }

    /// How many places are below this one, and the last of them.
    pub(super) fn below(&self, place: usize) -> (usize, Option<usize>) {
        let below = &self.places[..self.places.partition_point(|&known| known < place)];
        (below.len(), below.last().copied())
    }

    /// The places and codes in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, u16)> {
        self.places.iter().copied().zip(self.codes.iter().copied())
    }

    /// For each place whose other part of the sum has a common code, the XOR of the two codes, without the top bit.
    pub(super) fn with_commons(&self, sum: usize, codes: &Codes) -> impl Iterator<Item = u16> {
        let top = sum - codes.base();
        let pairs = self.iter().take_while(move |(place, _)| *place <= sum);
        let others = pairs.map(move |(place, code)| (code, codes.last()[top - place]));
        others.filter(|(_, other)| *other >= COMMON).map(|(code, other)| (code ^ other) & !COMMON)
    }

    /// The XORs with the other parts of a sum, by the codes of the last segments from `base` on.
    #[inline]
    pub(super) fn xors(&self, sum: usize, base: usize, last: &[u16]) -> impl Iterator<Item = u16> {
        let all = self.places.len();
        let end = if self.last() <= sum { all } else { self.places.partition_point(|&place| place <= sum) };
        let top = sum - base;
        self.places[..end].iter().zip(&self.codes[..end]).map(move |(place, code)| code ^ last[top - place])
    }
}

impl FromIterator<(usize, u16)> for Partners {
    fn from_iter<I: IntoIterator<Item = (usize, u16)>>(all: I) -> Self {
        let (places, codes) = all.into_iter().unzip();
        Self { places, codes }
    }
}

/// What the moves from a segment take.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    /// Where two parts are left, in ascending order.
    pub(super) takes: Vec<usize>,
    /// Where one is left, and what that changes in its code.
    pub(super) singles: Vec<(usize, u16)>,
}

impl Moves {
    pub(super) fn new(take_set: &TakeSet, classes: Classes) -> Self {
        let single = |taken: usize| (taken, classes.change(taken));
        Self {
            takes: take_set.pair_takes(),
            singles: take_set.single_takes().iter().copied().map(single).collect(),
        }
    }

    /// The most that is taken where two parts are left.
    pub(super) fn longest(&self) -> usize {
        self.takes.last().copied().unwrap_or(0)
    }

    /// The codes of the parts that a move from `n` leaves alone.
    #[inline]
    pub(super) fn singles(&self, n: usize, codes: &Codes) -> impl Iterator<Item = u16> {
        let (base, last) = (codes.base(), codes.last());
        let parts =
            self.singles.iter().filter_map(move |&(taken, change)| Some((n.checked_sub(taken)?, change)));
        parts.map(move |(place, change)| last[place - base] ^ change)
    }
}

/// A state that is written to bytes.
#[cfg(feature = "analysis")]
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

#[cfg(feature = "analysis")]
impl Writer {
    pub(super) fn number(&mut self, number: usize) {
        self.bytes.extend((number as u64).to_le_bytes());
    }

    pub(super) fn codes(&mut self, codes: &[u16]) {
        self.number(codes.len());
        self.bytes.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A state that is read from bytes; each part is `None` if the bytes are no state.
#[cfg(feature = "analysis")]
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

#[cfg(feature = "analysis")]
impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        usize::try_from(u64::from_le_bytes(*number)).ok()
    }

    pub(super) fn code(&mut self) -> Option<u16> {
        u16::try_from(self.number()?).ok()
    }

    pub(super) fn codes(&mut self) -> Option<Vec<u16>> {
        let len = self.number()?;
        let (codes, rest) = self.bytes.split_at_checked(len.checked_mul(2)?)?;
        self.bytes = rest;
        Some(codes.as_chunks().0.iter().map(|code| u16::from_le_bytes(*code)).collect())
    }

    /// A list: its length, then each item as `read` reads it.
    pub(super) fn many<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.number()?;
        // Each takes eight bytes at least.
        let len = Some(len).filter(|len| *len <= self.bytes.len() / 8)?;
        (0..len).map(|_| read(self)).collect()
    }

    /// Whether nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}
