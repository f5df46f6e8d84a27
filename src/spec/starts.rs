//! The starts of each kind of game that the judge plays, and the smaller starts to which it shrinks a game.

use super::GameSpec;
use crate::rules::starts::{below, replaced};
use crate::rules::{Clause, GameKind, Random, Window};
use itertools::Itertools;

impl GameKind {
    /// Parses starts, the words after the name of a game; `None` in place of one that is not valid.
    fn starts(self, words: &str) -> Vec<Option<GameSpec>> {
        words.split('|').map(|words| format!("{} {words}", self.name()).parse().ok()).collect()
    }

    /// Returns one start of each extreme kind with sizes of `n`, or `None` in its place if that is not valid.
    pub fn extremes(self, n: u64) -> Vec<Option<GameSpec>> {
        let [gold, half, n] = [n - n / 1000 * 382, n / 2, n].map(|number| number.to_string());
        let words = self.entry().extremes.replace("GOLD", &gold).replace("HALF", &half);
        self.starts(&words.replace('N', &n))
    }

    /// Returns the small starts with sizes of at most `max`, roughly in ascending order.
    pub fn small(self, max: u64) -> Vec<GameSpec> {
        let starts = self.entry().small.iter().flat_map(|&(count, most, words)| {
            let heaps = (1..=most.min(max)).combinations_with_replacement(count);
            heaps.flat_map(move |heaps| self.starts(&words.replace('N', &heaps.iter().join(" "))))
        });
        starts.flatten().filter(|game| game.size() <= max).collect()
    }

    /// Returns the games that are used as components of small sums.
    pub fn components(self) -> Vec<GameSpec> {
        self.starts(self.entry().in_sums).into_iter().flatten().collect()
    }

    /// Returns a random start with sizes of at most `max`, which must be at least 1.
    pub fn random(self, max: u64, random: &mut dyn Random) -> GameSpec {
        let (clauses, heaps) = (self.entry().random)(max.min(self.max_heap()), random);
        GameSpec::Single { kind: self, heaps, clauses }
    }
}

impl GameSpec {
    /// Returns variants of the game in which a number is smaller, a heap, a clause or a number of a clause is missing,
    /// or a bit of a code is cleared. Some of the variants are not [valid](Self::validate). A sum and a game in misère
    /// play have no variants.
    pub fn smaller(&self) -> Vec<Self> {
        let Self::Single { kind, heaps, clauses } = self else { return Vec::new() };
        let mut smaller = Vec::new();
        let mut add = |heaps, clauses| smaller.push(Self::Single { kind: *kind, heaps, clauses });
        for heaps in smaller_heaps(heaps) {
            let clauses = clauses.iter().map(|clause| match (clause, &heaps[..]) {
                // L and R are at most N.
                (&Clause::Window(Window { l, r }), &[n]) => {
                    Clause::Window(Window { l: l.min(n), r: r.min(n) })
                }
                (clause, _) => clause.clone(),
            });
            let clauses = clauses.collect();
            add(heaps, clauses);
        }
        for (at, clause) in clauses.iter().enumerate() {
            for smaller in clause.smaller() {
                add(heaps.clone(), replaced(clauses, at, smaller));
            }
        }
        smaller
    }
}

/// Returns the lists of heaps in which one heap is missing or smaller.
fn smaller_heaps(heaps: &[u64]) -> Vec<Vec<u64>> {
    let mut smaller = Vec::new();
    for (at, &size) in heaps.iter().enumerate() {
        smaller.push(replaced(heaps, at, []));
        smaller.extend(below(size).into_iter().map(|less| replaced(heaps, at, [less])));
    }
    smaller
}
