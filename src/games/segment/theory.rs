//! Which engine answers for a row.

use std::sync::OnceLock;

use super::counts::Counts;
use super::stand::Fight;
use super::{Budget, Heap, PairIndex, Scale, Sequence, Stand, Take, Theory, TooLarge, Window, known_period};
use crate::Nimber;

/// The Grundy values of the segments of a window, scaled down, from the engine that fits their length.
pub(super) struct SegmentTheory {
    window: Window,
    scale: Scale,
    engine: Engine,
    largest: u64,
    /// Made when it is first asked for, and only if the budget had room for it.
    counts: Option<OnceLock<Counts>>,
}

/// So many steps at most find a value of a window whose period is known: there are few rare ones.
const PERIODIC_STEPS: u128 = 256;

enum Engine {
    Pairs(PairIndex),
    Sequence(Sequence),
}

impl Engine {
    fn new(window: Window, n: u64, budget: &mut Budget) -> Result<Self, TooLarge> {
        let what =
            || format!("a Grundy table of segments up to {n} under the window [{}, {}]", window.l, window.r);
        let splits = u128::from(n.saturating_sub(window.l)).pow(2) / 4;
        // An index mostly can grow to much less than it may: it must have room for all, and then pays for
        // that.
        let has_room = budget.clone().spend(what, splits, PairIndex::most_bytes(n)).is_ok();
        if let Some(index) = has_room.then(|| PairIndex::new(window, n)).flatten() {
            budget.spend(what, splits, index.bytes())?;
            return Ok(Self::Pairs(index));
        }
        if let Some(period) = known_period(window) {
            let values = n.min(period.start + period.length);
            let steps = u128::from(values) * PERIODIC_STEPS;
            budget.spend(what, steps, Sequence::bytes(window, values))?;
            return Ok(Self::Sequence(Sequence::periodic(window, n)));
        }
        budget.spend(what, splits, Sequence::bytes(window, n))?;
        Ok(Self::Sequence(Sequence::up_to(window, n)))
    }

    /// How many (u, v) in order have u+v = `sum` and `g[u] xor g[v]` = `target`.
    fn splits(&self, sum: u64, target: Nimber) -> u128 {
        match self {
            Self::Pairs(index) => {
                (0..=sum).filter(|&u| index.nimber(u) ^ index.nimber(sum - u) == target).count() as u128
            }
            Self::Sequence(sequence) => sequence.splits(sum, target),
        }
    }
}

impl SegmentTheory {
    pub(super) fn new(window: Window, largest: u64, budget: &mut Budget) -> Result<Self, TooLarge> {
        let scale = Scale::of(window);
        let engine = Engine::new(scale.window, scale.down(largest), budget)?;
        let mut theory = Self { window, scale, engine, largest, counts: None };
        // Moves are counted in the row as it is: scaled down, many become one.
        let bytes = Counts::bytes(window, largest, |n| theory.value(n).0 as u32);
        // They only serve lost positions: half of what is left stays for other tables.
        let has_room = |bytes: &u128| budget.clone().spend(String::new, 0, 2 * bytes).is_ok();
        if let Some(bytes) = bytes.filter(has_room) {
            budget.spend(String::new, 0, bytes)?;
            theory.counts = Some(OnceLock::new());
        }
        Ok(theory)
    }

    fn counts(&self) -> Option<&Counts> {
        let count = || Counts::new(self.window, self.largest, |n| self.value(n).0 as u32);
        Some(self.counts.as_ref()?.get_or_init(count))
    }

    fn value(&self, n: u64) -> Nimber {
        self.reduced(self.scale.down(n))
    }

    /// The value in the window that this one scales down to.
    fn reduced(&self, n: u64) -> Nimber {
        match &self.engine {
            Engine::Pairs(index) => index.nimber(n),
            Engine::Sequence(sequence) => sequence.nimber(n),
        }
    }

    /// What reduced moves to a nimber leave, (a, b) in either order.
    ///
    /// With a period the scan of a sum ends once the splits of a whole period have been in vain: a longer one
    /// repeats them.
    fn reduced_splits(&self, n: u64, target: Nimber) -> impl Iterator<Item = (u64, u64)> + '_ {
        let Window { l, r } = self.scale.window;
        let (start, length) = match &self.engine {
            Engine::Sequence(sequence) => sequence.period().map_or((u64::MAX, 0), |p| (p.start, p.length)),
            Engine::Pairs(_) => (u64::MAX, 0),
        };
        (l..=r.min(n)).flat_map(move |take| {
            let sum = n - take;
            let mut in_vain = 0;
            (0..=sum / 2)
                .map(move |a| {
                    let found = self.reduced(a) ^ self.reduced(sum - a) == target;
                    in_vain = if found || a < start { 0 } else { in_vain + 1 };
                    (found, a, in_vain)
                })
                .take_while(move |&(_, a, in_vain)| a < start || in_vain <= length)
                .filter(|&(found, ..)| found)
                .flat_map(move |(_, a, _)| {
                    let b = sum - a;
                    [Some((a, b)), (a != b).then_some((b, a))]
                })
                .flatten()
        })
    }
}

impl Theory for SegmentTheory {
    fn nimber(&self, heap: Heap) -> Nimber {
        self.value(heap.size)
    }

    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Take> + '_> {
        let splits = self.reduced_splits(self.scale.down(heap.size), target);
        Box::new(splits.flat_map(move |(a, b)| self.scale.lifts(self.window, heap.size, a, b)))
    }

    fn move_to(&self, heap: Heap, target: Nimber) -> Option<Take> {
        let n = self.scale.down(heap.size);
        let (a, b) = match &self.engine {
            Engine::Pairs(index) => index.split(n, target).map(|pair| (pair.u(), pair.v())),
            Engine::Sequence(sequence) => sequence.split(n, target),
        }?;
        Some(self.scale.lift(heap.size, a, b))
    }

    /// From the table of counts, else sum by sum in the reduced row, each times the moves that scale down to
    /// it.
    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        if let Some(moves) = self.wins_to(heap, target).filter(|&moves| moves < Counts::MANY.into()) {
            return Some(moves);
        }
        let Window { l, r } = self.scale.window;
        let n = self.scale.down(heap.size);
        let takes = l..=r.min(n);
        let can_count = match &self.engine {
            Engine::Pairs(_) => true,
            Engine::Sequence(sequence) => sequence.can_count(takes.clone().count() as u64, n),
        };
        can_count.then(|| {
            let weight = |take| self.scale.lift_count(self.window, heap.size, take);
            takes.map(|take| weight(take) * self.engine.splits(n - take, target)).sum()
        })
    }

    /// From the table of counts.
    fn wins_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        let counts = self.counts()?;
        let (n, target) = usize::try_from(heap.size).ok().zip(usize::try_from(target.0).ok())?;
        Some(counts.moves(n, target).into())
    }

    fn stand(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<Stand> {
        let n = usize::try_from(heap.size).ok()?;
        Fight::new(self.counts()?, self.window, n, elsewhere).best()
    }
}
