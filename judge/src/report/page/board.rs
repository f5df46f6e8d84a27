//! The board of a replay: the heaps at the start, and for each move the heaps that replace the heap of the move.

use std::collections::BTreeMap;

use runner::escape::printable;
use serde::{Serialize, Serializer};
use zeroxor::rules::{Heap, HeapMove, Rules, Shape};
use zeroxor::{Move, Position};

use crate::json::Number;
use crate::report::page::evaluation::NimberTables;

#[derive(Debug, Serialize)]
pub(crate) struct Board {
    components: Vec<ComponentOnPage>,
    heaps: Vec<HeapOnPage>,
    pub(crate) moves: Vec<MoveOnPage>,
}

#[derive(Debug, Serialize)]
struct ComponentOnPage {
    place: Number,
    width: Number,
    rules: String,
    shape: &'static str,
}

/// A heap on the board. Its JSON form, a list without missing values at the end, is short: a page has many heaps.
#[derive(Clone, Copy, Debug)]
struct HeapOnPage {
    place: u64,
    rules_index: usize,
    heap: Heap,
    is_pair: bool,
    nimber: Option<u64>,
}

/// A move. Its JSON form is the list of the place, the take, the place of its heap, and the heaps in `left`.
#[derive(Debug)]
pub(crate) struct MoveOnPage {
    mv: Move,
    /// The place of the heap in which the move is made.
    heap: u64,
    left: Vec<HeapOnPage>,
}

impl Serialize for HeapOnPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Heap { size, second, .. } = self.heap;
        let (place, size, nimber) = (Number(self.place), Number(size), self.nimber.map(Number));
        match nimber {
            _ if self.is_pair => (place, size, nimber, Number(second)).serialize(serializer),
            Some(nimber) => (place, size, nimber).serialize(serializer),
            None => (place, size).serialize(serializer),
        }
    }
}

impl Serialize for MoveOnPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Move { place, take } = self.mv;
        (Number(place), Number(take), Number(self.heap), &self.left).serialize(serializer)
    }
}

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
            let is_pair = shape(rules_index) == Some(Shape::Pair);
            HeapOnPage { place, rules_index, heap, is_pair, nimber: tables.nimber(rules_index, heap) }
        };
        let heaps = start.heaps().map(|placed| on_page(placed.place, placed.rules_index, placed.heap));
        let heaps: Vec<HeapOnPage> = heaps.collect();
        let mut in_play: BTreeMap<u64, HeapOnPage> = heaps.iter().map(|heap| (heap.place, *heap)).collect();
        let moves = moves.iter().map_while(|&mv| {
            let (&place, &heap) = in_play.range(..=mv.place).next_back()?;
            let inside = HeapMove { offset: mv.place - place, count: mv.take };
            let followers = rules(heap.rules_index)?.apply(heap.heap, inside).ok()?;
            let left =
                followers.iter().map(|&(offset, left)| on_page(place + offset, heap.rules_index, left));
            let left: Vec<HeapOnPage> = left.collect();
            in_play.remove(&place);
            in_play.extend(left.iter().map(|heap| (heap.place, *heap)));
            Some(MoveOnPage { mv, heap: place, left })
        });
        Self { moves: moves.collect(), components: components.collect(), heaps }
    }

    /// Returns how many of the heaps have no known nimber: of those at the start, and of those in `left` of each move.
    pub(crate) fn unknown_nimbers(&self) -> usize {
        let heaps = self.heaps.iter().chain(self.moves.iter().flat_map(|mv| &mv.left));
        heaps.filter(|heap| heap.nimber.is_none()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_replace_heaps() {
        let start = Position::new(&"6 1 2 + nim 5 + euclid 9 4".parse().unwrap()).unwrap();
        let moves = [(3, 2), (7, 2), (8, 8)].map(|(place, take)| Move { place, take });
        let board = Board::new(&start, &moves, &NimberTables::default());
        let left = |at: usize| {
            let left = board.moves[at].left.iter();
            let second = |heap: &HeapOnPage| heap.is_pair.then_some(heap.heap.second);
            left.map(|heap| (heap.place, heap.heap.size, second(heap))).collect::<Vec<_>>()
        };
        assert_eq!(board.moves.iter().map(|mv| mv.heap).collect::<Vec<_>>(), [1, 7, 8]);
        assert_eq!(left(0), [(1, 2, None), (5, 2, None)]);
        assert_eq!(left(1), [(7, 3, None)]);
        assert_eq!(left(2), [(8, 1, Some(4))]);
        assert_eq!(board.unknown_nimbers(), 7);
    }

    /// A split leaves two heaps that follow each other, and a later move finds the right one.
    #[test]
    fn splits_replace_heaps() {
        let start = Position::new(&"octal 4.7 6".parse().unwrap()).unwrap();
        let moves = [(3, 0), (3, 1), (2, 0)].map(|(place, take)| Move { place, take });
        let board = Board::new(&start, &moves, &NimberTables::default());
        let left =
            board.moves.iter().map(|mv| mv.left.iter().map(|heap| (heap.place, heap.heap.size)).collect());
        assert_eq!(left.collect::<Vec<Vec<_>>>(), [vec![(1, 2), (3, 4)], vec![(4, 3)], vec![(1, 1), (2, 1)]]);
        assert_eq!(board.moves.iter().map(|mv| mv.heap).collect::<Vec<_>>(), [1, 3, 1]);
    }
}
