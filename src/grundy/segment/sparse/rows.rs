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

/// For each common code that has come of late a row of bits: from which segments can a move leave just a
/// segment of this code?
///
/// Moved by the length of another segment, the row tells from which segments of a chunk a move can leave
/// both. That is known before the chunk, for the other is no shorter.
pub(super) struct Rows {
    l: usize,
    longest: usize,
    span: usize,
    /// What a move takes where two parts are left.
    runs: Vec<(usize, usize)>,
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
        let (l, span, runs) = (leads.l(), leads.span(), leads.runs());
        Self { l, longest: l + span - 1, span, runs, first: 0, entered: 0, bits: Vec::new() }
    }

    /// Begins with the chunk behind these segments, with rows for so many common codes.
    pub(super) fn begin(&mut self, codes: &[u16], width: usize) {
        self.first = codes.len();
        self.bits.clear();
        self.bits.resize(width, [0; STRIDE]);
        self.entered = codes.len().saturating_sub(REACH + self.longest);
        self.enter(codes);
    }

    /// Goes on to the next chunk, behind these segments.
    pub(super) fn advance(&mut self, codes: &[u16]) {
        self.first += CHUNK;
        for row in &mut self.bits {
            row.copy_within(CHUNK / 8.., 0);
            row[STRIDE - CHUNK / 8..].fill(0);
        }
        self.enter(codes);
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

    /// Takes away those segments that a moved row tells of; whether any are left.
    pub(super) fn take(&self, moved: u32, lanes: &mut Lanes) -> bool {
        let shift = moved % 8;
        let row = &self.bits.as_flattened()[moved as usize / 8..][..=CHUNK / 8];
        // Each word of the moved row lies in two that are a byte apart.
        let ((low, _), (high, _)) = (row.as_chunks::<8>(), row[1..].as_chunks::<8>());
        let mut left = 0;
        for (lanes, (low, high)) in lanes.iter_mut().zip(low.iter().zip(high)) {
            *lanes &= !(u64::from_le_bytes(*low) >> shift | u64::from_le_bytes(*high) << 1 << (7 - shift));
            left |= *lanes;
        }
        left != 0
    }

    /// Enters all segments to which a move from one before the chunk leads.
    fn enter(&mut self, codes: &[u16]) {
        let end = self.first.saturating_sub(self.l);
        for (place, &code) in codes.iter().enumerate().take(end).skip(self.entered) {
            let row = if code < COMMON { None } else { self.bits.get_mut(usize::from(code & !COMMON)) };
            let Some(row) = row else { continue };
            let bit = |taken: usize| (place + taken + REACH).saturating_sub(self.first);
            for &(least, above) in &self.runs {
                let (mut from, end) = (bit(least), bit(above));
                while from < end {
                    let many = (end - from).min(56);
                    if let Some(word) = row[from / 8..].first_chunk_mut::<8>() {
                        let bits = ((1 << many) - 1) << (from % 8);
                        *word = (u64::from_le_bytes(*word) | bits).to_le_bytes();
                    }
                    from += many;
                }
            }
        }
        self.entered = self.entered.max(end);
    }
}
