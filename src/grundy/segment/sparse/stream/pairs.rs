//! The search through the pairs of a sum.

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
    // Whole chunks without a way out, for the compiler to make vectors of them.
    let is_in = |(up, down): (&[u16], &[u16])| {
        let mut any = false;
        for (a, b) in up.iter().zip(down.iter().rev()) {
            any |= a ^ b == code;
        }
        any
    };
    up.chunks(CHUNK).zip(down.rchunks(CHUNK)).any(is_in)
}
