//! Who wins a sum of games in misère play, and by which moves.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::BitXor;
use std::sync::Arc;

use super::heaps::{Budget, MAX_OPTIONS, OverBudget};
use super::monoid::Element;
use super::quotient::proven_period;
use super::search::Search;
use crate::grundy::segment::{MoveBounds, Period};
use crate::grundy::{TooLarge, engine};
use crate::position::{PlacedHeap, Position};
use crate::rules::pile::subtract::Share;
use crate::rules::{Heap, HeapMove, Pile, Rules, Shape};
use crate::{Move, Outcome};

const MAX_HEAPS: usize = 2000;

/// Maximum number of reachable heaps that are listed before a search for a period.
const MAX_LISTED_FIRST: usize = 200;

/// Maximum number of sums whose outcomes a search stores: about 200 MiB.
const MAX_SUMS: usize = 1_000_000;

/// Maximum number of plies of a sum that is searched, because the search is recursive.
const MAX_PLIES: u64 = 4000;

const MAX_MOVES: u64 = 10_000_000;

/// Number of steps for each option that a search tries, in addition to the steps for each heap of the sum.
const OPTION_STEPS: usize = 1000;

/// A heap, with the index of its rules in the position.
type IndexedHeap = (Heap, usize);

/// Solves the positions of a game, or of a sum of games, in misère play: a player who has no move wins.
///
/// Piles of nim are solved by the rule of C. L. Bouton (1901, "Nim, a game with a complete mathematical theory"). In
/// other games the misère quotient of all heaps that can be reached from the start is computed, and the outcome of a
/// position needs one multiplication for each heap. If many heaps can be reached, the quotient has all heaps of each
/// game whose period is proven, and the reachable heaps of the other games. If the budget does not suffice for all
/// heaps, positions with heaps outside the quotient are searched, down to positions that have only heaps of the
/// quotient.
///
/// ```
/// use zeroxor::misere::{Budget, Solver};
/// use zeroxor::{Outcome, Position};
///
/// let mut position = Position::new(&"misere octal 0.77 9 + subtract 7 take 1 3".parse()?)?;
/// let mut solver = Solver::new(&position, Budget::PER_HEAP);
/// assert_eq!(solver.outcome(&position)?, Outcome::N);
/// let winning = solver.winning_moves(&position)?;
/// position.play(winning[0])?;
/// assert_eq!(solver.outcome(&position)?, Outcome::P);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    rules: Arc<[Arc<dyn Rules>]>,
    /// The heaps and their quotient; `None` in nim.
    heaps: Option<GameHeaps>,
    pub(crate) searched: Searched,
}

/// What the searches have found, and what is left for more searches.
#[derive(Debug)]
pub(crate) struct Searched {
    /// For each sum that was searched: whether it is a P-position.
    outcomes: HashMap<Vec<usize>, bool>,
    pub(crate) left: Budget,
}

impl Solver {
    /// Returns a solver for the positions that can be reached from `start`. `budget` limits the computation
    /// of the quotient and all searches together. If too many heaps can be reached to list them, the quotient may use
    /// all steps of `budget`, otherwise at most a quarter.
    pub fn new(start: &Position, budget: Budget) -> Self {
        let rules = Arc::clone(start.shared_rules());
        let is_nim = |rules: &Arc<dyn Rules>| {
            let any: &dyn Any = rules.as_ref();
            any.downcast_ref::<Pile<Share>>().is_some_and(|pile| pile.0.is_nim())
        };
        let mut left = budget;
        let heaps = (!rules.iter().all(is_nim)).then(|| GameHeaps::new(start, &mut left));
        Self { rules, heaps, searched: Searched { outcomes: HashMap::new(), left } }
    }

    /// Returns whether `position` has the rules of the solver, and only heaps that can be reached from the solver's
    /// start or are in the quotient.
    pub(crate) fn covers(&self, position: &Position) -> bool {
        Arc::ptr_eq(&self.rules, position.shared_rules())
            && self
                .heaps
                .as_ref()
                .is_none_or(|heaps| position.heaps().all(|placed| heaps.covers(ruled(placed))))
    }

    /// Returns who wins a position that can be reached from the start.
    ///
    /// # Errors
    ///
    /// If the quotient does not have all heaps of the position, and a search would be too large.
    pub fn outcome(&mut self, position: &Position) -> Result<Outcome, TooLarge> {
        let is_p = match &self.heaps {
            None => Nim::of(position).is_p(),
            Some(heaps) => heaps.is_p(&heaps.sum(&[], position.heaps().map(ruled))?, &mut self.searched)?,
        };
        Ok(if is_p { Outcome::P } else { Outcome::N })
    }

    /// Returns a move to a P-position; `None` if there is none.
    ///
    /// If a search found the outcome of the previous position, it also found a winning reply to the last move. This
    /// reply is returned without another search.
    ///
    /// # Errors
    ///
    /// If the position, or a position after a move, cannot be solved.
    pub fn winning_move(&mut self, position: &Position) -> Result<Option<Move>, TooLarge> {
        if self.outcome(position)? == Outcome::P {
            return Ok(None);
        }
        let Some(heaps) = &self.heaps else { return Ok(Nim::of(position).winning_moves(position).next()) };
        for may_search in [false, true] {
            for class in position.live_classes() {
                let placed = class.first;
                let others = position.heaps().filter(|other| other.place != placed.place).map(ruled);
                let (others, moves) = (heaps.sum(&[], others)?, heaps.moves_to_all_sums(&placed));
                let mut winning = heaps.moves_to(&placed, moves, &others, |sum| {
                    if may_search {
                        return heaps.is_p(sum, &mut self.searched);
                    }
                    Ok(heaps.known(sum, &self.searched.outcomes) == Some(true))
                });
                if let Some(mv) = winning.next().transpose()? {
                    return Ok(Some(placed.at(mv)));
                }
            }
        }
        Ok(None)
    }

    /// Returns the moves to P-positions, in ascending order of the places. A position without moves has none, although
    /// the player to move wins it.
    ///
    /// # Errors
    ///
    /// If a position after a move cannot be solved, or if there are too many moves.
    pub fn winning_moves(&mut self, position: &Position) -> Result<Vec<Move>, TooLarge> {
        let Some(heaps) = &self.heaps else { return Ok(Nim::of(position).winning_moves(position).collect()) };
        if position.move_count() > MAX_MOVES.into() {
            let what = format!("trying all moves of {position}");
            return Err(TooLarge::Work { what, limit: MAX_MOVES, unit: "moves" });
        }
        // Equal heaps have the same winning moves.
        let mut by_heap: HashMap<IndexedHeap, Vec<HeapMove>> = HashMap::new();
        for class in position.live_classes() {
            let placed = class.first;
            let others = position.heaps().filter(|other| other.place != placed.place).map(ruled);
            let (others, moves) = (heaps.sum(&[], others)?, placed.rules.moves(placed.heap));
            let is_p = |sum: &[usize]| heaps.is_p(sum, &mut self.searched);
            let winning = heaps.moves_to(&placed, moves, &others, is_p).collect::<Result<_, _>>()?;
            by_heap.insert(ruled(placed), winning);
        }
        let winning_moves = |placed: PlacedHeap<'_>| {
            let winning = by_heap.get(&ruled(placed)).into_iter().flatten();
            winning.map(|&mv| placed.at(mv)).collect::<Vec<_>>()
        };
        Ok(position.heaps().flat_map(winning_moves).collect())
    }
}

fn ruled(placed: PlacedHeap<'_>) -> IndexedHeap {
    (placed.heap, placed.rules_index)
}

/// The two properties of piles of nim that decide the outcome.
#[derive(Clone, Copy)]
struct Nim {
    xor: u64,
    /// The number of piles with more than one stone.
    large: usize,
}

impl Nim {
    fn of(position: &Position) -> Self {
        let piles = || position.heaps().map(|placed| placed.heap.size);
        Self { xor: piles().fold(0, BitXor::bitxor), large: piles().filter(|&pile| pile > 1).count() }
    }

    /// Returns whether the piles are a P-position: the XOR is 1 if no pile has more than one stone, otherwise 0.
    fn is_p(self) -> bool {
        self.xor == u64::from(self.large == 0)
    }

    /// Returns the moves to P-positions, in ascending order of the places.
    fn winning_moves(self, position: &Position) -> impl Iterator<Item = Move> {
        position.heaps().flat_map(move |placed| {
            let pile = placed.heap.size;
            // A winning move makes the XOR 0 or 1. The move that leaves more stones takes fewer, so it comes first.
            let left = pile ^ self.xor;
            [left | 1, left & !1].into_iter().filter(move |&left| left < pile).filter_map(move |left| {
                let large = self.large - usize::from(pile > 1) + usize::from(left > 1);
                let after = Self { xor: self.xor ^ pile ^ left, large };
                after.is_p().then(|| placed.at(HeapMove { offset: 0, count: pile - left }))
            })
        })
    }
}

/// The heaps of a game, their numbers in the search, and their quotient.
#[derive(Debug)]
struct GameHeaps {
    /// All heaps that can be reached from the start; `None` if there are too many.
    reached: Option<BTreeSet<IndexedHeap>>,
    /// The number of each heap in the search; 0 for heaps without moves.
    numbers: HashMap<IndexedHeap, usize>,
    /// For each index of rules with a proven period, the period and the maximum number of cards that a move takes.
    periods: BTreeMap<usize, (Period, u64)>,
    search: Search,
    /// The budget of the quotient and all searches.
    budget: Budget,
    /// What is left for the quotient.
    building: Budget,
    /// The reason why the quotient does not have all heaps; `None` if it has them.
    limit: Option<String>,
}

impl GameHeaps {
    /// Subtracts what the quotient needs from `budget`.
    fn new(start: &Position, budget: &mut Budget) -> Self {
        let reached = reachable(start, |_| true);
        // A search may solve positions that have no quotient, so keep most of the steps for searches.
        let steps = if reached.is_some() { budget.steps / 8 } else { budget.steps };
        let (all, building) = (*budget, Budget { steps, ..*budget });
        let mut build = |add: &dyn Fn(&mut Self)| {
            let (numbers, periods, search) = (HashMap::new(), BTreeMap::new(), Search::new());
            let (reached, limit) = (reached.clone(), None);
            let mut heaps = Self { reached, numbers, periods, search, budget: all, building, limit };
            add(&mut heaps);
            budget.steps -= steps - heaps.building.steps;
            heaps
        };
        if reached.as_ref().is_none_or(|reached| reached.len() > MAX_LISTED_FIRST) {
            // The heaps that prove a period are fewer and much smaller than the reachable heaps.
            let heaps = build(&|heaps| heaps.add_until_all_repeat(start));
            if heaps.limit.is_none() || reached.is_none() {
                return heaps;
            }
        }
        // Every heap is listed after its followers, which are smaller.
        build(&|heaps| {
            for &ruled in reached.iter().flatten() {
                if !heaps.add(start, ruled) {
                    break;
                }
            }
        })
    }

    fn covers(&self, ruled: IndexedHeap) -> bool {
        let is_reached = |reached: &BTreeSet<IndexedHeap>| reached.contains(&ruled);
        self.number(ruled).is_some() || self.reached.as_ref().is_some_and(is_reached)
    }

    /// Adds the heaps of all rules until each reachable heap is added or has the element of a smaller heap.
    ///
    /// The heaps of rules without a bound on their moves are added first. If there are too many of these heaps, none is
    /// added. Then the heaps of the other rules are added in ascending order of their sizes, until, for each of these
    /// rules, the elements are proven to repeat or all heaps are added. The proof for one of the rules does not depend
    /// on heaps of the other rules: a larger heap has options with the same elements as the heap one period before it,
    /// so the larger heap fits the quotient with the same element.
    fn add_until_all_repeat(&mut self, start: &Position) {
        let rules = start.shared_rules();
        let bounds: Vec<Option<MoveBounds>> = rules.iter().map(|rules| engine(rules).move_bounds()).collect();
        let unbounded = reachable(start, |index| bounds[index].is_none());
        let (Some(unbounded), true) = (unbounded, bounds.iter().any(Option::is_some)) else {
            let unbounded = rules.iter().zip(&bounds).filter(|(_, bounds)| bounds.is_none());
            self.limit = Some(no_period(unbounded.map(|(rules, _)| rules)));
            return;
        };
        for ruled in unbounded {
            if !self.add(start, ruled) || self.limit.is_some() {
                return;
            }
        }
        let with_largest = |(index, &bounds): (usize, &Option<MoveBounds>)| {
            let heaps = start.heaps().filter(|placed| placed.rules_index == index);
            Some((index, bounds?, heaps.map(|placed| placed.heap.size).max()?))
        };
        let bounded: Vec<(usize, MoveBounds, u64)> =
            bounds.iter().enumerate().filter_map(with_largest).collect();
        let mut unproven = Vec::new();
        for size in (0..).take(MAX_HEAPS / rules.len()) {
            for &(index, ..) in bounded.iter().filter(|&&(.., largest)| size <= largest) {
                if !self.add(start, (Heap::of(size), index)) || self.limit.is_some() {
                    return;
                }
            }
            // The new heaps may have changed the elements of all heaps, so prove all periods again.
            let mut periods = BTreeMap::new();
            unproven.clear();
            for &(index, bounds, largest) in &bounded {
                let element = |size| {
                    let number = self.numbers.get(&(Heap::of(size), index))?;
                    self.search.quotient.heaps.get(*number).map(|heap| heap.element)
                };
                let elements: Vec<Element> = (0..=size).filter_map(element).collect();
                match proven_period(bounds, &elements) {
                    Some(period) => drop(periods.insert(index, (period, bounds.longest_take))),
                    None if size < largest => unproven.push(&rules[index]),
                    None => {}
                }
            }
            if unproven.is_empty() {
                self.periods = periods;
                return;
            }
        }
        self.limit = Some(no_period(unproven));
    }

    /// Adds a heap whose followers have been added. Returns false if its options cannot be stored.
    fn add(&mut self, start: &Position, (heap, index): IndexedHeap) -> bool {
        let Some(rules) = start.rules(index) else { return false };
        if !rules.has_moves(heap) {
            self.numbers.insert((heap, index), 0);
            return true;
        }
        let left = rules.moves(heap).filter_map(|mv| rules.apply(heap, mv).ok());
        let last = self.search.heaps.largest();
        let numbers = &self.numbers;
        let options = left.map(|left| {
            let followers = left.iter().filter_map(|&(_, heap)| numbers.get(&(heap, index)).copied());
            followers.collect()
        });
        let added = if self.limit.is_some() {
            self.search.heaps.add_heap(options)
        } else {
            self.search.add_heap(options, &mut self.building).map(drop)
        };
        if added.is_err() && self.limit.is_none() {
            let words = rules.words();
            self.limit = Some(format!("no misère quotient with a heap of {heap} in {words} was found"));
        }
        let number = self.search.heaps.largest();
        if number > last {
            self.numbers.insert((heap, index), number);
        }
        number > last
    }

    fn number(&self, (mut heap, index): IndexedHeap) -> Option<usize> {
        if let Some((period, _)) = self.periods.get(&index) {
            heap.size = period.earlier(heap.size);
        }
        self.numbers.get(&(heap, index)).copied()
    }

    /// Returns `sum` with the numbers of more heaps, in ascending order, without heaps that have no move.
    fn sum(&self, sum: &[usize], heaps: impl Iterator<Item = IndexedHeap>) -> Result<Vec<usize>, TooLarge> {
        let mut numbers = sum.to_vec();
        for heap in heaps {
            let number = self.number(heap).ok_or_else(|| match self.reached {
                Some(_) => self.too_large("a search", MAX_OPTIONS as u64, "options"),
                None => self.too_large("the list of all heaps", MAX_HEAPS as u64, "heaps"),
            })?;
            if number > 0 {
                numbers.push(number);
            }
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Returns the error for `what`, which exceeds its limit, with the reason why the quotient does not have all heaps.
    fn too_large(&self, what: &str, limit: u64, unit: &'static str) -> TooLarge {
        let why = self.limit.as_deref().unwrap_or("a heap cannot be reached from the start");
        TooLarge::Work { what: format!("misère play: {why}, and {what}"), limit, unit }
    }

    /// Returns moves of a heap that reach every sum its moves can reach: all, or fewer if a period is proven.
    fn moves_to_all_sums<'a>(&self, placed: &PlacedHeap<'a>) -> Box<dyn Iterator<Item = HeapMove> + 'a> {
        let PlacedHeap { rules, heap, .. } = *placed;
        match self.periods.get(&placed.rules_index) {
            // Shortening the left row by a number of periods, and lengthening the right row by the same number, leaves
            // an equal sum. A move that leaves a short right row is the mirror image of a move that leaves a short left
            // row.
            Some(&(Period { start, length }, longest)) if rules.shape() == Shape::Row => {
                let offsets = 0..heap.size.min(start + 2 * length);
                let moves = (0..=longest.min(heap.size))
                    .flat_map(move |count| offsets.clone().map(move |offset| HeapMove { offset, count }));
                Box::new(moves.filter(move |&mv| rules.apply(heap, mv).is_ok()))
            }
            _ => rules.moves(heap),
        }
    }

    /// Returns those of `moves` of a heap that leave a sum for which `is_p` returns true. `others` are the other heaps.
    fn moves_to(
        &self,
        placed: &PlacedHeap<'_>,
        moves: impl Iterator<Item = HeapMove>,
        others: &[usize],
        mut is_p: impl FnMut(&[usize]) -> Result<bool, TooLarge>,
    ) -> impl Iterator<Item = Result<HeapMove, TooLarge>> {
        moves.filter_map(move |mv| {
            let left = placed.rules.apply(placed.heap, mv).ok()?;
            let sum = self.sum(others, left.iter().map(|&(_, heap)| (heap, placed.rules_index)));
            sum.and_then(|sum| is_p(&sum)).map(|is_p| is_p.then_some(mv)).transpose()
        })
    }

    fn is_p(&self, sum: &[usize], searched: &mut Searched) -> Result<bool, TooLarge> {
        if let Some(is_p) = self.known(sum, &searched.outcomes) {
            return Ok(is_p);
        }
        let plies: u64 = sum.iter().map(|&heap| self.search.heaps.plies(heap)).sum();
        if plies > MAX_PLIES {
            return Err(self.too_large("a search", MAX_PLIES, "plies"));
        }
        self.search(sum, searched).map_err(|OverBudget| match searched.outcomes.len() {
            MAX_SUMS => self.too_large("a search", MAX_SUMS as u64, "sums"),
            _ => self.too_large("a search", self.budget.steps, "steps"),
        })
    }

    /// Returns whether a sum is a P-position; `None` if neither the quotient nor a search has its outcome.
    fn known(&self, sum: &[usize], outcomes: &HashMap<Vec<usize>, bool>) -> Option<bool> {
        let by_quotient = self.search.quotient.is_p_sum(sum.iter().copied());
        by_quotient.or_else(|| outcomes.get(sum).copied())
    }

    /// Searches the outcome of a sum. The depth of the recursion is at most the number of plies.
    fn search(&self, sum: &[usize], searched: &mut Searched) -> Result<bool, OverBudget> {
        if let Some(is_p) = self.known(sum, &searched.outcomes) {
            return Ok(is_p);
        }
        let is_p = !self.has_p_option(sum, searched)?;
        if searched.outcomes.len() == MAX_SUMS {
            return Err(OverBudget);
        }
        searched.outcomes.insert(sum.to_vec(), is_p);
        Ok(is_p)
    }

    fn has_p_option(&self, sum: &[usize], searched: &mut Searched) -> Result<bool, OverBudget> {
        // Try the largest heaps first, because moves in them lead sooner to sums whose heaps are all in the quotient.
        for (at, &heap) in sum.iter().enumerate().rev().filter(|&(at, heap)| sum.get(at + 1) != Some(heap)) {
            for option in self.search.heaps.of(heap) {
                searched.left.spend(OPTION_STEPS + 100 * sum.len())?;
                let mut next = [&sum[..at], &sum[at + 1..], option].concat();
                next.sort_unstable();
                if self.search(&next, searched)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

fn no_period<'a>(rules: impl IntoIterator<Item = &'a Arc<dyn Rules>>) -> String {
    let words: Vec<String> = rules.into_iter().map(|rules| rules.words()).collect();
    format!("no period of the heaps of {} is proven", words.join(" and "))
}

/// Returns all heaps under some of the rules that can be reached from a position, in ascending order of their sizes;
/// `None` if there are too many.
fn reachable(start: &Position, has_rules: impl Fn(usize) -> bool) -> Option<BTreeSet<IndexedHeap>> {
    let heaps = start.heaps().filter(|placed| has_rules(placed.rules_index));
    let mut reached: BTreeSet<IndexedHeap> = heaps.map(ruled).collect();
    let mut waiting: Vec<IndexedHeap> = reached.iter().copied().collect();
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
