//! Rare codes that moves lead to, where codes may be large.

use super::super::split::COMMON;
use super::codes::Codes;
use super::moves::Moves;
use super::partners::Partners;
use super::rares_below::RaresBelow;
use super::stamps::Stamps;
use super::witnesses::REACH;
use crate::narrow::narrow;

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
        // All sums are so far behind the rare segments that of each pair with a witness the other is common.
        if n > self.last_rare + REACH + self.moves.longest() {
            self.seen.enter(n, |sum| witnesses.xors(sum, base, last));
        } else {
            let is_rare = |xor: &u16| *xor < COMMON;
            self.seen.enter(n, |sum| witnesses.xors(sum, base, last).filter(is_rare));
        }
    }

    /// Appends to a list which rare codes that are less than the code of a segment from `from` on were not seen: the
    /// segments in ascending order, by how far they lie behind it, and the codes of each. Those before are entered.
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
