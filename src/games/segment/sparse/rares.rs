//! The rare nimbers below.

use super::commons::window;
use super::seen::{Seen, stamp};
use super::split::{COMMON, Split};

/// So many pairs of a sum are entered before it is asked again what is still missing.
const CHUNK: usize = 256;

/// So many pairs of the latest sum are entered if anything is missing, and all as long as much is. What is still missing
/// is searched for, nimber by nimber: that takes a fifth of the time for a pair.
const ENTERED: usize = 1024;

/// No more nimbers than these are searched for before all pairs have been entered.
const SEARCHED: usize = 4;

/// With more sums in a window all their pairs are entered instead, for each sum then serves many segments.
const NARROW: usize = 8;

/// Confirms for one segment after the other that all rare nimbers below the least common one are options, or finds the
/// least that is not.
pub(super) struct Rares {
    l: usize,
    r: usize,
    split: Split,
    codes: Vec<u16>,
    /// The same backwards: that of segment i at `mirrored.len() - 1 - i`.
    mirrored: Vec<u16>,
    seen: Seen,
    /// How many pairs of each sum of the window have been entered, by the sum's remainder.
    entered: Vec<usize>,
    missing: Vec<u16>,
}

impl Rares {
    pub(super) fn new(l: usize, r: usize, n: usize) -> Self {
        let sums = (r + 1).saturating_sub(l).max(1);
        Self {
            l,
            r,
            split: Split::ALL_RARE,
            codes: Vec::with_capacity(n + 1),
            mirrored: vec![0; n + 1],
            seen: Seen::new(),
            entered: vec![0; sums],
            missing: Vec::new(),
        }
    }

    /// The code of the next segment while every nimber is rare, from all pairs; it is appended. `None` if its nimber is
    /// 2^15 or more.
    pub(super) fn settle_all(&mut self) -> Option<u16> {
        let i = self.codes.len();
        if let Some(sum) = i.checked_sub(self.l) {
            self.enter_all(sum);
        }
        let code = self.seen.first_unseen(0, stamp(i.saturating_sub(self.r)))?;
        self.push(code);
        (code < COMMON).then_some(code)
    }

    /// The code of the next segment, of whose common nimbers this is the least that is no option; it is appended.
    pub(super) fn settle(&mut self, common: u16) -> u16 {
        let code = self.least_missing(self.split.rares_below(common)).unwrap_or(common);
        self.push(code);
        code
    }

    /// Appends the code of the next segment.
    fn push(&mut self, code: u16) {
        self.codes.push(code);
        let at = self.mirrored.len() - self.codes.len();
        self.mirrored[at] = code;
    }

    /// How many segments have been appended.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The codes of all segments.
    pub(super) fn into_codes(self) -> Vec<u16> {
        self.codes
    }

    /// Goes over to another split.
    pub(super) fn resplit(&mut self, split: Split) {
        let old = std::mem::replace(&mut self.split, split);
        for (code, mirrored) in self.codes.iter_mut().zip(self.mirrored.iter_mut().rev()) {
            *code = split.code(old.nimber(*code));
            *mirrored = *code;
        }
        self.seen = Seen::new();
        self.entered.fill(0);
        let window = window(self.codes.len(), self.l, self.r);
        if let (false, Some(sums)) = (split.has_common(), window) {
            // The last is entered when its turn comes.
            (*sums.start()..*sums.end()).for_each(|sum| self.enter_all(sum));
        }
    }

    /// Enters all pairs of a sum, the latest so far.
    fn enter_all(&mut self, sum: usize) {
        let pairs = sum / 2 + 1;
        let down = &self.mirrored[self.mirrored.len() - 1 - sum..][..pairs];
        self.seen.enter_pairs(&self.codes[..pairs], down, stamp(sum));
    }

    /// The least of the first `end` rare codes that is no option of the next segment.
    fn least_missing(&mut self, end: usize) -> Option<u16> {
        let Some(sums) = window(self.codes.len(), self.l, self.r) else { return (end > 0).then_some(0) };
        let (least, most) = (*sums.start(), *sums.end());
        let ring = self.entered.len();
        self.entered[most % ring] = 0;
        self.missing.clear();
        self.seen.unseen(end, stamp(least), &mut self.missing);
        if self.missing.is_empty() {
            return None;
        }
        self.enter_pairs(least, most);
        let missing = std::mem::take(&mut self.missing);
        let least_missing = missing.iter().copied().find(|&code| !self.is_found(code, least, most));
        self.missing = missing;
        least_missing
    }

    /// Enters pairs of the sums, the latest first, until nothing is missing or it does not pay any more.
    fn enter_pairs(&mut self, least: usize, most: usize) {
        let ring = self.entered.len();
        let narrow = ring <= NARROW;
        for sum in (if narrow { most } else { least }..=most).rev() {
            let pairs = sum / 2 + 1;
            let (up, down) = (&self.codes[..pairs], &self.mirrored[self.mirrored.len() - 1 - sum..][..pairs]);
            let mut done = self.entered[sum % ring];
            while done < pairs && (!narrow || done < ENTERED || self.missing.len() > SEARCHED) {
                let end = (done + CHUNK).min(pairs);
                let (up, down) = (&up[done..end], &down[done..end]);
                if sum == most {
                    self.seen.enter_pairs(up, down, stamp(sum));
                } else {
                    up.iter().zip(down).for_each(|(a, b)| self.seen.enter(a ^ b, stamp(sum)));
                }
                done = end;
                self.entered[sum % ring] = done;
                let seen = &self.seen;
                self.missing.retain(|&code| !seen.has(code, stamp(least)));
                if self.missing.is_empty() {
                    return;
                }
            }
        }
    }

    /// Whether a code is the XOR of one of the pairs of these sums that have not been entered.
    fn is_found(&mut self, code: u16, least: usize, most: usize) -> bool {
        let ring = self.entered.len();
        (least..=most).rev().any(|sum| {
            let pairs = sum / 2 + 1;
            let entered = self.entered[sum % ring];
            let down = &self.mirrored[self.mirrored.len() - 1 - sum..][entered..pairs];
            let found = contains(&self.codes[entered..pairs], down, code);
            if found {
                self.seen.enter(code, stamp(sum));
            }
            found
        })
    }
}

/// Whether a code is the XOR of a pair of two rows.
fn contains(up: &[u16], down: &[u16], code: u16) -> bool {
    // Whole chunks without a way out, for the compiler to make vectors of them.
    let mut chunks = up.chunks(256).zip(down.chunks(256));
    chunks.any(|(up, down)| up.iter().zip(down).map(|(a, b)| u8::from(a ^ b == code)).max() == Some(1))
}
