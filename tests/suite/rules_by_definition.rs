//! The rules of every game as docs/protocol.md defines them, compared with the library in every small position: the
//! legal moves, what they leave, and whether there is one.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use zeroxor::rules::{Clause, Heap};
use zeroxor::{GameKind, GameSpec, Move, Position};

use crate::definition::{digits, placed_heaps, position};

/// The state of a sum, one state for each of its games.
#[derive(Clone)]
struct Game(Vec<State>);

/// The state of one game.
#[derive(Clone)]
enum State {
    /// The number of each card's row, or `None` if the card has been taken. `allows(take, [left, right])` says whether
    /// a move may take `take` cards of a row and leave `left` cards on one side of them, and `right` on the other side.
    Rows {
        row_of: Vec<Option<usize>>,
        allows: Rc<dyn Fn(usize, [usize; 2]) -> bool>,
    },
    Piles {
        sizes: Vec<u64>,
        kind: GameKind,
        clauses: Vec<Clause>,
    },
    Pair([u64; 2]),
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

/// Subtracts `take` from the first or the second number of a pair; `None` if the move is not legal.
pub fn subtract(pair: [u64; 2], place: usize, take: u64) -> Option<[u64; 2]> {
    let (number, other) = (*pair.get(place)?, *pair.get(1 - place)?);
    let mut after = pair;
    after[place] = number.checked_sub(take)?;
    (take > 0 && take.is_multiple_of(other) && after[place] > 0).then_some(after)
}

/// Takes the cards from `first` on, or splits the row before `first` if `take` is 0; `None` if the move is not legal.
fn take_cards(
    row_of: &[Option<usize>],
    first: usize,
    take: usize,
    allows: &dyn Fn(usize, [usize; 2]) -> bool,
) -> Option<Vec<Option<usize>>> {
    let row = Some((*row_of.get(first)?)?);
    let in_row = |cards: &[Option<usize>]| cards.iter().filter(|&&card| card == row).count();
    let (before, from_first) = row_of.split_at(first);
    let (taken, after) = from_first.split_at_checked(take)?;
    if in_row(taken) < take || !allows(take, [in_row(before), in_row(after)]) {
        return None;
    }
    let new_row = row_of.iter().max()?.map(|last| last + 1);
    let right = after.iter().map(|&card| if card == row { new_row } else { card });
    Some(before.iter().copied().chain(vec![None; take]).chain(right).collect())
}

/// Returns rows of these lengths, side by side.
fn rows(lengths: &[u64], allows: impl Fn(usize, [usize; 2]) -> bool + 'static) -> State {
    let row_of = (0..).zip(lengths).flat_map(|(row, &length)| vec![Some(row); length as usize]);
    State::Rows { row_of: row_of.collect(), allows: Rc::new(allows) }
}

impl State {
    fn new(game: &GameSpec) -> Self {
        let GameSpec::Single { kind, heaps, clauses } = game else {
            unreachable!("a component is a single game")
        };
        match (kind, &clauses[..]) {
            (GameKind::Segment, &[Clause::Window(window)]) => {
                rows(heaps, move |take, _| (window.l()..=window.r()).contains(&(take as u64)))
            }
            (GameKind::Octal, [Clause::Code(code)]) => {
                let digits = digits(*code, heaps.iter().sum::<u64>() as usize);
                rows(heaps, move |take, sides| {
                    let heaps_left = sides.iter().filter(|&&cards| cards > 0).count();
                    digits.get(take).is_some_and(|digit| digit >> heaps_left & 1 == 1)
                })
            }
            (GameKind::Grundy, []) => {
                rows(heaps, |take, [left, right]| take == 0 && left > 0 && right > 0 && left != right)
            }
            (GameKind::Euclid, []) => Self::Pair([heaps[0], heaps[1]]),
            _ => Self::Piles { sizes: heaps.clone(), kind: *kind, clauses: clauses.clone() },
        }
    }

    fn places(&self) -> usize {
        match self {
            Self::Rows { row_of, .. } => row_of.len(),
            Self::Piles { sizes, .. } => sizes.len(),
            Self::Pair(_) => 2,
        }
    }

    /// Makes a move at a place of this game, counted from 0; `None` if the move is not legal.
    fn after(&self, place: usize, take: u64) -> Option<Self> {
        let mut state = self.clone();
        match &mut state {
            Self::Rows { row_of, allows } => {
                *row_of = take_cards(row_of, place, take as usize, allows.as_ref())?;
            }
            Self::Piles { sizes, kind, clauses } => {
                let size = sizes.get_mut(place)?;
                *size -= may_take(*kind, clauses, *size, take).then_some(take)?;
            }
            Self::Pair(pair) => *pair = subtract(*pair, place, take)?,
        }
        Some(state)
    }

    /// Returns the heaps, each with its place in this game, counted from 0.
    fn heaps(&self) -> Vec<(usize, Heap)> {
        match self {
            Self::Rows { row_of, .. } => {
                let mut end = 0;
                let runs = row_of.chunk_by(|left, right| left == right).map(|run| {
                    end += run.len();
                    run[0].map(|_| (end - run.len(), Heap::of(run.len() as u64)))
                });
                runs.flatten().collect()
            }
            Self::Piles { sizes, .. } => sizes.iter().copied().map(Heap::of).enumerate().collect(),
            &Self::Pair([size, second]) => vec![(0, Heap { size, second })],
        }
    }
}

impl Game {
    fn new(game: &GameSpec) -> Self {
        Self(game.components().iter().map(State::new).collect())
    }

    /// Returns the games of the sum, each with its first place.
    fn placed(&self) -> impl Iterator<Item = (usize, &State)> {
        self.0.iter().scan(1, |next, state| {
            let first = *next;
            *next += state.places();
            Some((first, state))
        })
    }

    fn after(&self, mv: Move) -> Option<Self> {
        let place = mv.place as usize;
        let mut games = self.placed().enumerate();
        let (game, (first, state)) =
            games.find(|(_, (first, state))| (*first..first + state.places()).contains(&place))?;
        let mut after = self.clone();
        after.0[game] = state.after(place - first, mv.take)?;
        Some(after)
    }

    fn heaps(&self) -> Vec<(u64, Heap)> {
        let placed = self.placed();
        placed
            .flat_map(|(first, state)| {
                state.heaps().into_iter().map(move |(place, heap)| ((first + place) as u64, heap))
            })
            .collect()
    }
}

/// Compares all moves at places of `position` and next to them, and returns the legal ones with what they leave.
fn compare(position: &Position, game: &Game) -> Vec<(Position, Game)> {
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
    let start = position(header);
    let mut seen = HashSet::from([placed_heaps(&start)]);
    let mut todo = vec![(start, Game::new(&header.parse().unwrap()))];
    while let Some((position, game)) = todo.pop() {
        let left = compare(&position, &game);
        todo.extend(left.into_iter().filter(|(after, _)| seen.insert(placed_heaps(after))));
    }
    seen.len()
}

#[test]
fn rows_of_cards() {
    let windows = (1..=7).flat_map(|n| (1..=n).flat_map(move |l| (l..=n).map(move |r| (n, l, r))));
    let positions: usize = windows.map(|(n, l, r)| compare_all(&format!("segment {n} {l} {r}"))).sum();
    assert!(positions > 1000, "{positions}");
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
fn pairs_rows_that_are_split_and_sums() {
    for (a, b) in (1..=20).flat_map(|a| (1..=20).map(move |b| (a, b))) {
        compare_all(&format!("euclid {a} {b}"));
    }
    for n in 1..=9 {
        compare_all(&format!("grundy {n} 3"));
    }
    for sum in [
        "2 2 2 + square 3 ban 1 + octal 4.1 2",
        "divisor 6 ban 6 1 + euclid 3 2 + subtract 3 take 3",
        "nim 1 + grundy 4 + prime 3 2 + 3 1 2",
        "misere 4 1 2 + nim 2",
    ] {
        compare_all(sum);
    }
}
