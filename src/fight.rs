//! The longest fight: what to play from a lost position.

use std::cmp::Reverse;
use std::collections::HashMap;

use itertools::Itertools;

use crate::games::Heap;
use crate::table::Seat;
use crate::theories::Learned;
use crate::{Move, Nimber};

/// More moves than this are not compared: it is a fraction of a second's work.
const MAX_MOVES: u128 = 4_000_000;

/// Whether the moves are few enough to compare all of them.
pub(crate) fn is_comparable(heaps: &[Seat<'_>]) -> bool {
    kinds(heaps).iter().map(|(_, seat)| seat.rules.move_count(seat.heap)).sum::<u128>() <= MAX_MOVES
}

/// The move after which the fewest replies win, of these one that leaves most play, of these the first;
/// `heaps` are all that have moves. `None` if there is no move, or a theory cannot count its moves.
///
/// After a move the XOR of the table is some x. The replies that win bring one heap, of nimber g, to g xor x;
/// so they are counted once for each x over the whole table, and corrected for the heap that has changed.
pub(crate) fn fewest_wins(heaps: &[Seat<'_>], theories: &Learned) -> Option<Move> {
    let kinds = kinds(heaps);
    let wins_in = |seat: &Seat<'_>, heap: Heap, xor: Nimber| {
        let theory = theories.of(seat.game);
        theory.count_to(heap, theory.nimber(heap) ^ xor)
    };
    let mut wins_anywhere: HashMap<Nimber, u128> = HashMap::new();
    let mut best = None;
    for (_, seat) in &kinds {
        let theory = theories.of(seat.game);
        let before = theory.nimber(seat.heap);
        for take in seat.rules.moves(seat.heap) {
            let followers = seat.rules.follow(seat.heap, take).ok()?;
            let xor = before ^ followers.iter().map(|&(_, heap)| theory.nimber(heap)).sum();
            let anywhere = if let Some(&wins) = wins_anywhere.get(&xor) {
                wins
            } else {
                let wins = kinds.iter().map(|(copies, seat)| Some(copies * wins_in(seat, seat.heap, xor)?));
                *wins_anywhere.entry(xor).or_insert(wins.sum::<Option<u128>>()?)
            };
            let here: u128 =
                followers.iter().map(|&(_, heap)| wins_in(seat, heap, xor)).sum::<Option<u128>>()?;
            let wins = anywhere - wins_in(seat, seat.heap, xor)? + here;
            // The play elsewhere is the same after each move of this heap; counting its loss compares them all.
            let left: u64 = followers.iter().map(|&(_, heap)| seat.rules.longest(heap)).sum();
            let lost = i128::from(seat.rules.longest(seat.heap)) - i128::from(left);
            let merit = (wins, lost);
            if best.is_none_or(|(least, _)| merit < least) {
                best = Some((merit, seat.at(take)));
            }
        }
    }
    best.map(|(_, mv)| mv)
}

/// The smallest move in the heap with most play in it.
pub(crate) fn most_play(heaps: &[Seat<'_>]) -> Option<Move> {
    let seat = heaps.iter().min_by_key(|seat| Reverse(seat.rules.longest(seat.heap)))?;
    seat.rules.nth_move(seat.heap, 0).map(|take| seat.at(take))
}

/// Equal heaps have the same moves: one of each kind, the first, and how many there are.
fn kinds<'a>(heaps: &[Seat<'a>]) -> Vec<(u128, Seat<'a>)> {
    let sorted = heaps.iter().sorted_by_key(|seat| (seat.game, seat.heap, seat.place));
    let mut kinds = sorted
        .dedup_by_with_count(|a, b| (a.game, a.heap) == (b.game, b.heap))
        .map(|(copies, seat)| (copies as u128, *seat))
        .collect_vec();
    kinds.sort_by_key(|(_, seat)| seat.place);
    kinds
}
