//! The number of moves from each segment to each nimber.

use std::sync::OnceLock;

use super::Window;

/// For each segment of n cards and each nimber x, the number of moves that leave (u, v) with `g[u] xor g[v]` = x.
#[derive(Debug)]
pub(super) struct Counts {
    l: usize,
    r: usize,
    /// The values of the segments, from 0 cards on.
    pub(super) values: Vec<u16>,
    /// `splits[sum][x]` is the number of ordered splits (u, v) with u + v at most `sum` whose nimbers have the XOR x.
    /// The number of these counts is the least power of two above all values of segments up to `sum`. Computed on first
    /// use.
    splits: OnceLock<Vec<Vec<u32>>>,
}

impl Counts {
    /// Maximum length of a segment, so that the number of all splits fits into 32 bits.
    const MAX_LENGTH: u64 = u16::MAX as u64;

    /// Maximum number of bytes, because only delaying moves need the counts.
    const MAX_BYTES: usize = 256 << 20;

    /// Returns the counts of all segments up to `n`, with the values `value`; `None` if they need too much memory.
    pub(super) fn new(window: Window, n: u64, value: impl Fn(u64) -> u16) -> Option<Self> {
        if n > Self::MAX_LENGTH {
            return None;
        }
        let values: Vec<u16> = (0..=n).map(value).collect();
        let [l, r] = [window.l, window.r].map(|take| usize::try_from(take).unwrap_or(usize::MAX));
        let counts = Self { l, r, values, splits: OnceLock::new() };
        let cells: usize = counts.widths().sum();
        let segments = counts.values.len() * (size_of::<Vec<u32>>() + size_of::<u16>());
        (cells * size_of::<u32>() + segments <= Self::MAX_BYTES).then_some(counts)
    }

    pub(super) fn are_computed(&self) -> bool {
        self.splits.get().is_some()
    }

    /// Returns the number of moves from a segment of `n` cards to the nimber `xor`. Counts the splits of all sums first,
    /// in n^2/4 steps and one more for each count.
    pub(super) fn moves(&self, n: usize, xor: usize) -> u32 {
        let up_to =
            |sum: Option<usize>| sum.and_then(|sum| self.splits().get(sum)?.get(xor)).map_or(0, |&all| all);
        up_to(n.checked_sub(self.l)) - up_to(n.checked_sub(self.r).and_then(|least| least.checked_sub(1)))
    }

    /// Returns a bound of the nimbers that moves from a segment of `n` cards leave.
    pub(super) fn width(&self, n: usize) -> usize {
        n.checked_sub(self.l).and_then(|sum| self.splits().get(sum)).map_or(0, Vec::len)
    }

    fn splits(&self) -> &[Vec<u32>] {
        self.splits.get_or_init(|| {
            let mut splits: Vec<Vec<u32>> = Vec::new();
            for (sum, width) in self.widths().enumerate() {
                let mut counts = splits.last().cloned().unwrap_or_default();
                counts.resize(width, 0);
                let parts = &self.values[..=sum];
                for (a, b) in parts[..=sum / 2].iter().zip(parts.iter().rev()) {
                    counts[usize::from(a ^ b)] += 2;
                }
                // Two equal parts are one split.
                counts[0] -= u32::from(sum % 2 == 0);
                splits.push(counts);
            }
            splits
        })
    }

    /// Returns for each sum that a move leaves the least power of two above the values of all its parts.
    fn widths(&self) -> impl Iterator<Item = usize> {
        let parts = &self.values[..self.values.len().saturating_sub(self.l)];
        parts.iter().scan(0, |most, &value| {
            *most = value.max(*most);
            Some((usize::from(*most) + 1).next_power_of_two())
        })
    }
}
