//! Subtract-a-square: a move takes a perfect square that is not banned.
//!
//! The rule is *who cannot move loses*. With a ban list a pile can be stuck above 0, so that is not the same
//! as *who reaches 0 first wins*: with 1 banned, 7 - 4 = 3 leaves the other player without a move, so 7 is
//! won by the player to move. (A widely copied sample answer for this case says otherwise, against its own
//! rules.)
//!
//! Source: S. W. Golomb 1966, "A mathematical investigation of games of 'take-away'".

use super::sieve::Losing;
use super::tabled::{Tabled, Values};
use super::values::{BYTES, subtraction_values};
use super::{
    Budget, Detail, Illegal, MAX_SIZE, Opened, Setup, SetupError, Takes, Theory, TooLarge, banned, piles,
    table_of, words,
};

const FORM: &str =
    "\"square n1 n2 ... [ban s1 s2 ...]\" with piles from 1 to 1000000000000000000 and bans of at least 1";

/// Sets up the piles.
pub(in crate::games) fn open(setup: &Setup) -> Result<Opened, SetupError> {
    let banned = banned(setup, FORM)?;
    // What is no square cannot be taken anyway.
    let roots = banned.into_iter().filter(|&square| is_square(square)).map(u64::isqrt).collect();
    piles(setup, FORM, MAX_SIZE, Square { banned: roots })
}

fn is_square(n: u64) -> bool {
    n.isqrt().pow(2) == n
}

/// The rules; bans are kept as roots, in ascending order.
#[derive(Clone, Debug)]
struct Square {
    banned: Vec<u64>,
}

impl Square {
    /// The sieve of outcomes takes some ten seconds for so many piles, and twice that where every square is
    /// banned, so that all of them lose.
    const MAX_OUTCOMES: u64 = 1 << 30;

    /// The roots that may be used up to `most`, in ascending order.
    fn roots(&self, most: u64) -> impl Iterator<Item = u64> + '_ {
        let mut banned = self.banned.iter().peekable();
        (1..=most).filter(move |root| banned.next_if_eq(&root).is_none())
    }
}

/// Only the outcomes.
impl Values for Losing {
    fn value(&self, n: u64) -> u64 {
        u64::from(!self.contains(n))
    }

    fn zeros(&self, below: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.below(below))
    }
}

impl Takes for Square {
    fn rules(&self) -> String {
        words("square", "ban", self.banned.iter().map(|root| root * root))
    }

    fn check(&self, _n: u64, take: u64) -> Result<(), Illegal> {
        if !is_square(take) {
            return Err(Illegal::NotASquare);
        }
        match self.banned.binary_search(&take.isqrt()) {
            Ok(_) => Err(Illegal::Banned),
            Err(_) => Ok(()),
        }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.roots(n.isqrt()).map(|root| root * root))
    }

    fn count(&self, n: u64) -> u64 {
        let most = n.isqrt();
        most - self.banned.partition_point(|&root| root <= most) as u64
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        let root = self.banned.iter().fold(k + 1, |root, &banned| root + u64::from(banned <= root));
        (root <= n.isqrt()).then(|| root * root)
    }

    fn least(&self) -> u64 {
        self.nth(MAX_SIZE, 0).unwrap_or(MAX_SIZE)
    }

    fn detail(&self, asked: Detail) -> Detail {
        asked
    }

    fn theory(&self, largest: u64, detail: Detail, budget: &mut Budget) -> Result<Box<dyn Theory>, TooLarge> {
        self.theory_reporting(largest, detail, budget, &mut |_| ())
    }

    fn theory_reporting(
        &self,
        largest: u64,
        detail: Detail,
        budget: &mut Budget,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Box<dyn Theory>, TooLarge> {
        let what = |kind: &str| table_of(kind, largest, &self.rules());
        match detail {
            Detail::Nimber => {
                // Two thirds of n sqrt(n), the sum of all sqrt(k) for k up to n.
                let moves = u128::from(largest) * u128::from(largest.isqrt()) / 3 * 2;
                let bytes = (u128::from(largest) + 1) * BYTES;
                budget.spend(|| what("nimbers"), moves, bytes)?;
                let squares: Vec<usize> = self.takes(largest).map(|square| square as usize).collect();
                let values = subtraction_values(&squares, largest as usize);
                Ok(Box::new(Tabled { takes: self.clone(), values: move |n: u64| values[n as usize].into() }))
            }
            Detail::Outcome => {
                if largest > Self::MAX_OUTCOMES {
                    let [asked, limit] = [largest, Self::MAX_OUTCOMES].map(u128::from);
                    return Err(TooLarge {
                        what: what("outcomes"),
                        asked,
                        left: limit,
                        limit,
                        unit: "piles",
                    });
                }
                let squares: Vec<u32> = self.takes(largest).map(|square| square as u32).collect();
                let losing = Losing::new(&squares, largest as u32, budget, || what("outcomes"), progress)?;
                Ok(Box::new(Tabled { takes: self.clone(), values: losing }))
            }
        }
    }
}
