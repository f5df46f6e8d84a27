//! The best delaying move from a lost position.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::grundy::cache::HeapTables;
use crate::grundy::engine;
use crate::position::{HeapClass, PlacedHeap, Position};
use crate::{Move, Nimber};

/// Maximum number of steps to compare moves, a fraction of a second.
const MAX_COST: u128 = 100_000_000;

/// Returns whether comparing all moves is cheap enough. The cost is the comparison cost of each class, plus, for each
/// XOR after a move (at most `MOST_XORS` per class), the cost of counting the winning replies in all classes.
pub(crate) fn is_comparable(position: &Position, classes: &[HeapClass<'_>]) -> bool {
    const MOST_XORS: u128 = 4096;
    let rules = position.shared_rules();
    let costs = classes.iter().map(|HeapClass { first, .. }| {
        let cost = engine(&rules[first.rules_index]).comparison_cost(first.heap);
        cost.unwrap_or_else(|| first.rules.move_count(first.heap).saturating_pow(2))
    });
    let with_xors = |cost: u128| cost.saturating_add(cost.min(MOST_XORS) * classes.len() as u128);
    costs.map(with_xors).fold(0, u128::saturating_add) <= MAX_COST
}

/// Returns the best delaying move, see [`Solver::best_delaying_move`](crate::Solver::best_delaying_move). `classes`
/// must be all classes that have moves. Returns `None` if there is no move, or if a table cannot count its moves.
///
/// Let x be the XOR of the position after a move. A reply wins if it changes the nimber g of one heap to g xor x. So
/// the winning replies in the whole position are counted once for each x, and the replies in the heap that the move
/// changes are subtracted.
pub(crate) fn fewest_winning_replies(classes: &[HeapClass<'_>], values: &HeapTables) -> Option<Move> {
    let replies_in = |placed: &PlacedHeap<'_>, xor| {
        let table = values.table(placed.rules_index);
        table.replies_to(placed.heap, table.nimber(placed.heap) ^ xor)
    };
    // One count is enough as a test: if it takes too long, all counts of the same game do.
    if classes.iter().any(|class| replies_in(&class.first, Nimber::ZERO).is_none()) {
        return None;
    }
    let mut anywhere: HashMap<Nimber, u128> = HashMap::new();
    let moves = classes.iter().filter_map(|HeapClass { first, .. }| {
        let mut elsewhere = |xor| {
            let all = anywhere.entry(xor).or_insert_with(|| {
                let replies = |class: &HeapClass<'_>| replies_in(&class.first, xor).unwrap_or(0);
                classes.iter().map(|class| class.copies as u128 * replies(class)).sum()
            });
            *all - replies_in(first, xor).unwrap_or(0)
        };
        let table = values.table(first.rules_index);
        table.best_delaying_move(first.heap, &mut elsewhere).map(|best| (best, first))
    });
    // A move does not change the play in other heaps, so compare only `shortens`, the decrease in its own heap.
    moves
        .map(|(best, first)| (best.winning_replies, best.shortens, first.at(best.mv)))
        .min()
        .map(|(.., mv)| mv)
}

/// Returns the smallest move in the heap that has the longest play.
pub(crate) fn most_play(classes: &[HeapClass<'_>]) -> Option<Move> {
    let heaps = classes.iter().map(|class| class.first);
    let longest = heaps.min_by_key(|placed| (Reverse(placed.rules.max_plies(placed.heap)), placed.place))?;
    longest.rules.nth_move(longest.heap, 0).map(|mv| longest.at(mv))
}
