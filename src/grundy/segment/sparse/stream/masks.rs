//! What the sums have, where all codes are below 64.

use super::super::split::COMMON;
use super::ones::{LOW, Ones, moved};
use super::partners::Partners;
use crate::narrow::narrow;

/// How many codes fit, but for the top bit.
pub(super) const WIDTH: usize = 64;

/// So many sums are entered together.
const BLOCK: usize = 8;

/// The codes seen at each of the latest sums: a word for each sum, a bit for each code. Seen are the XORs of the codes of
/// some segments, the partners, with those of common ones.
pub(super) struct Masks {
    /// By the last bits of the sum.
    masks: Vec<u64>,
    /// What is taken where two parts are left.
    takes: Vec<usize>,
    partners: Partners,
    /// The partners too short for a block, and the others by their codes.
    near: Vec<(usize, u16)>,
    far: Vec<(u16, Vec<usize>)>,
    /// The sum of the first word of the block, and what its sums have, but for the near partners.
    first: usize,
    block: [u64; BLOCK],
}

/// The words of a block of sums with any of these places, in ascending order, where the first of `words` is that of the
/// last place.
#[inline]
fn any_of(words: &[u64], places: &[usize]) -> [u64; BLOCK] {
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

/// The same codes, each XOR another one.
#[inline]
fn moved_block(mut block: [u64; BLOCK], code: u16) -> [u64; BLOCK] {
    let mut bits = code;
    while bits != 0 {
        let bit = bits.trailing_zeros() as usize;
        let low = LOW[bit % LOW.len()];
        for word in &mut block {
            *word = (*word & low) << (1 << bit) | *word >> (1 << bit) & low;
        }
        bits &= bits - 1;
    }
    block
}

impl Masks {
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
        let masks = vec![0; (most - least + 1).next_power_of_two()];
        Self { masks, takes: takes.to_vec(), partners, near, far, first: usize::MAX, block: [0; BLOCK] }
    }

    /// Enters the latest sum to which a move from `n` leads; all segments before are known.
    #[inline]
    pub(super) fn enter(&mut self, n: usize, ones: &Ones) {
        let Some(sum) = n.checked_sub(self.takes[0]) else { return };
        if sum.wrapping_sub(self.first) >= BLOCK {
            self.begin(sum, ones);
        }
        let mut mask = self.block[sum - self.first];
        for &(place, code) in &self.near {
            mask |= moved(ones.at(sum - place), code);
        }
        let last = self.masks.len() - 1;
        self.masks[sum & last] = mask;
    }

    /// Begins a block with a sum.
    fn begin(&mut self, sum: usize, ones: &Ones) {
        self.first = sum;
        self.block = [0; BLOCK];
        for (code, places) in &self.far {
            let seen = any_of(ones.since(sum - places[places.len() - 1]), places);
            let seen = moved_block(seen, *code);
            for (all, seen) in self.block.iter_mut().zip(seen) {
                *all |= seen;
            }
        }
    }

    /// Enters the latest sum to which a move from `n` leads, where some partners may be larger.
    pub(super) fn enter_slowly(&mut self, n: usize, ones: &Ones) {
        self.first = usize::MAX;
        let Some(sum) = n.checked_sub(self.takes[0]) else { return };
        let small = self.partners.iter().take_while(|(place, _)| *place <= sum);
        let mask = small.fold(0, |mask, (place, code)| mask | moved(ones.at(sum - place), code & !COMMON));
        let last = self.masks.len() - 1;
        self.masks[sum & last] = mask;
    }

    /// Whether all partners are at most as large as the latest sum to which a move from `n` leads.
    #[inline]
    pub(super) fn reaches(&self, n: usize) -> bool {
        self.partners.last() + self.takes[0] <= n
    }

    /// The codes that a move from `n` leads to.
    #[inline]
    fn all(&self, n: usize) -> u64 {
        let last = self.masks.len() - 1;
        self.takes.iter().fold(0, |all, take| all | self.masks[n.wrapping_sub(*take) & last])
    }

    /// The first code that a move from `n` does not lead to, nor is one of some others; `None` if there is no room for it.
    #[inline]
    pub(super) fn first_unseen(&self, n: usize, also: &[u16]) -> Option<u16> {
        let seen = also.iter().fold(self.all(n), |seen, code| seen | 1 << (code % 64));
        (seen != u64::MAX).then(|| narrow(seen.trailing_ones() as usize))
    }

    /// Appends to a list which of the codes below `end` a move from `n` does not lead to.
    #[inline]
    pub(super) fn unseen(&self, n: usize, end: usize, also: &[u16], list: &mut Vec<u16>) {
        let wanted = if end >= WIDTH { u64::MAX } else { (1 << end) - 1 };
        let seen = also.iter().fold(self.all(n), |seen, code| seen | 1 << (code % 64));
        let mut missing = wanted & !seen;
        while missing != 0 {
            list.push(narrow(missing.trailing_zeros() as usize));
            missing &= missing - 1;
        }
    }
}
