//! Games of piles: a move takes a number of stones from one pile, and a pile is a heap of one place.

use std::{fmt, iter};

use super::{Followers, Heap, HeapMove, Rules, Shape, Violation, is_equal};
use crate::compat::Itertools;
use crate::spec::MAX_SIZE;

pub(crate) mod factor;

/// Which numbers the rules allow to take from a pile.
pub(crate) trait Takes: fmt::Debug + Send + Sync {
    /// The rules in words, sizes left out.
    fn words(&self) -> String;

    /// Whether `take`, at most `n`, may be taken from a pile of `n`.
    fn check(&self, n: u64, take: u64) -> Result<(), Violation>;

    /// All numbers that may be taken from a pile of `n`, in ascending order.
    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_>;

    /// Whether there is one.
    fn has_takes(&self, n: u64) -> bool {
        self.count(n) > 0
    }

    /// How many nanoseconds that may take, where it is more than a microsecond.
    fn has_takes_cost(&self, _n: u64) -> u128 {
        0
    }

    /// How many they are.
    fn count(&self, n: u64) -> u64 {
        self.takes(n).count() as u64
    }

    /// The k-th of them, from 0.
    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        self.takes(n).nth(usize::try_from(k).ok()?)
    }

    /// No move takes less.
    fn least(&self) -> u64;

    /// About how many nanoseconds it takes to go through all that may be taken from a pile and to look up what each
    /// leaves.
    fn scan_cost(&self, n: u64) -> u128 {
        u128::from(self.count(n)) * 5
    }
}

/// A pile under such rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pile<T>(pub(crate) T);

/// The move that takes `count` stones.
pub(crate) fn take(count: u64) -> HeapMove {
    HeapMove { offset: 0, count }
}

impl<T: Takes + PartialEq + 'static> Rules for Pile<T> {
    fn words(&self) -> String {
        self.0.words()
    }

    fn shape(&self) -> Shape {
        Shape::Pile
    }

    fn is_same(&self, other: &dyn Rules) -> bool {
        is_equal(self, other)
    }

    fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
        Box::new(self.0.takes(heap.size).map(take))
    }

    fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
        let size = heap.size;
        let left = size.checked_sub(mv.count).ok_or(Violation::LargerThanPile { size })?;
        self.0.check(size, mv.count)?;
        Ok(Followers::from_iter([(0, Heap::of(left))]))
    }

    fn move_count(&self, heap: Heap) -> u128 {
        self.0.count(heap.size).into()
    }

    fn nth_move(&self, heap: Heap, n: u128) -> Option<HeapMove> {
        self.0.nth(heap.size, u64::try_from(n).ok()?).map(take)
    }

    fn has_moves(&self, heap: Heap) -> bool {
        self.0.has_takes(heap.size)
    }

    fn has_moves_cost(&self, heap: Heap) -> u128 {
        self.0.has_takes_cost(heap.size)
    }

    fn max_plies(&self, heap: Heap) -> u64 {
        heap.size / self.0.least()
    }

    fn cancelling_move(&self, heap: Heap, wanted: &[Heap]) -> Option<HeapMove> {
        let left = match *wanted {
            [] => 0,
            [Heap { size, .. }] => size,
            _ => return None,
        };
        let count = heap.size.checked_sub(left).filter(|&count| count > 0)?;
        self.0.check(heap.size, count).ok().map(|()| take(count))
    }
}

/// The name of a game, and after it a keyword and a list if there is one.
fn with_list(name: &str, keyword: &str, numbers: impl ExactSizeIterator<Item = u64>) -> String {
    if numbers.len() == 0 { name.to_owned() } else { format!("{name} {keyword} {}", numbers.format(" ")) }
}

/// Nim: a move takes any number of stones from one pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nim;

impl Takes for Nim {
    fn words(&self) -> String {
        "nim".to_owned()
    }

    fn check(&self, _n: u64, _take: u64) -> Result<(), Violation> {
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
}

/// Subtract-a-square: a move takes a perfect square that is not banned.
///
/// A player who cannot move loses. With a ban list a pile can be stuck above 0, so that is not the same as *who
/// reaches 0 first wins*: with 1 banned, 7 - 4 = 3 leaves the other player without a move, so 7 is won by the player
/// to move. (A widely copied sample answer for this case says otherwise, against its own rules.)
///
/// Source: S. W. Golomb 1966, "A mathematical investigation of games of 'take-away'".
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

/// Subtract-a-divisor: a move takes a divisor of the pile's present size that is not banned, 1 and the size
/// itself included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    /// The numbers that may not be taken, in ascending order.
    pub(crate) banned: Vec<u64>,
}

impl Divisor {
    pub(crate) fn new(banned: &[u64]) -> Self {
        Self { banned: sorted(banned) }
    }
}

impl Takes for Divisor {
    fn words(&self) -> String {
        with_list("divisor", "ban", self.banned.iter().copied())
    }

    fn check(&self, n: u64, take: u64) -> Result<(), Violation> {
        if !n.is_multiple_of(take) {
            return Err(Violation::NotADivisor { size: n });
        }
        match self.banned.binary_search(&take) {
            Ok(_) => Err(Violation::Banned),
            Err(_) => Ok(()),
        }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        if n == 0 {
            return Box::new(iter::empty());
        }
        let mut divisors = Vec::new();
        factor::divisors(factor::primes(n), &mut divisors);
        divisors.retain(|divisor| self.banned.binary_search(divisor).is_err());
        divisors.sort_unstable();
        Box::new(divisors.into_iter())
    }

    fn scan_cost(&self, n: u64) -> u128 {
        // To count the divisors is to find them.
        u128::from(factor::cost(n)) * 10 + u128::from(factor::estimated_divisors(n)) * 50
    }

    fn has_takes(&self, n: u64) -> bool {
        // Most piles can be taken whole; only if that is banned are the divisors computed.
        n > 0 && (self.check(n, n).is_ok() || self.count(n) > 0)
    }

    fn has_takes_cost(&self, n: u64) -> u128 {
        if n == 0 || self.check(n, n).is_ok() {
            return 0;
        }
        // The worst numbers take 1.1 ms, and those up to 10^6 a microsecond.
        u128::from(factor::cost(n)) * 2 + u128::from(factor::estimated_divisors(n)) * 50
    }

    fn least(&self) -> u64 {
        let mut banned = self.banned.iter();
        (1..=u64::MAX).find(|number| banned.next() != Some(number)).unwrap_or(1)
    }
}

/// Subtraction games: a move takes one of a finite set of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subtract {
    /// The numbers that may be taken, in ascending order.
    pub(crate) takes: Vec<u64>,
}

impl Subtract {
    pub(crate) fn new(takes: &[u64]) -> Self {
        Self { takes: sorted(takes) }
    }

    /// Those that a pile of `n` has room for.
    fn up_to(&self, n: u64) -> &[u64] {
        &self.takes[..self.takes.partition_point(|&take| take <= n)]
    }
}

impl Takes for Subtract {
    fn words(&self) -> String {
        with_list("subtract", "take", self.takes.iter().copied())
    }

    fn check(&self, _n: u64, take: u64) -> Result<(), Violation> {
        self.takes.binary_search(&take).map(drop).map_err(|_| Violation::NotListed)
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.up_to(n).iter().copied())
    }

    fn count(&self, n: u64) -> u64 {
        self.up_to(n).len() as u64
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        let take = self.takes.get(usize::try_from(k).ok()?).copied();
        take.filter(|&take| take <= n)
    }

    fn least(&self) -> u64 {
        self.takes.first().copied().unwrap_or(1)
    }
}

/// Numbers in ascending order, each once.
fn sorted(numbers: &[u64]) -> Vec<u64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}
