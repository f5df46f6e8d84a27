//! The least common nimber that is no option.

use super::leads::Leads;
use super::seen::{Epoch, Seen};
use super::split::{COMMON, Split};
use super::sum_block::Places;
use super::work;
use crate::narrow::narrow;

/// Finds for one segment after the other the least common nimber that is no option of it: only pairs with a
/// rare segment have a common XOR, so for each sum these few are entered, and nothing else. While there are
/// no common nimbers, all pairs are entered, and the least nimber is found.
pub(super) struct CommonScan<A> {
    leads: Leads,
    reach: A,
    split: Split,
    codes: Vec<u16>,
    seen: Seen<A>,
    rare_places: Vec<u32>,
    rare_codes: Vec<u16>,
    /// What the next segment's moves leave that leave one part.
    singles: Vec<u16>,
}

impl<A: Epoch> CommonScan<A> {
    pub(super) fn new(leads: &Leads, n: usize, threads: usize) -> Self {
        let mut codes = Vec::with_capacity(n + 1);
        codes.extend_from_slice(leads.first());
        let mut scan = Self {
            reach: leads.reach(),
            leads: leads.clone(),
            split: Split::ALL_RARE,
            codes,
            seen: Seen::new(threads),
            rare_places: Vec::new(),
            rare_codes: Vec::new(),
            singles: Vec::new(),
        };
        leads.first().iter().for_each(|&code| scan.seen.widen(code));
        if leads.first().len() > leads.l() {
            scan.enter_window();
        }
        scan
    }

    /// How many segments have been pushed.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The steps that the next segment takes, where all codes are less than `width` but for their top bit.
    pub(super) fn cost(&self, width: usize) -> u64 {
        let all = self.codes.len().saturating_sub(self.leads.l()) / 2;
        let pairs = if self.split.has_common() { self.rare_places.len() } else { all };
        work::sum::<A>(pairs, width)
    }

    /// The latest sum of each nimber when there was none left below 2^15, while none is common, as
    /// [`Seen::latest`] tells it.
    pub(super) fn latest(&self) -> Vec<u32> {
        self.seen.latest(self.codes.len() - self.leads.l())
    }

    /// The last rare segment.
    pub(super) fn last_rare(&self) -> usize {
        self.rare_places.last().map_or(0, |&place| place as usize)
    }

    /// The codes of the segments from `from` on.
    pub(super) fn codes(&self, from: usize) -> &[u16] {
        &self.codes[from..]
    }

    /// The code of the least common nimber that is no option of the next segment, or while none is common, of
    /// the least nimber; `None` if there is none below 2^15. Which rare codes were seen of the latest sum is
    /// added to a list.
    pub(super) fn least(&mut self, rares: Option<&mut Vec<u8>>) -> Option<u16> {
        if let Some(sum) = self.codes.len().checked_sub(self.leads.l()) {
            self.enter(sum, rares);
        }
        if self.leads.has_singles() {
            self.singles.clear();
            self.singles.extend(self.leads.singles(self.codes.len()).map(|place| self.codes[place]));
        }
        let code = self.seen.first_unseen(self.reach, &self.singles)?;
        (self.split.nimber(code) < COMMON).then_some(code)
    }

    /// Appends the code of the next segment.
    pub(super) fn push(&mut self, code: u16) {
        self.note(self.codes.len(), code);
        self.codes.push(code);
    }

    /// Takes back all segments from `len` on, of which none is rare, and goes on with this code, if there is
    /// one.
    pub(super) fn rewind(&mut self, len: usize, code: Option<u16>) {
        self.codes.truncate(len);
        if let Some(code) = code {
            self.push(code);
        }
        self.enter_window();
    }

    /// Goes over to another split.
    pub(super) fn resplit(&mut self, split: Split) {
        let old = std::mem::replace(&mut self.split, split);
        self.rare_places.clear();
        self.rare_codes.clear();
        for place in 0..self.codes.len() {
            let code = split.code(old.nimber(self.codes[place]));
            self.note(place, code);
            self.codes[place] = code;
        }
        self.enter_window();
    }

    /// Takes account of a code at a place behind all others.
    fn note(&mut self, place: usize, code: u16) {
        if code < COMMON && self.split.has_common() {
            self.rare_places.push(narrow(place));
            self.rare_codes.push(code);
        }
        self.seen.widen(code);
    }

    /// Enters the sums of the next segment's window, but for the last, which is entered when its turn comes.
    fn enter_window(&mut self) {
        self.seen.restart(if self.split.has_common() { COMMON } else { 0 });
        self.leads.earlier_sums(self.codes.len()).for_each(|sum| self.enter(sum, None));
    }

    fn enter(&mut self, sum: usize, rares: Option<&mut Vec<u8>>) {
        let below = if self.split.has_common() { 0 } else { usize::MAX };
        let places = Places { below, others: &self.rare_places, codes: &self.rare_codes };
        self.seen.enter(sum, &self.codes, places, &[], rares);
    }
}
