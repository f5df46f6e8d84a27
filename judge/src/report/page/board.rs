//! The board of a replay: the heaps at the start, and for each move the heaps that replace the heap of the move.

use std::collections::BTreeMap;
use std::iter;

use runner::escape::printable;
use serde::{Serialize, Serializer};
use zeroxor::rules::{Heap, HeapMove, Rules, Shape};
use zeroxor::{Move, Position};

use crate::json::Number;

#[derive(Debug, Serialize)]
pub(crate) struct Board {
    components: Vec<ComponentOnPage>,
    heaps: Vec<HeapOnPage>,
    pub(crate) moves: Vec<MoveOnPage>,
}

#[derive(Debug, Serialize)]
struct ComponentOnPage {
    /// The first place of the game.
    place: Number,
    /// The number of places of the game.
    width: Number,
    rules: String,
    shape: &'static str,
}

/// A heap on the board. Its JSON form, a list without missing values at the end, is short: a page has many heaps.
#[derive(Debug)]
pub(crate) struct HeapOnPage {
    place: u64,
    is_pair: bool,
    /// `None` until the nimber is entered, and if its table would be too large.
    pub(crate) nimber: Option<u64>,
    /// The index of the rules, and the heap itself.
    pub(crate) key: (usize, Heap),
}

/// A move. Its JSON form is the list of the place, the take, the place of its heap, and the heaps in `left`.
#[derive(Debug)]
pub(crate) struct MoveOnPage {
    mv: Move,
    /// The place of the heap in which the move is made.
    heap: u64,
    /// The heaps that replace the heap of the move.
    left: Vec<HeapOnPage>,
}

impl Serialize for HeapOnPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Heap { size, second, .. } = self.key.1;
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
    /// Creates the board of a game, up to the first illegal move. The nimbers are entered later.
    pub(crate) fn new(start: &Position, moves: &[Move]) -> Self {
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
        let mut heaps: BTreeMap<u64, (usize, Heap)> =
            start.heaps().map(|placed| (placed.place, (placed.rules_index, placed.heap))).collect();
        let on_page = |(&place, &key): (&u64, &(usize, Heap))| {
            let is_pair = shape(key.0) == Some(Shape::Pair);
            HeapOnPage { place, is_pair, nimber: None, key }
        };
        let first = heaps.iter().map(on_page).collect();
        let moves = moves.iter().map_while(|&mv| {
            let (&place, &(index, heap)) = heaps.range(..=mv.place).next_back()?;
            let inside = HeapMove { offset: mv.place - place, count: mv.take };
            let followers = rules(index)?.apply(heap, inside).ok()?;
            heaps.remove(&place);
            let left = followers.iter().map(|&(offset, heap)| (place + offset, (index, heap)));
            heaps.extend(left.clone());
            let left = left.map(|(place, key)| on_page((&place, &key))).collect();
            Some(MoveOnPage { mv, heap: place, left })
        });
        Self { moves: moves.collect(), components: components.collect(), heaps: first }
    }

    /// Returns the heaps at the start, and the heaps in `left` of each move.
    pub(crate) fn all_heaps(&mut self) -> impl Iterator<Item = &mut HeapOnPage> {
        self.heaps.iter_mut().chain(self.moves.iter_mut().flat_map(|mv| &mut mv.left))
    }

    /// Returns the nimbers of the start and after each move; `None` where that of a heap is not known.
    pub(crate) fn nimbers(&self) -> Vec<Option<u64>> {
        let mut heaps: BTreeMap<u64, Option<u64>> = BTreeMap::new();
        let (mut xor, mut unknown) = (0, 0_usize);
        let start = iter::once((None, &self.heaps));
        let changes = start.chain(self.moves.iter().map(|mv| (Some(mv.heap), &mv.left)));
        let after = changes.map(|(removed, left)| {
            if let Some(nimber) = removed.and_then(|place| heaps.remove(&place)) {
                xor ^= nimber.unwrap_or(0);
                unknown -= usize::from(nimber.is_none());
            }
            for heap in left {
                xor ^= heap.nimber.unwrap_or(0);
                unknown += usize::from(heap.nimber.is_none());
                heaps.insert(heap.place, heap.nimber);
            }
            (unknown == 0).then_some(xor)
        });
        after.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_replace_heaps() {
        let start = Position::new(&"6 1 2 + nim 5 + euclid 9 4".parse().unwrap()).unwrap();
        let moves = [(3, 2), (7, 2), (8, 8)].map(|(place, take)| Move { place, take });
        let board = Board::new(&start, &moves);
        let left = |at: usize| {
            let left = board.moves[at].left.iter();
            let second = |heap: &HeapOnPage| heap.is_pair.then_some(heap.key.1.second);
            left.map(|heap| (heap.place, heap.key.1.size, second(heap))).collect::<Vec<_>>()
        };
        assert_eq!(board.moves.iter().map(|mv| mv.heap).collect::<Vec<_>>(), [1, 7, 8]);
        assert_eq!(left(0), [(1, 2, None), (5, 2, None)]);
        assert_eq!(left(1), [(7, 3, None)]);
        assert_eq!(left(2), [(8, 1, Some(4))]);
        assert_eq!(board.nimbers(), [None; 4]);
    }

    /// A split leaves two heaps that follow each other, and a later move finds the right one.
    #[test]
    fn splits_replace_heaps() {
        let start = Position::new(&"octal 4.7 6".parse().unwrap()).unwrap();
        let moves = [(3, 0), (3, 1), (2, 0)].map(|(place, take)| Move { place, take });
        let board = Board::new(&start, &moves);
        let left =
            board.moves.iter().map(|mv| mv.left.iter().map(|heap| (heap.place, heap.key.1.size)).collect());
        assert_eq!(left.collect::<Vec<Vec<_>>>(), [vec![(1, 2), (3, 4)], vec![(4, 3)], vec![(1, 1), (2, 1)]]);
        assert_eq!(board.moves.iter().map(|mv| mv.heap).collect::<Vec<_>>(), [1, 3, 1]);
    }
}
