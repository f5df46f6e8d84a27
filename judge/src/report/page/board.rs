//! The board of a replay: the heaps at the start, and for each move the heaps that replace the heap of the move.

use std::collections::BTreeMap;

use runner::escape::printable;
use serde::{Serialize, Serializer};
use zeroxor::rules::{Heap, HeapMove, Rules, Shape};
use zeroxor::{Move, Position};

use crate::json::Number;

/// The games of a sum, their heaps at the start, and the moves.
#[derive(Debug, Serialize)]
pub(crate) struct Board {
    components: Vec<ComponentOnPage>,
    heaps: Vec<HeapOnPage>,
    moves: Vec<MoveOnPage>,
}

/// A game of the sum.
#[derive(Debug, Serialize)]
struct ComponentOnPage {
    /// The first place of the game.
    place: Number,
    /// The number of places of the game.
    width: Number,
    rules: String,
    shape: &'static str,
}

/// A heap on the board. Its JSON form is short, because a page has many heaps: the list of its place, size, nimber and
/// second number, without missing values at the end.
#[derive(Debug)]
pub(crate) struct HeapOnPage {
    place: Number,
    size: Number,
    second: Option<Number>,
    /// `None` until the nimber is entered, and if its table would be too large.
    pub(crate) nimber: Option<Number>,
    /// The index of the rules, and the heap itself.
    pub(crate) key: (usize, Heap),
}

/// A move. Its JSON form is the list of the place, the take, the place of its heap, and the heaps in `left`.
#[derive(Debug)]
pub(crate) struct MoveOnPage {
    place: Number,
    take: Number,
    /// The place of the heap in which the move is made.
    pub(crate) heap: Number,
    /// The heaps that replace the heap of the move.
    pub(crate) left: Vec<HeapOnPage>,
}

impl Serialize for HeapOnPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { place, size, nimber, second, .. } = *self;
        match (nimber, second) {
            (None, None) => (place, size).serialize(serializer),
            (_, None) => (place, size, nimber).serialize(serializer),
            _ => (place, size, nimber, second).serialize(serializer),
        }
    }
}

impl Serialize for MoveOnPage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.place, self.take, self.heap, &self.left).serialize(serializer)
    }
}

impl Board {
    /// Creates the board of a game, up to the first illegal move. The nimbers are entered later.
    pub(crate) fn new(start: &Position, moves: &[Move]) -> Self {
        let rules = |index: usize| start.rules(index);
        let shape = |index: usize| rules(index).map_or("pile", |rules| shape_name(rules.shape()));
        let components = start.components().iter().map(|component| ComponentOnPage {
            place: Number(component.place),
            width: Number(component.width),
            rules: rules(component.rules_index).map_or_else(String::new, |rules| printable(&rules.words())),
            shape: shape(component.rules_index),
        });
        let mut heaps: BTreeMap<u64, (usize, Heap)> =
            start.heaps().map(|placed| (placed.place, (placed.rules_index, placed.heap))).collect();
        let on_page = |(&place, &key): (&u64, &(usize, Heap))| HeapOnPage::new(place, key, rules(key.0));
        let first = heaps.iter().map(on_page).collect();
        let moves = moves.iter().map_while(|&mv| {
            let (&place, &(index, heap)) = heaps.range(..=mv.place).next_back()?;
            let inside = HeapMove { offset: mv.place - place, count: mv.take };
            let followers = rules(index)?.apply(heap, inside).ok()?;
            heaps.remove(&place);
            let left = followers.iter().map(|&(offset, heap)| (place + offset, (index, heap)));
            let left: Vec<_> = left.collect();
            heaps.extend(left.iter().copied());
            Some(MoveOnPage {
                place: Number(mv.place),
                take: Number(mv.take),
                heap: Number(place),
                left: left.iter().map(|(place, key)| on_page((place, key))).collect(),
            })
        });
        let moves = moves.collect();
        Self { components: components.collect(), heaps: first, moves }
    }

    pub(crate) fn moves(&self) -> usize {
        self.moves.len()
    }

    /// Drops all moves after the first `moves` moves.
    pub(crate) fn truncate(&mut self, moves: usize) {
        self.moves.truncate(moves);
    }

    /// Returns the heaps at the start, and the heaps in `left` of each move.
    pub(crate) fn all_heaps(&mut self) -> impl Iterator<Item = &mut HeapOnPage> {
        self.heaps.iter_mut().chain(self.moves.iter_mut().flat_map(|mv| &mut mv.left))
    }

    /// Returns the nimber of the start and of the position after each move; `None` if the nimber of a heap of the
    /// position is not known.
    pub(crate) fn nimbers(&self) -> Vec<Option<u64>> {
        let mut heaps: BTreeMap<u64, Option<u64>> = BTreeMap::new();
        let (mut xor, mut unknown) = (0, 0_usize);
        let mut enter = |heap: Option<u64>, sign: isize| {
            xor ^= heap.unwrap_or(0);
            unknown = unknown.saturating_add_signed(if heap.is_none() { sign } else { 0 });
            (unknown == 0).then_some(xor)
        };
        let mut all = Vec::with_capacity(self.moves.len() + 1);
        let mut last = Some(0);
        for heap in &self.heaps {
            last = enter(heap.value(), 1);
            heaps.insert(heap.place.0, heap.value());
        }
        all.push(last);
        for mv in &self.moves {
            if let Some(removed) = heaps.remove(&mv.heap.0) {
                last = enter(removed, -1);
            }
            for heap in &mv.left {
                last = enter(heap.value(), 1);
                heaps.insert(heap.place.0, heap.value());
            }
            all.push(last);
        }
        all
    }
}

impl HeapOnPage {
    fn new(place: u64, key: (usize, Heap), rules: Option<&dyn Rules>) -> Self {
        let is_pair = rules.is_some_and(|rules| rules.shape() == Shape::Pair);
        Self {
            place: Number(place),
            size: Number(key.1.size),
            second: is_pair.then_some(Number(key.1.second)),
            nimber: None,
            key,
        }
    }

    fn value(&self) -> Option<u64> {
        self.nimber.map(|nimber| nimber.0)
    }
}

/// Returns the page's name for a shape.
fn shape_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Row => "row",
        Shape::Pair => "pair",
        _ => "pile",
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
            left.map(|heap| (heap.place.0, heap.size.0, heap.second.map(|second| second.0)))
                .collect::<Vec<_>>()
        };
        assert_eq!(board.moves.iter().map(|mv| mv.heap.0).collect::<Vec<_>>(), [1, 7, 8]);
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
            board.moves.iter().map(|mv| mv.left.iter().map(|heap| (heap.place.0, heap.size.0)).collect());
        assert_eq!(left.collect::<Vec<Vec<_>>>(), [vec![(1, 2), (3, 4)], vec![(4, 3)], vec![(1, 1), (2, 1)]]);
        assert_eq!(board.moves.iter().map(|mv| mv.heap.0).collect::<Vec<_>>(), [1, 3, 1]);
    }
}
