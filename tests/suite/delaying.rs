//! Tests of the best delaying move against its definition.

use std::cmp::Reverse;
use std::collections::HashMap;

use itertools::Itertools;
use zeroxor::grundy::ValueKind;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Heap, Rules};
use zeroxor::{Move, Nimber, Position, Solver, mex};

use crate::definition::{self, followers, position};

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
/// play after the move, then by the lowest place, then by the least take. `value` returns the nimber of a heap and its
/// longest play.
fn best(now: &Position, mut value: impl FnMut(&dyn Rules, Heap) -> (Nimber, u64)) -> Option<Move> {
    // For each heap, the number of moves that leave each nimber.
    let mut replies: HashMap<(usize, Heap), HashMap<Nimber, usize>> = HashMap::new();
    let ranked = followers(now).map(|(mv, after)| {
        let heaps: Vec<_> = after.heaps().map(|placed| (placed, value(placed.rules, placed.heap))).collect();
        let xor: Nimber = heaps.iter().map(|(_, (nimber, _))| *nimber).sum();
        let wins = heaps.iter().map(|(PlacedHeap { rules_index, rules, heap, .. }, (nimber, _))| {
            let counts = replies.entry((*rules_index, *heap)).or_insert_with(|| {
                let left = rules.moves(*heap).map(|mv| rules.apply(*heap, mv).unwrap());
                left.map(|left| left.iter().map(|&(_, heap)| value(*rules, heap).0).sum()).counts()
            });
            counts.get(&(*nimber ^ xor)).copied().unwrap_or(0)
        });
        (wins.sum::<usize>(), Reverse(heaps.iter().map(|(_, (_, plies))| plies).sum::<u64>()), mv)
    });
    ranked.min().map(|(.., mv)| mv)
}

/// Compares the best delaying moves of lost start positions of many small games with the definition.
#[test]
fn small_lost_starts() {
    let sizes = |most: u64| (1..=most).flat_map(move |a| (1..=a).map(move |b| (a, b)));
    let mut starts = Vec::new();
    for (n, (r, l)) in (1..=11).flat_map(|n| sizes(n).map(move |window| (n, window))) {
        starts.push(format!("{n} {l} {r}"));
        starts.extend((2..=9).contains(&n).then(|| format!("{n} {l} {r} + {n} {l} {r}")));
    }
    let bans =
        ["", " ban 1", " ban 4", " ban 1 2", " ban 1 4", " ban 2 3", " ban 1 2 3 4 6", " ban 1 3 5 9 11"];
    let banned = ["square {}", "divisor {}", "divisor {} proper"].into_iter().cartesian_product(bans);
    let banned = banned.map(|(game, ban)| format!("{game}{ban}"));
    let sets = "1|2|3|1 2|2 3|2 5|1 3 4|2 5 7|3 4 9|2..4|1 4..6|1..n/1|1..n/2|1..n/3".split('|');
    for rules in banned.chain(sets.map(|set| format!("subtract {{}} take {set}"))) {
        let piles = (1..=60).map(|n| n.to_string()).chain(sizes(12).map(|(a, b)| format!("{b} {a}")));
        starts.extend(piles.map(|piles| rules.replace("{}", &piles)));
    }
    let codes = (1..512).step_by(3).map(|digits| format!("0.{digits:03o}"));
    let others = "0.0005 0.00203 0.1000006 4.0 4.7 4.12 4.[3] 0.[3]".split(' ').map(str::to_owned);
    for code in codes.chain(others) {
        let sizes = (1..=10).map(|n| n.to_string()).chain(["6 6", "9 5 9 5"].map(str::to_owned));
        starts.extend(sizes.map(|sizes| format!("octal {code} {sizes}")));
    }
    starts.extend((1..=20).cartesian_product(1..=20).map(|(a, b)| format!("euclid {a} {b}")));
    starts.extend(sizes(9).map(|(a, b)| format!("nim {b} {} {a}", (a ^ b).max(1))));
    for (a, b) in sizes(8) {
        starts.extend([
            format!("octal 0.05 {} + divisor {a} ban 1 + nim {b}", a + 5),
            format!("divisor {a} ban 1 + octal 0.15 {b} + euclid {a} {b}"),
            format!("square {a} {b} ban 1 + subtract {a} take 2 3 + {b} 1 {}", b.min(2)),
            format!("grundy {} {} {}", a + 5, b + 5, a + b),
        ]);
    }
    let (mut heaps, mut compared) = (Heaps::default(), 0);
    for start in starts {
        let now = position(&start);
        let nimber: Nimber = now.heaps().map(|placed| heaps.of(placed.rules, placed.heap).0).sum();
        if nimber == Nimber::ZERO && !now.is_over() {
            let expected = best(&now, |rules, heap| heaps.of(rules, heap));
            assert_eq!(Solver::new().best_delaying_move(&now), expected, "{start}");
            compared += 1;
        }
    }
    assert!(compared > 2000, "only {compared} lost positions were compared");
}

/// Compares the best delaying moves in sums of pairs of long rows with a count of the winning replies to all moves.
#[test]
fn best_delaying_moves_in_long_rows() {
    for (l, r, rows) in [
        (1, 1, vec![180, 180]),
        (3, 3, vec![200, 200, 77, 77]),
        (1, 2, vec![150, 150]),
        (1, 7, vec![140, 140]),
        (2, 9, vec![150, 90, 150, 90]),
        (1, 40, vec![110, 110]),
        (3, 90, vec![130, 130]),
        (1, 128, vec![128, 128]),
        (20, 90, vec![200, 200]),
    ] {
        let g = definition::segment(l, r, 200);
        let header = rows.iter().map(|n| format!("segment {n} {l} {r}")).collect::<Vec<_>>().join(" + ");
        compare_by_values(position(&header), &g, 3);
    }
}

/// Compares the best delaying moves of a game, `rounds` of them at most, with a count of the winning replies to all moves.
fn compare_by_values(mut now: Position, g: &[u64], rounds: usize) {
    let mut strategy = Solver::new();
    for _ in 0..rounds {
        let chosen = strategy.best_delaying_move(&now);
        let expected = best(&now, |rules, heap| (Nimber(g[heap.size as usize]), rules.max_plies(heap)));
        assert_eq!(chosen, expected, "{now}");
        let Some(chosen) = chosen else { break };
        now.play(chosen).unwrap();
        now.play(strategy.winning_move(&now).unwrap().unwrap()).unwrap();
    }
}

/// In heaps that are too large for an exact longest play, the estimate decides between moves with equally many winning
/// replies.
#[test]
fn estimated_lengths() {
    let code = definition::by_rules("octal 0.05 1", 700);
    let divisor = definition::values("divisor 1 ban 1", Heap::of(30_000), ValueKind::Nimber);
    let divisor: Vec<u64> = (0..=30_000).map(|n| divisor.nimber(Heap::of(n)).0).collect();
    for (header, g) in [
        ("octal 0.05 700 700", &code),
        ("octal 0.05 640 310 640 310", &code),
        ("divisor 30000 30000 ban 1", &divisor),
        ("divisor 27720 20011 20011 27720 ban 1", &divisor),
    ] {
        compare_by_values(position(header), g, 2);
    }
}

/// Piles that trial division does not factor quickly: large primes, and a product of two primes.
#[test]
fn divisors_of_large_piles() {
    for header in [
        "divisor 999999999999999989 999999999999999877",
        "divisor 999999866000004473 999999999999999967",
        "divisor 999999999999999989 999999999999999877 + nim 1 2 3",
    ] {
        let now = position(header);
        assert_eq!(Solver::new().nimber(&now), Ok(Nimber::ZERO), "{header}");
        let expected = best(&now, |rules, heap| {
            let nimber = match (&*rules.words(), heap.size) {
                ("divisor", size @ 1..) => u64::from(size.trailing_zeros()) + 1,
                (_, size) => size,
            };
            (Nimber(nimber), rules.max_plies(heap))
        });
        assert_eq!(Solver::new().best_delaying_move(&now), expected, "{header}");
    }
}

/// A position that is lost by symmetry has a delaying move, even if the tables would be too large.
#[test]
fn a_lost_position_with_tables_that_would_be_too_large() {
    let row = "segment 1000000000000000000 3 3";
    let mv = Solver::new().best_delaying_move(&position(&format!("{row} + {row}")));
    assert_eq!(mv, Some(Move { place: 1, take: 3 }));
}
