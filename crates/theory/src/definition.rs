//! Compares tables with the definition of nimbers.

use std::error::Error;
use std::fmt;

use itertools::process_results;
use zeroxor::grundy::ValueKind;
use zeroxor::rules::{Heap, Rules};
use zeroxor::{Nimber, mex};

use super::value::Value;

/// Compares the values of a table with the mex over every move that the rules list.
///
/// In a table of outcomes one nonzero nimber may represent all nonzero nimbers. The XOR of two heaps is then unknown,
/// so no move of the game may leave two heaps.
///
/// `heaps` must list each heap after its followers. The nimbers of the followers in the table have then been checked
/// already, so no other values are stored.
///
/// Time: the total number of moves of all heaps.
///
/// # Errors
///
/// At the first heap whose value differs, or whose rules list a move that they forbid.
pub(super) fn check(
    rules: &dyn Rules,
    heaps: impl Iterator<Item = Heap>,
    nimber: impl Fn(Heap) -> Nimber,
    kind: ValueKind,
) -> Result<(), Incorrect> {
    for heap in heaps {
        let incorrect = |what: String| Incorrect(format!("{}, heap {heap}: {what}", rules.words()));
        let options = rules
            .moves(heap)
            .map(|mv| rules.apply(heap, mv).map(|left| left.iter().map(|(_, heap)| nimber(*heap)).sum()));
        let expected = process_results(options, |options| Value::of(kind, mex(options)))
            .map_err(|error| incorrect(format!("the rules list a move that they forbid: {error}")))?;
        let got = Value::of(kind, nimber(heap));
        if got != expected {
            return Err(incorrect(format!("the definition says {expected}, but the table says {got}")));
        }
    }
    Ok(())
}

/// The error of a table or a certificate that contradicts the definition.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Incorrect(pub(crate) String);

impl fmt::Display for Incorrect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Incorrect {}

#[cfg(test)]
mod tests {
    use zeroxor::Position;
    use zeroxor::rules::{Followers, HeapMove, Shape, Violation};

    use super::*;

    /// Returns the start position of a header.
    fn opened(header: &str) -> Position {
        Position::new(&header.parse().unwrap()).unwrap()
    }

    fn message(checked: Result<(), Incorrect>) -> Option<String> {
        checked.err().map(|incorrect| incorrect.to_string())
    }

    /// Checks that a wrong nimber of Kayles is found at its heap.
    #[test]
    fn the_first_wrong_nimber() {
        let kayles = [0, 1, 2, 3, 1, 4, 3];
        let position = opened("7 1 2");
        let wrong = |nimbers: [u64; 7]| {
            let nimber = |heap: Heap| Nimber(nimbers[usize::try_from(heap.size).unwrap()]);
            message(check(position.rules(0).unwrap(), (0..7).map(Heap::of), nimber, ValueKind::Nimber))
        };
        assert_eq!(wrong(kayles), None);
        for at in 0..7 {
            let mut nimbers = kayles;
            nimbers[at] = 5;
            let right = kayles[at];
            let expected =
                format!("segment 1 2, heap {at}: the definition says {right}, but the table says 5");
            assert_eq!(wrong(nimbers), Some(expected));
        }
    }

    /// Checks that a wrong outcome of subtract-a-square, P or N, is found at its heap. The P-positions are 0, 2 and 5.
    #[test]
    fn the_first_wrong_outcome() {
        let outcomes = [0, 1, 0, 1, 1, 0, 1];
        let position = opened("square 1");
        let wrong = |outcomes: [u64; 7]| {
            let nimber = |heap: Heap| Nimber(outcomes[usize::try_from(heap.size).unwrap()]);
            message(check(position.rules(0).unwrap(), (0..7).map(Heap::of), nimber, ValueKind::Outcome))
        };
        assert_eq!(wrong(outcomes), None);
        for at in 0..7 {
            let mut changed = outcomes;
            changed[at] ^= 1;
            let [right, got] =
                [outcomes[at], changed[at]].map(|value| Value::of(ValueKind::Outcome, Nimber(value)));
            let expected =
                format!("square, heap {at}: the definition says {right}, but the table says {got}");
            assert_eq!(wrong(changed), Some(expected));
        }
    }

    /// Checks the outcomes of all pairs of the Number Game up to 3, in both orders, and that a wrong outcome is found
    /// at its pair.
    #[test]
    fn the_first_wrong_pair() {
        let position = opened("euclid 1 1");
        let pairs = || (1..=3).flat_map(|size| (1..=3).map(move |second| Heap { size, second }));
        let lost = [[1, 1], [2, 2], [2, 3], [3, 2], [3, 3]];
        let nimber = |heap: Heap| Nimber((!lost.contains(&[heap.size, heap.second])).into());
        assert_eq!(message(check(position.rules(0).unwrap(), pairs(), nimber, ValueKind::Outcome)), None);
        let nimber = |heap: Heap| if heap.second == 2 { Nimber(1) } else { nimber(heap) };
        let expected = "euclid, heap 2,2: the definition says P, but the table says N".to_owned();
        assert_eq!(
            message(check(position.rules(0).unwrap(), pairs(), nimber, ValueKind::Outcome)),
            Some(expected)
        );
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
            Err(Violation::Nothing)
        }
    }

    /// Checks that a listed move that `apply` refuses is an error, and is not skipped.
    #[test]
    fn a_move_that_the_rules_forbid() {
        let sizes = (0..3).map(Heap::of);
        let checked = check(&Contradiction, sizes, |heap| Nimber(heap.size), ValueKind::Nimber);
        let expected =
            "contradiction, heap 1: the rules list a move that they forbid: a move takes at least 1";
        assert_eq!(message(checked), Some(expected.to_owned()));
    }
}
