//! The definition, to check a table by.

use std::error::Error;
use std::fmt::{self, Display};

use itertools::process_results;
use zeroxor::games::{Game, Heap};
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
    game: &dyn Game,
    heaps: impl Iterator<Item = Heap>,
    nimber: impl Fn(Heap) -> Nimber,
    told: impl Fn(Nimber) -> V,
) -> Result<(), Mismatch> {
    for heap in heaps {
        let wrong = |what: String| Mismatch(format!("{}, heap {heap}: {what}", game.rules()));
        let values = game
            .moves(heap)
            .map(|take| game.follow(heap, take).map(|left| left.iter().map(|(_, heap)| nimber(*heap)).sum()));
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
    use zeroxor::games::{Budget, Detail, Followers, Illegal, Take, Theory, TooLarge};
    use zeroxor::{Table, protocol};

    use super::*;

    /// The game of a header.
    fn opened(header: &str) -> Table {
        Table::open(&protocol::parse_header(header.as_bytes()).unwrap().parts).unwrap()
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
            said(check(&*table.games()[0], (0..7).map(Heap::of), nimber, |nimber| nimber))
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
            said(check(&*table.games()[0], (0..7).map(Heap::of), nimber, outcome))
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
        let pairs = || (1..=3).flat_map(|size| (1..=3).map(move |partner| Heap { size, partner }));
        let lost = [[1, 1], [2, 2], [2, 3], [3, 2], [3, 3]];
        let nimber = |heap: Heap| Nimber((!lost.contains(&[heap.size, heap.partner])).into());
        assert_eq!(said(check(&*table.games()[0], pairs(), nimber, outcome)), None);
        let nimber = |heap: Heap| if heap.partner == 2 { Nimber(1) } else { nimber(heap) };
        let expected = "euclid, heap 2,2: the definition says P, the table N".to_owned();
        assert_eq!(said(check(&*table.games()[0], pairs(), nimber, outcome)), Some(expected));
    }

    /// Rules that list a move and then forbid it.
    #[derive(Debug)]
    struct Contradiction;

    impl Game for Contradiction {
        fn rules(&self) -> String {
            "contradiction".to_owned()
        }
        fn span(&self, _: Heap) -> u64 {
            1
        }
        fn follow(&self, _: Heap, _: Take) -> Result<Followers, Illegal> {
            Err(Illegal::Banned)
        }
        fn move_count(&self, heap: Heap) -> u128 {
            self.moves(heap).count() as u128
        }
        fn nth_move(&self, heap: Heap, n: u128) -> Option<Take> {
            self.moves(heap).nth(n as usize)
        }
        fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = Take> + '_> {
            Box::new((1..=heap.size).map(|count| Take { offset: 0, count }))
        }
        fn longest(&self, heap: Heap) -> u64 {
            heap.size
        }
        fn match_move(&self, _: Heap, _: &[Heap]) -> Option<Take> {
            None
        }
        fn effort(&self, _: Heap) -> u128 {
            0
        }
        fn theory(&self, _: Heap, _: Detail, _: &mut Budget) -> Result<Box<dyn Theory>, TooLarge> {
            let what = "a theory of contradictory rules".to_owned();
            Err(TooLarge { what, asked: 1, left: 0, limit: 0, unit: "steps" })
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
