//! Positions: the heaps of a sum in play, their places and the legal moves. [`Solver`](crate::Solver) finds the winner.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::rules::{Heap, HeapMove, Rules, Violation};
use crate::spec::{GameSpec, MISERE, SpecError};
use crate::{IllegalMove, Move};
use itertools::Itertools;

/// A sum of games in play.
///
/// Places are numbered consecutively from 1, from the first game to the last. A heap fills consecutive places. A place
/// that belongs to no heap is empty, because its card was taken. A move that takes nothing splits a row before the card
/// at its place, so two heaps may follow each other directly.
///
/// ```
/// use zeroxor::{Move, Position};
///
/// let mut position = Position::new(&"6 1 2 + nim 3 3 + 4 1 2".parse()?)?;
/// assert_eq!((position.places(), position.move_count()), (12, 24));
/// // Both rows are played by the same rules.
/// let games: Vec<_> = position.components().iter().map(|game| (game.place, game.width, game.rules_index)).collect();
/// assert_eq!(games, [(1, 6, 0), (7, 2, 1), (9, 4, 0)]);
/// position.play(Move { place: 3, take: 2 })?;
/// assert_eq!(position.to_string(), "segment 1 2: 2 2 4 | nim: 3 3");
/// let heaps: Vec<_> = position.heaps().map(|placed| (placed.place, placed.heap.size)).collect();
/// assert_eq!(heaps, [(1, 2), (5, 2), (7, 3), (8, 3), (9, 4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rules: Arc<[Arc<dyn Rules>]>,
    components: Arc<[Component]>,
    heaps: BTreeMap<u64, RuledHeap>,
    classes: BTreeMap<RuledHeap, Copies>,
    places: u64,
    is_misere: bool,
}

/// A game of a sum, with its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Component {
    /// The first place of the game, from 1.
    pub place: u64,
    /// The number of places.
    pub width: u64,
    /// The index of the rules, see [`Position::rules`].
    pub rules_index: usize,
}

/// A heap of a position, with its place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlacedHeap<'a> {
    /// The first place of the heap, from 1.
    pub place: u64,
    /// The index of the rules, see [`Position::rules`].
    pub rules_index: usize,
    /// The rules.
    pub rules: &'a dyn Rules,
    /// The heap.
    pub heap: Heap,
}

impl PlacedHeap<'_> {
    /// Converts `mv`, a move in this heap, to a move in the position.
    pub fn at(&self, mv: HeapMove) -> Move {
        Move { place: self.place + mv.offset, take: mv.count }
    }
}

/// Equal heaps that are played by the same rules.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HeapClass<'a> {
    /// The heap with the lowest place.
    pub first: PlacedHeap<'a>,
    /// The number of heaps, at least one.
    pub copies: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RuledHeap {
    rules: usize,
    heap: Heap,
}

/// The equal heaps of a class.
#[derive(Clone, Debug, Default)]
struct Copies {
    places: BTreeSet<u64>,
    /// The number of legal moves of each heap. Computed once, because counting may need factorisation.
    moves: OnceLock<u128>,
    /// Whether each heap has a legal move. Computed once, because this may need factorisation too.
    is_live: OnceLock<bool>,
}

impl Position {
    /// Returns the start position of `game`.
    ///
    /// # Errors
    ///
    /// If the specification is not [valid](GameSpec::validate), if a move may leave
    /// [three heaps](GameSpec::ensure_playable), or if the places cannot be numbered in 64 bits.
    pub fn new(game: &GameSpec) -> Result<Self, SpecError> {
        game.ensure_playable()?;
        Self::for_solver(game)
    }

    /// Returns the start position of `game`, even if its moves may leave [three heaps](GameSpec::ensure_playable). Such
    /// a position cannot be played, but a [`Solver`](crate::Solver) finds who wins it.
    ///
    /// # Errors
    ///
    /// If the specification is not [valid](GameSpec::validate), or if the places cannot be numbered in 64 bits.
    pub fn for_solver(game: &GameSpec) -> Result<Self, SpecError> {
        game.validate()?;
        let games = game.components().iter().map(GameSpec::rules).collect::<Result<Vec<_>, _>>()?;
        Self::of_games(games).map(|position| Self { is_misere: game.is_misere(), ..position })
    }

    /// Returns a position of heaps of these `sizes`, side by side. `examples/own_game.rs` uses it with rules from
    /// outside this crate.
    ///
    /// # Errors
    ///
    /// If the places cannot be numbered in 64 bits.
    pub fn of_heaps(rules: impl Rules, sizes: &[u64]) -> Result<Self, SpecError> {
        let heaps = sizes.iter().copied().map(Heap::of).collect();
        Self::of_games(vec![(Arc::new(rules), heaps)])
    }

    fn of_games(games: Vec<(Arc<dyn Rules>, Vec<Heap>)>) -> Result<Self, SpecError> {
        let (rules, components, heaps, classes) = Default::default();
        let mut position = Self { rules, components, heaps, classes, places: 0, is_misere: false };
        let mut rules: Vec<Arc<dyn Rules>> = Vec::new();
        let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut components = Vec::with_capacity(games.len());
        // The place of the next heap. The place after the last must fit into 64 bits too.
        let mut place: u64 = 1;
        for (game, heaps) in games {
            let alike = alike.entry(game.words()).or_default();
            // Different rules may have the same words. The same rules always have the same words.
            let same = alike.iter().copied().find(|&index| rules[index].is_same(game.as_ref()));
            let index = same.unwrap_or_else(|| {
                alike.push(rules.len());
                rules.push(game);
                rules.len() - 1
            });
            let first = place;
            for heap in heaps {
                position.insert(place, RuledHeap { rules: index, heap });
                let next = place.checked_add(rules[index].width(heap));
                place = next.ok_or_else(|| SpecError::new("fewer than 2^64 places in total", "more"))?;
            }
            components.push(Component { place: first, width: place - first, rules_index: index });
        }
        Ok(Self { rules: rules.into(), components: components.into(), places: place - 1, ..position })
    }

    /// Returns the games of the sum, from left to right.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Returns whether the player who makes the last move loses.
    pub fn is_misere(&self) -> bool {
        self.is_misere
    }

    /// Returns the number of places, including empty ones.
    pub fn places(&self) -> u64 {
        self.places
    }

    /// Returns the rules with index `index`. Components with the [same](Rules::is_same) rules share an index.
    pub fn rules(&self, index: usize) -> Option<&dyn Rules> {
        self.rules.get(index).map(AsRef::as_ref)
    }

    /// Returns the rules by index, to be shared with a `Solver`.
    pub(crate) fn shared_rules(&self) -> &Arc<[Arc<dyn Rules>]> {
        &self.rules
    }

    /// Returns the heaps, in ascending order of their places.
    pub fn heaps(&self) -> impl DoubleEndedIterator<Item = PlacedHeap<'_>> {
        self.heaps.iter().map(|(&place, &ruled)| self.placed(place, ruled))
    }

    fn placed(&self, place: u64, RuledHeap { rules, heap }: RuledHeap) -> PlacedHeap<'_> {
        PlacedHeap { place, rules_index: rules, rules: self.rules[rules].as_ref(), heap }
    }

    /// Returns the classes of equal heaps that have legal moves, in ascending order of the rules index and the heap.
    ///
    /// Time: O(k) for k classes, and once for each class the time of [`Rules::has_moves`].
    pub fn live_classes(&self) -> impl Iterator<Item = HeapClass<'_>> {
        let live = self.classes.iter().filter(|(ruled, _)| self.is_live(ruled));
        live.filter_map(|(&ruled, Copies { places, .. })| {
            Some(HeapClass { first: self.placed(*places.first()?, ruled), copies: places.len() })
        })
    }

    /// Returns the heaps that have legal moves, in ascending order of their places.
    pub fn live_heaps(&self) -> impl Iterator<Item = PlacedHeap<'_>> {
        let live = self.heaps.iter().filter(|(_, ruled)| self.is_live(ruled));
        live.map(|(&place, &ruled)| self.placed(place, ruled))
    }

    /// Returns whether a heap of the position has legal moves.
    fn is_live(&self, ruled: &RuledHeap) -> bool {
        let has_moves = || self.rules[ruled.rules].has_moves(ruled.heap);
        self.classes.get(ruled).is_some_and(|copies| *copies.is_live.get_or_init(has_moves))
    }

    /// Returns the number of legal moves, at most `u128::MAX`.
    ///
    /// Only your own [`Rules`] can reach `u128::MAX`: a row of 10^18 cards has fewer than 10^36 moves, and at most 18
    /// such rows have places below 2^64.
    pub fn move_count(&self) -> u128 {
        let counts = self
            .classes
            .iter()
            .map(|(ruled, copies)| (copies.places.len() as u128).saturating_mul(self.moves_of(ruled)));
        counts.fold(0, u128::saturating_add)
    }

    /// Returns the legal move with index `n`, from 0, in the order of [`moves`](Self::moves); `None` if `n` is at least
    /// [`move_count`](Self::move_count).
    pub fn nth_move(&self, mut n: u128) -> Option<Move> {
        for (&place, &ruled) in &self.heaps {
            let count = self.moves_of(&ruled);
            if n < count {
                let placed = self.placed(place, ruled);
                return placed.rules.nth_move(placed.heap, n).map(|mv| placed.at(mv));
            }
            n -= count;
        }
        None
    }

    /// Returns the number of legal moves in a heap of the position.
    fn moves_of(&self, ruled: &RuledHeap) -> u128 {
        let count = || self.rules[ruled.rules].move_count(ruled.heap);
        self.classes.get(ruled).map_or(0, |copies| *copies.moves.get_or_init(count))
    }

    /// Returns all legal moves, heap by heap, in ascending order of the places.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.heaps().flat_map(|placed| placed.rules.moves(placed.heap).map(move |mv| placed.at(mv)))
    }

    /// Returns whether there is no legal move, so that the player to move has lost, or has won in misère play.
    pub fn is_over(&self) -> bool {
        self.live_classes().next().is_none()
    }

    /// Makes a move. A move that is not legal changes nothing.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move.
    ///
    /// Time: O(log h) for h heaps, plus the time of [`Rules::apply`].
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |rule| IllegalMove { mv, rule };
        if !(1..=self.places).contains(&mv.place) {
            return Err(illegal(Violation::NoSuchPlace { places: self.places }));
        }
        if mv.take == 0 && !self.can_split_at(mv.place) {
            return Err(illegal(Violation::Nothing));
        }
        let below = self.heaps.range(..=mv.place).next_back();
        let width = |ruled: &RuledHeap| self.rules[ruled.rules].width(ruled.heap);
        let holding = below.filter(|(first, ruled)| mv.place - **first < width(ruled));
        let (&first, &ruled) = holding.ok_or(illegal(Violation::Taken))?;
        let heap_move = HeapMove { offset: mv.place - first, count: mv.take };
        let followers = self.rules[ruled.rules].apply(ruled.heap, heap_move).map_err(illegal)?;
        self.remove(first, ruled);
        for &(at, heap) in &followers {
            self.insert(first + at, RuledHeap { heap, ..ruled });
        }
        Ok(())
    }

    /// Returns the same move as `mv`, which must be legal, in another heap that is equal to the heap of `mv`; `None` if
    /// there is no such heap.
    ///
    /// Both moves together do not change the XOR of the position.
    pub fn mirrored_move(&self, mv: Move) -> Option<Move> {
        let (&first, ruled) = self.heaps.range(..=mv.place).next_back()?;
        let places = &self.classes.get(ruled)?.places;
        let other = places.iter().find(|&&place| place != first)?;
        Some(Move { place: other + (mv.place - first), ..mv })
    }

    /// Returns whether the game that has `place` has moves that take nothing and only split a heap.
    fn can_split_at(&self, place: u64) -> bool {
        let before = self.components.partition_point(|component| component.place <= place);
        let component = before.checked_sub(1).and_then(|index| self.components.get(index));
        component.is_some_and(|component| self.rules[component.rules_index].can_split())
    }

    fn insert(&mut self, place: u64, ruled: RuledHeap) {
        self.heaps.insert(place, ruled);
        self.classes.entry(ruled).or_default().places.insert(place);
    }

    fn remove(&mut self, place: u64, ruled: RuledHeap) {
        self.heaps.remove(&place);
        let class = self.classes.entry(ruled).or_default();
        class.places.remove(&place);
        if class.places.is_empty() {
            self.classes.remove(&ruled);
        }
    }
}

impl fmt::Display for Position {
    /// Writes the heaps, grouped by their rules: `segment 3 5: 7 12 | nim: 4`, after `misere` if it is misère play.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_misere {
            write!(f, "{MISERE} ")?;
        }
        let groups = self.rules.iter().enumerate().map(|(index, rules)| {
            let heaps =
                self.heaps().filter(move |placed| placed.rules_index == index).map(|placed| placed.heap);
            format!("{}: {}", rules.words(), heaps.format(" "))
        });
        write!(f, "{}", groups.collect_vec().iter().format(" | "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Followers, Shape};
    use crate::{Outcome, Solver};

    /// Rules under which each move takes exactly `take` stones. The words do not contain the number.
    #[derive(Debug)]
    struct TakesExactly {
        take: u64,
        claimed_moves: u128,
    }

    impl Rules for TakesExactly {
        fn words(&self) -> String {
            "own".to_owned()
        }

        fn shape(&self) -> Shape {
            Shape::Pile
        }

        fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
            Box::new((heap.size >= self.take).then_some(HeapMove { offset: 0, count: self.take }).into_iter())
        }

        fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
            let left = heap.size.checked_sub(mv.count).filter(|_| mv.count == self.take);
            let left = left.ok_or(Violation::Other("a move takes another number"))?;
            Ok(Followers::from_iter([(0, Heap::of(left))]))
        }

        fn move_count(&self, _: Heap) -> u128 {
            self.claimed_moves
        }
    }

    #[test]
    fn the_number_of_moves_does_not_overflow() {
        let [countless, one] = [u128::MAX, 1].map(|claimed_moves| takes(1, claimed_moves));
        assert_eq!(sum(&[(&countless, &[2, 2]), (&one, &[2])]).move_count(), u128::MAX);
    }

    fn takes(take: u64, claimed_moves: u128) -> Arc<dyn Rules> {
        Arc::new(TakesExactly { take, claimed_moves })
    }

    fn sum(games: &[(&Arc<dyn Rules>, &[u64])]) -> Position {
        let starts = games
            .iter()
            .map(|(rules, sizes)| (Arc::clone(rules), sizes.iter().copied().map(Heap::of).collect()));
        Position::of_games(starts.collect()).unwrap()
    }

    /// Different rules with the same words are different games; the same rules share an index.
    #[test]
    fn words_do_not_identify_rules() {
        let [one, two] = [1, 2].map(|take| takes(take, 1));
        let position = sum(&[(&one, &[2]), (&two, &[2]), (&one, &[2])]);
        assert_eq!(position.components().iter().map(|game| game.rules_index).collect_vec(), [0, 1, 0]);
        let moves = position.moves().map(|mv| (mv.place, mv.take)).collect_vec();
        assert_eq!(moves, [(1, 1), (2, 2), (3, 1)]);
        // Piles of 2: the value is 0 if a move takes 1, and 1 if a move takes 2.
        let mut solver = Solver::new();
        assert_eq!(solver.outcome(&position), Ok(Outcome::N));
        assert_eq!(solver.outcome(&sum(&[(&one, &[2]), (&two, &[2])])), Ok(Outcome::N));
        assert_eq!(solver.outcome(&sum(&[(&one, &[1]), (&two, &[2])])), Ok(Outcome::P));
        assert_eq!(solver.winning_move(&position), Ok(Some(Move { place: 2, take: 2 })));
    }

    /// Equal rules in different spellings share one index.
    #[test]
    fn equal_specifications_share_rules() {
        for (game, expected) in [
            ("nim 3 + square 5 + nim 4", &[0, 1, 0][..]),
            ("9 1 2 + segment 7 1 2 + 9 1 3", &[0, 0, 1]),
            ("square 5 ban 4 1 + square 9 ban 1 4 2 + square 9 ban 1", &[0, 0, 1]),
            ("divisor 6 ban 2 + divisor 6 + divisor 8 ban 2 2", &[0, 1, 0]),
            ("subtract 9 take 1 2 + subtract 5 take 2 1 + subtract 5 take 2", &[0, 0, 1]),
            ("subtract 9 take 1 2 + subtract 9 take 1..2 + subtract 9 take 1..3", &[0, 0, 1]),
            ("subtract 9 take 9 3..5 6..7 4 + subtract 9 take 3..7 9", &[0, 0]),
            ("subtract 9 take 1..1000000000000000000 5 + subtract 9 take 1..1000000000000000000", &[0, 0]),
            ("octal 0.77 5 + octal .770 6 + octal 0.137 6 + euclid 2 1 + euclid 1 2", &[0, 0, 1, 2, 2]),
        ] {
            let position = Position::new(&game.parse().unwrap()).unwrap();
            assert_eq!(
                position.components().iter().map(|game| game.rules_index).collect_vec(),
                expected,
                "{game}"
            );
        }
    }
}
