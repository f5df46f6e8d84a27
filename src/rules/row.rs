//! The segment game: a move takes L to R consecutive free cards.
//!
//! A heap is a free segment. A move leaves the segments on both sides of the taken cards (AtCoder Beginner Contest 278
//! G, "Generalized Subtraction Game"). The window (1, 2) is Kayles, 0.77 in octal notation, and the window (2, 2) is
//! Dawson's Kayles, 0.07.

use std::sync::Arc;

use super::{
    Clause, Followers, GameEntry, GameKind, Heap, HeapMove, MAX_SIZE, Random, Rules, Shape, Start, Violation,
    in_words, is_equal, leaves,
};
use crate::integers::narrow;

/// The numbers of cards that a move may take: L to R.
///
/// ```
/// use zeroxor::rules::Window;
///
/// let kayles = Window::new(1, 2).unwrap();
/// assert_eq!((kayles.l(), kayles.r()), (1, 2));
/// assert_eq!((Window::new(0, 3), Window::new(4, 3)), (None, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    pub(crate) l: u64,
    pub(crate) r: u64,
}

impl Window {
    /// Returns the window from `l` to `r`; `None` unless 1 <= l <= r <= 10^18.
    pub fn new(l: u64, r: u64) -> Option<Self> {
        (1 <= l && l <= r && r <= MAX_SIZE).then_some(Self { l, r })
    }

    /// Returns the least number of cards that a move takes.
    pub fn l(self) -> u64 {
        self.l
    }

    /// Returns the largest number of cards that a move takes.
    pub fn r(self) -> u64 {
        self.r
    }
}

pub(super) static ENTRY: GameEntry = GameEntry {
    name: "segment",
    form: "segment N L R",
    help: "a row of N cards; a move takes L to R consecutive cards (AtCoder ABC278 G); \"N L R\" is the same",
    keywords: &[],
    max_heap: MAX_SIZE,
    rules: |clauses| match clauses {
        [Clause::Window(window)] => Some(Arc::new(*window)),
        _ => None,
    },
    in_sums: "3 1 2|4 2 2",
    extremes: "N 1 1|N 1 N|N 2 2|N 3 3|N N N",
    small: &[(1, 10, SMALL_WINDOWS)],
    random,
};

/// All windows up to 10.
const SMALL_WINDOWS: &str = "\
N 1 1|N 1 2|N 1 3|N 1 4|N 1 5|N 1 6|N 1 7|N 1 8|N 1 9|N 1 10|N 2 2|N 2 3|N 2 4|N 2 5|N 2 6|N 2 7|N 2 8|N 2 9|\
N 2 10|N 3 3|N 3 4|N 3 5|N 3 6|N 3 7|N 3 8|N 3 9|N 3 10|N 4 4|N 4 5|N 4 6|N 4 7|N 4 8|N 4 9|N 4 10|N 5 5|N 5 6|\
N 5 7|N 5 8|N 5 9|N 5 10|N 6 6|N 6 7|N 6 8|N 6 9|N 6 10|N 7 7|N 7 8|N 7 9|N 7 10|N 8 8|N 8 9|N 8 10|N 9 9|\
N 9 10|N 10 10";

/// Returns a random row of at most `max` cards. Half have L = R, because symmetry decides most others.
fn random(max: u64, random: &mut dyn Random) -> Start {
    let n = random.number(1..=max);
    let (l, r) = if random.count(0..=1) == 1 {
        let l = random.number(1..=n.min(20));
        (l, l)
    } else {
        let (a, b) = (random.number(1..=n), random.number(1..=n));
        (a.min(b), a.max(b))
    };
    (Window::new(l, r).map(Clause::Window).into_iter().collect(), vec![n])
}

/// The rules of a row of cards under the window.
impl Rules for Window {
    fn words(&self) -> String {
        in_words(GameKind::Segment, &[Clause::Window(*self)])
    }

    fn shape(&self) -> Shape {
        Shape::Row
    }

    fn is_same(&self, other: &dyn Rules) -> bool {
        is_equal(self, other)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        let counts = self.l..=self.r.min(heap.size);
        Box::new(
            counts
                .flat_map(move |count| (0..=heap.size - count).map(move |offset| HeapMove { offset, count })),
        )
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let &Self { l, r } = self;
        if !(l..=r).contains(&mv.count) {
            return Err(Violation::OutsideWindow { l, r });
        }
        let free = heap.size.saturating_sub(mv.offset);
        let right = free.checked_sub(mv.count).ok_or(Violation::RunTooShort { free })?;
        let sides = [(0, Heap::of(mv.offset)), (mv.offset + mv.count, Heap::of(right))];
        Ok(sides.into_iter().filter(|(_, heap)| heap.size > 0).collect())
    }

    fn move_count(&self, heap: Heap) -> u128 {
        moves_up_to(self.l, self.r.min(heap.size), heap.size)
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        let &Self { l, r } = self;
        if n >= self.move_count(heap) {
            return None;
        }
        // Find the least count such that more than n moves take at most this count.
        let (mut low, mut high) = (l, r.min(heap.size));
        while low < high {
            let middle = low.midpoint(high);
            if moves_up_to(l, middle, heap.size) > n {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(HeapMove { count: low, offset: narrow(n - moves_up_to(l, low - 1, heap.size)) })
    }

    fn has_moves(&self, heap: Heap) -> bool {
        heap.size >= self.l
    }

    fn max_plies(&self, heap: Heap) -> u64 {
        heap.size / self.l
    }

    fn cancelling_move(&self, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
        let (&Self { l, r }, n) = (self, heap.size);
        let (even, most) = (l + n.abs_diff(l) % 2, r.min(n));
        let moves = match *wanted {
            // Take a number with the parity of n, which leaves two equal segments, or leave segments too short for a
            // move.
            [] => [even, most].map(|count| HeapMove { offset: n.saturating_sub(count) / 2, count }).to_vec(),
            // Leave one segment of the wanted length, and one too short for a move.
            [Heap { size: a, .. }] => {
                let rest = n.checked_sub(a)?;
                vec![HeapMove { offset: rest - r.min(rest), count: r.min(rest) }]
            }
            [Heap { size: a, .. }, Heap { size: b, .. }] => {
                vec![HeapMove { offset: a, count: n.checked_sub(a)?.checked_sub(b)? }]
            }
            _ => return None,
        };
        moves.into_iter().find(|&mv| leaves(self, heap, mv, wanted))
    }
}

/// Returns the number of moves that take `l` to `most` <= `n` cards from a segment of `n`. This is the sum of n - y + 1
/// for y from `l` to `most`.
fn moves_up_to(l: u64, most: u64, n: u64) -> u128 {
    if most < l {
        return 0;
    }
    let [l, most, n] = [l, most, n].map(u128::from);
    (most - l + 1) * (2 * (n + 1) - l - most) / 2
}
