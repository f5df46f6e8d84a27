//! A position: a sum of heaps in play, its places and its legal moves. Who wins is for the solver.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::compat::Itertools;
use crate::rules::{Heap, HeapMove, Rules, Violation};
use crate::spec::{GameSpec, SetUp, SpecError};
use crate::{IllegalMove, Move};

mod heaps;
mod legal_moves;

pub use heaps::{Component, HeapClass, PlacedHeap};

/// A sum of games in play.
///
/// Places are numbered consecutively from 1, from the first game to the last. Every heap that is left fills a run of
/// them; a place in none has been emptied.
///
/// ```
/// use zeroxor::{Move, Position};
///
/// let mut position = Position::new(&"6 1 2 + nim 3".parse()?)?;
/// assert_eq!(position.places(), 7);
/// position.play(Move { place: 3, take: 2 })?;
/// assert_eq!(position.to_string(), "segment 1 2: 2 2 | nim: 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    rules: Arc<[Arc<dyn Rules>]>,
    components: Arc<[Component]>,
    heaps: BTreeMap<u64, RuledHeap>,
    classes: BTreeMap<RuledHeap, Copies>,
    places: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RuledHeap {
    rules: usize,
    heap: Heap,
}

/// The heaps of a class.
#[derive(Clone, Debug, Default)]
struct Copies {
    places: BTreeSet<u64>,
    /// How many legal moves each has, once that has been asked: to count them, divisors have to be found.
    moves: OnceLock<u128>,
    /// Whether there is one, once that has been asked, for the same reason.
    is_live: OnceLock<bool>,
}

impl Position {
    /// The position that a game starts from.
    ///
    /// # Errors
    ///
    /// If the specification is not [valid](GameSpec::validate), its moves cannot be
    /// [written](GameSpec::ensure_playable), or the places cannot be numbered in 64 bits.
    ///
    /// ```
    /// use zeroxor::{GameSpec, Position};
    ///
    /// let position = Position::new(&GameSpec::Euclid { a: 34, b: 21 })?;
    /// assert_eq!((position.places(), position.move_count()), (2, 1));
    ///
    /// assert!(Position::new(&GameSpec::Euclid { a: 0, b: 1 }).is_err());
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn new(game: &GameSpec) -> Result<Self, SpecError> {
        game.ensure_playable()?;
        game.components().iter().map(SetUp::of_game).collect::<Result<Vec<_>, _>>().and_then(Self::set_up)
    }

    /// As [`new`](Self::new), also if the moves cannot be [written](GameSpec::ensure_playable). Of such a position a
    /// [`Solver`](crate::Solver) says who wins; it cannot be played.
    ///
    /// # Errors
    ///
    /// If the specification is not [valid](GameSpec::validate), or the places cannot be numbered in 64 bits.
    ///
    /// ```
    /// use zeroxor::{Outcome, Position, Solver};
    ///
    /// let position = Position::for_solver(&"grundy 1000000000 1000000000".parse()?)?;
    /// assert_eq!(Solver::new().outcome(&position)?, Outcome::P);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_solver(game: &GameSpec) -> Result<Self, SpecError> {
        game.components().iter().map(SetUp::of_game).collect::<Result<Vec<_>, _>>().and_then(Self::set_up)
    }

    /// A position of heaps of these sizes, side by side, under rules of any kind.
    ///
    /// # Errors
    ///
    /// If the places cannot be numbered in 64 bits.
    ///
    /// ```
    /// use zeroxor::rules::{Followers, Heap, HeapMove, Rules, Shape, Violation};
    /// use zeroxor::{Outcome, Position, Solver};
    ///
    /// /// A move takes one end card of a row.
    /// #[derive(Debug)]
    /// struct Ends;
    ///
    /// impl Rules for Ends {
    ///     fn words(&self) -> String {
    ///         "ends".to_owned()
    ///     }
    ///
    ///     fn shape(&self) -> Shape {
    ///         Shape::Row
    ///     }
    ///
    ///     fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
    ///         let ends = [0, heap.size.saturating_sub(1)].into_iter().take(heap.size.min(2) as usize);
    ///         Box::new(ends.map(|offset| HeapMove { offset, count: 1 }))
    ///     }
    ///
    ///     fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
    ///         if mv.count != 1 || mv.offset > 0 && mv.offset + 1 != heap.size {
    ///             return Err(Violation::Other("a move takes an end card"));
    ///         }
    ///         let first = if mv.offset == 0 { 1 } else { 0 };
    ///         Ok((heap.size > 1).then(|| (first, Heap::of(heap.size - 1))).into_iter().collect())
    ///     }
    /// }
    ///
    /// let position = Position::of_heaps(Ends, &[4, 3])?;
    /// assert_eq!(Solver::new().outcome(&position)?, Outcome::N);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_heaps(rules: impl Rules, sizes: &[u64]) -> Result<Self, SpecError> {
        Self::set_up(vec![SetUp::new(Arc::new(rules), sizes.iter().copied().map(Heap::of).collect())])
    }

    fn set_up(games: Vec<SetUp>) -> Result<Self, SpecError> {
        let mut rules: Vec<Arc<dyn Rules>> = Vec::new();
        let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut components = Vec::with_capacity(games.len());
        let mut heaps = Vec::new();
        // The first place of the next game; the place after the last has a number too.
        let mut place: u64 = 1;
        for game in games {
            let alike = alike.entry(game.rules.words()).or_default();
            // Different rules may have the same words, but not those of rows.
            let same = alike.iter().copied().find(|&index| rules[index].is_same(game.rules.as_ref()));
            let index = same.unwrap_or_else(|| {
                alike.push(rules.len());
                rules.push(game.rules);
                rules.len() - 1
            });
            let too_many =
                || SpecError::new("fewer than 2^64 places in all".to_owned(), "more than that".to_owned());
            let next = game.width.and_then(|width| place.checked_add(width)).ok_or_else(too_many)?;
            heaps.extend(game.heaps.iter().map(|&(at, heap)| (place + at, RuledHeap { rules: index, heap })));
            components.push(Component { place, width: next - place, rules: index });
            place = next;
        }
        let mut position = Self {
            rules: rules.into(),
            components: components.into(),
            heaps: BTreeMap::new(),
            classes: BTreeMap::new(),
            places: place - 1,
        };
        for (place, heap) in heaps {
            position.insert(place, heap);
        }
        Ok(position)
    }

    /// The games of the sum, from left to right.
    ///
    /// ```
    /// use zeroxor::Position;
    ///
    /// let position = Position::new(&"nim 3 5 + euclid 8 5".parse()?)?;
    /// let widths: Vec<u64> = position.components().iter().map(|game| game.width).collect();
    /// assert_eq!(widths, [2, 2]);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// How many places the position has, emptied ones included.
    ///
    /// ```
    /// use zeroxor::{Move, Position};
    ///
    /// let mut position = Position::new(&"20 3 5 + nim 6".parse()?)?;
    /// position.play(Move { place: 21, take: 6 })?;
    /// assert_eq!(position.places(), 21);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn places(&self) -> u64 {
        self.places
    }

    /// The rules of that index; components with the [same](Rules::is_same) rules share one.
    ///
    /// ```
    /// use zeroxor::Position;
    ///
    /// let position = Position::new(&"20 3 5 + nim 6".parse()?)?;
    /// assert_eq!(position.rules(1).map(|rules| rules.words()), Some("nim".to_owned()));
    /// assert!(position.rules(2).is_none());
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn rules(&self, index: usize) -> Option<&dyn Rules> {
        self.rules.get(index).map(AsRef::as_ref)
    }

    /// All rules, as solvers keep them.
    pub(crate) fn shared_rules(&self) -> &Arc<[Arc<dyn Rules>]> {
        &self.rules
    }

    /// The heaps that are left, from the first place to the last.
    ///
    /// ```
    /// use zeroxor::Position;
    ///
    /// let position = Position::new(&"nim 3 1 4".parse()?)?;
    /// let stones: u64 = position.heaps().map(|placed| placed.heap.size).sum();
    /// assert_eq!(stones, 8);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn heaps(&self) -> impl DoubleEndedIterator<Item = PlacedHeap<'_>> {
        self.heaps.iter().map(|(&place, &ruled)| self.placed(place, ruled))
    }

    fn placed(&self, place: u64, RuledHeap { rules, heap }: RuledHeap) -> PlacedHeap<'_> {
        PlacedHeap { place, index: rules, rules: self.rules[rules].as_ref(), heap }
    }

    /// The classes of equal heaps in which a move can be made, in ascending order of the rules and of the heap.
    ///
    /// Time: O(k) for k classes.
    ///
    /// ```
    /// use zeroxor::Position;
    ///
    /// // No move takes less than 3.
    /// let position = Position::new(&"subtract 2 7 7 take 3 4".parse()?)?;
    /// let mut classes = position.live_classes();
    /// assert_eq!(classes.next().map(|class| class.copies), Some(2));
    /// assert!(classes.next().is_none());
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn live_classes(&self) -> impl Iterator<Item = HeapClass<'_>> {
        let classes = self.classes.iter();
        let live = classes.filter(|&(&ruled, copies)| self.is_live(ruled, copies));
        live.filter_map(|(&ruled, Copies { places, .. })| {
            Some(HeapClass { first: self.placed(*places.first()?, ruled), copies: places.len() })
        })
    }

    /// The heaps in which a move can be made.
    ///
    /// ```
    /// use zeroxor::Position;
    ///
    /// let position = Position::new(&"square 3 ban 1 + nim 5".parse()?)?;
    /// assert_eq!(position.heaps().count(), 2);
    /// assert_eq!(position.live_heaps().map(|placed| placed.place).collect::<Vec<_>>(), [2]);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn live_heaps(&self) -> impl Iterator<Item = PlacedHeap<'_>> {
        let live = self
            .heaps
            .iter()
            .filter(|(_, ruled)| self.classes.get(ruled).is_some_and(|copies| self.is_live(**ruled, copies)));
        live.map(|(&place, &ruled)| self.placed(place, ruled))
    }

    /// Whether the heaps of a class have moves.
    fn is_live(&self, RuledHeap { rules, heap }: RuledHeap, copies: &Copies) -> bool {
        *copies.is_live.get_or_init(|| self.rules[rules].has_moves(heap))
    }

    /// The steps to find which heaps have moves, without the heaps that have been tested.
    pub(crate) fn liveness_cost(&self) -> u128 {
        let unknown = self.classes.iter().filter(|(_, copies)| copies.is_live.get().is_none());
        unknown.map(|(ruled, _)| self.rules[ruled.rules].has_moves_cost(ruled.heap)).sum()
    }

    /// Whether the player to move has none, and has lost.
    ///
    /// ```
    /// use zeroxor::{Move, Position};
    ///
    /// let mut pair = Position::new(&"euclid 3 2".parse()?)?;
    /// assert!(!pair.is_over());
    /// pair.play(Move { place: 1, take: 2 })?;
    /// pair.play(Move { place: 2, take: 1 })?;
    /// // Both numbers are 1.
    /// assert!(pair.is_over());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_over(&self) -> bool {
        self.live_classes().next().is_none()
    }

    /// Makes a move. A move that is not legal changes nothing.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move.
    ///
    /// Time: O(log h) for h heaps, and what [`Rules::apply`] takes.
    ///
    /// ```
    /// use zeroxor::{Move, Position};
    ///
    /// let mut row = Position::new(&"segment 10 2 4".parse()?)?;
    /// row.play(Move { place: 4, take: 3 })?;
    /// assert_eq!(row.to_string(), "segment 2 4: 3 4");
    ///
    /// // Place 5 is empty.
    /// let error = row.play(Move { place: 5, take: 2 }).unwrap_err();
    /// assert_eq!(error.to_string(), "taking 2 at place 5 is not legal: the card there has been taken already");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |rule| IllegalMove { mv, rule };
        if !(1..=self.places).contains(&mv.place) {
            return Err(illegal(Violation::NoSuchPlace { places: self.places }));
        }
        if mv.take == 0 {
            return Err(illegal(Violation::Nothing));
        }
        let below = self.heaps.range(..=mv.place).next_back();
        let (first, ruled) = below.map(|(&first, &ruled)| (first, ruled)).ok_or(illegal(Violation::Taken))?;
        let rules = self.rules[ruled.rules].as_ref();
        let heap_move = HeapMove { offset: mv.place - first, count: mv.take };
        if heap_move.offset >= rules.width(ruled.heap) {
            return Err(illegal(Violation::Taken));
        }
        let followers = rules.apply(ruled.heap, heap_move).map_err(illegal)?;
        self.remove(first, ruled);
        for &(at, heap) in &followers {
            self.insert(first + at, RuledHeap { heap, ..ruled });
        }
        Ok(())
    }

    /// This move in another heap that is equal to the one it is made in; `None` if there is no such heap.
    ///
    /// A player who answers a move by the same move in an equal heap leaves the XOR as it was before both.
    ///
    /// ```
    /// use zeroxor::{Move, Position};
    ///
    /// // Two rows of 20: what is done in one is done in the other.
    /// let rows = Position::new(&"20 3 5 + 20 3 5".parse()?)?;
    /// assert_eq!(rows.mirrored_move(Move { place: 2, take: 4 }), Some(Move { place: 22, take: 4 }));
    /// assert_eq!(Position::new(&"20 3 5".parse()?)?.mirrored_move(Move { place: 2, take: 4 }), None);
    /// # Ok::<(), zeroxor::SpecError>(())
    /// ```
    pub fn mirrored_move(&self, mv: Move) -> Option<Move> {
        let (&first, ruled) = self.heaps.range(..=mv.place).next_back()?;
        let places = &self.classes.get(ruled)?.places;
        let other = places.iter().find(|&&place| place != first)?;
        Some(Move { place: other + (mv.place - first), ..mv })
    }

    fn insert(&mut self, place: u64, ruled: RuledHeap) {
        self.heaps.insert(place, ruled);
        self.classes.entry(ruled).or_default().places.insert(place);
    }

    fn remove(&mut self, place: u64, ruled: RuledHeap) {
        self.heaps.remove(&place);
        if let Entry::Occupied(mut class) = self.classes.entry(ruled) {
            class.get_mut().places.remove(&place);
            if class.get().places.is_empty() {
                class.remove();
            }
        }
    }
}

impl fmt::Display for Position {
    /// The heaps, grouped by their rules: `segment 3 5: 7 12 | nim: 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.rules.iter().enumerate().map(|(index, rules)| {
            let heaps = self.heaps().filter(move |placed| placed.index == index).map(|placed| placed.heap);
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

    /// A move takes this number of stones from a pile; the words do not say how many.
    #[derive(Debug)]
    struct Takes(u64);

    impl Rules for Takes {
        fn words(&self) -> String {
            "own".to_owned()
        }

        fn shape(&self) -> Shape {
            Shape::Pile
        }

        fn moves(&self, heap: Heap) -> Box<dyn Iterator<Item = HeapMove> + '_> {
            Box::new((heap.size >= self.0).then_some(HeapMove { offset: 0, count: self.0 }).into_iter())
        }

        fn apply(&self, heap: Heap, mv: HeapMove) -> Result<Followers, Violation> {
            let left = heap.size.checked_sub(mv.count).filter(|_| mv.count == self.0);
            let left = left.ok_or(Violation::Other("a move takes another number"))?;
            Ok(Followers::from_iter([(0, Heap::of(left))]))
        }
    }

    fn sum(games: &[(&Arc<dyn Rules>, &[u64])]) -> Position {
        let set_ups = games.iter().map(|(rules, sizes)| {
            SetUp::new(Arc::clone(rules), sizes.iter().copied().map(Heap::of).collect())
        });
        Position::set_up(set_ups.collect()).unwrap()
    }

    /// Different rules with the same words are different games; the same rules share an index.
    #[test]
    fn words_do_not_identify_rules() {
        let [one, two]: [Arc<dyn Rules>; 2] = [Arc::new(Takes(1)), Arc::new(Takes(2))];
        let position = sum(&[(&one, &[2]), (&two, &[2]), (&one, &[2])]);
        assert_eq!(position.components().iter().map(|game| game.rules).collect_vec(), [0, 1, 0]);
        let moves = position.moves().map(|mv| (mv.place, mv.take)).collect_vec();
        assert_eq!(moves, [(1, 1), (2, 2), (3, 1)]);
        // Taking 1 from 2 is worth 0, taking 2 from 2 is worth 1.
        let mut solver = Solver::new();
        assert_eq!(solver.outcome(&position), Ok(Outcome::N));
        assert_eq!(solver.outcome(&sum(&[(&one, &[2]), (&two, &[2])])), Ok(Outcome::N));
        assert_eq!(solver.outcome(&sum(&[(&one, &[1]), (&two, &[2])])), Ok(Outcome::P));
        assert_eq!(solver.winning_move(&position), Ok(Some(Move { place: 2, take: 2 })));
    }

    /// Rules that are written differently and mean the same share one table.
    #[test]
    fn equal_specifications_share_rules() {
        for (game, expected) in [
            ("nim 3 + square 5 + nim 4", &[0, 1, 0][..]),
            ("9 1 2 + segment 7 1 2 + 9 1 3", &[0, 0, 1]),
            ("square 5 ban 4 1 + square 9 ban 1 4 2 + square 9 ban 1", &[0, 0, 1]),
            ("divisor 6 ban 2 + divisor 6 + divisor 8 ban 2 2", &[0, 1, 0]),
            ("subtract 9 take 1 2 + subtract 5 take 2 1 + subtract 5 take 2", &[0, 0, 1]),
            ("octal 0.77 5 + octal .770 6 + octal 0.137 6 + euclid 2 1 + euclid 1 2", &[0, 0, 1, 2, 2]),
        ] {
            let position = Position::new(&game.parse().unwrap()).unwrap();
            assert_eq!(position.components().iter().map(|game| game.rules).collect_vec(), expected, "{game}");
        }
    }
}
