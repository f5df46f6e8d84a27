//! Nim: a move takes any number of stones from one pile. A pile is its own nimber.
//!
//! Source: C. L. Bouton 1901, "Nim, a game with a complete mathematical theory".

use super::{
    Budget, Detail, Heap, Illegal, MAX_SIZE, Opened, Setup, SetupError, Take, Takes, Theory, TooLarge, piles,
    take,
};
use crate::Nimber;
use crate::games::Stand;

const FORM: &str = "\"nim n1 n2 ...\" with piles from 1 to 1000000000000000000";

/// Sets up the piles.
pub(in crate::games) fn open(setup: &Setup) -> Result<Opened, SetupError> {
    match setup.list {
        None => piles(setup, FORM, MAX_SIZE, Nim),
        Some(_) => Err(setup.unfit(FORM)),
    }
}

/// The rules, and the theory.
#[derive(Clone, Copy, Debug)]
struct Nim;

impl Takes for Nim {
    fn rules(&self) -> String {
        "nim".to_owned()
    }

    fn check(&self, _n: u64, _take: u64) -> Result<(), Illegal> {
        Ok(())
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(1..=n)
    }

    fn count(&self, n: u64) -> u64 {
        n
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        (k < n).then_some(k + 1)
    }

    fn least(&self) -> u64 {
        1
    }

    fn effort(&self, n: u64) -> u128 {
        lefts(n).count() as u128
    }

    fn theory(
        &self,
        _largest: u64,
        _detail: Detail,
        _budget: &mut Budget,
    ) -> Result<Box<dyn Theory>, TooLarge> {
        Ok(Box::new(*self))
    }
}

impl Theory for Nim {
    fn nimber(&self, heap: Heap) -> Nimber {
        Nimber(heap.size)
    }

    fn moves_to(&self, heap: Heap, target: Nimber) -> Box<dyn Iterator<Item = Take> + '_> {
        Box::new(heap.size.checked_sub(target.0).filter(|&count| count > 0).map(take).into_iter())
    }

    fn count_to(&self, heap: Heap, target: Nimber) -> Option<u128> {
        Some(u128::from(target.0 < heap.size))
    }

    fn stand(&self, heap: Heap, elsewhere: &mut dyn FnMut(Nimber) -> u128) -> Option<Stand> {
        let n = heap.size;
        // No reply in this pile wins: it would have to add stones.
        let stands = lefts(n).map(|left| Stand {
            wins: elsewhere(Nimber(n ^ left)),
            shortens: n - left,
            take: take(n - left),
        });
        stands.min()
    }
}

/// What may be left of a pile that is lost, as far as it makes a difference: everything of a small pile. Of a
/// large one, for each highest bit of the XOR the most that can be left: among piles of nim, the replies that
/// win depend on that bit alone.
fn lefts(n: u64) -> impl Iterator<Item = u64> {
    const SMALL: u64 = 4096;
    let all = 0..if n <= SMALL { n } else { 0 };
    let bits = (0..u64::BITS).map(|bit| 1_u64 << bit).filter(move |bit| n & bit != 0 && n > SMALL);
    all.chain(bits.map(move |bit| (n & !(2 * bit - 1)) | (bit - 1)))
}
