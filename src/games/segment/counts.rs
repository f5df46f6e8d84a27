//! How many moves of a segment lead to each nimber.

use super::Window;

/// For each length s and XOR value x, how many (u, v) in order have u+v <= s and `g[u] xor g[v]` = x.
///
/// A move that takes y from n leaves an ordered pair of sum n-y, so the number of moves from n to x is the
/// difference of two entries: that at n-L less that at n-R-1.
#[derive(Debug)]
pub(super) struct Counts {
    window: Window,
    /// A power of two above all values.
    width: usize,
    /// Row s at s * width. Sums wrap; the differences asked for are below 2^32.
    upto: Vec<u32>,
}

impl Counts {
    /// The longest segment: it has fewer than 2^32 moves.
    const MAX_LENGTH: usize = u16::MAX as usize;
    const MAX_BYTES: usize = 256 << 20;

    /// Counts the moves of all segments up to `n`, whose Grundy values `value` tells; `None` if that takes more
    /// memory than it is worth. Time: n^2/4 steps, and one for each entry.
    pub(super) fn new(window: Window, n: u64, value: impl Fn(u64) -> u32) -> Option<Self> {
        let n = usize::try_from(n).ok().filter(|&n| n <= Self::MAX_LENGTH)?;
        let values: Vec<u32> = (0..=n as u64).map(value).collect();
        let width = (*values.iter().max()? as usize + 1).next_power_of_two();
        let rows = (n + 1).saturating_sub(usize::try_from(window.l).unwrap_or(usize::MAX));
        if rows * width * size_of::<u32>() > Self::MAX_BYTES {
            return None;
        }
        let mut upto = vec![0_u32; rows * width];
        for sum in 0..rows {
            let (before, row) = upto.split_at_mut(sum * width);
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
        Some(Self { window, width, upto })
    }

    /// How many moves from a segment of `n` cards leave the XOR value `xor`.
    pub(super) fn moves(&self, n: u64, xor: u64) -> u64 {
        let column = usize::try_from(xor).ok().filter(|&xor| xor < self.width);
        let entry = |below: u64| match (n.checked_sub(below), column) {
            (Some(sum), Some(column)) => self.upto[sum as usize * self.width + column],
            _ => 0,
        };
        entry(self.window.l).wrapping_sub(entry(self.window.r + 1)).into()
    }
}
