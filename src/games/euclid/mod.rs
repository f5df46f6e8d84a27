//! The Number Game: a move subtracts a positive multiple of one number of a pair from the other, which must
//! stay at least 1. Who cannot move, because both are equal, loses.
//!
//! It is Google Code Jam 2010, Round 1A, problem C, and J. W. Grossman's form (1997) of the game of Euclid by
//! A. J. Cole and A. J. T. Davie (1969, "A game based on the Euclidean algorithm and a winning strategy for
//! it"). For A >= B its nimber is floor(A/B - B/A) (G. Nivasch 2006, "The Sprague-Grundy function of the game
//! Euclid"), so the player to move wins exactly when A > phi B.

use std::sync::Arc;

use super::{
    Budget, Detail, Followers, Game, Heap, Illegal, MAX_SIZE, Opened, Setup, SetupError, Stand, Take, Theory,
    TooLarge,
};
use crate::Nimber;
use crate::crates::few;

#[cfg(feature = "analysis")]
mod count;

#[cfg(feature = "analysis")]
pub use count::winning_pairs;

const FORM: &str = "\"euclid A B\" with numbers from 1 to 1000000000000000000";

/// Sets up one pair.
pub(super) fn open(setup: &Setup) -> Result<Opened, SetupError> {
    match (setup.sizes.as_slice(), &setup.list) {
        (&[size, partner], None) if [size, partner].iter().all(|number| (1..=MAX_SIZE).contains(number)) => {
            Ok(Opened { game: Arc::new(Euclid), heaps: vec![(0, Heap { size, partner })], places: 2 })
        }
        _ => Err(setup.unfit(FORM)),
    }
}

/// The rules, and the theory.
#[derive(Clone, Copy, Debug)]
struct Euclid;

/// A pair as its larger and its smaller number, and the place of the larger.
fn ordered(heap: Heap) -> (u64, u64, u64) {
    if heap.size >= heap.partner { (heap.size, heap.partner, 0) } else { (heap.partner, heap.size, 1) }
}

/// The move that subtracts `times` the smaller number.
fn subtract(heap: Heap, times: u64) -> Take {
    let (_, small, offset) = ordered(heap);
    Take { offset, count: times * small }
}

/// How many times the smaller number can be subtracted.
fn most(heap: Heap) -> u64 {
    let (large, small, _) = ordered(heap);
    (large - 1) / small
}

/// floor(A/B - B/A) = floor((A^2 - B^2) / AB) for A >= B; the products are at most 10^36 and fit into 128
/// bits.
fn nimber(heap: Heap) -> Nimber {
    let (large, small, _) = ordered(heap);
    let (large, small) = (u128::from(large), u128::from(small));
    Nimber(((large * large - small * small) / (large * small)) as u64)
}

/// How many subtractions lead to the nimber `target`, as numbers of times.
///
/// With A = qB + r, a move leaves the larger number jB + r for some j < q. For j >= 1 that pair's nimber is
/// floor(j + r/B - B/(jB+r)), which is j or j-1: only j = target, j = target + 1 and j = 0 come into
/// question.
fn times_to(heap: Heap, target: Nimber) -> impl Iterator<Item = u64> {
    let (large, small, offset) = ordered(heap);
    let most = most(heap);
    let quotient = large / small;
    let left = [Some(0), Some(target.0).filter(|&left| left > 0), target.0.checked_add(1)];
    left.into_iter().flatten().filter_map(move |left| {
        let times = quotient.checked_sub(left).filter(|times| (1..=most).contains(times))?;
        let rest = large - times * small;
        let after = if offset == 0 { Heap { size: rest, ..heap } } else { Heap { partner: rest, ..heap } };
        (nimber(after) == target).then_some(times)
    })
}

impl Game for Euclid {
    fn rules(&self) -> String {
        "euclid".to_owned()
    }

    fn span(&self, _heap: Heap) -> u64 {
        2
    }

    fn follow(&self, heap: Heap, take: Take) -> Result<Followers, Illegal> {
        let (large, small, offset) = ordered(heap);
        if large == small {
            return Err(Illegal::Equal);
        }
        if take.offset != offset {
            return Err(Illegal::SmallerOfPair);
        }
        if !take.count.is_multiple_of(small) {
            return Err(Illegal::NotAMultiple { of: small });
        }
        let rest = large.checked_sub(take.count).filter(|&rest| rest > 0);
        let rest = rest.ok_or(Illegal::WouldReachZero { size: large })?;
        let after = if offset == 0 { Heap { size: rest, ..heap } } else { Heap { partner: rest, ..heap } };
        Ok(few![(0, after)])
    }

    fn move_count(&self, heap: Heap) -> u128 {
        most(heap).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<Take> {
        let times = u64::try_from(n).ok()?.checked_add(1)?;
        (times <= most(heap)).then(|| subtract(heap, times))
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = Take> + '_> {
        Box::new((1..=most(heap)).map(move |times| subtract(heap, times)))
    }

    /// Every subtraction one at a time: the partial quotients of A/B, summed.
    fn longest(&self, heap: Heap) -> u64 {
        let (mut large, mut small, _) = ordered(heap);
        let mut moves = 0;
        while small > 0 {
            moves += large / small;
            (large, small) = (small, large % small);
        }
        moves - 1
    }

    fn match_move(&self, _heap: Heap, _wanted: &[Heap]) -> Option<Take> {
        None
    }

    fn effort(&self, heap: Heap) -> u128 {
        stands(most(heap)).count() as u128
    }

    fn theory(
        &self,
        _largest: Heap,
        _detail: Detail,
        _budget: &mut Budget,
    ) -> Result<Box<dyn Theory>, TooLarge> {
        Ok(Box::new(*self))
    }
}

impl Theory for Euclid {
    fn nimber(&self, heap: Heap) -> Nimber {
        nimber(heap)
    }

    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Take> + '_> {
        Box::new(times_to(heap, target).map(move |times| subtract(heap, times)))
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(times_to(heap, target).count() as u128)
    }

    fn stand(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<Stand> {
        let before = nimber(heap);
        let longest = self.longest(heap);
        let stands = stands(most(heap)).filter_map(|times| {
            let take = subtract(heap, times);
            let (_, after) = self.follow(heap, take).ok()?.into_iter().next()?;
            let here = times_to(after, before).count() as u128;
            let wins = elsewhere(before ^ nimber(after)) + here;
            Some(Stand { wins, shortens: longest - self.longest(after), take })
        });
        stands.min()
    }
}

/// The subtractions that are compared in a lost position: all, or of very many the smallest and the largest.
fn stands(most: u64) -> impl Iterator<Item = u64> {
    const EACH: u64 = 4096;
    (1..=most.min(EACH)).chain(most.saturating_sub(EACH).max(EACH) + 1..=most)
}
