//! The number of moves from each segment to each nimber.

use super::Window;
use crate::integers::narrow;

/// For each segment of n >= L cards and each nimber x, the number of moves that leave (u, v) with `g[u] xor g[v]` = x.
#[derive(Debug)]
pub(super) struct Counts {
    l: usize,
    /// The values of the segments, from 0 cards on.
    pub(super) values: Vec<u16>,
    /// `moves[n - l][x]` is the count of n and x, at most [`MANY`](Self::MANY). The number of counts of n is the least
    /// power of two above all values of segments up to n-L.
    moves: Vec<Vec<u16>>,
}

impl Counts {
    /// The count that is stored instead of any larger count, so that a count needs only two bytes. This saves time too,
    /// because clearing the memory takes longer than counting.
    pub(super) const MANY: u16 = u16::MAX;

    /// Maximum length of a segment, so that no sum has more than 2^16 - 1 ordered splits.
    const MAX_LENGTH: u64 = u16::MAX as u64;

    /// Returns the bytes of the counts of all segments up to `n`, with the values `value`; `None` if `n` is too large.
    pub(super) fn bytes(window: Window, n: u64, value: impl Fn(u64) -> u16) -> Option<u128> {
        let rows = (n <= Self::MAX_LENGTH).then(|| (n + 1).saturating_sub(window.l))?;
        let cells: u128 = widths((0..rows).map(value)).map(|width| width as u128).sum();
        let segment = size_of::<Vec<u16>>() + size_of::<u16>();
        Some(cells * size_of::<u16>() as u128 + u128::from(n + 1) * segment as u128)
    }

    /// Counts the moves of all segments up to `n`. Time: n^2/4 steps, and two more for each count.
    pub(super) fn new(window: Window, n: u64, value: impl Fn(u64) -> u16) -> Self {
        let values: Vec<u16> = (0..=n).map(value).collect();
        let [l, sums] =
            [window.l, window.r - window.l + 1].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let widths = widths(values[..values.len().saturating_sub(l)].iter().copied());
        let mut moves: Vec<Vec<u16>> =
            widths.enumerate().map(|(sum, width)| splits(&values[..=sum], width)).collect();
        add_up(&mut moves, sums);
        Self { l, values, moves }
    }

    /// Returns for each nimber, from 0 on, the number of moves to it from a segment of `n` cards.
    pub(super) fn row(&self, n: usize) -> &[u16] {
        let row = n.checked_sub(self.l).and_then(|row| self.moves.get(row));
        row.map_or(&[], Vec::as_slice)
    }

    /// Returns the number of moves from a segment of `n` cards to the nimber `xor`, at most [`MANY`](Self::MANY).
    pub(super) fn moves(&self, n: usize, xor: usize) -> u16 {
        self.row(n).get(xor).copied().unwrap_or(0)
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
    pairs.into_iter().map(narrow).collect()
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

/// Returns for each value the least power of two greater than this value and all earlier ones.
fn widths(values: impl Iterator<Item = u16>) -> impl Iterator<Item = usize> {
    values.scan(0, |most, value| {
        *most = value.max(*most);
        Some((usize::from(*most) + 1).next_power_of_two())
    })
}
