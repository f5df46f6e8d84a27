//! What the sums have, and the rare codes that moves lead to, where codes may be large.

use super::super::split::COMMON;
use super::codes::{Codes, Moves, Partners, RaresBelow};
use super::witnesses::REACH;
use crate::integers::narrow;

/// Number of codes that are tested together.
const GROUP: usize = 16;

/// For each run of consecutive numbers that a move may take and each code, one more than the latest sum it was seen at.
pub(super) struct Stamps {
    runs: Vec<Run>,
}

struct Run {
    /// What is taken: from the first number to the last.
    takes: (usize, usize),
    /// Since the stamps were last cleared, one more than the sum.
    stamps: Vec<u32>,
    /// The sum before the first that was entered since.
    start: usize,
}

impl Run {
    /// The stamps of codes that a move from `n` leads to are these or larger.
    fn least(&self, n: usize) -> u32 {
        narrow((n + 1).saturating_sub(self.takes.1).saturating_sub(self.start).max(1))
    }
}

/// The stamps are cleared before they no longer fit.
const MOST: usize = 1 << 31;

impl Stamps {
    /// Where a move takes one of these numbers, in ascending order, if it leaves two parts.
    pub(super) fn new(takes: &[usize]) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for &take in takes {
            match runs.last_mut() {
                Some(run) if run.takes.1 + 1 == take => run.takes.1 = take,
                _ => runs.push(Run { takes: (take, take), stamps: vec![0; 8 * GROUP], start: 0 }),
            }
        }
        Self { runs }
    }

    /// Enters the sums to which moves from `n` lead, and none from before, with what is seen at a sum.
    #[inline]
    pub(super) fn enter<I: Iterator<Item = u16>>(&mut self, n: usize, xors: impl Fn(usize) -> I) {
        for run in &mut self.runs {
            let Some(sum) = n.checked_sub(run.takes.0) else { continue };
            if sum - run.start >= MOST {
                // All that is still within reach keeps its distance.
                let less = sum - run.start - (run.takes.1 + 1);
                run.stamps.iter_mut().for_each(|stamp| *stamp = stamp.saturating_sub(narrow(less)));
                run.start += less;
            }
            let stamp = narrow(sum + 1 - run.start);
            for code in xors(sum) {
                let code = usize::from(code & !super::COMMON);
                if code >= run.stamps.len() {
                    run.stamps.resize((code + 1).next_power_of_two(), 0);
                }
                run.stamps[code] = stamp;
            }
        }
    }

    /// The first code that was not seen at a sum to which a move from `n` leads, nor is one of some others.
    pub(super) fn first_unseen(&self, n: usize, also: &[u16]) -> Option<u16> {
        let width = self.runs.iter().map(|run| run.stamps.len()).min().unwrap_or(0);
        let is_unseen = |code: usize| {
            self.runs.iter().all(|run| run.stamps[code] < run.least(n)) && !also.contains(&narrow(code))
        };
        let leasts: Vec<u32> = self.runs.iter().map(|run| run.least(n)).collect();
        for from in (0..width).step_by(GROUP) {
            let any =
                |at: usize| self.runs.iter().zip(&leasts).all(|(run, &least)| run.stamps[from + at] < least);
            if (0..GROUP).fold(false, |all, at| all | any(at))
                && let Some(code) = (from..from + GROUP).find(|&code| is_unseen(code))
            {
                return Some(narrow(code));
            }
        }
        (width..usize::from(super::COMMON)).find(|&code| !also.contains(&narrow(code))).map(narrow)
    }

    /// Calls `tell` with each code below `end` that was not seen, in ascending order.
    pub(super) fn unseen(&self, n: usize, end: usize, also: &[u16], mut tell: impl FnMut(u16)) {
        for code in 0..end {
            let is_seen =
                self.runs.iter().any(|run| run.stamps.get(code).is_some_and(|&stamp| stamp >= run.least(n)));
            if !is_seen && !also.contains(&narrow(code)) {
                tell(narrow(code));
            }
        }
    }
}

/// Any number of rare codes, each with a stamp.
pub(super) struct StampedRares {
    moves: Moves,
    last_rare: usize,
    witnesses: Partners,
    seen: Stamps,
    /// The codes of parts that are left alone.
    singles: Vec<u16>,
}

impl StampedRares {
    pub(super) fn of(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let mut views = Self {
            moves: moves.clone(),
            last_rare: rares.last(),
            witnesses: witnesses.clone(),
            seen: Stamps::new(&moves.takes),
            singles: Vec::new(),
        };
        // Each run of takes has sums of its own that may be reached again.
        for n in codes.len().saturating_sub(moves.longest())..codes.len() {
            views.enter(n, codes);
        }
        views
    }

    fn enter(&mut self, n: usize, codes: &Codes) {
        let (base, last, witnesses) = (codes.base(), codes.last(), &self.witnesses);
        // All sums are so far after the rare segments that of each pair with a witness the other is common.
        if n > self.last_rare + REACH + self.moves.longest() {
            self.seen.enter(n, |sum| witnesses.xors(sum, base, last));
        } else {
            let is_rare = |xor: &u16| *xor < COMMON;
            self.seen.enter(n, |sum| witnesses.xors(sum, base, last).filter(is_rare));
        }
    }

    /// Appends to a list which rare codes that are less than the code of a segment from `from` on were not seen: the
    /// segments in ascending order, by their distance from it, and the codes of each. Those before are entered.
    pub(super) fn list_missing(
        &mut self,
        from: usize,
        codes: &Codes,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    ) {
        below.learn_all(&codes.last()[from - codes.base()..]);
        for (n, &code) in (from..).zip(&codes.last()[from - codes.base()..]) {
            self.enter(n, codes);
            list_singles(&mut self.singles, &self.moves, n, codes, 0);
            self.seen
                .unseen(n, below.count(code, n), &self.singles, |code| list.push((narrow(n - from), code)));
        }
    }
}

/// Lists the codes of the parts of a class that a move from `n` leaves alone, without the top bit.
pub(super) fn list_singles(list: &mut Vec<u16>, moves: &Moves, n: usize, codes: &Codes, class: u16) {
    let singles = moves.singles(n, codes).filter(|code| code & COMMON == class);
    list.clear();
    list.extend(singles.map(|code| code & !COMMON));
}
