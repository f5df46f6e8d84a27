//! Tests of the best delaying move against its definition.

use std::cmp::Reverse;
use std::collections::HashMap;

use itertools::Itertools;
use zeroxor::grundy::ValueKind;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Heap, Rules};
use zeroxor::{GameSpec, Move, Nimber, Position, Solver, mex};

use crate::definition::{self, followers, position, small_starts, small_sums};
use crate::octal;

/// A cache of the nimber and the longest play of heaps, by the definition.
#[derive(Default)]
struct Heaps(HashMap<(String, Heap), (Nimber, u64)>);

impl Heaps {
    fn of(&mut self, rules: &dyn Rules, heap: Heap) -> (Nimber, u64) {
        let key = (rules.words(), heap);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let (mut nimbers, mut longest) = (Vec::new(), 0);
        for mv in rules.moves(heap) {
            let left = rules.apply(heap, mv).unwrap();
            let left: Vec<_> = left.iter().map(|&(_, heap)| self.of(rules, heap)).collect();
            nimbers.push(left.iter().map(|&(nimber, _)| nimber).sum());
            longest = longest.max(1 + left.iter().map(|&(_, plies)| plies).sum::<u64>());
        }
        let found = (mex(nimbers), longest);
        self.0.insert(key, found);
        found
    }
}

/// Returns the best delaying move: the move that leaves the fewest winning replies. Ties are broken by the longest
/// play after the move, then by the lowest place, then by the least take. `value` returns the nimber of a heap, which is
/// played by the rules with an index, and its longest play.
fn best(now: &Position, mut value: impl FnMut(usize, Heap) -> (Nimber, u64)) -> Option<Move> {
    // For each heap, the number of moves that leave each nimber.
    let mut replies: HashMap<(usize, Heap), HashMap<Nimber, usize>> = HashMap::new();
    let ranked = followers(now).map(|(mv, after)| {
        let heaps =
            after.heaps().map(|placed| (placed, value(placed.rules_index, placed.heap))).collect_vec();
        let xor: Nimber = heaps.iter().map(|(_, (nimber, _))| *nimber).sum();
        let wins = heaps.iter().map(|(PlacedHeap { rules_index, rules, heap, .. }, (nimber, _))| {
            let counts = replies.entry((*rules_index, *heap)).or_insert_with(|| {
                let left = rules.moves(*heap).map(|mv| rules.apply(*heap, mv).unwrap());
                left.map(|left| left.iter().map(|&(_, heap)| value(*rules_index, heap).0).sum()).counts()
            });
            counts.get(&(*nimber ^ xor)).copied().unwrap_or(0)
        });
        (wins.sum::<usize>(), Reverse(heaps.iter().map(|(_, (_, plies))| plies).sum::<u64>()), mv)
    });
    ranked.min().map(|(.., mv)| mv)
}

/// Compares the best delaying moves of lost small games, sums, and pairs of equal games with the definition.
#[test]
fn small_lost_starts() {
    let pairs = small_starts(12).map(|start| format!("{start} + {start}"));
    let codes = octal::codes().step_by(3).map(|code| format!("octal {code} 9 5 9 5"));
    let others = ["octal 0.0005 10 10", "octal 0.00203 9 9", "octal 0.1000006 9 9", "octal 4.12 9 9"];
    let sums = small_sums().chain(pairs).chain(codes).chain(others.map(str::to_owned));
    let starts = small_starts(30).chain(sums);
    let (mut heaps, mut compared) = (Heaps::default(), 0);
    for start in starts {
        let now = position(&start);
        let nimber: Nimber = now.heaps().map(|placed| heaps.of(placed.rules, placed.heap).0).sum();
        if nimber == Nimber::ZERO && !now.is_over() {
            let expected = best(&now, |index, heap| heaps.of(now.rules(index).unwrap(), heap));
            assert_eq!(Solver::new().best_delaying_move(&now), expected, "{start}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} lost positions were compared");
}

/// Compares the best delaying moves in pairs of large heaps, two moves of each start, with a count of the winning replies
/// to all moves. In heaps under 0.05 and of divisors, which are too large for an exact longest play, its estimate decides
/// between moves with equally many winning replies. Trial division does not factor the largest piles quickly: primes, and
/// a product of two primes.
#[test]
fn pairs_of_large_heaps() {
    for header in [
        "120 1 1 + 120 1 1",
        "130 3 3 + 130 3 3 + 77 3 3 + 77 3 3",
        "90 1 2 + 90 1 2",
        "90 1 7 + 90 1 7",
        "100 2 9 + 60 2 9 + 100 2 9 + 60 2 9",
        "70 1 40 + 70 1 40",
        "95 3 90 + 95 3 90",
        "70 1 70 + 70 1 70",
        "110 20 90 + 110 20 90",
        "octal 0.05 640 640",
        "divisor 27720 20011 20011 27720 ban 1",
        "divisor 999999999999999989 999999999999999877",
        "divisor 999999866000004473 999999999999999967",
        "divisor 999999999999999989 999999999999999877 + nim 1 2 3",
    ] {
        let (mut now, mut strategy) = (position(header), Solver::new());
        assert_eq!(strategy.nimber(&now), Ok(Nimber::ZERO), "{header}");
        let largest = now.heaps().map(|placed| placed.heap).max_by_key(|heap| heap.size).unwrap();
        let tables = (0..).map_while(|index| now.rules(index)).map(|rules| {
            let game = GameSpec::of_rules(&rules.words()).unwrap().to_string();
            definition::values(&game, largest, ValueKind::Nimber)
        });
        let tables = tables.collect_vec();
        for _ in 0..2 {
            let chosen = strategy.best_delaying_move(&now);
            let value =
                |index: usize, heap| (tables[index].nimber(heap), now.rules(index).unwrap().max_plies(heap));
            assert_eq!(chosen, best(&now, value), "{now}");
            let Some(chosen) = chosen else { break };
            now.play(chosen).unwrap();
            now.play(strategy.winning_move(&now).unwrap().unwrap()).unwrap();
        }
    }
}
