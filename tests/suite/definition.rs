//! References for the other tests: slow definitions and published terms. Also has the test that compares tables with
//! published terms. The terms come from the On-Line Encyclopedia of Integer Sequences; each file names its source.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use itertools::Itertools;
use zeroxor::grundy::{GrundyTable, Limit, ValueKind, table};
use zeroxor::rules::{Heap, HeapMove, Rules};
use zeroxor::{GameKind, Move, Nimber, Position, mex};

/// A limit higher than that of a game, because no opponent waits for a move.
const LIMIT: Limit = Limit::new(10_000_000_000, 256 << 20);

/// Returns a table of a game's values up to the heap `largest`.
pub fn values(game: &str, largest: Heap, kind: ValueKind) -> Box<dyn GrundyTable> {
    table(&game.parse().unwrap(), largest, kind, &mut LIMIT.clone()).unwrap()
}

pub fn position(header: &str) -> Position {
    Position::new(&header.parse().unwrap()).unwrap()
}

/// Returns the small starts of all games with sizes of at most `max`.
pub fn small_starts(max: u64) -> impl Iterator<Item = String> {
    GameKind::all().flat_map(move |kind| kind.small(max)).map(|game| game.to_string())
}

/// Returns the sums of two small components of all games.
pub fn small_sums() -> impl Iterator<Item = String> {
    let components = GameKind::all().flat_map(GameKind::components).map(|game| game.to_string());
    components.combinations_with_replacement(2).map(|games| games.join(" + "))
}

/// Computes g[i] = mex { g[u] xor g[v] : i-R <= u+v <= i-L } exactly by this definition.
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

/// Computes the values of the heaps up to `n` by the definition, the mex over all moves of the rules. `rules_by_definition`
/// compares the rules themselves with their description.
pub fn by_rules(header: &str, n: u64) -> Vec<u64> {
    let start = Position::for_solver(&header.parse().unwrap()).unwrap();
    let rules = start.rules(0).unwrap();
    let mut g: Vec<u64> = Vec::new();
    for heap in (0..=n).map(Heap::of) {
        let value = mex(rules.moves(heap).map(|mv| Nimber(value_left(rules, heap, mv, &g))));
        g.push(value.0);
    }
    g
}

/// Returns the value of what a move leaves of a heap. `g` has the values of smaller heaps.
pub fn value_left(rules: &dyn Rules, heap: Heap, mv: HeapMove, g: &[u64]) -> u64 {
    rules.apply(heap, mv).unwrap().iter().fold(0, |xor, (_, left)| xor ^ g[left.size as usize])
}

/// Compares the values of heaps of these sizes, and the moves to each value, with the definition. The values are from tables
/// up to `largest`.
pub fn assert_as_defined(header: &str, sizes: impl IntoIterator<Item = u64>, largest: u64) {
    let sizes: Vec<u64> = sizes.into_iter().collect();
    let start = position(header);
    let (rules, g) = (start.rules(0).unwrap(), by_rules(header, *sizes.last().unwrap()));
    let [nimbers, outcomes] =
        [ValueKind::Nimber, ValueKind::Outcome].map(|kind| values(header, Heap::of(largest), kind));
    let most = *g.iter().max().unwrap();
    for size in sizes {
        let (heap, value) = (Heap::of(size), g[size as usize]);
        assert_eq!(nimbers.nimber(heap), Nimber(value), "{header} at {heap}");
        assert_eq!(outcomes.nimber(heap) == Nimber::ZERO, value == 0, "{header} at {heap}");
        let moves: Vec<HeapMove> = rules.moves(heap).collect();
        compare_moves(&*nimbers, &moves, heap, most + 1, |mv| value_left(rules, heap, mv, &g));
    }
}

/// Checks that a table finds and counts the moves of a heap to each nimber up to `most`, and no others. `left` returns the
/// value that a move leaves.
pub fn compare_moves(
    table: &dyn GrundyTable,
    moves: &[HeapMove],
    heap: Heap,
    most: u64,
    mut left: impl FnMut(HeapMove) -> u64,
) {
    let mut moves_to: BTreeMap<u64, BTreeSet<HeapMove>> = BTreeMap::new();
    for &mv in moves {
        moves_to.entry(left(mv)).or_default().insert(mv);
    }
    for target in 0..=most {
        let expected = moves_to.remove(&target).unwrap_or_default();
        let target = Nimber(target);
        assert_eq!(
            table.search(heap, target).flatten().collect::<BTreeSet<_>>(),
            expected,
            "{heap} to {target}"
        );
        assert_eq!(table.count_to(heap, target), Some(expected.len() as u128), "{heap} to {target}");
        let found = table.move_to(heap, target);
        assert!(found.map_or(expected.is_empty(), |mv| expected.contains(&mv)), "{heap} to {target}");
    }
}

/// Checks the moves that a table finds in heaps, which may be large: one to each of the targets that are less than the value
/// of the heap, and none to this value. `targets` makes the targets of the value.
pub fn assert_moves_found(header: &str, heaps: &[Heap], targets: impl Fn(u64) -> Vec<u64>) {
    let largest = *heaps.iter().max_by_key(|heap| heap.size).unwrap();
    let (start, table) = (position(header), values(header, largest, ValueKind::Nimber));
    for &heap in heaps {
        let value = table.nimber(heap);
        assert_eq!(table.move_to(heap, value), None, "{header} at {heap}");
        for target in targets(value.0).into_iter().map(Nimber) {
            let mv = table.move_to(heap, target);
            assert!(mv.is_some() || target >= value, "{header} at {heap} to {target}");
            let left = mv.map(|mv| start.rules(0).unwrap().apply(heap, mv).unwrap());
            let xor = left.map(|left| left.iter().map(|&(_, heap)| table.nimber(heap)).sum::<Nimber>());
            assert!(xor.is_none_or(|xor| xor == target), "{header} at {heap} to {target}");
        }
    }
}

/// The nimbers of whole positions by the definition, the mex over all moves. In misère play, 0 for a P-position and 1 for
/// others; a player who has no move wins. Each position is computed once. All positions must come from the same start
/// position.
#[derive(Default)]
pub struct Nimbers(HashMap<Vec<(usize, Heap)>, Nimber>);

impl Nimbers {
    pub fn of(&mut self, position: &Position) -> Nimber {
        let heaps = sorted_heaps(position);
        if let Some(&nimber) = self.0.get(&heaps) {
            return nimber;
        }
        let options = followers(position).map(|(_, after)| self.of(&after)).collect_vec();
        let wins_misere = options.is_empty() || options.contains(&Nimber::ZERO);
        let nimber = if position.is_misere() { Nimber(wins_misere.into()) } else { mex(options) };
        self.0.insert(heaps, nimber);
        nimber
    }

    pub fn winning_moves(&mut self, position: &Position) -> Vec<Move> {
        let wins = followers(position).filter(|(_, after)| self.of(after) == Nimber::ZERO);
        wins.map(|(mv, _)| mv).collect()
    }
}

/// Returns all moves, each with the position after the move.
pub fn followers(position: &Position) -> impl Iterator<Item = (Move, Position)> {
    position.moves().map(|mv| {
        let mut after = position.clone();
        after.play(mv).unwrap();
        (mv, after)
    })
}

/// Returns the heaps without their places, on which the nimber does not depend.
pub fn sorted_heaps(position: &Position) -> Vec<(usize, Heap)> {
    position.heaps().map(|placed| (placed.rules_index, placed.heap)).sorted().collect()
}

/// Returns the heaps with their places, which identify a position of a game.
pub fn placed_heaps(position: &Position) -> Vec<(u64, Heap)> {
    position.heaps().map(|placed| (placed.place, placed.heap)).collect()
}

/// Returns the terms in the text of a file, from the sequence's offset on.
pub fn terms(file: &str) -> Vec<u64> {
    let line = file.lines().find_map(|line| line.strip_prefix("terms: ")).unwrap();
    line.split(',').map(|term| term.trim().parse().unwrap()).collect()
}

/// Compares tables with published terms: A002186 (Kayles), A002187 (Dawson's Chess, of which the value of n cards in
/// Dawson's Kayles, octal .07, is the term n - 1), A395248 (Treblecross, octal .007), A071434, which has the offset 1 and
/// is shifted by one index for the codes .074 to .077 (the window (2, 3) is octal .077), A002188 (Grundy's game), A014586
/// (subtract a square), A025480 and A263390 (at most a half and a third of the pile, rounded down), and A007814 (proper
/// divisors, from pile 1 on).
#[test]
fn published_terms() {
    const LARGE: u64 = 1_000_000_000_000_000_000;
    for (header, first, largest, file) in [
        ("segment 2 1 2", 0, 1000, include_str!("../data/A002186.txt")),
        ("segment 2 2 2", 1, 1000, include_str!("../data/A002187.txt")),
        ("segment 3 3 3", 0, 1000, include_str!("../data/A395248.txt")),
        ("segment 3 2 3", 2, 1000, include_str!("../data/A071434.txt")),
        ("grundy 1", 0, 1000, include_str!("../data/A002188.txt")),
        ("square 1", 0, 1000, include_str!("../data/A014586.txt")),
        ("subtract 1 take 1..n/2", 0, LARGE, include_str!("../data/A025480.txt")),
        ("subtract 1 take 1..n/3", 0, LARGE, include_str!("../data/A263390.txt")),
        ("divisor 1 proper", 1, LARGE, include_str!("../data/A007814.txt")),
    ] {
        let values = values(header, Heap::of(largest), ValueKind::Nimber);
        for (n, term) in (first..).zip(terms(file)) {
            assert_eq!(values.nimber(Heap::of(n)), Nimber(term), "{header}: {n}");
        }
    }
}
