//! Symmetry: what cancels in pairs needs no Grundy value.

use crate::crates::{Few, Itertools};
use crate::table::{Seat, Table};
use crate::{Move, games::Heap};

/// What symmetry alone says of a table.
#[derive(Clone, Debug)]
pub enum Symmetry<'a> {
    /// All live heaps cancel in pairs: the XOR is 0, the player to move loses.
    Cancelled,
    /// After this move they do.
    Reply(Move),
    /// One of each kind that is left over, and no move by which the rest cancels.
    Unsettled(Vec<Seat<'a>>),
}

/// Cancels equal heaps in pairs, and looks for the move that lets all the rest cancel.
///
/// Two equal heaps are a P-position together: whatever is done to one, the other player does to the other (E.
/// R. Berlekamp, J. H. Conway and R. K. Guy 1982, "Winning Ways for your Mathematical Plays", the Tweedledum
/// and Tweedledee argument). A move leaves at most two heaps of one, so it can settle at most three. Time:
/// O(k) for k kinds of heaps.
pub fn symmetry(table: &Table) -> Symmetry<'_> {
    // One of each kind of which there is an odd number is left.
    let odd = table.live_kinds().filter(|kind| kind.copies % 2 == 1).map(|kind| kind.seat).collect_vec();
    if odd.is_empty() {
        return Symmetry::Cancelled;
    }
    if odd.len() <= 3 && odd.iter().map(|seat| seat.game).all_equal() {
        for (mover, seat) in odd.iter().enumerate() {
            let wanted: Few<Heap> = odd
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != mover)
                .map(|(_, seat)| seat.heap)
                .collect();
            if let Some(take) = seat.rules.match_move(seat.heap, &wanted) {
                return Symmetry::Reply(seat.at(take));
            }
        }
    }
    Symmetry::Unsettled(odd)
}
