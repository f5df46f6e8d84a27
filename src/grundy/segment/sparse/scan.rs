//! The two scans of the engine: for the least common nimber that is no option, and for the rare nimbers below it. The
//! module [`sparse`](super) explains the terms.

use super::seen::{Epoch, Seen};
use super::split::{COMMON, Split};
use super::sum_block::Places;
use super::take_set::TakeSet;
use super::witnesses::{Doubt, Witnesses};
use super::work;
use crate::grundy::segment::values::Values;
use crate::integers::narrow;

/// Finds for each segment the least common nimber that is no option. Only pairs with a rare segment have a common XOR,
/// so only these few pairs are entered for each sum. If the split has no common nimber, all pairs are entered, and the
/// result is the value itself.
pub(super) struct CommonScan<A> {
    take_set: TakeSet,
    reach: A,
    split: Split,
    codes: Vec<u16>,
    seen: Seen<A>,
    rare_places: Vec<u32>,
    rare_codes: Vec<u16>,
    /// The codes that moves from the next segment leave as the only part.
    singles: Vec<u16>,
}

impl<A: Epoch> CommonScan<A> {
    pub(super) fn new(take_set: &TakeSet, n: usize, threads: usize) -> Self {
        let mut codes = Vec::with_capacity(n + 1);
        codes.extend_from_slice(take_set.first());
        let mut scan = Self {
            reach: take_set.reach(),
            take_set: take_set.clone(),
            split: Split::ALL_RARE,
            codes,
            seen: Seen::new(threads),
            rare_places: Vec::new(),
            rare_codes: Vec::new(),
            singles: Vec::new(),
        };
        take_set.first().iter().for_each(|&code| scan.seen.widen(code));
        if take_set.first().len() > take_set.l() {
            scan.enter_window();
        }
        scan
    }

    /// Returns the number of segments.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns the steps that [`least`](Self::least) needs for the next segment. Without their top bits, all known
    /// codes are less than `width`.
    pub(super) fn cost(&self, width: usize) -> u64 {
        let all = self.codes.len().saturating_sub(self.take_set.l()) / 2;
        let pairs = if self.split.has_common() { self.rare_places.len() } else { all };
        work::sum::<A>(pairs, width)
    }

    /// Returns, for each nimber, one more than the last sum at which the nimber was seen, see [`Seen::latest`]. The
    /// split must have no common nimber.
    pub(super) fn latest(&self) -> Vec<u32> {
        self.seen.latest(self.codes.len() - self.take_set.l())
    }

    /// Returns the last rare segment; 0 if there is none.
    pub(super) fn last_rare(&self) -> usize {
        self.rare_places.last().map_or(0, |&place| place as usize)
    }

    /// Returns the codes of the segments from `from` on.
    pub(super) fn codes(&self, from: usize) -> &[u16] {
        &self.codes[from..]
    }

    /// Returns the code of the least common nimber that is no option of the next segment. If the split has no common
    /// nimber, returns the code of the least nimber that is no option. Returns `None` if all these nimbers below 2^15
    /// are options. Appends to `rares` one byte for each rare code, which is not 0 if the code was seen at the latest
    /// sum.
    pub(super) fn least(&mut self, rares: Option<&mut Vec<u8>>) -> Option<u16> {
        if let Some(sum) = self.codes.len().checked_sub(self.take_set.l()) {
            self.enter(sum, rares);
        }
        if self.take_set.has_singles() {
            self.singles.clear();
            self.singles.extend(self.take_set.singles(self.codes.len()).map(|place| self.codes[place]));
        }
        let code = self.seen.first_unseen(self.reach, &self.singles)?;
        (self.split.nimber(code) < COMMON).then_some(code)
    }

    /// Appends the code of the next segment.
    pub(super) fn push(&mut self, code: u16) {
        self.note(self.codes.len(), code);
        self.codes.push(code);
    }

    /// Removes all segments from `len` on, none of which is rare, and appends `code` if there is one.
    pub(super) fn rewind(&mut self, len: usize, code: Option<u16>) {
        self.codes.truncate(len);
        if let Some(code) = code {
            self.push(code);
        }
        self.enter_window();
    }

    /// Changes to another split.
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

    /// Records a code that is appended at `place`.
    fn note(&mut self, place: usize, code: u16) {
        if code < COMMON && self.split.has_common() {
            self.rare_places.push(narrow(place));
            self.rare_codes.push(code);
        }
        self.seen.widen(code);
    }

    /// Enters the sums that moves from the next segment leave, except the last sum, which [`least`](Self::least)
    /// enters.
    fn enter_window(&mut self) {
        self.seen.restart(if self.split.has_common() { COMMON } else { 0 });
        self.take_set.earlier_sums(self.codes.len()).for_each(|sum| self.enter(sum, None));
    }

    fn enter(&mut self, sum: usize, rares: Option<&mut Vec<u8>>) {
        let below = if self.split.has_common() { 0 } else { usize::MAX };
        let places = Places { below, others: &self.rare_places, codes: &self.rare_codes };
        self.seen.enter(sum, &self.codes, places, &[], rares);
    }
}

/// Number of pairs of a sum that are entered before the missing nimbers are listed again.
const CHUNK: usize = 256;

/// Number of pairs that can be tested for one nimber in the time that entering one pair takes. So in narrow windows, at
/// most this number of missing nimbers are searched for one by one; if more are missing, further pairs are entered.
const TESTS_PER_ENTRY: usize = 4;

/// Additional cost of a segment with missing nimbers: a mispredicted branch. The unit is the cost of entering one pair.
const MISS_COST: usize = 64;

/// Maximum number of sums in a window whose pairs are searched for one missing code at a time. In wider windows pairs
/// are entered instead, because the entered pairs of a sum are used for many segments.
const MAX_SEARCHED_SUMS: usize = 8;

/// Minimum number of pairs of a sum that are entered ahead.
const MIN_AHEAD: usize = 16;

/// Let c be the least common nimber that is no option of a segment. This scan confirms that all rare nimbers below c
/// are options of the segment, or finds the least rare nimber below c that is no option. [`Witnesses`] confirm many
/// segments together.
pub(super) struct RareScan<A> {
    take_set: TakeSet,
    reach: A,
    split: Split,
    /// The codes of the first `len` segments.
    codes: Values,
    len: usize,
    seen: Seen<A>,
    /// Number of pairs of each sum that are entered ahead: together with the sum, before it is known whether they are
    /// needed.
    ahead: usize,
    /// Cost, since the last block of sums began, of entering or testing pairs that were not entered ahead. The unit is
    /// the cost of entering one pair.
    late: usize,
    /// Steps since the last call of `take_work`.
    work: u64,
    /// Number of entered pairs of each sum of the window, by the sum modulo the window's width.
    entered: Vec<usize>,
    missing: Vec<u16>,
    witnesses: Witnesses<A>,
}

impl<A: Epoch> RareScan<A> {
    pub(super) fn new(take_set: &TakeSet, n: usize, threads: usize) -> Self {
        let mut scan = Self {
            take_set: take_set.clone(),
            reach: take_set.reach(),
            split: Split::ALL_RARE,
            codes: Values::zeros(n + 1),
            len: 0,
            seen: Seen::new(threads),
            ahead: MIN_AHEAD,
            late: 0,
            work: 0,
            entered: vec![0; take_set.span()],
            missing: Vec::new(),
            witnesses: Witnesses::new(take_set),
        };
        for &code in take_set.first() {
            scan.push(code);
        }
        scan
    }

    /// Appends and returns the code of the next segment. `common` is the least common code that is no option; `given`
    /// has the rare codes seen at the latest sum, see [`Seen::enter`].
    pub(super) fn settle(&mut self, common: u16, given: &[u8]) -> u16 {
        let code = self.least_missing(self.split.rares_below(common), given).unwrap_or(common);
        self.push(code)
    }

    /// Returns a power of two that is larger than all known codes without their top bits.
    pub(super) fn width(&self) -> usize {
        self.seen.width()
    }

    /// Returns the steps since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work) + self.witnesses.take_work()
    }

    /// Begins a series of calls of [`confirm`](Self::confirm), which ends with [`enter_window`](Self::enter_window).
    /// These calls may take at most about `for_each` steps for each segment, and `spare` steps in total.
    pub(super) fn begin(&mut self, for_each: u64, spare: u64) {
        self.witnesses.begin(&self.codes.all()[..self.len], self.split, for_each, spare);
    }

    /// Appends segments with the guessed common codes. If a segment is in doubt, removes this segment and all later
    /// ones, and appends the right code of the segment if it is known.
    pub(super) fn confirm(&mut self, guess: &[u16]) -> Option<Doubt> {
        let from = self.len;
        for &code in guess {
            self.push(code);
        }
        let doubt = self.witnesses.first_doubt(&self.codes, from..self.len)?;
        self.len = doubt.place;
        if let Some(code) = doubt.code {
            self.push(code);
        }
        Some(doubt)
    }

    /// Enters the sums that moves from the next segment leave, except the last sum, to continue with one segment at a
    /// time.
    pub(super) fn enter_window(&mut self) {
        self.seen.restart(0);
        if self.split.has_common() {
            self.take_set.earlier_sums(self.len).for_each(|sum| self.enter(sum, &[]));
        }
    }

    /// Appends the code of the next segment.
    pub(super) fn push(&mut self, code: u16) -> u16 {
        self.seen.widen(code);
        self.codes.set(self.len, code);
        self.len += 1;
        code
    }

    /// Returns the number of segments.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the codes of all segments, and 0 for those that have not been appended.
    pub(super) fn into_codes(self) -> Vec<u16> {
        self.codes.into_all()
    }

    /// Changes to another split.
    pub(super) fn resplit(&mut self, split: Split) {
        let old = std::mem::replace(&mut self.split, split);
        for place in 0..self.len {
            let code = split.code(old.nimber(self.codes.all()[place]));
            self.codes.set(place, code);
            self.seen.widen(code);
        }
        self.enter_window();
    }

    /// Returns the least of the first `end` rare codes that is no option of the next segment.
    fn least_missing(&mut self, end: usize, given: &[u8]) -> Option<u16> {
        let Some(latest) = self.len.checked_sub(self.take_set.l()) else { return (end > 0).then_some(0) };
        self.enter(latest, given);
        self.missing.clear();
        self.seen.unseen(end, self.reach, &mut self.missing);
        for place in self.take_set.singles(self.len) {
            let single = self.codes.all()[place];
            self.missing.retain(|&code| code != single);
        }
        if self.missing.is_empty() {
            return None;
        }
        self.late += MISS_COST;
        self.work += MISS_COST as u64;
        self.enter_more(latest);
        let missing = std::mem::take(&mut self.missing);
        let least_missing = missing.iter().copied().find(|&code| !self.is_found(code, latest));
        self.missing = missing;
        least_missing
    }

    /// Enters `sum`, which follows the last entered sum. `given` has the rare codes seen at `sum`, see [`Seen::enter`].
    fn enter(&mut self, sum: usize, given: &[u8]) {
        if let Some(sums) = self.seen.block_before(sum) {
            self.adapt(sums);
        }
        let places = Places { below: self.ahead, others: &[], codes: &[] };
        self.seen.enter(sum, &self.codes.all()[..self.len], places, given, None);
        let ring = self.entered.len();
        self.entered[sum % ring] = self.ahead.min(sum / 2 + 1);
        self.work += work::sum::<A>(self.ahead.min(sum / 2 + 1), self.seen.width());
    }

    /// Adapts `ahead` after a block of `sums` sums. *Late* pairs are the pairs that were not entered ahead. Doubles
    /// `ahead` if the late pairs of the block cost more than about twice as much as doubling `ahead` will cost.
    /// Decreases `ahead` if hardly any pair was late.
    fn adapt(&mut self, sums: usize) {
        // Entering twice as many pairs ahead will cost about half of this threshold: `ahead` more pairs of each sum, at
        // half of the cost of a late pair.
        let threshold = self.ahead * sums * 9 / 8;
        if self.late > threshold {
            self.ahead *= 2;
        } else if self.late < threshold / 36 {
            self.ahead = (self.ahead - self.ahead / 16).max(MIN_AHEAD);
        }
        self.late = 0;
    }

    /// Enters more pairs of the sums that moves from the next segment leave, the greatest sum first. Stops when no code
    /// is missing, or when it is cheaper to search for each missing code.
    fn enter_more(&mut self, latest: usize) {
        let ring = self.entered.len();
        let narrow = ring <= MAX_SEARCHED_SUMS;
        let most = if narrow { 1 } else { usize::MAX };
        for sum in self.take_set.sums(self.len).take(most) {
            let (up, down) = self.codes.parts(sum);
            let mut done = self.entered[sum % ring];
            while done < up.len() && (!narrow || self.missing.len() > TESTS_PER_ENTRY) {
                let end = (done + CHUNK).min(up.len());
                let pairs = up[done..end].iter().zip(&down[done..end]);
                pairs.for_each(|(a, b)| self.seen.see(a ^ b, A::of(latest - sum)));
                self.late += end - done;
                self.work += work::one_by_one((end - done) as u64);
                done = end;
                self.entered[sum % ring] = done;
                let (seen, reach) = (&self.seen, self.reach);
                self.missing.retain(|&code| !seen.has(code, reach));
                if self.missing.is_empty() {
                    return;
                }
            }
        }
    }

    /// Returns whether `code` is the XOR of a pair that has not been entered.
    fn is_found(&mut self, code: u16, latest: usize) -> bool {
        let ring = self.entered.len();
        self.take_set.sums(self.len).any(|sum| {
            let entered = self.entered[sum % ring];
            let (up, down) = self.codes.parts(sum);
            let (found, searched) = search((&up[entered..], &down[entered..]), code);
            self.late += searched / TESTS_PER_ENTRY;
            self.work += work::SEARCH + (searched / TESTS_PER_ENTRY) as u64;
            if found {
                self.seen.see(code, A::of(latest - sum));
            }
            found
        })
    }
}

/// Returns whether `code` is the XOR of a pair, and the number of pairs that were tested.
fn search((up, down): (&[u16], &[u16]), code: u16) -> (bool, usize) {
    // No early return within a chunk, so that the compiler vectorizes it.
    let mut chunks = up.chunks(CHUNK).zip(down.chunks(CHUNK));
    let is_in = |(up, down): (&[u16], &[u16])| {
        up.iter().zip(down).map(|(a, b)| u8::from(a ^ b == code)).max() == Some(1)
    };
    match chunks.position(is_in) {
        Some(chunk) => (true, (chunk + 1) * CHUNK),
        None => (false, up.len()),
    }
}
