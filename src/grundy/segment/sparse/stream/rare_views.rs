//! Which rare codes are seen by pairs with witnesses.

use super::codes::Codes;
use super::moves::Moves;
use super::ones::Ones;
use super::partners::Partners;
use super::rares_below::RaresBelow;

/// So many common values are guessed at a time, before it is asked whether some of them are rare.
pub(super) const CHUNK: usize = 64;

/// Rare codes by pairs with witnesses, where common codes are also in words.
pub(super) trait RareViews<T> {
    /// Those of the segment behind these.
    fn new(moves: &Moves, codes: &Codes, rares: &Partners, witnesses: &Partners) -> Self;

    /// Appends to a list which rare codes that are less than the code of a segment from `from` on, no more than [`CHUNK`]
    /// of which there are, were not seen: the segments in ascending order, and the codes of each. Those before are entered.
    fn missing(
        &mut self,
        from: usize,
        codes: &Codes,
        ones: &Ones<T>,
        below: &mut RaresBelow,
        list: &mut Vec<(usize, u16)>,
    );
}
