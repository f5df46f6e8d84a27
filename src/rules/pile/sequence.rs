//! Games in which a move takes a number of stones that is in an increasing sequence, such as the squares, and is not
//! banned.

use super::Takes;
use crate::rules::{Clause, GameKind, Violation, in_words};

/// An increasing sequence of positive numbers, and the game whose moves take one of them.
#[derive(Debug)]
pub(crate) struct NumberSequence {
    pub(crate) kind: GameKind,
    /// What a move breaks that takes another number.
    pub(crate) refusal: Violation,
    /// Returns the number with the given index, from 1.
    pub(crate) number: fn(u64) -> u64,
    /// Returns how many numbers of the sequence are at most the argument.
    pub(crate) count: fn(u64) -> u64,
    /// Returns the approximate number of moves of all piles up to the given size together.
    pub(crate) moves: fn(u64) -> u128,
}

/// The rules by which a move takes a number of stones that is in the sequence and is not banned.
#[derive(Clone, Debug)]
pub(crate) struct FromSequence {
    pub(crate) sequence: &'static NumberSequence,
    /// The indices of the banned numbers, in ascending order.
    banned: Vec<u64>,
}

impl PartialEq for FromSequence {
    fn eq(&self, other: &Self) -> bool {
        (self.sequence.kind, &self.banned) == (other.sequence.kind, &other.banned)
    }
}

impl FromSequence {
    /// Returns the rules with the bans `banned`, in ascending order. Numbers that are not in the sequence are ignored.
    pub(crate) fn new(sequence: &'static NumberSequence, banned: &[u64]) -> Self {
        let mut rules = Self { sequence, banned: Vec::new() };
        rules.banned = banned.iter().filter_map(|&number| rules.index(number)).collect();
        rules
    }

    /// Returns the index of `number`, or `None` if `number` is not in the sequence.
    fn index(&self, number: u64) -> Option<u64> {
        let index = (self.sequence.count)(number);
        (index > 0 && (self.sequence.number)(index) == number).then_some(index)
    }
}

impl Takes for FromSequence {
    fn words(&self) -> String {
        let banned: Vec<u64> = self.banned.iter().map(|&index| (self.sequence.number)(index)).collect();
        in_words(self.sequence.kind, &Clause::banning(&banned))
    }

    fn check(&self, _n: u64, take: u64) -> Result<(), Violation> {
        let index = self.index(take).ok_or(self.sequence.refusal)?;
        match self.banned.binary_search(&index) {
            Ok(_) => Err(Violation::Banned),
            Err(_) => Ok(()),
        }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        let mut banned = self.banned.iter().peekable();
        let indices = (1..=(self.sequence.count)(n)).filter(move |index| banned.next_if_eq(&index).is_none());
        Box::new(indices.map(self.sequence.number))
    }

    fn count(&self, n: u64) -> u64 {
        let all = (self.sequence.count)(n);
        all - self.banned.partition_point(|&index| index <= all) as u64
    }

    fn nth(&self, n: u64, k: u64) -> Option<u64> {
        let index = self.banned.iter().fold(k + 1, |index, &banned| index + u64::from(banned <= index));
        (index <= (self.sequence.count)(n)).then(|| (self.sequence.number)(index))
    }

    fn max_plies(&self, n: u64) -> u64 {
        self.nth(n, 0).map_or(0, |least| n / least)
    }
}
