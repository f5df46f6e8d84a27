//! How many moves of a segment lead to each nimber.

use super::Window;

/// For each segment n >= L and XOR value x, how many moves leave (u, v) with `g[u] xor g[v]` = x.
#[derive(Debug)]
pub(super) struct Counts {
    l: usize,
    /// A power of two above all values.
    width: usize,
    /// Row n at (n-L) * width.
    moves: Vec<u32>,
}

impl Counts {
    /// The longest segment: it has fewer than 2^32 moves.
    const MAX_LENGTH: u64 = u16::MAX as u64;

    /// The memory that the counts of all segments up to `n` take, whose Grundy values `value` tells; `None` if there
    /// are too many moves to count so.
    pub(super) fn bytes(window: Window, n: u64, value: impl Fn(u64) -> u32) -> Option<u128> {
        let most = (n <= Self::MAX_LENGTH).then(|| (0..=n).map(value).max())??;
        let rows = (n + 1).saturating_sub(window.l);
        Some(u128::from(rows) * u128::from(most + 1).next_power_of_two() * size_of::<u32>() as u128)
    }

    /// Counts the moves of all segments up to `n`. Time: n^2/4 steps, and one for each entry.
    pub(super) fn new(window: Window, n: u64, value: impl Fn(u64) -> u32) -> Self {
        let values: Vec<u32> = (0..=n).map(value).collect();
        let width = (values.iter().max().map_or(0, |&most| most as usize) + 1).next_power_of_two();
        let rows = (n + 1).saturating_sub(window.l) as usize;
        // Row s first counts the ordered pairs with a sum of at most s. It may wrap around: only differences
        // are kept, and those are below 2^32.
        let mut moves = vec![0_u32; rows * width];
        for sum in 0..rows {
            let (before, row) = moves.split_at_mut(sum * width);
            let row = &mut row[..width];
            if let Some(previous) = before.rchunks_exact(width).next() {
                row.copy_from_slice(previous);
            }
            // Each pair once for either order, the equal halves of an even sum once.
            for (a, b) in values[..sum.div_ceil(2)].iter().zip(values[..=sum].iter().rev()) {
                let entry = &mut row[(a ^ b) as usize];
                *entry = entry.wrapping_add(2);
            }
            if sum % 2 == 0 {
                row[0] = row[0].wrapping_add(1);
            }
        }
        // A move from n leaves a sum in [n-R, n-L], and row n-L is n's: subtract the row before that window.
        let sums = usize::try_from(window.r - window.l + 1).unwrap_or(usize::MAX);
        for sum in (sums..rows).rev() {
            let (before, row) = moves.split_at_mut(sum * width);
            for (entry, earlier) in row[..width].iter_mut().zip(&before[(sum - sums) * width..]) {
                *entry = entry.wrapping_sub(*earlier);
            }
        }
        Self { l: usize::try_from(window.l).unwrap_or(usize::MAX), width, moves }
    }

    /// How many moves from a segment of `n` cards leave the XOR value `xor`.
    pub(super) fn moves(&self, n: usize, xor: usize) -> u32 {
        match n.checked_sub(self.l) {
            Some(row) if xor < self.width => self.moves[row * self.width + xor],
            _ => 0,
        }
    }

    /// A power of two above all nimbers.
    pub(super) fn width(&self) -> usize {
        self.width
    }
}
