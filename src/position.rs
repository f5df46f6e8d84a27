//! A position: a sum of heaps in play, its places and its legal moves. Who wins is for the solver.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::compat::Itertools;
use crate::rules::{self, Heap, HeapMove, Rules, SetUp, Violation};
use crate::spec::{GameSpec, SpecError};
use crate::{IllegalMove, Move};

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

/// One of the games of the sum, where it was set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its first place, from 1.
    pub place: u64,
    /// How many places it was given.
    pub width: u64,
    /// The index of its rules, see [`Position::rules`].
    pub rules: usize,
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

/// A heap where it lies in a position.
#[derive(Clone, Copy, Debug)]
pub struct PlacedHeap<'a> {
    /// The heap's first place, from 1.
    pub place: u64,
    /// The index of its rules, see [`Position::rules`].
    pub index: usize,
    /// The rules themselves.
    pub rules: &'a dyn Rules,
    /// The heap.
    pub heap: Heap,
}

impl PlacedHeap<'_> {
    /// The index of the rules, and the heap.
    pub(crate) fn key(&self) -> (usize, Heap) {
        (self.index, self.heap)
    }

    /// A move within this heap as a move in the position.
    pub fn at(&self, mv: HeapMove) -> Move {
        Move { place: self.place + mv.offset, take: mv.count }
    }
}

/// Heaps that are equal and played by the same rules.
#[derive(Clone, Copy, Debug)]
pub struct HeapClass<'a> {
    /// The first of them.
    pub first: PlacedHeap<'a>,
    /// How many there are, at least one.
    pub copies: usize,
}

impl Position {
    /// The position that a game starts from.
    ///
    /// # Errors
    ///
    /// If the specification is not [valid](GameSpec::validate), or the places cannot be numbered in 64 bits.
    pub fn new(game: &GameSpec) -> Result<Self, SpecError> {
        game.components().iter().map(rules::set_up).collect::<Result<Vec<_>, _>>().and_then(Self::set_up)
    }

    /// A position of heaps of these sizes, side by side, under rules of any kind.
    ///
    /// # Errors
    ///
    /// If the places cannot be numbered in 64 bits.
    pub fn of_heaps(rules: impl Rules, sizes: &[u64]) -> Result<Self, SpecError> {
        Self::set_up(vec![SetUp::new(Arc::new(rules), sizes.iter().copied().map(Heap::of).collect())])
    }

    fn set_up(games: Vec<SetUp>) -> Result<Self, SpecError> {
        let mut rules: Vec<Arc<dyn Rules>> = Vec::new();
        let mut known = BTreeMap::new();
        let mut components = Vec::with_capacity(games.len());
        let mut heaps = Vec::new();
        // The first place of the next game; the place behind the last has a number too.
        let mut place: u64 = 1;
        for game in games {
            let index = *known.entry(game.rules.words()).or_insert_with(|| {
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
        let (rules, components) = (rules.into(), components.into());
        let mut position =
            Self { rules, components, heaps: BTreeMap::new(), classes: BTreeMap::new(), places: place - 1 };
        for (place, heap) in heaps {
            position.insert(place, heap);
        }
        Ok(position)
    }

    /// The games of the sum, from left to right.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// How many places the position has, emptied ones included.
    pub fn places(&self) -> u64 {
        self.places
    }

    /// The rules of that index; components with equal rules share one.
    pub fn rules(&self, index: usize) -> Option<&dyn Rules> {
        self.rules.get(index).map(AsRef::as_ref)
    }

    /// All rules, as solvers keep them.
    pub(crate) fn shared_rules(&self) -> &Arc<[Arc<dyn Rules>]> {
        &self.rules
    }

    /// The heaps that are left, from the first place to the last.
    pub fn heaps(&self) -> impl DoubleEndedIterator<Item = PlacedHeap<'_>> {
        self.heaps.iter().map(|(&place, &ruled)| self.placed(place, ruled))
    }

    fn placed(&self, place: u64, RuledHeap { rules, heap }: RuledHeap) -> PlacedHeap<'_> {
        PlacedHeap { place, index: rules, rules: self.rules[rules].as_ref(), heap }
    }

    /// The classes of equal heaps in which a move can be made, in ascending order of the rules and of the heap.
    pub fn live_classes(&self) -> impl Iterator<Item = HeapClass<'_>> {
        let classes = self.classes.iter();
        let live = classes.filter(|&(&ruled, copies)| self.is_live(ruled, copies));
        live.filter_map(|(&ruled, Copies { places, .. })| {
            Some(HeapClass { first: self.placed(*places.first()?, ruled), copies: places.len() })
        })
    }

    /// The heaps in which a move can be made.
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

    /// How many steps it takes to tell which heaps have moves, as far as that has not been asked yet.
    pub(crate) fn liveness_cost(&self) -> u128 {
        let unknown = self.classes.iter().filter(|(_, copies)| copies.is_live.get().is_none());
        unknown.map(|(ruled, _)| self.rules[ruled.rules].has_moves_cost(ruled.heap)).sum()
    }

    /// Whether the player to move has none, and has lost.
    pub fn is_over(&self) -> bool {
        self.live_classes().next().is_none()
    }

    /// Makes a move. A move that is not legal changes nothing.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |rule| IllegalMove { mv, rule };
        if !(1..=self.places).contains(&mv.place) {
            return Err(illegal(Violation::NoSuchPlace { places: self.places }));
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

    /// The same move in another heap that is equal to the one it is made in; `None` if there is no such heap.
    ///
    /// A player who answers a move by the same move in an equal heap leaves the XOR as it was before both.
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

    /// How many legal moves there are.
    ///
    /// Rows of 10^18 cards have fewer than 10^36 moves each, and the places bound how many such rows there
    /// are, so the sum fits.
    pub fn move_count(&self) -> u128 {
        let classes = self.classes.iter();
        classes.map(|(&ruled, copies)| copies.places.len() as u128 * self.moves_of(ruled, copies)).sum()
    }

    /// The legal move of that number, counted heap by heap; `None` from [`move_count`](Self::move_count) on.
    pub fn nth_move(&self, mut n: u128) -> Option<Move> {
        for (&place, &ruled) in &self.heaps {
            let count = self.classes.get(&ruled).map_or(0, |copies| self.moves_of(ruled, copies));
            if n < count {
                let placed = self.placed(place, ruled);
                return placed.rules.nth_move(placed.heap, n).map(|mv| placed.at(mv));
            }
            n -= count;
        }
        None
    }

    /// How many legal moves each heap of a class has.
    fn moves_of(&self, RuledHeap { rules, heap }: RuledHeap, copies: &Copies) -> u128 {
        *copies.moves.get_or_init(|| self.rules[rules].move_count(heap))
    }

    /// Every legal move.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.heaps().flat_map(|placed| placed.rules.moves(placed.heap).map(move |mv| placed.at(mv)))
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
