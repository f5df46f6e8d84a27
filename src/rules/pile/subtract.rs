//! Subtraction games: a move takes one of a finite set of numbers, or at most a K-th of the pile, which is nim if K = 1.

use std::sync::Arc;

use super::{Pile, Takes};
use crate::rules::starts::{random_heaps, random_numbers};
use crate::rules::{Clause, GameEntry, GameKind, MAX_SIZE, Random, TAKE, Violation, Window, in_words};
use itertools::Itertools;

pub(in crate::rules) static ENTRY: GameEntry = GameEntry {
    name: "subtract",
    form: "subtract n1 n2 ... take s1 s2 ...",
    help: "piles; a move takes one of the numbers listed, such as 1 3..9, or at most a K-th of the pile: 1..n/K",
    keywords: &[TAKE],
    max_heap: MAX_SIZE,
    rules: |clauses| match clauses {
        [Clause::TakeShare(divisor)] => Some(Arc::new(Pile(Share { divisor: *divisor }))),
        [Clause::Take(windows)] => Some(Arc::new(Pile(Subtract::new(windows)))),
        _ => None,
    },
    in_sums: "7 take 2 3|7 take 2..4|7 take 1..n/2",
    extremes: "N take 1|N take 2 3|N take N|N N N N take 1 2 3|N take 2..N|N take 1..HALF|N take 1..n/2|N take 1..n/N",
    small: &[(1, 12, SMALL_SETS)],
    random: |max, random| (random_clauses(max, random), random_heaps(max, random)),
};

/// Nim: a move takes at most the whole pile.
pub(in crate::rules) static NIM: GameEntry = GameEntry {
    name: "nim",
    form: "nim n1 n2 ...",
    help: "piles; a move takes any number",
    keywords: &[],
    max_heap: MAX_SIZE,
    rules: |_| Some(Arc::new(Pile(Share { divisor: 1 }))),
    in_sums: "3",
    extremes: "N|N N N|N N N N",
    small: &[(1, 10, "N"), (2, 6, "N"), (3, 4, "N")],
    random: |max, random| (Vec::new(), random_heaps(max, random)),
};

const SMALL_SETS: &str = "\
N take 1|N take 2|N take 3|N take 4|N take 1 2|N take 1 3|N take 1 4|N take 2 3|N take 2 4|N take 3 4|N take 1 2 3|\
N take 1 2 4|N take 1 3 4|N take 2 3 4|N take 1 2 3 4|N take 2..5|N take 3..9|N take 1..n/1|N take 1..n/2|N take 1..n/3";

/// Returns one clause: with numbers, with a range, with numbers and a range, or with a share of the pile.
fn random_clauses(max: u64, random: &mut dyn Random) -> Vec<Clause> {
    let mut takes = random_numbers(4, max.min(20), random);
    takes.push(random.number(1..=max.min(20)));
    let numbers = takes.into_iter().sorted().dedup().filter_map(|take| Window::new(take, take));
    match random.count(0..=3) {
        0 => vec![Clause::TakeShare(random.number(1..=max.min(6)))],
        1 => {
            let (a, b) = (random.number(1..=max), random.number(1..=max));
            vec![Clause::Take(Window::new(a.min(b), a.max(b)).into_iter().collect())]
        }
        2 => {
            let (a, b) = (random.number(1..=max.min(20)), random.number(1..=max.min(20)));
            vec![Clause::Take(numbers.chain(Window::new(a.min(b), a.max(b))).collect())]
        }
        _ => vec![Clause::Take(numbers.collect())],
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subtract {
    /// The numbers that may be taken, as ascending ranges with at least one number between them.
    pub(crate) windows: Vec<Window>,
}

impl Subtract {
    pub(crate) fn new(windows: &[Window]) -> Self {
        let mut sorted = windows.to_vec();
        sorted.sort_unstable_by_key(|window| window.l);
        let mut merged: Vec<Window> = Vec::new();
        for window in sorted {
            match merged.last_mut() {
                Some(last) if window.l <= last.r + 1 => last.r = last.r.max(window.r),
                _ => merged.push(window),
            }
        }
        Self { windows: merged }
    }

    /// Returns the ranges of the numbers that are at most `n`.
    pub(crate) fn up_to(&self, n: u64) -> impl Iterator<Item = Window> {
        let windows = self.windows.iter().take_while(move |window| window.l <= n);
        windows.map(move |&Window { l, r }| Window { l, r: r.min(n) })
    }
}

impl Takes for Subtract {
    fn words(&self) -> String {
        let mut windows = Vec::new();
        for &Window { l, r } in &self.windows {
            if r == l + 1 {
                // Written as two numbers.
                windows.extend([Window { l, r: l }, Window { l: r, r }]);
            } else {
                windows.push(Window { l, r });
            }
        }
        in_words(GameKind::Subtract, &[Clause::Take(windows)])
    }

    fn check(&self, _n: u64, take: u64) -> Result<(), Violation> {
        let at = self.windows.partition_point(|window| window.r < take);
        let is_listed = self.windows.get(at).is_some_and(|window| window.l <= take);
        if is_listed { Ok(()) } else { Err(Violation::NotListed) }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.up_to(n).flat_map(|Window { l, r }| l..=r))
    }

    fn count(&self, n: u64) -> u64 {
        self.up_to(n).map(|Window { l, r }| r - l + 1).sum()
    }

    fn nth(&self, n: u64, mut k: u64) -> Option<u64> {
        self.up_to(n).find_map(|Window { l, r }| {
            let take = l.checked_add(k).filter(|&take| take <= r);
            k = k.saturating_sub(r - l + 1);
            take
        })
    }

    fn max_plies(&self, n: u64) -> u64 {
        self.windows.first().map_or(0, |window| n / window.l)
    }
}

/// The rules of `take 1..n/K`: a move takes 1 to floor(n/K) stones from a pile of n. With K = 1 this is nim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// The number K, at least 1: a move takes at most a K-th of the pile's current size, rounded down.
    pub(crate) divisor: u64,
}

impl Share {
    pub(crate) fn is_nim(self) -> bool {
        self.divisor == 1
    }

    pub(crate) fn most(self, n: u64) -> u64 {
        n / self.divisor
    }
}

impl Takes for Share {
    fn words(&self) -> String {
        if self.is_nim() {
            return in_words(GameKind::Nim, &[]);
        }
        in_words(GameKind::Subtract, &[Clause::TakeShare(self.divisor)])
    }

    fn check(&self, n: u64, take: u64) -> Result<(), Violation> {
        let most = self.most(n);
        if take <= most { Ok(()) } else { Err(Violation::AboveShare { most }) }
    }

    fn takes(&self, n: u64) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(1..=self.most(n))
    }

    fn count(&self, n: u64) -> u64 {
        self.most(n)
    }

    fn max_plies(&self, n: u64) -> u64 {
        // One stone can be taken from each pile of at least K.
        n.saturating_sub(self.divisor - 1)
    }
}
