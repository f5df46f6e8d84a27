//! The rules of every game as docs/protocol.md defines them, compared with the library in every small position: the
//! legal moves, what they leave, and whether there is one.

use std::collections::{BTreeSet, HashSet};

use zeroxor::rules::{Clause, Heap};
use zeroxor::{GameKind, GameSpec, Move, Position};

use crate::definition::{placed_heaps, position, small_starts};

/// What is at a place: the index of the game, the number of the heap, and the size of the pile or the number of the pair;
/// `None` if the card at the place was taken.
type Place = Option<(usize, usize, u64)>;

/// The state of a sum.
#[derive(Clone)]
struct State<'a> {
    games: &'a [GameSpec],
    places: Vec<Place>,
}

fn may_take(kind: GameKind, clauses: &[Clause], size: u64, take: u64) -> bool {
    let is_allowed = match kind {
        GameKind::Square => (1..=take).any(|root| root * root == take),
        GameKind::Divisor => size.is_multiple_of(take),
        GameKind::Prime => take > 1 && (2..take).all(|divisor| !take.is_multiple_of(divisor)),
        _ => true,
    };
    let allows = |clause: &Clause| match clause {
        Clause::Proper => take != size,
        Clause::Ban(numbers) => !numbers.contains(&take),
        Clause::Take(ranges) => ranges.iter().any(|range| range.l() <= take && take <= range.r()),
        Clause::TakeShare(k) => take <= size / k,
        Clause::Window(_) | Clause::Code(_) => unreachable!("these clauses are not for piles"),
    };
    (1..=size).contains(&take) && is_allowed && clauses.iter().all(allows)
}

/// Returns whether a move may take `take` cards of a row, and leave these numbers of cards on both sides of them.
fn may_take_cards(clauses: &[Clause], take: usize, [left, right]: [usize; 2]) -> bool {
    let heaps_left = [left, right].into_iter().filter(|&cards| cards > 0).count();
    match clauses {
        [Clause::Window(window)] => (window.l()..=window.r()).contains(&(take as u64)),
        [Clause::Code(code)] => {
            let mut digits = code.digits().iter().chain(code.repeated().iter().cycle());
            digits.nth(take).is_some_and(|digit| digit >> heaps_left & 1 == 1)
        }
        // Grundy's game.
        _ => take == 0 && heaps_left == 2 && left != right,
    }
}

/// Subtracts `take` from the first or the second number of a pair; `None` if the move is not legal.
pub fn subtract(pair: [u64; 2], place: usize, take: u64) -> Option<[u64; 2]> {
    let (number, other) = (*pair.get(place)?, *pair.get(1 - place)?);
    let mut after = pair;
    after[place] = number.checked_sub(take)?;
    (take > 0 && take.is_multiple_of(other) && after[place] > 0).then_some(after)
}

impl<'a> State<'a> {
    fn new(games: &'a [GameSpec]) -> Self {
        let mut state = Self { games, places: Vec::new() };
        for (game, spec) in games.iter().enumerate() {
            let GameSpec::Single { kind, heaps, .. } = spec else {
                unreachable!("a component is a single game")
            };
            for (at, &size) in heaps.iter().enumerate() {
                let number = state.places.len();
                match kind {
                    GameKind::Segment | GameKind::Octal | GameKind::Grundy => {
                        state.places.extend(vec![Some((game, number, 0)); size as usize]);
                    }
                    GameKind::Euclid => state.places.push(Some((game, number - at, size))),
                    _ => state.places.push(Some((game, number, size))),
                }
            }
        }
        state
    }

    fn game(&self, game: usize) -> (GameKind, &[Clause]) {
        match &self.games[game] {
            GameSpec::Single { kind, clauses, .. } => (*kind, clauses),
            _ => unreachable!("a component is a single game"),
        }
    }

    /// Makes a move; `None` if it is not legal.
    fn after(&self, Move { place, take }: Move) -> Option<Self> {
        let first = (place as usize).checked_sub(1)?;
        let here = *self.places.get(first)?;
        let (game, heap, size) = here?;
        let mut places = self.places.clone();
        match self.game(game) {
            (GameKind::Segment | GameKind::Octal | GameKind::Grundy, clauses) => {
                let (before, from_first) = self.places.split_at(first);
                let (taken, after) = from_first.split_at_checked(take as usize)?;
                let in_row = |places: &[Place]| places.iter().filter(|&&place| place == here).count();
                if in_row(taken) < taken.len()
                    || !may_take_cards(clauses, taken.len(), [before, after].map(in_row))
                {
                    return None;
                }
                places[first..first + taken.len()].fill(None);
                let new = self.places.iter().flatten().map(|&(_, heap, _)| heap + 1).max();
                let right = places[first..].iter_mut().filter(|place| **place == here);
                right.for_each(|place| *place = new.map(|new| (game, new, 0)));
            }
            (GameKind::Euclid, _) => {
                let start = if self.heap(first.wrapping_sub(1)) == Some(heap) { first - 1 } else { first };
                let pair = [start, start + 1].map(|at| self.places[at].map_or(0, |(.., number)| number));
                let number = subtract(pair, first - start, take)?[first - start];
                places[first] = Some((game, heap, number));
            }
            (kind, clauses) => {
                let left = size - may_take(kind, clauses, size, take).then_some(take)?;
                places[first] = Some((game, heap, left));
            }
        }
        Some(Self { places, ..*self })
    }

    /// Returns the number of the heap at a place, from 0.
    fn heap(&self, place: usize) -> Option<usize> {
        self.places.get(place).copied().flatten().map(|(_, heap, _)| heap)
    }

    /// Returns the heaps, each with its first place.
    fn heaps(&self) -> Vec<(u64, Heap)> {
        let mut next = 1;
        let runs = self.places.chunk_by(|a, b| a.map(|a| a.1) == b.map(|b| b.1));
        let heaps = runs.map(|run| {
            let place = next;
            next += run.len() as u64;
            let (game, _, size) = run[0]?;
            let heap = match (self.game(game).0, run) {
                (GameKind::Segment | GameKind::Octal | GameKind::Grundy, run) => Heap::of(run.len() as u64),
                (_, &[_, Some((.., second))]) => Heap { size, second },
                _ => Heap::of(size),
            };
            Some((place, heap))
        });
        heaps.flatten().collect()
    }
}

/// Compares all moves at places of `position` and next to them, and returns the legal ones with what they leave.
fn compare<'a>(position: &Position, game: &State<'a>) -> Vec<(Position, State<'a>)> {
    assert_eq!(placed_heaps(position), game.heaps());
    let largest = game.heaps().iter().map(|(_, heap)| heap.size.max(heap.second)).max().unwrap_or(0);
    let (mut legal, mut left) = (BTreeSet::new(), Vec::new());
    for (place, take) in
        (0..=position.places() + 1).flat_map(|place| (0..=largest + 1).map(move |take| (place, take)))
    {
        let mv = Move { place, take };
        let mut after = position.clone();
        let played = after.play(mv);
        let expected = game.after(mv);
        assert_eq!(played.is_ok(), expected.is_some(), "{mv} on {position}");
        if let Some(expected) = expected {
            legal.insert(mv);
            left.push((after, expected));
        }
    }
    let listed: Vec<Move> = position.moves().collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), legal, "{position}");
    assert_eq!((listed.len(), position.move_count()), (legal.len(), legal.len() as u128), "{position}");
    assert_eq!(position.is_over(), legal.is_empty(), "{position}");
    for (number, mv) in (0..).zip(&listed) {
        assert_eq!(position.nth_move(number).as_ref(), Some(mv), "{position}");
    }
    assert_eq!(position.nth_move(position.move_count()), None, "{position}");
    left
}

/// Compares every position that can be reached from the start of a game. Returns the number of positions.
fn compare_all(header: &str) -> usize {
    let (start, spec) = (position(header), header.parse::<GameSpec>().unwrap());
    let mut seen = HashSet::from([placed_heaps(&start)]);
    let mut todo = vec![(start, State::new(spec.components()))];
    while let Some((position, game)) = todo.pop() {
        let left = compare(&position, &game);
        todo.extend(left.into_iter().filter(|(after, _)| seen.insert(placed_heaps(after))));
    }
    seen.len()
}

#[test]
fn piles() {
    const BANS: [&str; 7] =
        ["", " ban 1", " ban 4", " ban 4 9 1", " ban 2 3", " ban 2 5", " ban 1 2 3 4 6 12"];
    const TAKES: [&str; 10] =
        ["1", "2", "5", "3 4", "2 7", "3..5", "2..3 6 5..9", "1..n/1", "1..n/2", "1..n/3"];
    for n in 1..=14 {
        for ban in BANS {
            for game in ["square {n}", "prime {n}", "divisor {n}", "divisor {n} proper"] {
                compare_all(&(game.replace("{n}", &n.to_string()) + ban));
            }
        }
        for take in TAKES {
            compare_all(&format!("subtract {n} 3 take {take}"));
        }
        assert_eq!(compare_all(&format!("nim {n} 2")), 3 * (n + 1));
    }
}

#[test]
fn octal_codes() {
    for (one, two) in (0..8).flat_map(|one| (0..8).map(move |two| (one, two))).skip(1) {
        for game in [
            format!("octal 0.{one}{two} 6"),
            format!("octal 0.00{one}{two} 6"),
            format!("octal 0.0{one}0{two} 3 4"),
            format!("octal 0.{one}{two} 2 1"),
            format!("octal 4.{one}{two} 5"),
            format!("octal 4.{one}[{two}] 2 3"),
            format!("octal 0.[{one}{two}] 5"),
        ] {
            compare_all(&game);
        }
    }
}

#[test]
fn small_starts_and_sums() {
    let larger = [
        "2 2 2 + square 3 ban 1 + octal 4.1 2",
        "divisor 6 ban 6 1 + euclid 3 2 + subtract 3 take 3",
        "nim 1 + grundy 4 + prime 3 2 + 3 1 2",
        "misere 4 1 2 + nim 2",
        "euclid 14 1",
        "euclid 5 14",
        "grundy 9 3",
    ];
    for game in small_starts(7).chain(larger.map(str::to_owned)) {
        compare_all(&game);
    }
}
