//! Taking-and-breaking games with a code: a move takes consecutive cards of a row, and the code's digit for the number
//! of cards taken says how many heaps may be left (R. K. Guy and C. A. B. Smith 1956, "The G-values of various games").
//! A move that takes nothing splits the row before the card at its place.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::starts::random_heaps;
use super::{
    Clause, Followers, GameEntry, GameKind, Heap, HeapMove, MAX_SIZE, OctalCode, Random, Rules, Shape,
    Violation, Window, first_cancelling_move, in_words, is_equal, leaves,
};
use crate::integers::narrow;

pub(super) static ENTRY: GameEntry = GameEntry {
    name: "octal",
    form: "octal CODE n1 n2 ...",
    help: "rows; a move takes y consecutive cards, or splits a row, and leaves heaps as digit y of the code allows",
    keywords: &[],
    max_heap: MAX_SIZE,
    rules: |clauses| match clauses {
        [Clause::Code(code)] => Some(Arc::new(Octal::new(*code))),
        _ => None,
    },
    in_sums: "0.137 5",
    extremes: "0.77 N|0.137 N|0.6 N|0.07 N N N N|4.[3] N",
    small: &[(1, 8, SMALL_CODES)],
    random: |max, random| (vec![Clause::Code(random_code(random))], random_heaps(max, random)),
};

/// Codes of up to two digits after the point, each of which occurs in the code of a known game, and codes with moves that
/// only split.
const SMALL_CODES: &str = "\
0.01 N|0.03 N|0.06 N|0.07 N|0.1 N|0.11 N|0.13 N|0.16 N|0.17 N|0.3 N|0.31 N|0.33 N|0.36 N|0.37 N|0.6 N|0.61 N|\
0.63 N|0.66 N|0.67 N|0.7 N|0.71 N|0.73 N|0.76 N|0.77 N|4.0 N|4.1 N|4.3 N|4.6 N|4.7 N|4.[3] N";

/// Returns a random code of one to four digits after the point. One in four has moves that only split a heap.
fn random_code(random: &mut dyn Random) -> OctalCode {
    let count = random.count(1..=4);
    let zero = if random.count(0..=3) == 0 { 4 } else { 0 };
    loop {
        let digits = (0..count).map(|_| random.count(0..=7)).filter_map(|digit| u8::try_from(digit).ok());
        let digits: Vec<u8> = [zero].into_iter().chain(digits).collect();
        if let Some(code) = OctalCode::new(&digits) {
            return code;
        }
    }
}

pub(super) static GRUNDY: GameEntry = GameEntry {
    name: "grundy",
    form: "grundy n1 n2 ...",
    help: "rows; the move \"x 0\" splits a row before card x into two rows of different length",
    keywords: &[],
    max_heap: MAX_SIZE,
    rules: |_| Some(Arc::new(Octal::GRUNDYS_GAME)),
    in_sums: "7",
    extremes: "N|N N N",
    small: &[(1, 12, "N")],
    random: |max, random| (Vec::new(), random_heaps(max, random)),
};

impl OctalCode {
    /// Returns the equivalent window. Returns `None` unless the numbers of cards that may be taken are consecutive and
    /// each allows leaving 0, 1 and 2 heaps.
    pub fn window(&self) -> Option<Window> {
        let zeros = self.digits().iter().take_while(|&&digit| digit == 0).count();
        let is_window = self.digits()[zeros..].iter().all(|&digit| digit == 7);
        Window::new(zeros as u64, self.longest_take()?).filter(|_| is_window)
    }
}

impl Window {
    /// Returns the code of the window; `None` if the code would need too many digits.
    pub fn code(self) -> Option<OctalCode> {
        let r = usize::try_from(self.r).ok().filter(|&r| r <= OctalCode::MAX_DIGITS)?;
        let digits: Vec<u8> = (0..=r).map(|take| if take as u64 >= self.l { 7 } else { 0 }).collect();
        OctalCode::new(&digits)
    }
}

/// The rules of a row under a code.
///
/// The offset of a move is the size of the heap that it leaves on the left. The offset of a move that leaves three heaps
/// encodes their sizes, and is larger than the offsets of all other moves, see [`three`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Octal {
    pub(crate) code: OctalCode,
    /// The equivalent window, if there is one.
    pub(crate) window: Option<Window>,
    /// Whether a move must not leave two heaps of equal size. Only for [`GRUNDYS_GAME`](Self::GRUNDYS_GAME).
    pub(crate) are_unequal: bool,
}

impl Octal {
    /// A move splits a heap into two heaps that are not equal (P. M. Grundy 1939, "Mathematics and games").
    pub(crate) const GRUNDYS_GAME: Self = Self { code: OctalCode::SPLITS, window: None, are_unequal: true };

    pub(crate) fn new(code: OctalCode) -> Self {
        Self { code, window: code.window(), are_unequal: false }
    }

    /// Returns the numbers of cards that a move may take, in ascending order, each with the number that remains.
    fn takes(&self, heap: Heap) -> impl Iterator<Item = (u64, u64)> + use<'_> {
        let most = self.code.longest_take().unwrap_or(heap.size).min(heap.size);
        (0..=most).filter(|&take| self.code.digit(take) > 0).map(move |take| (take, heap.size - take))
    }

    /// Returns all moves of a heap in order, as non-empty runs.
    fn runs(&self, heap: Heap) -> impl Iterator<Item = MoveRun> + '_ {
        self.takes(heap).flat_map(|(take, left)| self.runs_taking(take, left))
    }

    pub(crate) fn listed(&self, heap: Heap) -> impl Iterator<Item = HeapMove> + '_ {
        self.runs(heap).flat_map(|MoveRun { take: count, offsets }| {
            offsets.map(move |offset| HeapMove { offset, count })
        })
    }

    /// Returns the moves that take `take` cards and leave `left` cards, as runs.
    fn runs_taking(&self, take: u64, left: u64) -> impl Iterator<Item = MoveRun> + use<> {
        let [nothing, one, two, three] = [0, 1, 2, 3].map(|heaps| self.code.allows(take, heaps));
        let [first, second] = match (one, two) {
            _ if left == 0 => [nothing.then_some(0..=0), None],
            (true, true) => [Some(0..=left), None],
            (true, false) => [Some(0..=0), Some(left..=left)],
            (false, true) if self.are_unequal => {
                [1..=left.saturating_sub(1) / 2, left / 2 + 1..=left - 1].map(|run| (left > 2).then_some(run))
            }
            (false, true) => [(left > 1).then(|| 1..=left - 1), None],
            (false, false) => [None, None],
        };
        let three = three.then(|| thirds(left)).into_iter().flatten();
        let runs = first.into_iter().chain(second).chain(three);
        runs.map(move |offsets| MoveRun { take, offsets })
    }
}

/// Moves that take `take` cards, one for each of the `offsets`.
struct MoveRun {
    take: u64,
    offsets: RangeInclusive<u64>,
}

impl MoveRun {
    fn len(&self) -> u128 {
        u128::from(self.offsets.end() - self.offsets.start()) + 1
    }
}

/// Returns the offsets of the moves that leave three heaps a <= b <= c with `left` cards in total: a range for each a, in
/// which b grows. The offsets are larger than those of moves that leave two heaps. An offset that does not fit into 64
/// bits ends them.
fn thirds(left: u64) -> impl Iterator<Item = RangeInclusive<u64>> {
    (1..=left / 3).map_while(move |a| {
        let before = (a + 1).checked_mul(left)?.checked_add(1)?;
        Some(before.checked_add(a)?..=before.checked_add((left - a) / 2)?)
    })
}

/// Returns the three heaps that `offset` of [`thirds`] encodes; `None` for other offsets.
fn three(left: u64, offset: u64) -> Option<[u64; 3]> {
    let number = offset.checked_sub(left)?.checked_sub(1)?;
    let (a, b) = (number.checked_div(left)?, number.checked_rem(left)?);
    let c = left.checked_sub(a)?.checked_sub(b)?;
    (1 <= a && a <= b && b <= c).then_some([a, b, c])
}

/// Returns the sizes of the heaps that a move in a row leaves, with 0 for each missing heap.
pub(crate) fn heaps_left(heap: Heap, mv: HeapMove) -> [u64; 3] {
    let left = heap.size.saturating_sub(mv.count);
    match left.checked_sub(mv.offset) {
        Some(second) => [mv.offset, second, 0],
        None => three(left, mv.offset).unwrap_or_default(),
    }
}

impl Rules for Octal {
    fn words(&self) -> String {
        if self.are_unequal {
            GameKind::Grundy.name().to_owned()
        } else {
            in_words(GameKind::Octal, &[Clause::Code(self.code)])
        }
    }

    fn shape(&self) -> Shape {
        Shape::Row
    }

    fn is_same(&self, other: &dyn Rules) -> bool {
        is_equal(self, other)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new(self.listed(heap))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let HeapMove { offset, count } = mv;
        let digit = self.code.digit(count);
        if digit == 0 {
            return Err(if self.are_unequal { Violation::OnlySplits } else { Violation::NotInCode });
        }
        let too_short = Violation::RunTooShort { free: heap.size.saturating_sub(offset) };
        let left = heap.size.checked_sub(count).ok_or(too_short)?;
        if offset > left {
            let Some([a, b, c]) = three(left, offset).filter(|_| self.code.allows(count, 3)) else {
                return Err(too_short);
            };
            return Ok([(0, Heap::of(a)), (a, Heap::of(b)), (a + b, Heap::of(c))].into_iter().collect());
        }
        if count == 0 && offset == 0 {
            return Err(Violation::SplitBeforeFirst);
        }
        if self.are_unequal && offset == left - offset {
            return Err(Violation::EqualParts { size: offset });
        }
        let sides = [(0, offset), (offset + count, left - offset)];
        let heaps: u8 = sides.iter().map(|&(_, size)| u8::from(size > 0)).sum();
        if !self.code.allows(count, heaps.into()) {
            return Err(Violation::DigitForbids { digit, heaps });
        }
        Ok(sides.into_iter().filter(|&(_, size)| size > 0).map(|(at, size)| (at, Heap::of(size))).collect())
    }

    /// The offsets of moves that leave three heaps are places of the heap too. They are less than n^2, see [`thirds`]. A
    /// heap that is too large for a table needs no such places, because these moves are found only by a table.
    fn width(&self, heap: Heap) -> u64 {
        let is_tabulated = heap.size < 1 << 20;
        if is_tabulated && !self.code.is_playable() { heap.size.pow(2) } else { heap.size }
    }

    fn can_split(&self) -> bool {
        self.code.digit(0) > 0
    }

    fn move_count(&self, heap: Heap) -> u128 {
        self.runs(heap).map(|run| run.len()).sum()
    }

    fn nth_move(&self, heap: Heap, mut n: u128) -> Option<HeapMove> {
        self.runs(heap).find_map(|run| match n.checked_sub(run.len()) {
            Some(rest) => {
                n = rest;
                None
            }
            None => Some(HeapMove { offset: run.offsets.start() + narrow::<u64>(n), count: run.take }),
        })
    }

    fn has_moves(&self, heap: Heap) -> bool {
        self.runs(heap).next().is_some()
    }

    fn max_plies(&self, heap: Heap) -> u64 {
        let least = (1..).zip(&self.code.digits()[1..]).find(|&(_, &digit)| digit > 0);
        let takes = least.map_or(0, |(least, _)| heap.size / least);
        // Each split without taking divides two neighbouring cards for good.
        let splits = if self.can_split() { heap.size.saturating_sub(1) } else { 0 };
        takes.saturating_add(splits)
    }

    /// Finds a move that leaves two equal heaps, or at most two heaps that are each in `wanted` or have no move.
    fn cancelling_move(&self, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
        if let Some(window) = self.window {
            return window.cancelling_move(heap, wanted);
        }
        let Some(longest) = self.code.longest_take() else {
            return first_cancelling_move(self, heap, wanted);
        };
        // Either all heaps of at least `small` cards have moves, or none of them has a move.
        let small = longest + 3;
        self.takes(heap).find_map(|(take, left)| {
            let sizes = wanted.iter().map(|heap| heap.size).chain(0..=small.min(left)).chain([left / 2]);
            let offsets = sizes.filter(|&size| size <= left).flat_map(|size| [size, left - size]);
            let mut moves = offsets.map(|offset| HeapMove { offset, count: take });
            moves.find(|&mv| leaves(self, heap, mv, wanted))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use itertools::Itertools;

    use super::*;

    fn octal(code: &str) -> Octal {
        Octal::new(code.parse().unwrap())
    }

    /// Compares the moves with all divisions of the remaining cards into at most three heaps, and checks their order and
    /// their numbers.
    #[test]
    fn moves_agree_with_the_digits() {
        for code in "4.7 c.f8 8.0 0.99 0.1[64] 0.[8]".split(' ') {
            let rules = octal(code);
            for n in 0..16 {
                let heap = Heap::of(n);
                let moves = rules.moves(heap).collect_vec();
                let left = moves.iter().map(|&mv| {
                    let left = rules.apply(heap, mv).unwrap();
                    (mv.count, left.iter().map(|(_, heap)| heap.size).sorted().collect_vec())
                });
                let divisions = (0..=n).flat_map(|take| {
                    let sizes = (0..=n - take).combinations_with_replacement(3);
                    let sizes = sizes.filter(move |sizes| sizes.iter().sum::<u64>() == n - take);
                    sizes.map(move |sizes| (take, sizes.into_iter().filter(|&size| size > 0).collect_vec()))
                });
                let allowed = divisions.filter(|(take, heaps)| rules.code.allows(*take, heaps.len()));
                assert_eq!(left.collect::<HashSet<_>>(), allowed.collect::<HashSet<_>>(), "{code} {n}");
                assert!(moves.iter().map(|mv| (mv.count, mv.offset)).is_sorted(), "{code} {n} {moves:?}");
                assert!(moves.iter().all_unique(), "{code} {n}");
                assert_eq!(rules.move_count(heap), moves.len() as u128, "{code} {n}");
                let numbered = (0..=moves.len()).map_while(|k| rules.nth_move(heap, k as u128));
                assert_eq!(numbered.collect_vec(), moves, "{code} {n}");
            }
        }
    }

    /// Checks that `cancelling_move` finds a move if and only if a search of all moves does, for up to two wanted heaps
    /// below `most_wanted`.
    fn assert_cancelling(rules: &dyn Rules, most_wanted: u64, most: u64) {
        let live = |n: &u64| rules.has_moves(Heap::of(*n));
        let wanted = (0..most_wanted).filter(live).map(|n| vec![n]);
        let pairs = (0..most_wanted).filter(live).flat_map(|a| (0..a).filter(live).map(move |b| vec![a, b]));
        for wanted in [vec![]].into_iter().chain(wanted).chain(pairs) {
            let wanted: Vec<Heap> = wanted.into_iter().map(Heap::of).collect();
            for heap in (0..most).map(Heap::of) {
                let any = rules.moves(heap).find(|&mv| leaves(rules, heap, mv, &wanted));
                let found = rules.cancelling_move(heap, &wanted);
                assert_eq!(found.is_some(), any.is_some(), "{} {heap} {wanted:?}", rules.words());
                assert!(found.is_none_or(|mv| leaves(rules, heap, mv, &wanted)));
            }
        }
    }

    #[test]
    fn cancelling_move_agrees_with_a_search() {
        let codes = [
            "0.77", "0.07", "0.007", "0.0777", "0.137", "0.6", "0.3", "0.5", "0.204", "0.026", "0.1",
            "0.0001", "4.0", "4.7", "4.[3]", "0.[41]",
        ];
        for code in codes {
            assert_cancelling(&octal(code), 10, 16);
        }
        assert_cancelling(&Octal::GRUNDYS_GAME, 12, 20);
        // The largest heap.
        let huge = Heap::of(1_000_000_000_000_000_000);
        assert!(octal("0.356").cancelling_move(huge, &[]).is_some());
        let halves = [400_000_000_000_000_000, 600_000_000_000_000_000].map(Heap::of);
        assert!(Octal::GRUNDYS_GAME.cancelling_move(huge, &halves).is_some());
    }
}
