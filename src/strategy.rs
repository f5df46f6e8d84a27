//! The strategy: which side to take, the move that makes the XOR zero, the longest fight from a lost
//! position.

use std::fmt;

use crate::crates::{Itertools, debug};
use crate::games::{Budget, TooLarge};
use crate::table::{Seat, Table};
use crate::theories::{Learned, Theories};
use crate::{Move, Nimber, Side, Symmetry, fight, symmetry};

/// Who wins a position when both play well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An N-position: the next player, who is to move, wins.
    N,
    /// A P-position: the previous player wins, who is to move loses.
    P,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::N => "N",
            Self::P => "P",
        })
    }
}

/// A perfect player. It keeps the Grundy tables it has needed, so use one for a whole game.
///
/// No table is built for what symmetry settles.
#[derive(Default)]
pub struct Strategy {
    pub(crate) theories: Theories,
}

impl Strategy {
    /// Who wins from here.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach.
    pub fn outcome(&mut self, table: &Table) -> Result<Outcome, TooLarge> {
        Ok(match symmetry(table) {
            Symmetry::Cancelled => Outcome::P,
            Symmetry::Reply(_) => Outcome::N,
            Symmetry::Unsettled(heaps) => match self.theories.learn(table, Budget::TABLE)?.xor(&heaps) {
                Nimber::ZERO => Outcome::P,
                _ => Outcome::N,
            },
        })
    }

    /// The side that wins, before the first move.
    ///
    /// # Errors
    ///
    /// If that takes a Grundy table out of reach.
    pub fn side(&mut self, table: &Table) -> Result<Side, TooLarge> {
        let outcome = self.outcome(table)?;
        debug!("start: {table} is a position of outcome {outcome}");
        Ok(match outcome {
            Outcome::N => Side::First,
            Outcome::P => Side::Second,
        })
    }

    /// The move to make: one that wins, else the longest fight; `None` if there is no move.
    ///
    /// # Errors
    ///
    /// If it takes a Grundy table out of reach to tell.
    pub fn reply(&mut self, table: &Table) -> Result<Option<Move>, TooLarge> {
        match self.winning_move(table)? {
            Some(mv) => Ok(Some(mv)),
            None => Ok(self.longest_fight(table)),
        }
    }

    /// A move that makes the XOR zero, `None` from a P-position.
    ///
    /// # Errors
    ///
    /// If it takes a Grundy table out of reach to tell.
    pub fn winning_move(&mut self, table: &Table) -> Result<Option<Move>, TooLarge> {
        match symmetry(table) {
            Symmetry::Cancelled => {
                debug!("{table}: all cancels in pairs, XOR 0");
                Ok(None)
            }
            Symmetry::Reply(mv) => {
                debug!("{table}: after {mv} all cancels in pairs, XOR 0");
                Ok(Some(mv))
            }
            Symmetry::Unsettled(heaps) => {
                let theories = self.theories.learn(table, Budget::TABLE)?;
                Ok(zero_move(table, &heaps, &theories))
            }
        }
    }

    /// Makes the tables for the [longest fight](Self::longest_fight) from here, so that its first move does not
    /// have to. It is worth while for who does not win.
    pub fn prepare_fight(&mut self, table: &Table) {
        let kinds = table.live_kinds().collect_vec();
        if fight::is_comparable(&kinds)
            && let Ok(theories) = self.theories.learn(table, Budget::FIGHT)
        {
            fight::can_count(&kinds, &theories);
        }
    }

    /// From a lost position, the move that makes the win hardest to find; `None` if there is no move.
    ///
    /// Of the moves it takes one after which the fewest replies win, of these one that leaves most play, of
    /// these the one at the lowest place that takes least. Of the moves in a pile of nim above 4096, and of
    /// more than 8192 multiples in a pair, only some are compared, and 65,535 replies or more that win in one
    /// segment are not told apart. Where there are too many to compare, or the theory is out of reach, only
    /// the play that is left counts.
    pub fn longest_fight(&mut self, table: &Table) -> Option<Move> {
        let kinds = table.live_kinds().collect_vec();
        let theories =
            fight::is_comparable(&kinds).then(|| self.theories.learn(table, Budget::FIGHT).ok()).flatten();
        let mv = theories
            .and_then(|theories| fight::fewest_wins(&kinds, &theories))
            .or_else(|| fight::most_play(&kinds))?;
        debug!("{table}: lost, the longest fight is {mv}");
        Some(mv)
    }
}

/// The move that brings one heap to the XOR of the others.
///
/// At least one nimber has the highest bit of the XOR. The others XOR to less than that one, so by the
/// definition of mex its heap has an option of that value.
fn zero_move(table: &Table, heaps: &[Seat<'_>], theories: &Learned) -> Option<Move> {
    let xor = theories.xor(heaps);
    let left = heaps.iter().map(|seat| seat.heap).format(" ");
    debug!("{table}: left after cancelling {left}, XOR {xor}");
    heaps.iter().find_map(|seat| {
        let nimber = theories.nimber(seat);
        let target = nimber ^ xor;
        if target >= nimber {
            return None;
        }
        let take = theories.of(seat.game).move_to(seat.heap, target)?;
        let left = seat.rules.follow(seat.heap, take).ok()?;
        let mv = seat.at(take);
        debug!(
            "heap {} at {} of nimber {nimber} goes to target {target} by {mv}, which leaves ({})",
            seat.heap,
            seat.place,
            left.iter().map(|(_, heap)| heap).format(", "),
        );
        Some(mv)
    })
}
