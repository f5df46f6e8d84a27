//! Which common codes are seen at the sums to which a move from the next segment leads.

use super::super::rows::CHUNK;
use super::super::split::COMMON;
use super::codes::{Codes, Moves, Partners, RaresBelow};
use super::ones::{Ones, Word};
use super::stamps::{StampedRares, Stamps, list_singles};
use super::words::{CommonWords, NoRoom, RareViews};

/// Common codes by pairs with a rare segment, and where codes are small or may be large, rare codes by pairs with some common ones.
pub(super) trait Views {
    /// Whether only common codes are seen.
    const COMMONS_ALONE: bool;

    /// The views of the segment after these codes, by rare segments and witnesses.
    fn new(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self;

    /// Continues with one more rare segment, the last of these codes; the others are the earlier ones, up to a place.
    fn renew(&mut self, _known: usize, moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners)
    where
        Self: Sized,
    {
        *self = Self::new(moves, codes, rares, witnesses);
    }

    /// Appends the least common codes that moves do not lead to, until there are `end`.
    fn extend(&mut self, codes: &mut Codes, end: usize) -> Result<(), NoRoom>;

    /// As [`StampedRares::list_missing`], or none where only common codes are seen.
    fn missing_rares(
        &mut self,
        from: usize,
        codes: &Codes,
        below: &mut RaresBelow,
        list: &mut Vec<(u16, u16)>,
    );
}

/// For codes below [`CODES`](super::words::CODES), most of them in `P` words; `A` or `B` sums are entered
/// together.
pub(super) struct Narrow<T, const A: usize, const B: usize, const P: usize, R> {
    ones: Ones<T>,
    commons: CommonWords<T, A, B, P>,
    rares: R,
}

/// Number of codes that are needed to continue, also if the last ones are taken back.
fn reach(moves: &Moves, rares: &Partners, witnesses: &Partners) -> usize {
    rares.last().max(witnesses.last()) + 2 * moves.longest() + 2 * CHUNK
}

impl<T: Word, const A: usize, const B: usize, const P: usize, R: RareViews<T>> Narrow<T, A, B, P, R> {
    fn with(ones: Ones<T>, moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let commons = CommonWords::new(moves, rares, codes);
        Self { ones, commons, rares: R::new(moves, codes, witnesses) }
    }
}

impl<T: Word, const A: usize, const B: usize, const P: usize, R: RareViews<T>> Views
    for Narrow<T, A, B, P, R>
{
    const COMMONS_ALONE: bool = R::NONE;

    fn new(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let reach = reach(moves, rares, witnesses);
        let base = codes.len().saturating_sub(reach).max(codes.base());
        let mut ones = Ones::from(base, reach);
        ones.extend(base, &codes.last()[base - codes.base()..]);
        Self::with(ones, moves, codes, rares, witnesses)
    }

    fn renew(&mut self, known: usize, moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) {
        if self.ones.need(reach(moves, rares, witnesses)) {
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
        self.rares.missing(from, codes, &self.ones, below, list);
    }
}

/// For any codes.
pub(super) struct Wide {
    moves: Moves,
    rares: Partners,
    seen_commons: Stamps,
    seen_rares: StampedRares,
    /// The codes of parts that are left alone.
    singles: Vec<u16>,
}

impl Wide {
    fn enter_commons(&mut self, n: usize, codes: &Codes) {
        let (base, last, rares) = (codes.base(), codes.last(), &self.rares);
        // All sums are so far after the rare segments that of each pair with one the other is common.
        if n > 2 * rares.last() + self.moves.longest() {
            self.seen_commons.enter(n, |sum| rares.xors(sum, base, last));
        } else {
            let is_common = |xor: &u16| *xor >= COMMON;
            self.seen_commons.enter(n, |sum| rares.xors(sum, base, last).filter(is_common));
        }
    }
}

impl Views for Wide {
    const COMMONS_ALONE: bool = false;

    fn new(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self {
        let mut views = Self {
            moves: moves.clone(),
            rares: rares.clone(),
            seen_commons: Stamps::new(&moves.takes),
            seen_rares: StampedRares::of(moves, codes, rares, witnesses),
            singles: Vec::new(),
        };
        // Each run of takes has sums of its own that may be reached again.
        for n in codes.len().saturating_sub(moves.longest())..codes.len() {
            views.enter_commons(n, codes);
        }
        views
    }

    fn extend(&mut self, codes: &mut Codes, end: usize) -> Result<(), NoRoom> {
        while codes.len() < end {
            let n = codes.len();
            self.enter_commons(n, codes);
            list_singles(&mut self.singles, &self.moves, n, codes, COMMON);
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
        self.seen_rares.list_missing(from, codes, below, list);
    }
}
