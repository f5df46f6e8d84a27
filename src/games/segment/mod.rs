//! The segment game: a move takes L to R consecutive cards that are all still there.
//!
//! A heap is a free segment; a move in it leaves the segments on both sides, so the nimber of a segment is
//! `g[n] = mex { g[u] xor g[v] : n-R <= u+v <= n-L }` (AtCoder Beginner Contest 278 G, "Generalized
//! Subtraction Game"). In octal notation the window (1, 2) is Kayles, .77, and (2, 2) is Dawson's Kayles,
//! .07.

use std::sync::Arc;

use super::{
    Budget, Detail, Followers, Game, Heap, Illegal, MAX_SIZE, Opened, Setup, SetupError, Stand, Take, Theory,
    TooLarge,
};
use crate::crates::few;

mod counts;
mod pair_index;
mod period;
mod scale;
mod sequence;
mod sparse;
mod stand;
mod sweep;
mod theory;
mod values;

pub use pair_index::{Pair, PairIndex};
pub use period::{Period, known_period};
pub use scale::Scale;
pub use sequence::Sequence;
pub use sparse::SparseSpace;
pub use sweep::Sweep;

use theory::SegmentTheory;

const FORM: &str = "\"N L R\" or \"segment N L R\" with 1 <= L <= R <= N <= 1000000000000000000";

/// How many cards a move takes: L to R.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    l: u64,
    r: u64,
}

impl Window {
    /// The window [l, r], `None` unless 1 <= l <= r <= 10^18.
    pub fn new(l: u64, r: u64) -> Option<Self> {
        (1 <= l && l <= r && r <= MAX_SIZE).then_some(Self { l, r })
    }

    /// The least number of cards a move takes.
    pub fn l(self) -> u64 {
        self.l
    }

    /// The largest number of cards a move takes.
    pub fn r(self) -> u64 {
        self.r
    }

    fn contains(self, count: u64) -> bool {
        (self.l..=self.r).contains(&count)
    }
}

/// Sets up one row.
pub(super) fn open(setup: &Setup) -> Result<Opened, SetupError> {
    let (&[n, l, r], None) = (setup.sizes.as_slice(), &setup.list) else { return Err(setup.unfit(FORM)) };
    let window = Window::new(l, r).filter(|_| r <= n && n <= MAX_SIZE).ok_or_else(|| setup.unfit(FORM))?;
    Ok(Opened { game: Arc::new(Segment { window }), heaps: vec![(0, Heap::of(n))], places: n })
}

/// The rules of a free segment under a window.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    window: Window,
}

impl Game for Segment {
    fn rules(&self) -> String {
        let Window { l, r } = self.window;
        format!("segment {l} {r}")
    }

    fn span(&self, heap: Heap) -> u64 {
        heap.size
    }

    fn follow(&self, heap: Heap, take: Take) -> Result<Followers, Illegal> {
        let Window { l, r } = self.window;
        if !self.window.contains(take.count) {
            return Err(Illegal::OutsideWindow { l, r });
        }
        let free = heap.size.saturating_sub(take.offset);
        let right = free.checked_sub(take.count).ok_or(Illegal::RunTooShort { free })?;
        let mut followers: Followers =
            few![(0, Heap::of(take.offset)), (take.offset + take.count, Heap::of(right))];
        followers.retain(|(_, heap)| heap.size > 0);
        Ok(followers)
    }

    fn move_count(&self, heap: Heap) -> u128 {
        moves_up_to(self.window.l, self.window.r.min(heap.size), heap.size)
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<Take> {
        let Window { l, r } = self.window;
        if n >= self.move_count(heap) {
            return None;
        }
        // The least count for which the moves up to it are more than n.
        let (mut low, mut high) = (l, r.min(heap.size));
        while low < high {
            let middle = low.midpoint(high);
            if moves_up_to(l, middle, heap.size) > n {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(Take { count: low, offset: (n - moves_up_to(l, low - 1, heap.size)) as u64 })
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = Take> + '_> {
        let counts = self.window.l..=self.window.r.min(heap.size);
        Box::new(
            counts.flat_map(move |count| (0..=heap.size - count).map(move |offset| Take { offset, count })),
        )
    }

    fn longest(&self, heap: Heap) -> u64 {
        heap.size / self.window.l
    }

    fn match_move(&self, heap: Heap, wanted: &[Heap]) -> Option<Take> {
        let Window { l, r } = self.window;
        let n = heap.size;
        match *wanted {
            [] => {
                // Leave equal segments, which takes a number of n's parity; or leave too little for a move.
                let even = l + n.abs_diff(l) % 2;
                let most = r.min(n);
                [even, most].into_iter().find_map(|count| {
                    let rest = n.checked_sub(count).filter(|_| self.window.contains(count))?;
                    let settled = rest % 2 == 0 || rest.div_ceil(2) < l;
                    settled.then_some(Take { offset: rest / 2, count })
                })
            }
            // Keep one segment of the wanted length, and beside it too little for a move.
            [Heap { size: a, .. }] => {
                let rest = n.checked_sub(a)?;
                let count = r.min(rest);
                (count >= l && rest - count < l).then_some(Take { offset: rest - count, count })
            }
            [Heap { size: a, .. }, Heap { size: b, .. }] => {
                let count = n.checked_sub(a)?.checked_sub(b)?;
                self.window.contains(count).then_some(Take { offset: a, count })
            }
            _ => None,
        }
    }

    /// A split is looked at in about a nanosecond; the steps of other games are as long.
    fn effort(&self, heap: Heap) -> u128 {
        self.move_count(heap)
    }

    fn theory(
        &self,
        largest: Heap,
        _detail: Detail,
        budget: &mut Budget,
    ) -> Result<Box<dyn Theory>, TooLarge> {
        Ok(Box::new(SegmentTheory::new(self.window, largest.size, budget)?))
    }
}

/// How many moves take `l` to `most` <= `n` cards from a segment of `n`: the sum of n - y + 1 over y.
fn moves_up_to(l: u64, most: u64, n: u64) -> u128 {
    if most < l {
        return 0;
    }
    let [l, most, n] = [l, most, n].map(u128::from);
    (most - l + 1) * (2 * (n + 1) - l - most) / 2
}
