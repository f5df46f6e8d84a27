//! The search through the pairs of a sum.

use std::ops::Range;

use super::codes::Codes;

/// So many pairs are looked at together.
const CHUNK: usize = 256;

/// Whether a pair of segments with some XOR has a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Yes,
    No,
    /// None was found among those pairs whose codes are kept.
    Unknown,
}

/// The first of some places for which a pair of a segment there and another has a sum, and the codes have this XOR; as far as
/// these are kept.
pub(super) fn place(codes: &Codes, sum: usize, code: u16, places: Range<usize>) -> Option<usize> {
    let (first, base, last) = (codes.first(), codes.base(), codes.last());
    let (from, end) = (places.start, places.end.min(first.len()).min((sum + 1).checked_sub(base)?));
    let up = first.get(from..end)?;
    Some(from + position(up, &last[sum + 1 - end - base..sum + 1 - from - base], code)?)
}

/// Looks for a pair whose codes have this XOR.
pub(super) fn find(codes: &Codes, sum: usize, code: u16) -> Found {
    let (first, base, last) = (codes.first(), codes.base(), codes.last());
    let half = sum / 2 + 1;
    let len = half.min(first.len()).min(sum - base + 1);
    let (up, down) = (&first[..len], &last[sum - base + 1 - len..=sum - base]);
    if has(up, down, code) {
        return Found::Yes;
    }
    // Both among the last ones.
    let from = base.max(len);
    if from < half
        && has(&last[from - base..half - base], &last[sum + 1 - half - base..=sum - from - base], code)
    {
        return Found::Yes;
    }
    if from <= len || len == half { Found::No } else { Found::Unknown }
}

/// Whether the XOR of a value and the one as far from the other end is a code.
pub(super) fn has(up: &[u16], down: &[u16], code: u16) -> bool {
    position(up, down, code).is_some()
}

/// The first value whose XOR with the one as far from the other end is a code.
fn position(up: &[u16], down: &[u16], code: u16) -> Option<usize> {
    // Whole chunks without a way out, for the compiler to make vectors of them.
    let is_in = |(up, down): (&[u16], &[u16])| {
        let mut any = false;
        for (a, b) in up.iter().zip(down.iter().rev()) {
            any |= a ^ b == code;
        }
        any
    };
    let from = up.chunks(CHUNK).zip(down.rchunks(CHUNK)).position(is_in)? * CHUNK;
    let within =
        up[from..].iter().zip(down[..down.len() - from].iter().rev()).position(|(a, b)| a ^ b == code)?;
    Some(from + within)
}
