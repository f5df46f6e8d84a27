//! The Grundy values of segments, and the number of moves to each nimber.

use std::iter;

use super::Window;
use crate::integers::narrow;

/// The Grundy values of the segments from 0 cards on, in ascending and in descending order, so that the splits of a
/// sum are two slices.
#[derive(Debug)]
pub(super) struct Values {
    up: Vec<u16>,
    down: Vec<u16>,
}

impl Values {
    pub(super) fn zeros(len: usize) -> Self {
        Self { up: vec![0; len], down: vec![0; len] }
    }

    pub(super) fn set(&mut self, n: usize, value: u16) {
        let last = self.down.len() - 1;
        self.up[n] = value;
        self.down[last - n] = value;
    }

    pub(super) fn all(&self) -> &[u16] {
        &self.up
    }

    /// Returns the values of u and of v for the splits of `sum` with u <= v, in ascending order of u.
    pub(super) fn parts(&self, sum: usize) -> (&[u16], &[u16]) {
        (&self.up[..=sum / 2], &self.down[self.down.len() - 1 - sum..][..=sum / 2])
    }

    /// Returns, in ascending order, the shorter segments u of the splits of `sum` for whose values `holds` returns
    /// true.
    ///
    /// All splits of a chunk are tested, without an early return, so that the compiler vectorizes the test.
    pub(super) fn pairs(
        &self,
        sum: usize,
        holds: impl Fn(u16, u16) -> bool + Copy,
    ) -> impl Iterator<Item = usize> {
        const STEP: usize = 32;
        let (up, down) = self.parts(sum);
        let chunks = (0..).step_by(STEP).zip(up.chunks(STEP).zip(down.chunks(STEP)));
        let holds = move |(&a, &b): (&u16, &u16)| holds(a, b);
        let chunks = chunks.filter_map(move |(from, (up, down))| {
            let any = up.iter().zip(down).map(|pair| u16::from(holds(pair))).sum::<u16>() > 0;
            any.then(|| {
                (from..).zip(up.iter().zip(down)).filter(move |&(_, pair)| holds(pair)).map(|(u, _)| u)
            })
        });
        chunks.flatten()
    }
}

/// For each segment of n >= L cards and each nimber x, the number of moves that leave (u, v) with `g[u] xor g[v]` = x.
#[derive(Debug)]
pub(super) struct Counts {
    l: usize,
    /// `starts[n - l]` is the index in `moves` at which the counts of n begin. The number of counts of n is the least
    /// power of two above all values of segments up to n-L.
    starts: Vec<usize>,
    moves: Vec<u16>,
    pub(super) values: Values,
}

impl Counts {
    /// The count that is stored instead of any larger count, so that a count needs only two bytes. This saves time too,
    /// because clearing the memory takes longer than counting.
    pub(super) const MANY: u16 = u16::MAX;

    /// Maximum length of a segment, so that no sum has more than 2^16 - 1 ordered splits.
    const MAX_LENGTH: u64 = u16::MAX as u64;

    /// Returns the bytes of the counts of all segments up to `n`, with the values `value`; `None` if `n` is too large.
    pub(super) fn bytes(window: Window, n: u64, value: impl Fn(u64) -> u32) -> Option<u128> {
        let rows = (n <= Self::MAX_LENGTH).then(|| (n + 1).saturating_sub(window.l))?;
        let cells: u128 = widths((0..rows).map(value)).map(|width| width as u128).sum();
        let segment = size_of::<usize>() + 2 * size_of::<u16>();
        Some(cells * size_of::<u16>() as u128 + u128::from(n + 1) * segment as u128)
    }

    /// Counts the moves of all segments up to `n`. Time: n^2/4 steps, and two more for each count.
    pub(super) fn new(window: Window, n: u64, value: impl Fn(u64) -> u32) -> Self {
        let mut values = Values::zeros(narrow::<usize>(n) + 1);
        for n in 0..=n {
            values.set(narrow(n), narrow(value(n)));
        }
        let l = usize::try_from(window.l).unwrap_or(usize::MAX);
        let rows = values.all().len().saturating_sub(l);
        let mut end = 0;
        let widths = widths(values.all()[..rows].iter().map(|&value| value.into()));
        let ends = widths.map(|width| {
            end += width;
            end
        });
        let starts: Vec<usize> = iter::once(0).chain(ends).collect();
        let mut counts = Self { l, moves: vec![0; starts[rows]], starts, values };
        counts.enter_pairs();
        counts.add_up(usize::try_from(window.r - window.l + 1).unwrap_or(usize::MAX));
        counts
    }

    /// Counts the splits of each sum: (u, v) and (v, u) are two splits unless u = v.
    fn enter_pairs(&mut self) {
        // Counters of 32 bits are faster than counters of 16 bits, because the same counter is often incremented again
        // before it has been stored.
        let mut pairs = vec![0_u32; self.width()];
        for (sum, ends) in self.starts.windows(2).enumerate() {
            let (up, down) = self.values.parts(sum);
            for (a, b) in up.iter().zip(down) {
                pairs[usize::from(a ^ b)] += 2;
            }
            if sum.is_multiple_of(2) {
                pairs[0] -= 1;
            }
            for (entry, pairs) in self.moves[ends[0]..ends[1]].iter_mut().zip(&mut pairs) {
                *entry = narrow(std::mem::take(pairs));
            }
        }
    }

    /// Replaces the number of splits of each sum by the number of moves of the segment that has L cards more. These
    /// moves leave this sum or one of the `sums - 1` sums before it.
    fn add_up(&mut self, sums: usize) {
        let rows = self.starts.len() - 1;
        let mut window = vec![0_u32; self.width()];
        let add = |window: &mut [u32], row: &[u16]| {
            for (total, &pairs) in window.iter_mut().zip(row) {
                *total += u32::from(pairs);
            }
        };
        for sum in rows.saturating_sub(sums)..rows {
            add(&mut window, self.row_at(sum));
        }
        // In descending order, so that the sums that leave and enter the window have not been replaced yet.
        for sum in (0..rows).rev() {
            let row = &mut self.moves[self.starts[sum]..self.starts[sum + 1]];
            for (total, entry) in window.iter_mut().zip(row) {
                let pairs = std::mem::replace(entry, u16::try_from(*total).unwrap_or(Self::MANY));
                *total -= u32::from(pairs);
            }
            if let Some(earlier) = sum.checked_sub(sums) {
                add(&mut window, self.row_at(earlier));
            }
        }
    }

    /// Returns the number of counts of the longest segment.
    fn width(&self) -> usize {
        let rows = self.starts.len() - 1;
        rows.checked_sub(1).map_or(0, |last| self.row_at(last).len())
    }

    fn row_at(&self, row: usize) -> &[u16] {
        match self.starts.get(row..row + 2) {
            Some(&[start, end]) => &self.moves[start..end],
            _ => &[],
        }
    }

    /// Returns for each nimber, from 0 on, the number of moves to it from a segment of `n` cards.
    pub(super) fn row(&self, n: usize) -> &[u16] {
        n.checked_sub(self.l).map_or(&[], |row| self.row_at(row))
    }

    /// Returns the number of moves from a segment of `n` cards to the nimber `xor`, at most [`MANY`](Self::MANY).
    pub(super) fn moves(&self, n: usize, xor: usize) -> u16 {
        self.row(n).get(xor).copied().unwrap_or(0)
    }
}

/// Returns for each value the least power of two greater than this value and all earlier ones.
fn widths(values: impl Iterator<Item = u32>) -> impl Iterator<Item = usize> {
    values.scan(0, |most, value| {
        *most = value.max(*most);
        Some((*most as usize + 1).next_power_of_two())
    })
}
