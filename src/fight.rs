//! The longest fight: what to play from a lost position.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::table::{Kind, Seat};
use crate::theories::Learned;
use crate::{Move, Nimber};

/// More is not done to compare moves: it is a fraction of a second's work.
const MAX_EFFORT: u128 = 100_000_000;

/// Whether the moves are few enough to compare all of them: those of each kind, and for each XOR they leave,
/// about as many as moves, the wins in all kinds.
pub(crate) fn is_comparable(kinds: &[Kind<'_>]) -> bool {
    const MOST_XORS: u128 = 4096;
    let efforts = kinds.iter().map(|Kind { seat, .. }| seat.rules.effort(seat.heap));
    let cost = |effort: u128| effort.saturating_add(effort.min(MOST_XORS) * kinds.len() as u128);
    efforts.map(cost).fold(0, u128::saturating_add) <= MAX_EFFORT
}

/// Whether the theories can count the moves of all kinds; those that keep a table of counts have it then.
pub(crate) fn can_count(kinds: &[Kind<'_>], theories: &Learned) -> bool {
    // If one count is out of reach, all of that game are.
    kinds.iter().all(|Kind { seat, .. }| {
        let theory = theories.of(seat.game);
        theory.wins_to(seat.heap, theory.nimber(seat.heap)).is_some()
    })
}

/// The move after which the fewest replies win, of these one that leaves most play, of these the one at the
/// lowest place that takes least; `kinds` are all that have moves. `None` if there is no move, or a theory
/// cannot count its moves.
///
/// After a move the XOR of the table is some x. The replies that win bring one heap, of nimber g, to g xor x;
/// so they are counted once for each x over the whole table, less those in the heap that has changed.
pub(crate) fn fewest_wins(kinds: &[Kind<'_>], theories: &Learned) -> Option<Move> {
    let wins_in = |seat: &Seat<'_>, xor| {
        let theory = theories.of(seat.game);
        theory.wins_to(seat.heap, theory.nimber(seat.heap) ^ xor)
    };
    if !can_count(kinds, theories) {
        return None;
    }
    let mut anywhere: HashMap<Nimber, u128> = HashMap::new();
    let stands = kinds.iter().filter_map(|Kind { seat, .. }| {
        let mut elsewhere = |xor| {
            let all = anywhere.entry(xor).or_insert_with(|| {
                kinds.iter().map(|kind| kind.copies as u128 * wins_in(&kind.seat, xor).unwrap_or(0)).sum()
            });
            *all - wins_in(seat, xor).unwrap_or(0)
        };
        theories.of(seat.game).stand(seat.heap, &mut elsewhere).map(|stand| (stand, seat))
    });
    // The play elsewhere stays, so what a move shortens in its own heap compares the play that is left.
    stands.map(|(stand, seat)| (stand.wins, stand.shortens, seat.at(stand.take))).min().map(|(.., mv)| mv)
}

/// The smallest move in the heap with most play in it.
pub(crate) fn most_play(kinds: &[Kind<'_>]) -> Option<Move> {
    let seats = kinds.iter().map(|kind| kind.seat);
    let seat = seats.min_by_key(|seat| (Reverse(seat.rules.longest(seat.heap)), seat.place))?;
    seat.rules.nth_move(seat.heap, 0).map(|take| seat.at(take))
}
