//! The definition, to check a table by.

use std::error::Error;
use std::fmt::{self, Display};

use itertools::process_results;
use zeroxor::rules::{Heap, Rules};
use zeroxor::{Nimber, Outcome, mex};

/// A heap of which a table does not say what the definition does.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch(String);

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Mismatch {}

/// Compares the nimbers of heaps with the mex over every move, as the rules list them, as far as `told` tells
/// them apart. Where that is only whether a nimber is zero, any other may stand for all that are not, and
/// a move may leave no two heaps.
///
/// Heaps come behind their followers: of those the nimbers have been found right, so nothing need be kept.
///
/// Time: the number of all moves of all these heaps.
///
/// # Errors
///
/// At the first heap where they differ, or where the rules list a move that they forbid.
pub(crate) fn check<V: PartialEq + Display>(
    game: &dyn Rules,
    heaps: impl Iterator<Item = Heap>,
    nimber: impl Fn(Heap) -> Nimber,
    told: impl Fn(Nimber) -> V,
) -> Result<(), Mismatch> {
    for heap in heaps {
        let wrong = |what: String| Mismatch(format!("{}, heap {heap}: {what}", game.words()));
        let values = game
            .moves(heap)
            .map(|take| game.apply(heap, take).map(|left| left.iter().map(|(_, heap)| nimber(*heap)).sum()));
        let expected = process_results(values, |values| told(mex(values)))
            .map_err(|illegal| wrong(format!("the rules list a move that they forbid: {illegal}")))?;
        let got = told(nimber(heap));
        if got != expected {
            return Err(wrong(format!("the definition says {expected}, the table {got}")));
        }
    }
    Ok(())
}

/// What a table of outcomes tells of a nimber.
pub(crate) fn outcome(nimber: Nimber) -> Outcome {
    if nimber == Nimber::ZERO { Outcome::P } else { Outcome::N }
}

#[cfg(test)]
mod tests {
    use zeroxor::Position;
    use zeroxor::rules::{Followers, HeapMove, Shape, Violation};

    use super::*;

    /// The game of a header.
    fn opened(header: &str) -> Position {
        Position::new(&header.parse().unwrap()).unwrap()
    }

    fn said(checked: Result<(), Mismatch>) -> Option<String> {
        checked.err().map(|mismatch| mismatch.to_string())
    }

    /// Kayles: 0, 1, 2, 3, 1, 4, 3.
    #[test]
    fn the_first_wrong_nimber() {
        let kayles = [0, 1, 2, 3, 1, 4, 3];
        let table = opened("7 1 2");
        let wrong = |nimbers: [u64; 7]| {
            let nimber = |heap: Heap| Nimber(nimbers[heap.size as usize]);
            said(check(table.rules(0).unwrap(), (0..7).map(Heap::of), nimber, |nimber| nimber))
        };
        assert_eq!(wrong(kayles), None);
        for at in 0..7 {
            let mut nimbers = kayles;
            nimbers[at] = 5;
            let right = kayles[at];
            let expected = format!("segment 1 2, heap {at}: the definition says {right}, the table 5");
            assert_eq!(wrong(nimbers), Some(expected));
        }
    }

    /// Subtract-a-square: 0, 2 and 5 are P-positions. A wrong outcome either way is found where it is.
    #[test]
    fn the_first_wrong_outcome() {
        let outcomes = [0, 1, 0, 1, 1, 0, 1];
        let table = opened("square 1");
        let wrong = |outcomes: [u64; 7]| {
            let nimber = |heap: Heap| Nimber(outcomes[heap.size as usize]);
            said(check(table.rules(0).unwrap(), (0..7).map(Heap::of), nimber, outcome))
        };
        assert_eq!(wrong(outcomes), None);
        for at in 0..7 {
            let mut changed = outcomes;
            changed[at] ^= 1;
            let [right, got] = [outcomes[at], changed[at]].map(|value| outcome(Nimber(value)));
            let expected = format!("square, heap {at}: the definition says {right}, the table {got}");
            assert_eq!(wrong(changed), Some(expected));
        }
    }

    /// The Number Game, in which the numbers may come in either order.
    #[test]
    fn the_first_wrong_pair() {
        let table = opened("euclid 1 1");
        let pairs = || (1..=3).flat_map(|size| (1..=3).map(move |second| Heap { size, second }));
        let lost = [[1, 1], [2, 2], [2, 3], [3, 2], [3, 3]];
        let nimber = |heap: Heap| Nimber((!lost.contains(&[heap.size, heap.second])).into());
        assert_eq!(said(check(table.rules(0).unwrap(), pairs(), nimber, outcome)), None);
        let nimber = |heap: Heap| if heap.second == 2 { Nimber(1) } else { nimber(heap) };
        let expected = "euclid, heap 2,2: the definition says P, the table N".to_owned();
        assert_eq!(said(check(table.rules(0).unwrap(), pairs(), nimber, outcome)), Some(expected));
    }

    /// Rules that list a move and then forbid it.
    #[derive(Debug)]
    struct Contradiction;

    impl Rules for Contradiction {
        fn words(&self) -> String {
            "contradiction".to_owned()
        }
        fn shape(&self) -> Shape {
            Shape::Pile
        }
        fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
            Box::new((1..=heap.size).map(|count| HeapMove { offset: 0, count }))
        }
        fn apply(&self, _: Heap, _: HeapMove) -> Result<Followers, Violation> {
            Err(Violation::Banned)
        }
    }

    /// No move that is listed is passed over, for instance as one that leaves nothing.
    #[test]
    fn a_move_that_the_rules_forbid() {
        let sizes = (0..3).map(Heap::of);
        let checked = check(&Contradiction, sizes, |heap| Nimber(heap.size), |nimber| nimber);
        let expected = "contradiction, heap 1: the rules list a move that they forbid: that number is banned";
        assert_eq!(said(checked), Some(expected.to_owned()));
    }
}
