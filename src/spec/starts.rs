//! The starts of each kind of game that the judge plays, and the smaller starts to which it shrinks a game.

use super::{GameKind, GameSpec};
use crate::rules::pile::starts::{below, random_piles, replaced};
use crate::rules::{OctalCode, Random};
use itertools::Itertools;

/// Codes of up to two digits after the point, each of which occurs in the code of a known game, and codes with moves that
/// only split.
const SMALL_CODES: &str = "0.01|0.03|0.06|0.07|0.1|0.11|0.13|0.16|0.17|0.3|0.31|0.33|0.36|0.37|0.6|0.61|0.63|0.66|0.67|\
                           0.7|0.71|0.73|0.76|0.77|4.0|4.1|4.3|4.6|4.7|4.[3]";

impl GameKind {
    /// Parses the words after the name of a game; `None` if they are not valid.
    fn of_words(self, words: &str) -> Option<GameSpec> {
        format!("{} {words}", self.name()).parse().ok()
    }

    /// Returns one start of each extreme kind with sizes of `n`, or `None` in its place if that is not valid.
    pub fn extremes(self, n: u64) -> Vec<Option<GameSpec>> {
        let words = match self {
            Self::Segment => "N 1 1|N 1 N|N 2 2|N 3 3|N N N",
            Self::Piles(game) => game.entry().extremes,
            // Games from pairs near the golden ratio are long.
            Self::Euclid => "N 1|1 N|N N|N GOLD",
            Self::Octal => "0.77 N|0.137 N|0.6 N|0.07 N N N N|4.[3] N",
            Self::Grundy => "N|N N N",
        };
        let [gold, half, n] = [n - n / 1000 * 382, n / 2, n].map(|number| number.to_string());
        let words = words.replace("GOLD", &gold).replace("HALF", &half).replace('N', &n);
        words.split('|').map(|words| self.of_words(words)).collect()
    }

    /// Returns the small starts with sizes of at most `max`, roughly in ascending order.
    pub fn small(self, max: u64) -> Vec<GameSpec> {
        let to = |limit: u64| 1..=limit.min(max);
        match self {
            Self::Segment => {
                let windows = |n| (1..=n).flat_map(move |l| (l..=n).map(move |r| (l, r)));
                let rows = to(10).flat_map(|n| windows(n).map(move |(l, r)| GameSpec::Segment { n, l, r }));
                rows.collect()
            }
            Self::Piles(game) => {
                let mut games = Vec::new();
                for &(count, most, clauses) in game.entry().small {
                    for piles in to(most).combinations_with_replacement(count) {
                        let piles = piles.iter().join(" ");
                        let words = clauses.split('|').map(|clauses| format!("{piles} {clauses}"));
                        games.extend(words.filter_map(|words| self.of_words(&words)));
                    }
                }
                games
            }
            Self::Euclid => to(12).flat_map(|a| to(12).map(move |b| GameSpec::Euclid { a, b })).collect(),
            Self::Octal => {
                let games = to(8).cartesian_product(SMALL_CODES.split('|'));
                games.filter_map(|(n, code)| self.of_words(&format!("{code} {n}"))).collect()
            }
            Self::Grundy => to(12).map(|n| GameSpec::Grundy { heaps: vec![n] }).collect(),
        }
    }

    /// Returns the games that are used as components of small sums.
    pub fn components(self) -> Vec<GameSpec> {
        let words = match self {
            Self::Segment => "3 1 2|4 2 2",
            Self::Piles(game) => game.entry().in_sums,
            Self::Euclid => "7 5",
            Self::Octal => "0.137 5",
            Self::Grundy => "7",
        };
        words.split('|').filter_map(|words| self.of_words(words)).collect()
    }

    /// Returns a random start with sizes of at most `max`, which must be at least 1.
    pub fn random(self, max: u64, random: &mut dyn Random) -> GameSpec {
        match self {
            Self::Segment => random_row(max, random),
            Self::Piles(game) => {
                let max = max.min(game.max_pile());
                let clauses = (game.entry().random_clauses)(max, random);
                GameSpec::Piles { game, piles: random_piles(max, random), clauses }
            }
            Self::Euclid => GameSpec::Euclid { a: random.number(1..=max), b: random.number(1..=max) },
            Self::Octal => GameSpec::Octal { code: random_code(random), heaps: random_piles(max, random) },
            Self::Grundy => GameSpec::Grundy { heaps: random_piles(max, random) },
        }
    }
}

/// Returns a random row of at most `max` cards. Half have L = R, because symmetry decides most others.
fn random_row(max: u64, random: &mut dyn Random) -> GameSpec {
    let n = random.number(1..=max);
    if random.count(0..=1) == 1 {
        let l = random.number(1..=n.min(20));
        GameSpec::Segment { n, l, r: l }
    } else {
        let (a, b) = (random.number(1..=n), random.number(1..=n));
        GameSpec::Segment { n, l: a.min(b), r: a.max(b) }
    }
}

/// Returns a random code of one to four digits after the point. One in four has moves that only split a heap.
fn random_code(random: &mut dyn Random) -> OctalCode {
    let count = random.count(1..=4);
    let zero = if random.count(0..=3) == 0 { 4 } else { 0 };
    loop {
        let digits = (0..count).map(|_| random.count(0..=7)).filter_map(|digit| u8::try_from(digit).ok());
        let digits: Vec<u8> = [zero].into_iter().chain(digits).collect();
        if let Some(code) = OctalCode::new(&digits) {
            return code;
        }
    }
}

impl GameSpec {
    /// Returns variants of the game in which a number is smaller, a heap, a clause or a number of a clause is missing,
    /// or a bit of a code is cleared. Some of the variants are not [valid](Self::validate). A sum and a game in misère
    /// play have no variants.
    pub fn smaller(&self) -> Vec<Self> {
        let mut smaller = Vec::new();
        match self {
            &Self::Segment { n, l, r } => {
                // L and R are at most N.
                smaller.extend(below(n).into_iter().map(|n| Self::Segment { n, l: l.min(n), r: r.min(n) }));
                smaller.extend(below(l).into_iter().map(|l| Self::Segment { n, l, r }));
                smaller.extend(below(r).into_iter().map(|r| Self::Segment { n, l, r }));
            }
            Self::Piles { game, piles, clauses } => {
                let mut add = |piles, clauses| smaller.push(Self::Piles { game: *game, piles, clauses });
                for piles in smaller_heaps(piles) {
                    add(piles, clauses.clone());
                }
                for (at, clause) in clauses.iter().enumerate() {
                    for smaller in clause.smaller() {
                        add(piles.clone(), replaced(clauses, at, smaller));
                    }
                }
            }
            &Self::Euclid { a, b } => {
                smaller.extend(below(a).into_iter().map(|a| Self::Euclid { a, b }));
                smaller.extend(below(b).into_iter().map(|b| Self::Euclid { a, b }));
            }
            Self::Octal { code, heaps } => {
                let games = smaller_heaps(heaps).into_iter().map(|heaps| Self::Octal { code: *code, heaps });
                smaller.extend(games);
                let codes = smaller_codes(code).into_iter();
                smaller.extend(codes.map(|code| Self::Octal { code, heaps: heaps.clone() }));
            }
            Self::Grundy { heaps } => {
                smaller.extend(smaller_heaps(heaps).into_iter().map(|heaps| Self::Grundy { heaps }));
            }
            Self::Sum(_) | Self::Misere(_) => {}
        }
        smaller
    }
}

/// Returns the code without the repetition of digits, and the codes in which one bit of one digit is cleared.
fn smaller_codes(code: &OctalCode) -> Vec<OctalCode> {
    let (digits, first) = (code.digits(), code.digits().len() - code.repeated().len());
    let mut smaller = Vec::new();
    if first < digits.len() {
        smaller.extend(OctalCode::new(digits));
    }
    for (take, &digit) in digits.iter().enumerate() {
        for bit in [1, 2, 4, 8].into_iter().filter(|bit| digit & bit > 0) {
            let digits = replaced(digits, take, [digit - bit]);
            smaller.extend(OctalCode::repeating(&digits[..first], &digits[first..]));
        }
    }
    smaller
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
