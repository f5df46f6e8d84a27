//! What everything else is compared with: the slow definitions, and published terms. These are files of the On-Line
//! Encyclopedia of Integer Sequences, which name their source.

use std::collections::{BTreeSet, HashMap};

use zeroxor::grundy::segment::{Sequence, Window};
use zeroxor::grundy::{Budget, GrundyTable, ValueKind, table};
use zeroxor::rules::Heap;
use zeroxor::{Move, Nimber, Outcome, Position, mex};

/// More than a game has: nobody waits for a move.
const BUDGET: Budget = Budget::new(10_000_000_000, 256 << 20);

/// The values of a game up to a heap.
pub fn values(game: &str, largest: Heap, kind: ValueKind) -> Box<dyn GrundyTable> {
    table(&game.parse().unwrap(), largest, kind, &mut BUDGET.clone(), &mut |_| ()).unwrap()
}

/// The position that a game starts from.
pub fn position(header: &str) -> Position {
    Position::new(&header.parse().unwrap()).unwrap()
}

/// g[i] = mex { g[u] xor g[v] : i-R <= u+v <= i-L }, word for word.
pub fn segment(l: usize, r: usize, n: usize) -> Vec<u64> {
    let mut g: Vec<u64> = Vec::new();
    for i in 0..=n {
        let mut options = vec![false; 2 * i + 2];
        for taken in l..=r.min(i) {
            let left = i - taken;
            for u in 0..=left / 2 {
                options[(g[u] ^ g[left - u]) as usize] = true;
            }
        }
        g.push(options.iter().position(|&seen| !seen).unwrap() as u64);
    }
    g
}

/// The values of long rows: for each nimber, how many of a row's moves lead to it, counted one by one; the value is the
/// least nimber to which none does. From one row to the next the moves that leave one card more come in, and those that
/// leave the fewest go.
pub fn long_segment(l: usize, r: usize, n: usize) -> Vec<u64> {
    let mut moves = vec![0_u64; (n / l + 1).next_power_of_two()];
    let mut g: Vec<usize> = Vec::new();
    for i in 0..=n {
        if let Some(left) = i.checked_sub(l) {
            (0..=left / 2).for_each(|u| moves[g[u] ^ g[left - u]] += 1);
        }
        if let Some(left) = i.checked_sub(r + 1) {
            (0..=left / 2).for_each(|u| moves[g[u] ^ g[left - u]] -= 1);
        }
        g.push(moves.iter().take_while(|&&count| count > 0).count());
    }
    g.into_iter().map(|value| value as u64).collect()
}

/// The values of a code's heaps: every division of what is left into as many heaps as the digit allows.
pub fn octal(digits: &[u8], n: usize) -> Vec<u64> {
    let mut g: Vec<u64> = Vec::new();
    for size in 0..=n {
        let mut options = Vec::new();
        for (taken, &digit) in digits.iter().enumerate().take(size + 1) {
            let left = size - taken;
            let allows = |heaps: u32| digit >> heaps & 1 == 1;
            if allows(0) && left == 0 {
                options.push(0);
            }
            if allows(1) && left > 0 {
                options.push(g[left]);
            }
            if allows(2) {
                options.extend((1..left).map(|a| g[a] ^ g[left - a]));
            }
            if allows(3) {
                let pairs = (1..left).flat_map(|a| (1..left - a).map(move |b| (a, b)));
                options.extend(pairs.map(|(a, b)| g[a] ^ g[b] ^ g[left - a - b]));
            }
        }
        let mut is_option = vec![false; options.len() + 1];
        options.iter().filter_map(|&value| usize::try_from(value).ok()).for_each(|value| {
            if let Some(slot) = is_option.get_mut(value) {
                *slot = true;
            }
        });
        g.push(is_option.iter().position(|&seen| !seen).unwrap() as u64);
    }
    g
}

/// The nimbers of whole tables by the definition alone: the mex over every move, each position once. The
/// tables must all come from one start.
#[derive(Default)]
pub struct Nimbers(HashMap<Vec<(u64, Heap)>, Nimber>);

impl Nimbers {
    pub fn of(&mut self, table: &Position) -> Nimber {
        let position = placed_heaps(table);
        if let Some(&nimber) = self.0.get(&position) {
            return nimber;
        }
        let options: Vec<Nimber> = followers(table).map(|(_, after)| self.of(&after)).collect();
        let nimber = mex(options);
        self.0.insert(position, nimber);
        nimber
    }
}

/// Every move, and what it leaves.
pub fn followers(table: &Position) -> impl Iterator<Item = (Move, Position)> {
    table.moves().map(|mv| {
        let mut after = table.clone();
        after.play(mv).unwrap();
        (mv, after)
    })
}

/// The outcome of a table whose heaps have these Grundy values by size.
pub fn outcome(table: &Position, g: &[u64]) -> Outcome {
    match table.heaps().fold(0, |xor, placed| xor ^ g[placed.heap.size as usize]) {
        0 => Outcome::P,
        _ => Outcome::N,
    }
}

/// The heaps with their places, to distinguish positions.
pub fn placed_heaps(position: &Position) -> Vec<(u64, Heap)> {
    position.heaps().map(|placed| (placed.place, placed.heap)).collect()
}

/// A row of cards as the statement has it: each card lies there or not.
#[derive(Clone)]
pub struct Cards {
    pub l: usize,
    pub r: usize,
    pub there: Vec<bool>,
}

impl Cards {
    pub fn is_legal(&self, x: usize, y: usize) -> bool {
        (self.l..=self.r).contains(&y)
            && x >= 1
            && x + y - 1 <= self.there.len()
            && (x..x + y).all(|card| self.there[card - 1])
    }

    pub fn legal_moves(&self) -> BTreeSet<(u64, u64)> {
        let n = self.there.len();
        let all = (1..=n).flat_map(|x| (1..=n).map(move |y| (x, y)));
        all.filter(|&(x, y)| self.is_legal(x, y)).map(|(x, y)| (x as u64, y as u64)).collect()
    }
}

/// The terms of a file, from its offset on.
pub fn terms(file: &str) -> Vec<u64> {
    let line = file.lines().find_map(|line| line.strip_prefix("terms: ")).unwrap();
    line.split(',').map(|term| term.trim().parse().unwrap()).collect()
}

fn assert_terms(l: u64, r: u64, index: impl Fn(u64) -> u64, file: &str) {
    let terms = terms(file);
    assert!(terms.len() > 50);
    let last = index(terms.len() as u64 - 1);
    let values = Sequence::up_to(Window::new(l, r).unwrap(), last);
    for (k, term) in (0..).zip(terms) {
        assert_eq!(values.nimber(index(k)), Nimber(term), "window [{l}, {r}] at {}", index(k));
    }
}

/// A002186, Sprague-Grundy values for Kayles.
#[test]
fn kayles() {
    assert_terms(1, 2, |n| n, include_str!("../data/A002186.txt"));
}

/// A002187, Dawson's Chess: Dawson's Kayles, octal .07, has the term before.
#[test]
fn dawsons_kayles() {
    assert_terms(2, 2, |n| n + 1, include_str!("../data/A002187.txt"));
}

/// A395248, octal .007.
#[test]
fn treblecross() {
    assert_terms(3, 3, |n| n, include_str!("../data/A395248.txt"));
}

/// A071434, from offset 1, has .074 to .077 one index on: the window (2, 3) is octal .077.
#[test]
fn scaled_kayles() {
    assert_terms(2, 3, |k| k + 2, include_str!("../data/A071434.txt"));
}
