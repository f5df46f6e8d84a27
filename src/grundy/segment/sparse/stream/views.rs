//! What is seen at the sums to which a move from the next segment leads.

use super::codes::Codes;
use super::masks::Masks;
use super::ones::{Ones, Word};
use super::partners::Partners;
use super::stamps::Stamps;
use super::witnesses::REACH;

/// Common codes by pairs with a rare segment, and rare codes by pairs with some common ones.
pub(super) trait Views {
    /// Those of the segment behind these, by rare segments and others.
    fn new(takes: &[usize], codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self;

    /// Goes on with one more rare segment, behind which these codes end.
    fn renew(&mut self, takes: &[usize], codes: &Codes, rares: &Partners, witnesses: &Partners)
    where
        Self: Sized,
    {
        *self = Self::new(takes, codes, rares, witnesses);
    }

    /// Enters the sums to which moves from the next segment lead.
    fn enter(&mut self, codes: &Codes);

    /// Takes account of the next segment.
    fn push(&mut self, code: u16);

    /// The first common code, but for the top bit, that the next segment `n` has not as an option, nor is one of some
    /// others; `None` if there is no room for it.
    fn first_common(&self, also: &[u16], codes: &Codes) -> Option<u16>;

    /// Appends to a list which rare codes below `end` were not seen.
    fn missing_rares(&self, n: usize, end: usize, also: &[u16], list: &mut Vec<u16>);
}

/// For codes below [`CODES`](super::masks::CODES), most of them small.
pub(super) struct Narrow<T, const B: usize> {
    /// How many segments are known.
    len: usize,
    ones: Ones<T>,
    commons: Masks<T, B>,
    rares: Masks<T, B>,
}

impl<T: Word, const B: usize> Narrow<T, B> {
    /// With the words of these codes.
    fn with(ones: Ones<T>, takes: &[usize], codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let mut views = Self {
            len: codes.len(),
            ones,
            commons: Masks::new(takes, rares.clone()),
            rares: Masks::new(takes, witnesses.clone()),
        };
        let last = codes.last();
        for &code in &last[last.len().saturating_sub(B)..] {
            views.commons.push(code);
            views.rares.push(code);
        }
        let longest = takes.last().copied().unwrap_or(0);
        for n in (codes.len() + takes[0]).saturating_sub(longest)..codes.len() {
            views.commons.enter_slowly(n, codes);
            views.rares.enter_slowly(n, codes);
        }
        views
    }
}

/// So many codes are needed to go on.
fn reach(takes: &[usize], rares: &Partners, witnesses: &Partners) -> usize {
    rares.last().max(witnesses.last()) + 2 * takes.last().copied().unwrap_or(0) + 64
}

impl<T: Word, const B: usize> Views for Narrow<T, B> {
    fn new(takes: &[usize], codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let reach = reach(takes, rares, witnesses);
        let base = codes.len().saturating_sub(reach).max(codes.base());
        let mut ones = Ones::from(base, reach);
        (base..).zip(&codes.last()[base - codes.base()..]).for_each(|(place, &code)| ones.push(place, code));
        Self::with(ones, takes, codes, rares, witnesses)
    }

    fn renew(&mut self, takes: &[usize], codes: &Codes, rares: &Partners, witnesses: &Partners) {
        if self.ones.need(reach(takes, rares, witnesses)) {
            let mut ones = std::mem::replace(&mut self.ones, Ones::from(0, 0));
            let new = &codes.last()[self.len - codes.base()..];
            (self.len..).zip(new).for_each(|(place, &code)| ones.push(place, code));
            *self = Self::with(ones, takes, codes, rares, witnesses);
        } else {
            *self = Self::new(takes, codes, rares, witnesses);
        }
    }

    #[inline]
    fn enter(&mut self, codes: &Codes) {
        let n = codes.len();
        for masks in [&mut self.commons, &mut self.rares] {
            if masks.reaches(n) {
                masks.enter(n, &self.ones);
            } else {
                masks.enter_slowly(n, codes);
            }
        }
    }

    #[inline]
    fn push(&mut self, code: u16) {
        self.ones.push(self.len, code);
        self.len += 1;
        self.commons.push(code);
        self.rares.push(code);
    }

    #[inline]
    fn first_common(&self, also: &[u16], codes: &Codes) -> Option<u16> {
        self.commons.first_unseen(codes.len(), also, codes)
    }

    #[inline]
    fn missing_rares(&self, n: usize, end: usize, also: &[u16], list: &mut Vec<u16>) {
        self.rares.unseen(n, end, also, list);
    }
}

/// For any codes.
pub(super) struct Wide {
    rares: Partners,
    witnesses: Partners,
    seen_commons: Stamps,
    seen_rares: Stamps,
}

impl Wide {
    fn enter_at(&mut self, n: usize, codes: &Codes) {
        let (base, last) = (codes.base(), codes.last());
        let longest = self.seen_commons.longest();
        let (rares, witnesses) = (&self.rares, &self.witnesses);
        // There every other segment is common.
        if n > 2 * rares.last() + longest && n > rares.last() + REACH + longest {
            self.seen_commons.enter(n, |sum| rares.xors(sum, base, last));
            self.seen_rares.enter(n, |sum| witnesses.xors(sum, base, last));
        } else {
            let is_common = |xor: &u16| *xor >= super::COMMON;
            self.seen_commons.enter(n, |sum| rares.xors(sum, base, last).filter(is_common));
            self.seen_rares.enter(n, |sum| witnesses.xors(sum, base, last).filter(|xor| !is_common(xor)));
        }
    }
}

impl Views for Wide {
    fn new(takes: &[usize], codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let [seen_commons, seen_rares] = [Stamps::new(takes), Stamps::new(takes)];
        let mut views = Self { rares: rares.clone(), witnesses: witnesses.clone(), seen_commons, seen_rares };
        let longest = views.seen_commons.longest();
        // Each run of takes has sums of its own that may be reached again.
        (codes.len().saturating_sub(longest)..codes.len()).for_each(|n| views.enter_at(n, codes));
        views
    }

    fn enter(&mut self, codes: &Codes) {
        self.enter_at(codes.len(), codes);
    }

    fn push(&mut self, _: u16) {}

    fn first_common(&self, also: &[u16], codes: &Codes) -> Option<u16> {
        self.seen_commons.first_unseen(codes.len(), also)
    }

    fn missing_rares(&self, n: usize, end: usize, also: &[u16], list: &mut Vec<u16>) {
        self.seen_rares.unseen(n, end, also, list);
    }
}
