//! How to add your own game, with Grundy's game as an example: a move splits a heap into two unequal heaps.
//!
//! You write only the rules. The library finds who wins, the winning moves and the best play.
//!
//! Source: P. M. Grundy 1939, "Mathematics and games".

use std::error::Error;

use zeroxor::rules::{Followers, Heap, HeapMove, Rules, Shape, Violation};
use zeroxor::{Player, Position, Side};

/// The rules. A heap is a row of cards, and a move "x y" at its first place x splits off the first y cards.
#[derive(Debug)]
struct GrundysGame;

impl Rules for GrundysGame {
    fn words(&self) -> String {
        "grundy".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Row
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        // List each split once, with the smaller part first.
        Box::new((1..heap.size.div_ceil(2)).map(|count| HeapMove { offset: 0, count }))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        if mv.offset > 0 {
            return Err(Violation::Other("a heap is split at its first place"));
        }
        if mv.count >= heap.size.div_ceil(2) {
            return Err(Violation::Other("the first part must be smaller than the second"));
        }
        Ok(Followers::from_iter([(0, Heap::of(mv.count)), (mv.count, Heap::of(heap.size - mv.count))]))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut first = Player::new(Position::of_heaps(GrundysGame, &[9, 6])?);
    let winner = first.winning_side()?;
    println!("heaps of 9 and 6: {winner} wins");

    // Let the winner play against a player that delays the loss.
    let mut second = Player::new(first.position().clone());
    let mut to_move = Side::First;
    while let Some(mv) = first.best_move() {
        first.play(mv)?;
        second.opponent_played(mv)?;
        println!("{to_move} plays {mv}: {}", first.position());
        std::mem::swap(&mut first, &mut second);
        to_move = to_move.other();
    }
    println!("{to_move} has no move");
    assert_eq!(to_move.other(), winner);
    Ok(())
}
