//! The codes of segments, their classes, and the moves between segments. The module [`sparse`](super::super) explains
//! the terms.

use super::super::split::{COMMON, Split};
use super::super::take_set::TakeSet;
use crate::integers::narrow;

/// The codes of the first places and of the last places. While there are few codes, all of them are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Codes {
    /// The codes of the first places; empty while `last` begins with place 0.
    first: Vec<u16>,
    /// The place of `last[0]`.
    base: usize,
    last: Vec<u16>,
    /// Minimum number of last codes that are kept.
    keep: usize,
}

impl Codes {
    /// Returns the codes `last`, which begin with place 0. [`drop_old`](Self::drop_old) will keep the first `keep`
    /// codes and the last `keep` codes.
    pub(super) fn new(last: Vec<u16>, keep: usize) -> Self {
        Self { first: Vec::new(), base: 0, last, keep }
    }

    /// Returns codes with `first` from place 0 on, and `last` from the place `base` on.
    pub(super) fn with_gap(first: Vec<u16>, base: usize, last: Vec<u16>, keep: usize) -> Self {
        Self { first, base, last, keep }
    }

    /// Returns the number of codes, including dropped ones.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.base + self.last.len()
    }

    /// Returns the minimum number of last codes that are kept.
    pub(super) fn keep(&self) -> usize {
        self.keep
    }

    /// Keeps at least `keep` codes from now on.
    pub(super) fn keep_more(&mut self, keep: usize) {
        self.keep = self.keep.max(keep);
    }

    /// Returns the place of `last[0]`.
    #[inline]
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// Returns whether all codes are kept in `last`.
    pub(super) fn is_whole(&self) -> bool {
        self.base == 0
    }

    /// Joins `first` and `last` if no code is missing between them. Returns whether all codes are in `last` now.
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

    /// Returns the first codes, as far as they are kept.
    pub(super) fn first(&self) -> &[u16] {
        if self.is_whole() { &self.last } else { &self.first }
    }

    /// Returns the last codes, from [`base`](Self::base) on.
    #[inline]
    pub(super) fn last(&self) -> &[u16] {
        &self.last
    }

    /// Returns the last codes, to be changed.
    pub(super) fn last_mut(&mut self) -> &mut [u16] {
        &mut self.last
    }

    /// Returns the `many` codes before `place`, which must be among the last codes.
    pub(super) fn before(&self, place: usize, many: usize) -> &[u16] {
        &self.last[place - many - self.base..place - self.base]
    }

    /// Appends a code.
    #[inline]
    pub(super) fn push(&mut self, code: u16) {
        self.last.push(code);
    }

    /// Removes the codes from the place `len` on, which must be among the last.
    pub(super) fn truncate(&mut self, len: usize) {
        self.last.truncate(len - self.base);
    }

    /// Drops all codes except the first `keep` codes and the last `keep` codes, once `last` has at least `2 * keep`
    /// codes.
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

/// The division into rare and common codes: a [`Split`] of the nimbers, in which the classes may be exchanged at every
/// second place.
///
/// If all moves that leave two heaps take an odd number of cards, or all take an even number, the parities of the
/// places of these two heaps determine the parity of the place before the move. Exchanging the classes at every second
/// place is then valid too: rare xor common is common (A. Flammenkamp, pages on octal games, "sparse space of type 1").
/// In such a space only 20 values of 0.104 are rare; without the exchange, half of all values are rare under every
/// mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Classes {
    split: Split,
    /// For each parity of the place, the bits that are flipped in a code of the split.
    flips: [u16; 2],
}

impl Classes {
    /// No nimber is common, and each code equals its nimber.
    pub(super) const ALL_RARE: Self = Self { split: Split::ALL_RARE, flips: [0, 0] };

    /// Returns the classes with the fewest rare values, and the number of rare values. `counts` has the number of
    /// values of each nimber at even and odd places; its length is a power of two.
    pub(super) fn best(take_set: &TakeSet, counts: &[[u32; 2]]) -> (Self, u64) {
        let plain = Self::best_with(counts, [0, 0]);
        let by_place = takes_of_one_parity(take_set).map(|odd| {
            let flips = if odd { [COMMON, 0] } else { [0, COMMON] };
            Self::best_with(counts, flips)
        });
        by_place.filter(|by_place| by_place.1 < plain.1).unwrap_or(plain)
    }

    /// Returns the classes with this mask, exchanged at every second place if `is_by_place` is set; `None` if the take
    /// set does not allow that.
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

    /// Returns the classes of a split, independent of the place.
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
        // With the mask 0, all values are rare.
        (Self { split: Split::new(mask), flips }, if mask == 0 { all } else { rares })
    }

    fn flip(self, place: usize) -> u16 {
        self.flips[place % 2]
    }

    /// Returns the code of a nimber below 2^15 at a place. If a move leaves two heaps, the XOR of their codes is the
    /// code of the XOR of their nimbers at the place of the heap before the move.
    #[inline]
    pub(super) fn code(self, nimber: u16, place: usize) -> u16 {
        self.split.code(nimber) ^ self.flip(place)
    }

    /// Returns the nimber of a code at a place.
    #[inline]
    pub(super) fn nimber(self, code: u16, place: usize) -> u16 {
        self.split.nimber(code ^ self.flip(place))
    }

    /// Returns the number of values of each nimber at even and odd places; the length is a power of two.
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

    /// Returns the number of rare nimbers less than the nimber of the code `common` at a place.
    pub(super) fn rares_below(self, common: u16, place: usize) -> usize {
        self.split.rares_below(common ^ self.flip(place))
    }

    /// Returns the bits to flip in the code of the only heap that a move of `taken` cards leaves, to get the code of
    /// the same nimber at the place before the move.
    pub(super) fn single_flip(self, taken: usize) -> u16 {
        if taken.is_multiple_of(2) { 0 } else { self.flips[0] ^ self.flips[1] }
    }

    /// Returns the mask. A common nimber has an odd number of bits under the mask; at places at which the classes are
    /// exchanged, an even number.
    pub(super) fn mask(self) -> u16 {
        self.split.mask()
    }

    /// Returns the parity of the places at which the classes are exchanged; `None` if they are the same at all places.
    pub(super) fn exchanged(self) -> Option<u64> {
        (0..).zip(self.flips).find_map(|(parity, flip)| (flip != 0).then_some(parity))
    }
}

/// Converts codes to nimbers. Small codes are read from a table.
pub(super) struct Nimbers {
    classes: Classes,
    /// The nimbers of small codes, indexed by the parity of the place, the class and the code.
    small: [[[u16; SMALL]; 2]; 2],
}

/// Number of codes in the table.
const SMALL: usize = 256;

impl Nimbers {
    pub(super) fn of(classes: Classes) -> Self {
        let small = [0, 1].map(|place| {
            [0, COMMON]
                .map(|class| std::array::from_fn(|code| classes.nimber(narrow::<u16>(code) | class, place)))
        });
        Self { classes, small }
    }

    /// Returns the nimber of a code at a place.
    #[inline]
    pub(super) fn at(&self, code: u16, place: usize) -> u16 {
        let small = &self.small[place % 2][usize::from(code >> 15)];
        match small.get(usize::from(code & !COMMON)) {
            Some(&nimber) => nimber,
            None => self.classes.nimber(code, place),
        }
    }
}

/// Returns `true` if all moves that leave two heaps take odd numbers of cards, and `false` if all take even numbers;
/// `None` if some take odd and others even numbers.
fn takes_of_one_parity(take_set: &TakeSet) -> Option<bool> {
    let odd = take_set.l() % 2 == 1;
    let mut sums = take_set.sums(take_set.longest());
    sums.all(|sum| (take_set.longest() - sum) % 2 == usize::from(odd)).then_some(odd)
}

/// Codes below this are represented by one bit each in a word of [`RaresBelow`].
pub(super) const IN_WORD: usize = 63;

/// For each common code and each parity of the place, the number of rare nimbers less than the nimber of the code.
/// These rare nimbers have the codes 0, 1, 2 and so on. The numbers are known only for learned codes.
pub(super) struct RaresBelow {
    classes: Classes,
    counts: Vec<[u16; 2]>,
    words: Vec<[u64; 2]>,
}

impl RaresBelow {
    pub(super) fn new(classes: Classes) -> Self {
        Self { classes, counts: Vec::new(), words: Vec::new() }
    }

    /// Learns the numbers for all codes up to the largest of `codes`, or further.
    pub(super) fn learn_all(&mut self, codes: &[u16]) {
        // The OR is not less than the largest code.
        self.learn(codes.iter().fold(0, |all, code| all | code));
    }

    /// Returns the number of rare nimbers less than the nimber of `code` at `place`.
    pub(super) fn count(&self, code: u16, place: usize) -> usize {
        self.counts[usize::from(code & !COMMON)][place % 2].into()
    }

    /// Returns the codes of the rare nimbers less than the nimber of `code` at `place`, as bits of a word; a word with
    /// all bits set if there are more than [`IN_WORD`] such codes.
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

/// Some places in ascending order, with their codes: the rare segments, or the witnesses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Partners {
    places: Vec<usize>,
    codes: Vec<u16>,
}

impl Partners {
    /// Returns the rare codes of `codes` with their places. `codes` begins with the first place.
    pub(super) fn rare_of(codes: &[u16]) -> Self {
        let mut rares = Self::default();
        let rare = codes.iter().enumerate().filter(|(_, code)| **code < COMMON);
        rare.for_each(|(place, &code)| rares.push(place, code));
        rares
    }

    /// Appends a place, greater than all others.
    pub(super) fn push(&mut self, place: usize, code: u16) {
        self.places.push(place);
        self.codes.push(code);
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the last place; 0 if there is none.
    #[inline]
    pub(super) fn last(&self) -> usize {
        self.places.last().copied().unwrap_or(0)
    }

    /// Returns the number of places below `place`, and the last of these.
    pub(super) fn below(&self, place: usize) -> (usize, Option<usize>) {
        let below = &self.places[..self.places.partition_point(|&known| known < place)];
        (below.len(), below.last().copied())
    }

    /// Returns the places and codes in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, u16)> {
        self.places.iter().copied().zip(self.codes.iter().copied())
    }

    /// Returns the XORs, without the top bit, of the pairs of `sum` that have one of these places and a common segment.
    pub(super) fn with_commons(&self, sum: usize, codes: &Codes) -> impl Iterator<Item = u16> {
        let top = sum - codes.base();
        let pairs = self.iter().take_while(move |(place, _)| *place <= sum);
        let others = pairs.map(move |(place, code)| (code, codes.last()[top - place]));
        others.filter(|(_, other)| *other >= COMMON).map(|(code, other)| (code ^ other) & !COMMON)
    }

    /// Returns the XORs of the pairs of `sum` with one of these places, given the last codes from `base` on.
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

/// The numbers of cards that moves take.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    /// The numbers of cards for moves that leave two parts, in ascending order.
    pub(super) takes: Vec<usize>,
    /// The numbers of cards for moves that leave one part, each with the bits to flip in the code of that part.
    pub(super) singles: Vec<(usize, u16)>,
}

impl Moves {
    pub(super) fn new(take_set: &TakeSet, classes: Classes) -> Self {
        let single = |taken: usize| (taken, classes.single_flip(taken));
        Self {
            takes: take_set.pair_takes(),
            singles: take_set.single_takes().iter().copied().map(single).collect(),
        }
    }

    /// Returns the greatest number of cards for moves that leave two parts.
    pub(super) fn longest(&self) -> usize {
        self.takes.last().copied().unwrap_or(0)
    }

    /// Returns the codes of the single parts that moves from `n` leave.
    #[inline]
    pub(super) fn singles(&self, n: usize, codes: &Codes) -> impl Iterator<Item = u16> {
        let (base, last) = (codes.base(), codes.last());
        let parts =
            self.singles.iter().filter_map(move |&(taken, change)| Some((n.checked_sub(taken)?, change)));
        parts.map(move |(place, change)| last[place - base] ^ change)
    }
}

/// Writes a state as bytes.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

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

/// Reads a state from bytes. Each method returns `None` if the bytes are not valid.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

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

    /// Reads a list: its length, then each item with `read`.
    pub(super) fn many<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.number()?;
        // Each item has at least eight bytes.
        let len = Some(len).filter(|len| *len <= self.bytes.len() / 8)?;
        (0..len).map(|_| read(self)).collect()
    }

    /// Returns whether all bytes have been read.
    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }
}
