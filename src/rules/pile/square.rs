//! Subtract-a-square: a move takes a perfect square that is not banned.
//!
//! A player who cannot move loses. With a ban list a pile can be stuck above 0, so that is not the same as *who
//! reaches 0 first wins*: with 1 banned, 7 - 4 = 3 leaves the other player without a move, so 7 is won by the player
//! to move. (A widely copied sample answer for this case says otherwise, against its own rules.)
//!
//! Source: S. W. Golomb 1966, "A mathematical investigation of games of 'take-away'".

use super::{Takes, Violation, sorted, with_list};
use crate::spec::MAX_SIZE;

/// The rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Square {
    /// The roots of the banned squares, in ascending order.
    banned: Vec<u64>,
}

fn is_square(n: u64) -> bool {
    n.isqrt().pow(2) == n
}

impl Square {
    /// What is banned and no square cannot be taken anyway.
    pub(crate) fn new(banned: &[u64]) -> Self {
        let squares = sorted(banned).into_iter().filter(|&square| is_square(square));
        Self { banned: squares.map(u64::isqrt).collect() }
    }

    /// The roots that may be used up to `most`, in ascending order.
    fn roots(&self, most: u64) -> impl Iterator<Item = u64> + '_ {
        let mut banned = self.banned.iter().peekable();
        (1..=most).filter(move |root| banned.next_if_eq(&root).is_none())
    }
}

impl Takes for Square {
    fn words(&self) -> String {
        with_list("square", "ban", self.banned.iter().map(|root| root * root))
    }

    fn check(&self, _n: u64, take: u64) -> Result<(), Violation> {
        if !is_square(take) {
            return Err(Violation::NotASquare);
        }
        match self.banned.binary_search(&take.isqrt()) {
            Ok(_) => Err(Violation::Banned),
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
}
