//! The best delaying move: what to play from a lost position.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::grundy::cache::Values;
use crate::grundy::engine;
use crate::position::{HeapClass, PlacedHeap, Position};
use crate::{Move, Nimber};

/// More is not done to compare moves: it is a fraction of a second's work.
const MAX_COST: u128 = 100_000_000;

/// Whether the moves are few enough to compare all of them: those of each kind, and for each XOR they leave,
/// about as many as moves, the wins in all kinds.
pub(crate) fn is_comparable(position: &Position, classes: &[HeapClass<'_>]) -> bool {
    const MOST_XORS: u128 = 4096;
    let rules = position.shared_rules();
    let costs =
        classes.iter().map(|class| engine(&rules[class.first.index]).comparison_cost(class.first.heap));
    let with_xors = |cost: u128| cost.saturating_add(cost.min(MOST_XORS) * classes.len() as u128);
    costs.map(with_xors).fold(0, u128::saturating_add) <= MAX_COST
}

/// Whether the tables can count the moves of all classes; those that keep counts have them then.
pub(crate) fn can_count(classes: &[HeapClass<'_>], values: &Values) -> bool {
    // If one count is out of reach, all of that game are.
    classes.iter().all(|HeapClass { first, .. }| {
        let table = values.table(first.index);
        table.replies_to(first.heap, table.nimber(first.heap)).is_some()
    })
}

/// The move after which the fewest replies win, of these one that leaves most play, of these the one at the
/// lowest place that takes least; `classes` are all that have moves. `None` if there is no move, or a table
/// cannot count its moves.
///
/// After a move the XOR of the position is some x. The replies that win bring one heap, of nimber g, to g xor x;
/// so they are counted once for each x over the whole position, less those in the heap that has changed.
pub(crate) fn fewest_winning_replies(classes: &[HeapClass<'_>], values: &Values) -> Option<Move> {
    let replies_in = |placed: &PlacedHeap<'_>, xor| {
        let table = values.table(placed.index);
        table.replies_to(placed.heap, table.nimber(placed.heap) ^ xor)
    };
    if !can_count(classes, values) {
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
        let table = values.table(first.index);
        table.best_delaying_move(first.heap, &mut elsewhere).map(|best| (best, first))
    });
    // The play elsewhere stays, so what a move shortens in its own heap compares the play that is left.
    moves
        .map(|(best, first)| (best.winning_replies, best.shortens, first.at(best.mv)))
        .min()
        .map(|(.., mv)| mv)
}

/// The smallest move in the heap with most play in it.
pub(crate) fn most_play(classes: &[HeapClass<'_>]) -> Option<Move> {
    let heaps = classes.iter().map(|class| class.first);
    let longest = heaps.min_by_key(|placed| (Reverse(placed.rules.max_plies(placed.heap)), placed.place))?;
    longest.rules.nth_move(longest.heap, 0).map(|mv| longest.at(mv))
}
