//! The least common nimber that is no option.

use std::ops::RangeInclusive;

use super::seen::{Seen, stamp};
use super::split::{COMMON, Split};

/// Finds for one segment after the other the least common nimber that is no option of it: only pairs with a rare
/// segment have a common XOR, so for each sum these few are entered, and nothing else.
pub(super) struct Commons {
    l: usize,
    r: usize,
    split: Split,
    /// The codes so far, backwards: that of segment i at `mirrored.len() - 1 - i`.
    mirrored: Vec<u16>,
    len: usize,
    seen: Seen,
    rare_places: Vec<u32>,
    rare_codes: Vec<u16>,
}

impl Commons {
    pub(super) fn new(l: usize, r: usize, n: usize) -> Self {
        Self {
            l,
            r,
            split: Split::ALL_RARE,
            mirrored: vec![0; n + 1],
            len: 0,
            seen: Seen::new(),
            rare_places: Vec::new(),
            rare_codes: Vec::new(),
        }
    }

    /// How many segments have been pushed.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The last rare segment.
    pub(super) fn last_rare(&self) -> usize {
        self.rare_places.last().map_or(0, |&place| place as usize)
    }

    /// The codes of the segments from `from` on.
    pub(super) fn codes(&self, from: usize) -> Vec<u16> {
        let end = self.mirrored.len() - from;
        self.mirrored[self.mirrored.len() - self.len..end].iter().rev().copied().collect()
    }

    /// The code of the least common nimber that is no option of the next segment; `None` if there is none below 2^15.
    pub(super) fn least(&mut self) -> Option<u16> {
        if let Some(sum) = self.len.checked_sub(self.l) {
            let row = &self.mirrored[self.mirrored.len() - 1 - sum..];
            self.seen.enter_at(&self.rare_places, &self.rare_codes, row, stamp(sum));
        }
        let code = self.seen.first_unseen(COMMON, stamp(self.len.saturating_sub(self.r)))?;
        (self.split.nimber(code) < COMMON).then_some(code)
    }

    /// Appends the code of the next segment.
    pub(super) fn push(&mut self, code: u16) {
        if code < COMMON && self.split.has_common() {
            self.rare_places.push(self.len as u32);
            self.rare_codes.push(code);
        }
        self.len += 1;
        let at = self.mirrored.len() - self.len;
        self.mirrored[at] = code;
    }

    /// Takes back all segments from `len` on, of which none is rare, and goes on with this code.
    pub(super) fn rewind(&mut self, len: usize, code: u16) {
        self.len = len;
        self.push(code);
        self.seen = Seen::new();
        self.enter_window();
    }

    /// Goes over to another split.
    pub(super) fn resplit(&mut self, split: Split) {
        let old = std::mem::replace(&mut self.split, split);
        self.rare_places.clear();
        self.rare_codes.clear();
        for (place, code) in (0..).zip(self.mirrored.iter_mut().rev().take(self.len)) {
            *code = split.code(old.nimber(*code));
            if *code < COMMON && split.has_common() {
                self.rare_places.push(place);
                self.rare_codes.push(*code);
            }
        }
        self.seen = Seen::new();
        self.enter_window();
    }

    /// Enters the sums of the next segment's window, but for the last, which is entered when its turn comes.
    fn enter_window(&mut self) {
        let Some(sums) = window(self.len, self.l, self.r) else { return };
        for sum in *sums.start()..*sums.end() {
            let row = &self.mirrored[self.mirrored.len() - 1 - sum..];
            self.seen.enter_at(&self.rare_places, &self.rare_codes, row, stamp(sum));
        }
    }
}

/// What a move from a segment may leave.
pub(super) fn window(i: usize, l: usize, r: usize) -> Option<RangeInclusive<usize>> {
    Some(i.saturating_sub(r)..=i.checked_sub(l)?)
}
