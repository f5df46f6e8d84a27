//! Who wins a sum of games in misère play, and by which moves.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::fmt;

use crate::grundy::octal;
use crate::grundy::segment::{MoveBounds, Period, Window};
use crate::position::PlacedHeap;
use crate::rules::{Clause, Heap, HeapMove, PileGame};
use crate::{GameSpec, Move, Outcome, Position, SpecError};

use super::budget::{Budget, OverBudget};
use super::candidate::Element;
use super::quotient::proven_period;
use super::search::Search;

/// Maximum number of different heaps.
const MAX_HEAPS: usize = 2000;

/// Maximum number of sums whose outcomes a search stores: about 200 MiB.
const MAX_SUMS: usize = 1_000_000;

/// Maximum number of plies of a sum that is searched, because the search is recursive.
const MAX_PLIES: u64 = 4000;

/// Maximum number of moves that are tried.
const MAX_MOVES: u128 = 10_000_000;

/// The index of the rules in a position, and a heap.
type RuledHeap = (usize, Heap);

/// Solves the positions of a game, or of a sum of games, in misère play: a player who has no move wins.
///
/// Piles of nim are solved as by C. L. Bouton (1901, "Nim, a game with a complete mathematical theory"). In other games
/// the misère quotient of all heaps that can be reached from the start is computed, and the outcome of a position needs
/// one multiplication for each heap. If there are too many heaps, the quotient of all heaps is used if a period of each
/// game is proven. If the budget is not enough for all heaps, positions with the other heaps are searched, down to those
/// that the quotient has.
///
/// ```
/// use zeroxor::misere::{Budget, Solver};
/// use zeroxor::{GameSpec, Outcome, Position};
///
/// let game: GameSpec = "octal 0.77 9 + subtract 7 take 1 3".parse()?;
/// let mut position = Position::new(&game)?;
/// let mut solver = Solver::new(&game, Budget::PER_HEAP)?;
/// assert_eq!(solver.outcome(&position)?, Outcome::N);
/// let winning = solver.winning_moves(&position)?;
/// position.play(winning[0])?;
/// assert_eq!(solver.outcome(&position)?, Outcome::P);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    /// `None` in nim.
    heaps: Option<Heaps>,
    /// For each sum that was searched: whether it is a P-position.
    outcomes: HashMap<Vec<usize>, bool>,
}

/// The error of a position that cannot be solved within the limits. It says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsolved(String);

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Unsolved {}

impl Solver {
    /// Returns a solver for the positions of `game`. The budget is that of each heap, and of each search.
    ///
    /// # Errors
    ///
    /// If the game is not valid.
    pub fn new(game: &GameSpec, budget: Budget) -> Result<Self, SpecError> {
        let start = Position::for_solver(game)?;
        let is_nim = |game: &GameSpec| matches!(game, GameSpec::Piles { game: PileGame::Nim, .. });
        let heaps = (!game.components().iter().all(is_nim)).then(|| Heaps::new(game, &start, budget));
        Ok(Self { heaps, outcomes: HashMap::new() })
    }

    /// Returns who wins a position that can be reached from the start.
    ///
    /// # Errors
    ///
    /// If there is no quotient with its heaps, and a search would be too large.
    pub fn outcome(&mut self, position: &Position) -> Result<Outcome, Unsolved> {
        let is_p = match &self.heaps {
            None => Nim::of(position).is_p(),
            Some(heaps) => heaps.is_p(&heaps.sum(position.heaps().map(ruled))?, &mut self.outcomes)?,
        };
        Ok(if is_p { Outcome::P } else { Outcome::N })
    }

    /// Returns the moves to P-positions, in ascending order of the places. A position without moves has none, although
    /// the player to move wins it.
    ///
    /// # Errors
    ///
    /// If a position after a move cannot be solved, or if there are too many moves.
    pub fn winning_moves(&mut self, position: &Position) -> Result<Vec<Move>, Unsolved> {
        let Some(heaps) = &self.heaps else { return Ok(Nim::of(position).winning_moves(position)) };
        if position.move_count() > MAX_MOVES {
            return Err(Unsolved(format!("{position}: there are more than {MAX_MOVES} moves")));
        }
        let all: Vec<RuledHeap> = position.heaps().map(ruled).collect();
        // Equal heaps have the same winning moves.
        let mut by_heap: HashMap<RuledHeap, Vec<HeapMove>> = HashMap::new();
        let mut winning = Vec::new();
        for (at, placed) in position.heaps().enumerate() {
            let moves = match by_heap.entry(all[at]) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let others = [&all[..at], &all[at + 1..]].concat();
                    new.insert(heaps.winning_moves(&placed, &others, &mut self.outcomes)?)
                }
            };
            winning.extend(moves.iter().map(|&mv| placed.at(mv)));
        }
        Ok(winning)
    }
}

fn ruled(placed: PlacedHeap<'_>) -> RuledHeap {
    (placed.index, placed.heap)
}

/// What the outcome of piles of nim depends on.
#[derive(Clone, Copy)]
struct Nim {
    xor: u64,
    /// The number of piles with more than one stone.
    large: usize,
}

impl Nim {
    fn of(position: &Position) -> Self {
        let piles = position.heaps().map(|placed| placed.heap.size);
        piles.fold(Self { xor: 0, large: 0 }, |Self { xor, large }, pile| Self {
            xor: xor ^ pile,
            large: large + usize::from(pile > 1),
        })
    }

    /// If no pile has more than one stone, an odd number of piles is a P-position, otherwise the XOR 0 is.
    fn is_p(self) -> bool {
        self.xor == u64::from(self.large == 0)
    }

    fn winning_moves(self, position: &Position) -> Vec<Move> {
        let of_pile = |placed: PlacedHeap<'_>| {
            let pile = placed.heap.size;
            // After the move the XOR is 0 or 1. The larger number that is left is the smaller move.
            let left = pile ^ self.xor;
            let left = [left | 1, left & !1].into_iter();
            let moves = left.filter(|&left| left < pile).filter_map(|left| {
                let large = self.large - usize::from(pile > 1) + usize::from(left > 1);
                let after = Self { xor: self.xor ^ pile ^ left, large };
                after.is_p().then(|| placed.at(HeapMove { offset: 0, count: pile - left }))
            });
            moves.collect::<Vec<_>>()
        };
        position.heaps().flat_map(of_pile).collect()
    }
}

/// The heaps of a game, their numbers in the search, and their quotient.
#[derive(Debug)]
struct Heaps {
    /// Heaps without moves have the number 0.
    numbers: HashMap<RuledHeap, usize>,
    /// The periods of the rules under which larger heaps repeat.
    periods: BTreeMap<usize, Period>,
    search: Search,
    budget: Budget,
    /// Why the quotient does not have all heaps.
    limit: Option<String>,
}

impl Heaps {
    fn new(game: &GameSpec, start: &Position, budget: Budget) -> Self {
        let mut heaps = Self {
            numbers: HashMap::new(),
            periods: BTreeMap::new(),
            search: Search::new(),
            budget,
            limit: None,
        };
        match reachable(start) {
            Some(reached) => {
                // Every heap is listed after its followers, which are smaller.
                let mut reached = reached.into_iter();
                while let Some((heap, rules)) = reached.next()
                    && heaps.add(start, (rules, heap))
                {}
            }
            None => heaps.add_until_all_repeat(game, start),
        }
        heaps
    }

    /// Adds the heaps of all rules in ascending order of their sizes, until the elements of the heaps of each rules are
    /// proven to repeat.
    fn add_until_all_repeat(&mut self, game: &GameSpec, start: &Position) {
        let too_many =
            format!("there are more than {MAX_HEAPS} different heaps, and no period of them is proven");
        let parts = start.components().iter().zip(game.components());
        let bounds = parts.map(|(part, game)| Some((part.rules, move_bounds(game)?)));
        let Some(bounds) = bounds.collect::<Option<BTreeMap<usize, MoveBounds>>>() else {
            self.limit = Some(too_many);
            return;
        };
        for size in (0..).take(MAX_HEAPS / bounds.len()) {
            for &rules in bounds.keys() {
                if !self.add(start, (rules, Heap::of(size))) || self.limit.is_some() {
                    return;
                }
            }
            // A heap may have changed the elements of all heaps.
            let periods = bounds.iter().map(|(&rules, &bounds)| {
                let elements: Vec<Element> =
                    (0..=size).filter_map(|size| self.element(rules, size)).collect();
                proven_period(bounds, &elements).map(|period| (rules, period))
            });
            if let Some(periods) = periods.collect() {
                self.periods = periods;
                return;
            }
        }
        self.limit = Some(too_many);
    }

    fn element(&self, rules: usize, size: u64) -> Option<Element> {
        let number = self.numbers.get(&(rules, Heap::of(size)))?;
        self.search.quotient().map().get(*number).copied()
    }

    /// Adds a heap after its followers. Returns false if its options cannot be stored.
    fn add(&mut self, start: &Position, (index, heap): RuledHeap) -> bool {
        let Some(rules) = start.rules(index) else { return false };
        if !rules.has_moves(heap) {
            self.numbers.insert((index, heap), 0);
            return true;
        }
        let left = rules.moves(heap).filter_map(|mv| rules.apply(heap, mv).ok());
        let last = self.search.heaps().largest();
        let numbers = &self.numbers;
        let options = left.map(|left| {
            let followers = left.iter().filter_map(|&(_, heap)| numbers.get(&(index, heap)).copied());
            followers.collect()
        });
        let added = if self.limit.is_some() {
            self.search.add_heap_without_quotient(options)
        } else {
            self.search.add_heap(options, &mut self.budget.clone()).map(drop)
        };
        if added.is_err() && self.limit.is_none() {
            let words = rules.words();
            self.limit = Some(format!("no misère quotient with a heap of {heap} in {words} was found"));
        }
        let number = self.search.heaps().largest();
        if number > last {
            self.numbers.insert((index, heap), number);
        }
        number > last
    }

    /// Returns the numbers of heaps, in ascending order, without heaps that have no move.
    fn sum(&self, heaps: impl Iterator<Item = RuledHeap>) -> Result<Vec<usize>, Unsolved> {
        let number = |(rules, mut heap): RuledHeap| {
            if let Some(&Period { start, length }) = self.periods.get(&rules)
                && heap.size >= start
            {
                heap.size = start + (heap.size - start) % length;
            }
            self.numbers.get(&(rules, heap)).copied()
        };
        let numbers: Option<Vec<usize>> = heaps.map(number).collect();
        let mut numbers = numbers.ok_or_else(|| self.unsolved("a search is too large"))?;
        numbers.retain(|&number| number > 0);
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn unsolved(&self, why: &str) -> Unsolved {
        let limit = self.limit.as_deref().unwrap_or("a heap cannot be reached from the start");
        Unsolved(format!("misère play: {limit}, and {why}"))
    }

    /// Returns the moves of a heap that win if the other heaps are `others`.
    fn winning_moves(
        &self,
        placed: &PlacedHeap<'_>,
        others: &[RuledHeap],
        outcomes: &mut HashMap<Vec<usize>, bool>,
    ) -> Result<Vec<HeapMove>, Unsolved> {
        let mut winning = Vec::new();
        for mv in placed.rules.moves(placed.heap) {
            let Ok(left) = placed.rules.apply(placed.heap, mv) else { continue };
            let left = left.iter().map(|&(_, heap)| (placed.index, heap));
            let sum = self.sum(others.iter().copied().chain(left))?;
            if self.is_p(&sum, outcomes)? {
                winning.push(mv);
            }
        }
        Ok(winning)
    }

    /// Returns whether a sum of numbered heaps is a P-position.
    fn is_p(&self, sum: &[usize], outcomes: &mut HashMap<Vec<usize>, bool>) -> Result<bool, Unsolved> {
        let plies: u64 = sum.iter().map(|&heap| self.search.heaps().plies(heap)).sum();
        match self.by_quotient(sum) {
            Some(is_p) => Ok(is_p),
            None if plies > MAX_PLIES => {
                Err(self.unsolved(&format!("a search of {plies} plies is too deep")))
            }
            None => self
                .searched(sum, outcomes, &mut self.budget.clone())
                .map_err(|OverBudget| self.unsolved("a search exceeds the budget")),
        }
    }

    /// Returns whether a sum is a P-position, if the quotient has all of its heaps.
    fn by_quotient(&self, sum: &[usize]) -> Option<bool> {
        let quotient = self.search.quotient();
        let mut elements = sum.iter().map(|&heap| quotient.map().get(heap));
        let product = elements.try_fold(0, |product, element| Some(quotient.product(product, *element?)));
        product.map(|product| quotient.is_p(product))
    }

    /// Searches the outcome of a sum. The depth of the recursion is at most the number of plies.
    fn searched(
        &self,
        sum: &[usize],
        outcomes: &mut HashMap<Vec<usize>, bool>,
        budget: &mut Budget,
    ) -> Result<bool, OverBudget> {
        if let Some(is_p) = self.by_quotient(sum).or_else(|| outcomes.get(sum).copied()) {
            return Ok(is_p);
        }
        let is_p = !self.has_p_option(sum, outcomes, budget)?;
        if outcomes.len() == MAX_SUMS {
            return Err(OverBudget);
        }
        outcomes.insert(sum.to_vec(), is_p);
        Ok(is_p)
    }

    fn has_p_option(
        &self,
        sum: &[usize],
        outcomes: &mut HashMap<Vec<usize>, bool>,
        budget: &mut Budget,
    ) -> Result<bool, OverBudget> {
        // Moves in the largest heaps lead to the heaps of the quotient.
        for (at, &heap) in sum.iter().enumerate().rev().filter(|&(at, heap)| sum.get(at + 1) != Some(heap)) {
            for option in self.search.heaps().of(heap) {
                budget.spend(1000)?;
                let mut next = [&sum[..at], &sum[at + 1..], option].concat();
                next.sort_unstable();
                if self.searched(&next, outcomes, budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Returns all heaps that can be reached from a position, in ascending order of their sizes; `None` if there are too
/// many.
fn reachable(start: &Position) -> Option<BTreeSet<(Heap, usize)>> {
    let mut reached: BTreeSet<(Heap, usize)> =
        start.heaps().map(|placed| (placed.heap, placed.index)).collect();
    let mut waiting: Vec<(Heap, usize)> = reached.iter().copied().collect();
    let mut moves = 0;
    while let Some((heap, index)) = waiting.pop() {
        let rules = start.rules(index)?;
        for mv in rules.moves(heap) {
            moves += 1;
            for &(_, heap) in &rules.apply(heap, mv).ok()? {
                if reached.insert((heap, index)) {
                    waiting.push((heap, index));
                }
            }
            if reached.len() > MAX_HEAPS || moves > MAX_MOVES {
                return None;
            }
        }
    }
    Some(reached)
}

/// Returns the bounds of the moves of a game whose heaps may repeat; `None` for other games.
fn move_bounds(game: &GameSpec) -> Option<MoveBounds> {
    match game {
        GameSpec::Segment { l, r, .. } => Some(Window::new(*l, *r)?.move_bounds()),
        GameSpec::Octal { code, .. } => Some(octal::move_bounds(*code)),
        GameSpec::Piles { clauses, .. } => match &clauses[..] {
            [Clause::Take(windows)] => {
                let longest_take = windows.iter().map(|window| window.r()).max()?;
                Some(MoveBounds { longest_take, most_heaps: 1 })
            }
            _ => None,
        },
        GameSpec::Euclid { .. } | GameSpec::Grundy { .. } | GameSpec::Sum(_) => None,
    }
}
