//! The Grundy table of a row, computed by the engine that fits its length.

use std::iter;
use std::sync::OnceLock;

use super::counts::Counts;
use super::delaying::MoveComparison;
use super::{Cost, DelayMove, GrundyTable, Heap, HeapMove, Nimber, Scale, Sequence, Window};
use crate::core::MAX_CARDS;
use crate::core::nimbers::Nimbers;
use crate::integers::narrow;
use log::debug;

/// The Grundy values of the segments of `window`. The engine has the values of the smaller window that `window` scales
/// down to.
pub(super) struct SegmentTable {
    window: Window,
    scale: Scale,
    engine: Engine,
    /// The numbers of moves; `None` if they would need too much memory.
    counts: Option<LazyCounts>,
}

/// The numbers of moves of all segments up to `largest`, computed on first use.
struct LazyCounts {
    largest: u64,
    counts: OnceLock<Counts>,
}

enum Engine {
    Short(Nimbers),
    Sequence(Sequence),
}

impl Engine {
    fn new(window: Window, n: u64) -> Self {
        if let Some(cards) = short_row(window, n) {
            debug!("engine: pair lists of rows up to {n} under the window [{}, {}]", window.l, window.r);
            let [l, r] = [window.l, window.r].map(|take| narrow(take.min(n + 1)));
            return Self::Short(Nimbers::new(cards, l, r));
        }
        debug!(
            "engine: a sparse space or all pairs, for rows up to {n} under the window [{}, {}]",
            window.l, window.r
        );
        Self::Sequence(Sequence::up_to(window, Sequence::computed(window, n)).repeating())
    }

    fn nimber(&self, n: u64) -> Nimber {
        match self {
            Self::Short(nimbers) => Nimber(nimbers.nimber(narrow(n)).into()),
            Self::Sequence(sequence) => sequence.nimber(n),
        }
    }

    /// Returns the number of ordered pairs (u, v) with u + v = `sum` and `g[u] xor g[v]` = `target`.
    fn splits(&self, sum: u64, target: Nimber) -> u128 {
        match self {
            Self::Short(_) => {
                (0..=sum).filter(|&u| self.nimber(u) ^ self.nimber(sum - u) == target).count() as u128
            }
            Self::Sequence(sequence) => sequence.splits(sum, target),
        }
    }
}

/// Returns `n` if the nimbers of rows up to `n` cards are computed by the pair lists of the contest. Lists that may
/// need much memory are slower than the loop over all pairs.
fn short_row(window: Window, n: u64) -> Option<usize> {
    const MAX_BYTES: u128 = 4 << 20;
    let cards = usize::try_from(n).ok().filter(|&n| n <= MAX_CARDS)?;
    (short_cost(window, n).bytes <= MAX_BYTES).then_some(cards)
}

/// Returns the cost of the pair lists of rows up to `n` cards.
fn short_cost(window: Window, n: u64) -> Cost {
    // Steps to enter a pair in the list of its XOR, and its share of the searches. Wide windows have longer lists.
    let steps_per_pair = if window.l == window.r { 10 } else { 40 };
    let (sums, xors) = ((n + 1).saturating_sub(window.l), (n / window.l + 1).next_power_of_two());
    let pairs = u128::from(sums).pow(2).div_ceil(4);
    // A list has each sum once, and room for at most as many sums again.
    let entries = pairs.min(u128::from(xors) * u128::from(sums));
    Cost { steps: steps_per_pair * pairs, bytes: entries * 2 * size_of::<usize>() as u128 }
}

/// Maximum number of bytes of the counts of moves, which only delaying moves need.
const MAX_COUNT_BYTES: u128 = 128 << 20;

impl SegmentTable {
    pub(super) fn new(window: Window, largest: u64) -> Self {
        let scale = Scale::of(window);
        let table =
            Self { window, scale, engine: Engine::new(scale.window, scale.down(largest)), counts: None };
        // Moves are counted without scaling, because many moves scale down to the same move.
        let bytes = Counts::bytes(window, largest, |n| narrow(table.value(n).0));
        let has_room = bytes.is_some_and(|bytes| bytes <= MAX_COUNT_BYTES);
        Self { counts: has_room.then(|| LazyCounts { largest, counts: OnceLock::new() }), ..table }
    }

    /// Returns a table of values that were computed before. It cannot compare delaying moves.
    pub(super) fn of_sequence(window: Window, sequence: Sequence) -> Self {
        let scale = Scale { factor: 1, window };
        Self { window, scale, engine: Engine::Sequence(sequence), counts: None }
    }

    pub(super) fn cost(window: Window, largest: u64) -> Cost {
        let scale = Scale::of(window);
        let n = scale.down(largest);
        match short_row(scale.window, n) {
            Some(_) => short_cost(scale.window, n),
            None => Sequence::cost(scale.window, n),
        }
    }

    fn counts(&self) -> Option<&Counts> {
        let LazyCounts { largest, counts } = self.counts.as_ref()?;
        Some(counts.get_or_init(|| Counts::new(self.window, *largest, |n| narrow(self.value(n).0))))
    }

    fn value(&self, n: u64) -> Nimber {
        self.reduced(self.scale.down(n))
    }

    /// Returns the value of `n` cards under the smaller window that `window` scales down to.
    fn reduced(&self, n: u64) -> Nimber {
        self.engine.nimber(n)
    }

    /// Searches the splits (a, b), a <= b, of the scaled row for those whose nimbers XOR to `target`. Returns (a, b)
    /// and (b, a) for each of them, and `None` for every other split.
    ///
    /// If the values have a period, the search of a sum ends after a whole period without a result, because the
    /// remaining splits have the same nimbers again.
    fn reduced_splits(&self, n: u64, target: Nimber) -> impl Iterator<Item = Option<(u64, u64)>> + '_ {
        let Window { l, r } = self.scale.window;
        let (start, length) = match &self.engine {
            Engine::Sequence(sequence) => sequence.period().map_or((u64::MAX, 0), |p| (p.start, p.length)),
            Engine::Short(_) => (u64::MAX, 0),
        };
        (l..=r.min(n)).flat_map(move |take| {
            let sum = n - take;
            let mut misses = 0;
            (0..=sum / 2)
                .map(move |a| {
                    let found = self.reduced(a) ^ self.reduced(sum - a) == target;
                    misses = if found || a < start { 0 } else { misses + 1 };
                    (found, a, misses)
                })
                .take_while(move |&(_, a, misses)| a < start || misses <= length)
                .flat_map(move |(found, a, _)| {
                    let b = sum - a;
                    let other = (found && a != b).then_some(Some((b, a)));
                    iter::once(found.then_some((a, b))).chain(other)
                })
        })
    }
}

impl GrundyTable for SegmentTable {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.value(heap.size)
    }

    fn fill(&self, from: u64, nimbers: &mut [Nimber]) {
        match &self.engine {
            Engine::Sequence(sequence) if self.scale.factor == 1 => sequence.fill(from, nimbers),
            _ => (from..).zip(nimbers).for_each(|(n, nimber)| *nimber = self.value(n)),
        }
    }

    fn search(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Option<HeapMove>> + '_> {
        let splits = self.reduced_splits(self.scale.down(heap.size), target);
        Box::new(splits.flat_map(move |split| {
            let moves = split.map(|(a, b)| self.scale.lifts(self.window, heap.size, a, b).map(Some));
            let none = split.is_none().then_some(None);
            moves.into_iter().flatten().chain(none)
        }))
    }

    fn count_cost(&self, heap: Heap) -> u128 {
        let [n, reduced] = [heap.size, self.scale.down(heap.size)].map(u128::from);
        let Window { l, r } = self.scale.window;
        let sums = u128::from(r) - u128::from(l) + 1;
        let table = match &self.counts {
            Some(lazy) if lazy.counts.get().is_some() => 0,
            Some(lazy) => u128::from(lazy.largest).pow(2) / 4,
            None => 0,
        };
        let splits = match &self.engine {
            // `count_to` reads the counts, unless the count is too large for them.
            _ if self.counts.is_some() => n,
            Engine::Short(_) => sums.min(reduced) * reduced,
            Engine::Sequence(sequence) => {
                sums.min(reduced) * sequence.count_steps(self.scale.down(heap.size))
            }
        };
        table + splits
    }

    fn move_to(&self, heap: Heap, target: Nimber) -> Option<HeapMove> {
        let n = self.scale.down(heap.size);
        let (a, b) = match &self.engine {
            Engine::Short(nimbers) => {
                let split = nimbers.split(narrow(n), u32::try_from(target.0).ok()?);
                split.map(|(a, b)| (a as u64, b as u64))
            }
            Engine::Sequence(sequence) => sequence.split(self.scale.window, n, target),
        }?;
        Some(self.scale.lift(heap.size, a, b))
    }

    /// Reads the number from the table of counts. If there is no such table, or if the number is too large for it,
    /// counts the splits of the scaled row, each times the number of moves that scale down to it.
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        if let Some(moves) = self.replies_to(heap, target).filter(|&moves| moves < Counts::MANY.into()) {
            return Some(moves);
        }
        let Window { l, r } = self.scale.window;
        let n = self.scale.down(heap.size);
        let takes = l..=r.min(n);
        let can_count = match &self.engine {
            Engine::Short(_) => true,
            Engine::Sequence(sequence) => sequence.can_count(takes.clone().count() as u64, n),
        };
        can_count.then(|| {
            let weight = |take| self.scale.lift_count(self.window, heap.size, take);
            takes.map(|take| weight(take) * self.engine.splits(n - take, target)).sum()
        })
    }

    /// Reads the number from the table of counts; `None` if there is no such table.
    fn replies_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        let counts = self.counts()?;
        let (n, target) = usize::try_from(heap.size).ok().zip(usize::try_from(target.0).ok())?;
        Some(counts.moves(n, target).into())
    }

    fn best_delaying_move(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<DelayMove> {
        let n = usize::try_from(heap.size).ok()?;
        MoveComparison::new(self.counts()?, self.window, n, elsewhere).best()
    }
}
