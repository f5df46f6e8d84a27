//! What the sums have, where codes are few.

use super::super::split::COMMON;
use super::ones::{LOW, Ones, Set, moved, swapped};
use super::partners::Partners;
use crate::narrow::narrow;

/// So many sums are entered together.
const BLOCK: usize = 8;

/// A word for each sum of a block.
type Block = [u64; BLOCK];

/// The codes seen at each of the latest sums, all below 64 W but for the top bit. Seen are the XORs of the codes of some
/// segments, the partners, with those of common ones.
pub(super) struct Masks<const W: usize> {
    /// By the last bits of the sum.
    sets: Vec<Set<W>>,
    /// What is taken where two parts are left.
    takes: Vec<usize>,
    partners: Partners,
    /// The partners too short for a block, and the others by their codes.
    near: Vec<(usize, u16)>,
    far: Vec<(u16, Vec<usize>)>,
    /// The first sum of the block, and what its sums have, but for the near partners.
    first: usize,
    block: [Block; W],
}

impl<const W: usize> Masks<W> {
    pub(super) fn new(takes: &[usize], partners: Partners) -> Self {
        let (least, most) = takes.first().zip(takes.last()).map_or((1, 1), |(least, most)| (*least, *most));
        let (mut near, mut far) = (Vec::new(), Vec::<(u16, Vec<usize>)>::new());
        for (place, code) in partners.iter() {
            let code = code & !COMMON;
            if place + least < BLOCK {
                near.push((place, code));
            } else if let Some((_, places)) = far.iter_mut().find(|(other, _)| *other == code) {
                places.push(place);
            } else {
                far.push((code, vec![place]));
            }
        }
        let sets = vec![[0; W]; (most - least + 1).next_power_of_two()];
        let takes = takes.to_vec();
        Self { sets, takes, partners, near, far, first: usize::MAX, block: [[0; BLOCK]; W] }
    }

    /// Enters the latest sum to which a move from `n` leads; all segments before are known.
    #[inline]
    pub(super) fn enter(&mut self, n: usize, ones: &Ones<W>) {
        let Some(sum) = n.checked_sub(self.takes[0]) else { return };
        if sum.wrapping_sub(self.first) >= BLOCK {
            self.begin(sum, ones);
        }
        let mut mask: Set<W> = std::array::from_fn(|at| self.block[at][(sum - self.first) % BLOCK]);
        for &(place, code) in &self.near {
            add(&mut mask, moved(ones.at(sum - place), code));
        }
        let last = self.sets.len() - 1;
        self.sets[sum & last] = mask;
    }

    /// Begins a block with a sum.
    fn begin(&mut self, sum: usize, ones: &Ones<W>) {
        self.first = sum;
        self.block = [[0; BLOCK]; W];
        for (code, places) in &self.far {
            let Some(last) = places.last() else { continue };
            for at in 0..W {
                let seen = moved_block(any_of(ones.since(at, sum - last), places), *code);
                let all = &mut self.block[(at ^ (usize::from(*code) / 64)) % W];
                for (all, seen) in all.iter_mut().zip(seen) {
                    *all |= seen;
                }
            }
        }
    }

    /// Enters the latest sum to which a move from `n` leads, where some partners may be larger.
    pub(super) fn enter_slowly(&mut self, n: usize, ones: &Ones<W>) {
        self.first = usize::MAX;
        let Some(sum) = n.checked_sub(self.takes[0]) else { return };
        let mut mask = [0; W];
        for (place, code) in self.partners.iter().take_while(|(place, _)| *place <= sum) {
            add(&mut mask, moved(ones.at(sum - place), code & !COMMON));
        }
        let last = self.sets.len() - 1;
        self.sets[sum & last] = mask;
    }

    /// Whether all partners are at most as large as the latest sum to which a move from `n` leads.
    #[inline]
    pub(super) fn reaches(&self, n: usize) -> bool {
        self.partners.last() + self.takes[0] <= n
    }

    /// The codes that a move from `n` leads to, and some others.
    #[inline]
    fn all(&self, n: usize, also: &[u16]) -> Set<W> {
        let (last, mut all) = (self.sets.len() - 1, [0; W]);
        for take in &self.takes {
            add(&mut all, self.sets[n.wrapping_sub(*take) & last]);
        }
        for code in also {
            all[usize::from(*code) / 64 % W] |= 1 << (code % 64);
        }
        all
    }

    /// The first code that a move from `n` does not lead to, nor is one of some others; `None` if there is no room for it.
    #[inline]
    pub(super) fn first_unseen(&self, n: usize, also: &[u16]) -> Option<u16> {
        let all = self.all(n, also);
        let index = all.iter().position(|word| *word != u64::MAX)?;
        Some(narrow(index * 64 + all[index].trailing_ones() as usize))
    }

    /// Appends to a list which of the codes below `end` a move from `n` does not lead to.
    #[inline]
    pub(super) fn unseen(&self, n: usize, end: usize, also: &[u16], list: &mut Vec<u16>) {
        for (index, word) in self.all(n, also).iter().enumerate() {
            let wanted = match end.saturating_sub(index * 64) {
                many @ 0..64 => (1 << many) - 1,
                _ => u64::MAX,
            };
            let mut missing = wanted & !word;
            while missing != 0 {
                list.push(narrow(index * 64 + missing.trailing_zeros() as usize));
                missing &= missing - 1;
            }
        }
    }
}

#[inline]
fn add<const W: usize>(all: &mut Set<W>, more: Set<W>) {
    for (all, more) in all.iter_mut().zip(more) {
        *all |= more;
    }
}

/// The words of a block of sums with any of these places, in ascending order, where the first of `words` is that of the
/// last place.
#[inline]
fn any_of(words: &[u64], places: &[usize]) -> Block {
    let mut seen = [0; BLOCK];
    let last = places.last().copied().unwrap_or(0);
    for place in places {
        if let Some(words) = words[last - place..].first_chunk::<BLOCK>() {
            for (seen, word) in seen.iter_mut().zip(*words) {
                *seen |= word;
            }
        }
    }
    seen
}

/// The same codes, each XOR the last bits of another one.
#[inline]
fn moved_block(mut block: Block, code: u16) -> Block {
    let mut bits = code % 64;
    while bits != 0 {
        let bit = bits.trailing_zeros() as usize;
        let low = LOW[bit % LOW.len()];
        for word in &mut block {
            *word = swapped(*word, bit, low);
        }
        bits &= bits - 1;
    }
    block
}
