//! Hints: what a person may be told of a position, one step after the other.

use zeroxor::position::PlacedHeap;
use zeroxor::{Move, Position};

/// One step of a hint.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hint<'a> {
    /// No move wins against perfect play.
    Lost,
    /// A move wins.
    Won,
    /// A move in this heap wins.
    Heap(PlacedHeap<'a>),
    /// This move wins.
    Move(Move),
}

/// The steps of a hint, each of which says more than the one before: is the position won, in which heap, and by which
/// move. The heap is left out if moves can be made in no other. `winning_move` is `None` in a lost position.
pub(crate) fn hints(position: &Position, winning_move: Option<Move>) -> Vec<Hint<'_>> {
    let Some(mv) = winning_move else { return vec![Hint::Lost] };
    let mut hints = vec![Hint::Won];
    if position.live_heaps().nth(1).is_some() {
        hints.extend(position.live_heaps().filter(|heap| heap.place <= mv.place).last().map(Hint::Heap));
    }
    hints.push(Hint::Move(mv));
    hints
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeroxor::Solver;

    #[track_caller]
    fn assert_hints(header: &str, expected: &str) {
        let position = Position::new(&header.parse().unwrap()).unwrap();
        let winning_move = Solver::new().winning_move(&position).unwrap();
        let hints: Vec<String> = hints(&position, winning_move)
            .into_iter()
            .map(|hint| match hint {
                Hint::Lost => "lost".to_owned(),
                Hint::Won => "won".to_owned(),
                Hint::Heap(heap) => format!("heap at {}", heap.place),
                Hint::Move(mv) => mv.to_string(),
            })
            .collect();
        assert_eq!(hints.join(", "), expected, "{header}");
    }

    #[test]
    fn each_step_says_more() {
        assert_hints("nim 3 5 6", "lost");
        assert_hints("nim 1 5 1", "won, heap at 2, 2 5");
        assert_hints("square 3 + euclid 5 2", "won, heap at 2, 2 4");
        assert_hints("nim 1 + 7 1 2 + nim 1", "won, heap at 2, 5 1");
    }

    /// With a single heap that has moves there is nothing to choose.
    #[test]
    fn a_single_heap_is_not_named() {
        assert_hints("square 4", "won, 1 4");
        assert_hints("square 3 4 ban 1", "won, 2 4");
    }
}
