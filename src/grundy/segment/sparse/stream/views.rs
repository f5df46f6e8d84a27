//! [`Views`] record which codes were seen at the sums that moves from the next segment leave. [`Narrow`] keeps small
//! codes in words, and [`Wide`] keeps any codes in stamps. The module [`sparse`](super::super) explains the terms.

use super::super::rows::CHUNK;
use super::super::split::COMMON;
use super::codes::{Codes, Moves, Partners, RaresBelow};
use super::ones::{Ones, Word};
use super::witnesses::REACH;
use super::words::{CommonWords, NoRoom, RareWords};
use crate::integers::narrow;

/// The codes seen at the sums that moves from the next segment leave. All views have the common codes, which are XORs
/// of a pair with a rare segment. Some views also have the rare codes that are XORs of a pair with a *witness*; the
/// witnesses are some of the common segments.
pub(super) trait Views {
    /// Whether the views have only common codes.
    const COMMONS_ONLY: bool;

    /// Returns the views for the segment after `codes`.
    fn new(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self;

    /// Updates the views after the code of a rare segment was appended to `codes`. The first `known` codes have been
    /// entered already.
    fn renew(&mut self, _known: usize, moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners)
    where
        Self: Sized,
    {
        *self = Self::new(moves, codes, rares, witnesses);
    }

    /// Appends codes until there are `end` codes. Each is the least common code that is no option of its segment.
    fn extend(&mut self, codes: &mut Codes, end: usize) -> Result<(), NoRoom>;

    /// Appends to `list`, for each segment from `from` on, the rare codes whose nimbers are less than the nimber of the
    /// segment and that were not seen. Each item has the distance of the segment from `from`, and the rare code. The
    /// items are in ascending order. Segments before `from` must have been entered.
    fn missing_rares(
        &mut self,
        from: usize,
        codes: &Codes,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    );
}

/// Views for codes below [`CODES`](super::words::CODES). The smallest of these codes have a bit in the `P` words of a
/// sum; if all of them were seen, the next code is computed without the words. `A` sums are entered together for long
/// rare segments, `B` sums for shorter ones. The views have rare codes if `RARES` is set.
pub(super) struct Narrow<T, const A: usize, const B: usize, const P: usize, const RARES: bool> {
    ones: Ones<T>,
    commons: CommonWords<T, A, B, P>,
    rares: Option<RareWords<T, RARE_SUMS>>,
}

/// Number of sums whose rare codes are entered together.
pub(super) const RARE_SUMS: usize = 32;

/// Returns the number of codes that are needed to continue, even if the last chunk is taken back.
fn reach(moves: &Moves, rares: &Partners, witnesses: &Partners) -> usize {
    rares.last().max(witnesses.last()) + 2 * moves.longest() + 2 * CHUNK
}

impl<T: Word, const A: usize, const B: usize, const P: usize, const RARES: bool> Narrow<T, A, B, P, RARES> {
    fn with(ones: Ones<T>, moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let commons = CommonWords::new(moves, rares, codes);
        Self { ones, commons, rares: RARES.then(|| RareWords::new(moves, codes, witnesses)) }
    }
}

impl<T: Word, const A: usize, const B: usize, const P: usize, const RARES: bool> Views
    for Narrow<T, A, B, P, RARES>
{
    const COMMONS_ONLY: bool = !RARES;

    fn new(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let reach = reach(moves, rares, witnesses);
        let base = codes.len().saturating_sub(reach).max(codes.base());
        let mut ones = Ones::from(base, reach);
        ones.extend(base, &codes.last()[base - codes.base()..]);
        Self::with(ones, moves, codes, rares, witnesses)
    }

    fn renew(&mut self, known: usize, moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) {
        if self.ones.set_needed(reach(moves, rares, witnesses)) {
            let mut ones = std::mem::replace(&mut self.ones, Ones::from(0, 0));
            ones.truncate(known);
            ones.extend(known, &codes.last()[known - codes.base()..]);
            *self = Self::with(ones, moves, codes, rares, witnesses);
        } else {
            *self = Self::new(moves, codes, rares, witnesses);
        }
    }

    fn extend(&mut self, codes: &mut Codes, end: usize) -> Result<(), NoRoom> {
        self.commons.extend(codes, &mut self.ones, end)
    }

    fn missing_rares(
        &mut self,
        from: usize,
        codes: &Codes,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    ) {
        if let Some(rares) = &mut self.rares {
            rares.missing(from, codes, &self.ones, below, list);
        }
    }
}

/// Views for any codes.
pub(super) struct Wide {
    moves: Moves,
    rares: Partners,
    witnesses: Partners,
    seen_commons: Stamps,
    seen_rares: Stamps,
    /// The codes of the single parts that moves leave, kept to reuse the memory.
    singles: Vec<u16>,
}

impl Wide {
    fn enter_commons(&mut self, n: usize, codes: &Codes) {
        let (base, last, rares) = (codes.base(), codes.last(), &self.rares);
        // At this distance from the rare segments, the other part of each pair with a rare segment is common.
        if n > 2 * rares.last() + self.moves.longest() {
            self.seen_commons.enter(n, |sum| rares.xors(sum, base, last));
        } else {
            let is_common = |xor: &u16| *xor >= COMMON;
            self.seen_commons.enter(n, |sum| rares.xors(sum, base, last).filter(is_common));
        }
    }

    fn enter_rares(&mut self, n: usize, codes: &Codes) {
        let (base, last, witnesses) = (codes.base(), codes.last(), &self.witnesses);
        // At this distance from the rare segments, the other part of each pair with a witness is common.
        if n > self.rares.last() + REACH + self.moves.longest() {
            self.seen_rares.enter(n, |sum| witnesses.xors(sum, base, last));
        } else {
            let is_rare = |xor: &u16| *xor < COMMON;
            self.seen_rares.enter(n, |sum| witnesses.xors(sum, base, last).filter(is_rare));
        }
    }

    /// Lists the codes of `class` among the single parts that moves from `n` leave. `class` is 0 for rare codes and
    /// `COMMON` for common codes. The codes in `singles` do not have the top bit.
    fn list_singles(&mut self, n: usize, codes: &Codes, class: u16) {
        let singles = self.moves.singles(n, codes).filter(|code| code & COMMON == class);
        self.singles.clear();
        self.singles.extend(singles.map(|code| code & !COMMON));
    }
}

impl Views for Wide {
    const COMMONS_ONLY: bool = false;

    fn new(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let mut views = Self {
            moves: moves.clone(),
            rares: rares.clone(),
            witnesses: witnesses.clone(),
            seen_commons: Stamps::new(&moves.takes),
            seen_rares: Stamps::new(&moves.takes),
            singles: Vec::new(),
        };
        // The latest sums of each run of takes are entered, because later moves may leave them too.
        for n in codes.len().saturating_sub(moves.longest())..codes.len() {
            views.enter_commons(n, codes);
            views.enter_rares(n, codes);
        }
        views
    }

    fn extend(&mut self, codes: &mut Codes, end: usize) -> Result<(), NoRoom> {
        while codes.len() < end {
            let n = codes.len();
            self.enter_commons(n, codes);
            self.list_singles(n, codes, COMMON);
            let code = self.seen_commons.first_unseen(n, &self.singles).ok_or(NoRoom)?;
            codes.push(code | COMMON);
        }
        Ok(())
    }

    fn missing_rares(
        &mut self,
        from: usize,
        codes: &Codes,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    ) {
        below.learn_all(&codes.last()[from - codes.base()..]);
        for (n, &code) in (from..).zip(&codes.last()[from - codes.base()..]) {
            self.enter_rares(n, codes);
            self.list_singles(n, codes, 0);
            let ahead = narrow(n - from);
            self.seen_rares.unseen(n, below.count(code, n), &self.singles, |code| list.push((ahead, code)));
        }
    }
}

/// Number of codes that are compared together.
const GROUP: usize = 16;

/// For each run of numbers that a move may take, and each code, the latest sum at which the code was seen.
struct Stamps {
    runs: Vec<TakeRun>,
}

/// Consecutive numbers of cards that a move may take, with the stamps of the sums that these moves leave.
struct TakeRun {
    /// The least and the greatest of the numbers.
    takes: (usize, usize),
    /// For each code, the latest sum at which the code was seen, plus 1, minus `start`; 0 if the code was seen at no
    /// sum from `start` on.
    stamps: Vec<u32>,
    /// Subtracted from all sums, so that stamps fit in 32 bits.
    start: usize,
}

impl TakeRun {
    /// Returns the least stamp of a sum that moves from `n` leave.
    fn least(&self, n: usize) -> u32 {
        narrow((n + 1).saturating_sub(self.takes.1).saturating_sub(self.start).max(1))
    }
}

/// Maximum difference of a sum and `start`.
const MAX_OFFSET: usize = 1 << 31;

impl Stamps {
    /// Returns empty stamps for moves that take one of these numbers, in ascending order.
    fn new(takes: &[usize]) -> Self {
        let mut runs: Vec<TakeRun> = Vec::new();
        for &take in takes {
            match runs.last_mut() {
                Some(run) if run.takes.1 + 1 == take => run.takes.1 = take,
                _ => runs.push(TakeRun { takes: (take, take), stamps: vec![0; 8 * GROUP], start: 0 }),
            }
        }
        Self { runs }
    }

    /// Enters, for each run, the greatest sum that its moves from `n` leave. `xors` returns the codes that are seen at
    /// a sum.
    #[inline]
    fn enter<I: Iterator<Item = u16>>(&mut self, n: usize, xors: impl Fn(usize) -> I) {
        for run in &mut self.runs {
            let Some(sum) = n.checked_sub(run.takes.0) else { continue };
            if sum - run.start >= MAX_OFFSET {
                // Increase `start`, but only so far that all sums that later moves can leave are at least `start`.
                let less = sum - run.start - (run.takes.1 + 1);
                run.stamps.iter_mut().for_each(|stamp| *stamp = stamp.saturating_sub(narrow(less)));
                run.start += less;
            }
            let stamp = narrow(sum + 1 - run.start);
            for code in xors(sum) {
                let code = usize::from(code & !COMMON);
                if code >= run.stamps.len() {
                    run.stamps.resize((code + 1).next_power_of_two(), 0);
                }
                run.stamps[code] = stamp;
            }
        }
    }

    /// Returns the first code that is not in `also` and was seen at no sum that moves from `n` leave.
    fn first_unseen(&self, n: usize, also: &[u16]) -> Option<u16> {
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
        (width..usize::from(COMMON)).find(|&code| !also.contains(&narrow(code))).map(narrow)
    }

    /// Calls `visit` with each code below `end` that is not in `also` and was seen at no sum that moves from `n` leave,
    /// in ascending order.
    fn unseen(&self, n: usize, end: usize, also: &[u16], mut visit: impl FnMut(u16)) {
        for code in 0..end {
            let is_seen =
                self.runs.iter().any(|run| run.stamps.get(code).is_some_and(|&stamp| stamp >= run.least(n)));
            if !is_seen && !also.contains(&narrow(code)) {
                visit(narrow(code));
            }
        }
    }
}
