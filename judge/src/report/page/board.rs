//! The board of a replay: the heaps at the start, and for each move the heaps that replace the heap of the move.

use std::collections::BTreeMap;

use runner::escape::printable;
use serde::Serialize;
use zeroxor::rules::{Heap, HeapMove, Rules, Shape};
use zeroxor::{Move, Position};

use crate::json::Number;
use crate::report::page::evaluation::NimberTables;

#[derive(Debug, Serialize)]
pub(crate) struct Board {
    components: Vec<ComponentOnPage>,
    heaps: Vec<HeapOnPage>,
    moves: Vec<MoveOnPage>,
}

#[derive(Debug, Serialize)]
struct ComponentOnPage {
    place: Number,
    width: Number,
    rules: String,
    shape: &'static str,
}

/// A heap: its place, its size, its nimber if that is known, and the second size of a pair.
#[derive(Debug, Serialize)]
struct HeapOnPage(
    Number,
    Number,
    Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")] Option<Number>,
);

/// A move: its place, its take, the place of the heap in which it is made, and the heaps that replace this heap.
#[derive(Debug, Serialize)]
struct MoveOnPage(Number, Number, Number, Vec<HeapOnPage>);

impl Board {
    /// Creates the board of a game, up to the first illegal move.
    pub(crate) fn new(start: &Position, moves: &[Move], tables: &NimberTables) -> Self {
        let rules = |index: usize| start.rules(index);
        let shape = |index: usize| rules(index).map(Rules::shape);
        let components = start.components().iter().map(|component| ComponentOnPage {
            place: Number(component.place),
            width: Number(component.width),
            rules: rules(component.rules_index).map_or_else(String::new, |rules| printable(&rules.words())),
            shape: match shape(component.rules_index) {
                Some(Shape::Row) => "row",
                Some(Shape::Pair) => "pair",
                _ => "pile",
            },
        });
        let on_page = |place: u64, rules_index: usize, heap: Heap| {
            let second = (shape(rules_index) == Some(Shape::Pair)).then_some(Number(heap.second));
            let nimber = tables.nimber(rules_index, heap).map(Number);
            HeapOnPage(Number(place), Number(heap.size), nimber, second)
        };
        let heaps = start.heaps().map(|placed| on_page(placed.place, placed.rules_index, placed.heap));
        let in_play = start.heaps().map(|placed| (placed.place, (placed.rules_index, placed.heap)));
        let mut in_play: BTreeMap<u64, (usize, Heap)> = in_play.collect();
        let moves = moves.iter().map_while(|&Move { place, take }| {
            let (&heap_place, &(rules_index, heap)) = in_play.range(..=place).next_back()?;
            let inside = HeapMove { offset: place - heap_place, count: take };
            let followers = rules(rules_index)?.apply(heap, inside).ok()?;
            let left = followers.iter().map(|&(offset, left)| (heap_place + offset, (rules_index, left)));
            in_play.remove(&heap_place);
            in_play.extend(left.clone());
            let left = left.map(|(place, (rules_index, heap))| on_page(place, rules_index, heap));
            Some(MoveOnPage(Number(place), Number(take), Number(heap_place), left.collect()))
        });
        Self { moves: moves.collect(), components: components.collect(), heaps: heaps.collect() }
    }

    /// Returns how many of the heaps have no known nimber: of those at the start, and of those that moves leave.
    pub(crate) fn unknown_nimbers(&self) -> usize {
        let left = self.moves.iter().flat_map(|MoveOnPage(.., left)| left);
        self.heaps.iter().chain(left).filter(|HeapOnPage(_, _, nimber, _)| nimber.is_none()).count()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks the moves on a board without nimbers.
    #[track_caller]
    fn assert_moves(header: &str, moves: &[(u64, u64)], expected: &serde_json::Value) -> Board {
        let start = Position::new(&header.parse().unwrap()).unwrap();
        let moves: Vec<_> = moves.iter().map(|&(place, take)| Move { place, take }).collect();
        let board = Board::new(&start, &moves, &NimberTables::default());
        assert_eq!(&serde_json::to_value(&board.moves).unwrap(), expected);
        board
    }

    #[test]
    fn moves_replace_heaps() {
        let expected = json!([
            [3, 2, 1, [[1, 2, null], [5, 2, null]]],
            [7, 2, 7, [[7, 3, null]]],
            [8, 8, 8, [[8, 1, null, 4]]]
        ]);
        let board = assert_moves("6 1 2 + nim 5 + euclid 9 4", &[(3, 2), (7, 2), (8, 8)], &expected);
        assert_eq!(board.unknown_nimbers(), 7);
        // A split leaves two heaps that follow each other, and a later move finds the right one.
        let expected = json!([
            [3, 0, 1, [[1, 2, null], [3, 4, null]]],
            [3, 1, 3, [[4, 3, null]]],
            [2, 0, 1, [[1, 1, null], [2, 1, null]]]
        ]);
        assert_moves("octal 4.7 6", &[(3, 0), (3, 1), (2, 0)], &expected);
    }
}
