//! The number of moves from each segment to each nimber.

use std::sync::OnceLock;

use super::Window;

/// For each segment of n >= L cards and each nimber x, the number of moves that leave (u, v) with `g[u] xor g[v]` = x.
#[derive(Debug)]
pub(super) struct Counts {
    l: usize,
    /// The number of sums that moves from a segment leave.
    sums: usize,
    /// The values of the segments, from 0 cards on.
    pub(super) values: Vec<u16>,
    /// `moves[n - l][x]` is the count of n and x, at most [`MANY`](Self::MANY). The number of counts of n is the least
    /// power of two above all values of segments up to n-L. Computed on first use.
    moves: OnceLock<Vec<Vec<u16>>>,
}

impl Counts {
    /// The count that is stored instead of any larger count, so that a count needs only two bytes. This saves time too,
    /// because clearing the memory takes longer than counting.
    pub(super) const MANY: u16 = u16::MAX;

    /// Maximum length of a segment, so that no sum has more than 2^16 - 1 ordered splits.
    const MAX_LENGTH: u64 = u16::MAX as u64;

    /// Maximum number of bytes, because only delaying moves need the counts.
    const MAX_BYTES: usize = 128 << 20;

    /// Returns the counts of all segments up to `n`, with the values `value`; `None` if they need too much memory.
    pub(super) fn new(window: Window, n: u64, value: impl Fn(u64) -> u16) -> Option<Self> {
        if n > Self::MAX_LENGTH {
            return None;
        }
        let values: Vec<u16> = (0..=n).map(value).collect();
        let [l, sums] =
            [window.l, window.r - window.l + 1].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let counts = Self { l, sums, values, moves: OnceLock::new() };
        let cells: usize = counts.widths().sum();
        let segments = counts.values.len() * (size_of::<Vec<u16>>() + size_of::<u16>());
        (cells * size_of::<u16>() + segments <= Self::MAX_BYTES).then_some(counts)
    }

    pub(super) fn are_computed(&self) -> bool {
        self.moves.get().is_some()
    }

    /// Returns for each nimber, from 0 on, the number of moves to it from a segment of `n` cards. Counts the moves of all
    /// segments first, in n^2/4 steps and two more for each count.
    pub(super) fn row(&self, n: usize) -> &[u16] {
        let moves = self.moves.get_or_init(|| {
            let splits = |(sum, width)| splits(&self.values[..=sum], width);
            let mut moves: Vec<Vec<u16>> = self.widths().enumerate().map(splits).collect();
            add_up(&mut moves, self.sums);
            moves
        });
        n.checked_sub(self.l).and_then(|row| moves.get(row)).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of moves from a segment of `n` cards to the nimber `xor`, at most [`MANY`](Self::MANY).
    pub(super) fn moves(&self, n: usize, xor: usize) -> u16 {
        self.row(n).get(xor).copied().unwrap_or(0)
    }

    /// Returns for each value of a part the least power of two greater than this value and all earlier ones.
    fn widths(&self) -> impl Iterator<Item = usize> {
        let parts = &self.values[..self.values.len().saturating_sub(self.l)];
        parts.iter().scan(0, |most, &value| {
            *most = value.max(*most);
            Some((usize::from(*most) + 1).next_power_of_two())
        })
    }
}

/// Counts the ordered splits of the longest segment of `values` by their XOR, which is less than `width`: (u, v) and
/// (v, u) are two splits unless u = v.
fn splits(values: &[u16], width: usize) -> Vec<u16> {
    // Counters of 32 bits are faster than counters of 16 bits, because the same counter is often incremented again
    // before it has been stored.
    let mut pairs = vec![0_u32; width];
    for (a, b) in values[..values.len().div_ceil(2)].iter().zip(values.iter().rev()) {
        pairs[usize::from(a ^ b)] += 2;
    }
    if !values.len().is_multiple_of(2) {
        pairs[0] -= 1;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no sum has more than 2^16 - 1 splits; a test takes time"
    )]
    pairs.into_iter().map(|pairs| pairs as u16).collect()
}

/// Replaces the number of splits of each sum by the number of moves of the segment that has L cards more. These moves
/// leave this sum or one of the `sums - 1` sums before it.
fn add_up(moves: &mut [Vec<u16>], sums: usize) {
    let mut window = vec![0_u32; moves.last().map_or(0, Vec::len)];
    let add = |window: &mut [u32], row: &[u16]| {
        for (total, &pairs) in window.iter_mut().zip(row) {
            *total += u32::from(pairs);
        }
    };
    for row in &moves[moves.len().saturating_sub(sums)..] {
        add(&mut window, row);
    }
    // In descending order, so that the sums that leave and enter the window have not been replaced yet.
    for sum in (0..moves.len()).rev() {
        for (total, entry) in window.iter_mut().zip(&mut moves[sum]) {
            let pairs = std::mem::replace(entry, u16::try_from(*total).unwrap_or(Counts::MANY));
            *total -= u32::from(pairs);
        }
        if let Some(earlier) = sum.checked_sub(sums) {
            add(&mut window, &moves[earlier]);
        }
    }
}
