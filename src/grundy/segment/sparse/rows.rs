//! Rows of bits: from which segments a common code can be left.

use super::leads::Leads;
use super::split::COMMON;
use crate::narrow::narrow;

/// So many segments go together, a bit for each.
pub(super) const CHUNK: usize = 512;

/// A bit for each segment of a chunk.
pub(super) type Lanes = [u64; CHUNK / 64];

/// Rows are moved by less than this, and by a chunk at least.
pub(super) const REACH: usize = 4 * CHUNK;

/// The bytes of a row: what lies before a chunk, the rest of a window of 256 sums, and room to write a word.
const STRIDE: usize = (REACH + 256) / 8 + 8;

/// So many bits at most are entered together.
const RUN: usize = 56;

/// For each common code that has come of late a row of bits: from which segments can a move leave just a
/// segment of this code?
///
/// Moved by the length of another segment, the row tells from which segments of a chunk a move can leave
/// both. That is known before the chunk, for the other is no shorter.
pub(super) struct Rows {
    l: usize,
    span: usize,
    runs: Vec<(usize, u64)>,
    /// The first segment of the chunk.
    first: usize,
    /// So many segments have been entered into their rows.
    entered: usize,
    /// The first bit of each is for the segment [`REACH`] before the chunk.
    bits: Vec<[u8; STRIDE]>,
}

impl Rows {
    /// For up to 256 sums.
    pub(super) fn new(leads: &Leads) -> Self {
        Self { l: leads.l(), span: leads.span(), runs: runs(leads), first: 0, entered: 0, bits: Vec::new() }
    }

    /// Begins with the chunk behind these segments, the first of which is `base`, with rows for so many common codes.
    pub(super) fn begin(&mut self, base: usize, codes: &[u16], width: usize) {
        self.first = base + codes.len();
        self.bits.clear();
        self.bits.resize(width, [0; STRIDE]);
        self.entered = self.first.saturating_sub(REACH + self.l).max(base);
        self.enter(base, codes);
    }

    /// Goes on to the next chunk, behind these segments from `base` on.
    pub(super) fn advance(&mut self, base: usize, codes: &[u16]) {
        self.first += CHUNK;
        for row in &mut self.bits {
            row.copy_within(CHUNK / 8.., 0);
            row[STRIDE - CHUNK / 8..].fill(0);
        }
        self.enter(base, codes);
    }

    /// The steps to go on to the next chunk.
    pub(super) fn cost(&self) -> u64 {
        (self.bits.len() * STRIDE / 16 + CHUNK * (self.span + 63) / 8) as u64
    }

    /// The first segment of the chunk.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// Where the row of a common code, moved by the length of a segment, finds the chunk: in all chunks at
    /// the same bit.
    pub(super) fn moved(code: u16, by: u16) -> u32 {
        narrow::<u32>(usize::from(code) * STRIDE * 8 + REACH) - u32::from(by)
    }

    /// Takes away those segments that moved rows tell of, until none is left; how many rows were looked at.
    pub(super) fn take(&self, moved: &[u32], lanes: &mut Lanes) -> usize {
        let (bits, mut all) = (self.bits.as_flattened(), *lanes);
        let mut none_left = |&moved: &u32| {
            let shift = moved % 8;
            let row = &bits[moved as usize / 8..][..=CHUNK / 8];
            // Each word of the moved row lies in two that are a byte apart.
            let ((low, _), (high, _)) = (row.as_chunks::<8>(), row[1..].as_chunks::<8>());
            let mut left = 0;
            for (lanes, (low, high)) in all.iter_mut().zip(low.iter().zip(high)) {
                *lanes &=
                    !(u64::from_le_bytes(*low) >> shift | u64::from_le_bytes(*high) << 1 << (7 - shift));
                left |= *lanes;
            }
            left == 0
        };
        let looked_at = moved.iter().position(&mut none_left).map_or(moved.len(), |last| last + 1);
        *lanes = all;
        looked_at
    }

    /// Enters all segments to which a move from one before the chunk leads.
    fn enter(&mut self, base: usize, codes: &[u16]) {
        let end = self.first.saturating_sub(self.l);
        let from = self.entered.min(end);
        for (place, &code) in (from..end).zip(&codes[from.saturating_sub(base)..]) {
            let row = if code < COMMON { None } else { self.bits.get_mut(usize::from(code & !COMMON)) };
            let Some(row) = row else { continue };
            for &(least, bits) in &self.runs {
                let bit = place + least + REACH - self.first;
                if let Some(word) = row[bit / 8..].first_chunk_mut::<8>() {
                    *word = (u64::from_le_bytes(*word) | bits << (bit % 8)).to_le_bytes();
                }
            }
        }
        self.entered = self.entered.max(end);
    }
}

/// What a move takes where two parts are left, as a number and a bit for each from that one on: no more than fit into a word
/// from any bit of a byte on.
fn runs(leads: &Leads) -> Vec<(usize, u64)> {
    let pieces = |(least, above): (usize, usize)| {
        (least..above).step_by(RUN).map(move |from| (from, (1 << RUN.min(above - from)) - 1))
    };
    leads.runs().into_iter().flat_map(pieces).collect()
}
