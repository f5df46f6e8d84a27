//! The Grundy table of a row, computed by the engine that fits its length.

use std::iter;
use std::sync::OnceLock;

use super::counts::Counts;
use super::delaying::MoveComparison;
use super::{Cost, DelayMove, GrundyTable, Heap, HeapMove, Nimber, Period, Scale, Sequence, Window};
use crate::core::MAX_CARDS;
use crate::core::nimbers::Nimbers;
use crate::integers::narrow;
use log::debug;

/// The values of the segments of `window`. The engine has those of the window that `window` scales down to.
pub(super) struct SegmentTable {
    window: Window,
    scale: Scale,
    engine: Engine,
    largest: u64,
    /// The numbers of moves of all segments up to `largest`, computed on first use; `None` if they would need too much
    /// memory.
    counts: Option<OnceLock<Counts>>,
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

    fn period(&self) -> Option<Period> {
        match self {
            Self::Short(_) => None,
            Self::Sequence(sequence) => sequence.period(),
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
        let engine = Engine::new(scale.window, scale.down(largest));
        // Moves are counted without scaling, because many moves scale down to the same move.
        let bytes = Counts::bytes(window, largest, |n| narrow(engine.nimber(scale.down(n)).0));
        let counts = bytes.filter(|&bytes| bytes <= MAX_COUNT_BYTES).map(|_| OnceLock::new());
        Self { window, scale, engine, largest, counts }
    }

    /// Returns a table of values that were computed before. It cannot compare delaying moves.
    pub(super) fn of_sequence(window: Window, sequence: Sequence) -> Self {
        let scale = Scale { factor: 1, window };
        Self { window, scale, engine: Engine::Sequence(sequence), largest: 0, counts: None }
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
        let new = || Counts::new(self.window, self.largest, |n| narrow(self.value(n).0));
        Some(self.counts.as_ref()?.get_or_init(new))
    }

    fn value(&self, n: u64) -> Nimber {
        self.engine.nimber(self.scale.down(n))
    }

    /// Returns the approximate maximum number of splits that [`splits`](Self::splits) tests for a sum of at most `n`.
    fn steps_per_sum(&self, n: u64) -> u128 {
        self.engine.period().map_or(n, |period| n.min(2 * period.start + 2 * period.length)).into()
    }

    /// Returns the number of ordered pairs (u, v) of the scaled row with u + v = `sum` whose nimbers XOR to `target`.
    ///
    /// If the values have a period and neither u nor v is in the pre-period, each u of the first period stands for
    /// u, u + period, u + 2 period and so on, as long as v is not in the pre-period.
    fn splits(&self, sum: u64, target: Nimber) -> u128 {
        let is_split = |u: &u64| self.engine.nimber(*u) ^ self.engine.nimber(sum - u) == target;
        match self.engine.period() {
            Some(Period { start, length }) if sum >= 2 * start + length => {
                let ends = (0..start).filter(is_split).count() as u128 * 2;
                let last = sum - start;
                let middle = (start..start + length).filter(is_split);
                ends + middle.map(|u| u128::from((last - u) / length + 1)).sum::<u128>()
            }
            _ => (0..=sum).filter(is_split).count() as u128,
        }
    }

    /// Searches the splits (a, b), a <= b, of the scaled row for those whose nimbers XOR to `target`. Returns (a, b)
    /// and (b, a) for each of them, and `None` for every other split.
    ///
    /// If the values have a period, the search of a sum ends after a whole period without a result, because the
    /// remaining splits have the same nimbers again.
    fn reduced_splits(&self, n: u64, target: Nimber) -> impl Iterator<Item = Option<(u64, u64)>> + '_ {
        let Window { l, r } = self.scale.window;
        let (start, length) = self.engine.period().map_or((u64::MAX, 0), |p| (p.start, p.length));
        (l..=r.min(n)).flat_map(move |take| {
            let sum = n - take;
            let mut misses = 0;
            (0..=sum / 2)
                .map(move |a| {
                    let found = self.engine.nimber(a) ^ self.engine.nimber(sum - a) == target;
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
        let (n, Window { l, r }) = (self.scale.down(heap.size), self.scale.window);
        let table = match &self.counts {
            Some(counts) if counts.get().is_none() => u128::from(self.largest).pow(2) / 4,
            _ => 0,
        };
        let splits = match self.counts {
            // `count_to` reads the counts, unless the count is too large for them.
            Some(_) => heap.size.into(),
            None => u128::from(n.min(r - l + 1)) * self.steps_per_sum(n),
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
        self.scale.lifts(self.window, heap.size, a, b).next()
    }

    /// Reads the number from the table of counts. If there is no such table, or if the number is too large for it,
    /// counts the splits of the scaled row, each times the number of moves that scale down to it.
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        /// Maximum number of tested splits: a fraction of a second.
        const MAX_STEPS: u128 = 20_000_000;
        if let Some(moves) = self.replies_to(heap, target).filter(|&moves| moves < Counts::MANY.into()) {
            return Some(moves);
        }
        let Window { l, r } = self.scale.window;
        let n = self.scale.down(heap.size);
        let takes = l..=r.min(n);
        let is_fast = takes.clone().count() as u128 * self.steps_per_sum(n) <= MAX_STEPS;
        is_fast.then(|| {
            let weight = |take| self.scale.lift_count(self.window, heap.size, take);
            takes.map(|take| weight(take) * self.splits(n - take, target)).sum()
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
