//! The table: a sum of games, its places and its legal moves. Rules only; who wins is for the strategy.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::Move;
use crate::crates::Itertools;
use crate::games::{self, Game, Heap, Illegal, Setup, SetupError, Take};

/// A sum of games in play.
///
/// Places are numbered from 1 through the whole table. Every heap that is left fills a run of them; a place
/// in none has been emptied.
#[derive(Clone, Debug)]
pub struct Table {
    games: Arc<[Arc<dyn Game>]>,
    parts: Arc<[Part]>,
    heaps: BTreeMap<u64, Seated>,
    kinds: BTreeMap<Seated, Copies>,
    places: u64,
}

/// One of the games of the sum, where it was laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its first place, from 1.
    pub place: u64,
    /// How many places it was given.
    pub places: u64,
    /// Which of the table's rules, see [`Table::games`], it is played by.
    pub game: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seated {
    game: usize,
    heap: Heap,
}

/// The heaps of a kind.
#[derive(Clone, Debug, Default)]
struct Copies {
    places: BTreeSet<u64>,
    /// How many legal moves each has, once that has been asked: to count them, divisors have to be found.
    moves: OnceLock<u128>,
}

/// A heap where it lies on the table.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    /// The heap's first place, from 1.
    pub place: u64,
    /// Which of the table's rules, see [`Table::games`], it is played by.
    pub game: usize,
    /// The rules themselves.
    pub rules: &'a dyn Game,
    /// The heap.
    pub heap: Heap,
}

impl Seat<'_> {
    /// A move within this heap as a move on the table.
    pub fn at(&self, take: Take) -> Move {
        Move { place: self.place + take.offset, take: take.count }
    }
}

/// Heaps that are equal and played by the same rules.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'a> {
    /// The first of them.
    pub seat: Seat<'a>,
    /// How many there are, at least one.
    pub copies: usize,
}

/// A well-formed move that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The rule it breaks.
    pub rule: Illegal,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Move { place, take } = self.mv;
        write!(f, "taking {take} at place {place} is not legal: {}", self.rule)
    }
}

impl Error for IllegalMove {}

impl Table {
    /// Sets up the sum of the games that a header names.
    ///
    /// # Errors
    ///
    /// If a game is unknown, its numbers do not fit its rules, or the places cannot be numbered in 64 bits.
    pub fn open(parts: &[Setup]) -> Result<Self, SetupError> {
        let mut games: Vec<Arc<dyn Game>> = Vec::new();
        let mut known = BTreeMap::new();
        let mut laid = Vec::with_capacity(parts.len());
        let mut heaps = Vec::new();
        // The first place of the next part; the place behind the last has a number too.
        let mut place: u64 = 1;
        for part in parts {
            let opened = games::open(part)?;
            let game = *known.entry(opened.game.rules()).or_insert_with(|| {
                games.push(opened.game);
                games.len() - 1
            });
            let next = place.checked_add(opened.places);
            let next = next.ok_or_else(|| part.unfit("fewer than 2^64 places in all"))?;
            heaps.extend(opened.heaps.iter().map(|&(at, heap)| (place + at, Seated { game, heap })));
            laid.push(Part { place, places: opened.places, game });
            place = next;
        }
        let (games, parts) = (games.into(), laid.into());
        let mut table =
            Self { games, parts, heaps: BTreeMap::new(), kinds: BTreeMap::new(), places: place - 1 };
        for (place, seated) in heaps {
            table.lay(place, seated);
        }
        Ok(table)
    }

    /// The games of the sum, from left to right.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many places the table has, emptied ones included.
    pub fn places(&self) -> u64 {
        self.places
    }

    /// The different rules on the table; parts with equal rules share one.
    pub fn games(&self) -> &Arc<[Arc<dyn Game>]> {
        &self.games
    }

    /// The heaps that are left, from the first place to the last.
    pub fn heaps(&self) -> impl DoubleEndedIterator<Item = Seat<'_>> {
        self.heaps.iter().map(|(&place, &seated)| self.seat(place, seated))
    }

    fn seat(&self, place: u64, Seated { game, heap }: Seated) -> Seat<'_> {
        Seat { place, game, rules: self.games[game].as_ref(), heap }
    }

    /// The kinds of heaps in which a move can be made, in ascending order of the rules and of the heap.
    pub fn live_kinds(&self) -> impl Iterator<Item = Kind<'_>> {
        let kinds = self.kinds.iter().filter(|(seated, _)| self.games[seated.game].is_live(seated.heap));
        kinds.filter_map(|(&seated, Copies { places, .. })| {
            let seat = self.seat(*places.first()?, seated);
            Some(Kind { seat, copies: places.len() })
        })
    }

    /// The heaps in which a move can be made.
    pub fn live_heaps(&self) -> impl Iterator<Item = Seat<'_>> {
        self.heaps().filter(|seat| seat.rules.is_live(seat.heap))
    }

    /// Whether the player to move has none, and has lost.
    pub fn is_over(&self) -> bool {
        self.live_kinds().next().is_none()
    }

    /// Makes a move. A move that is not legal changes nothing.
    ///
    /// # Errors
    ///
    /// If the rules forbid the move.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let illegal = |rule| IllegalMove { mv, rule };
        if !(1..=self.places).contains(&mv.place) {
            return Err(illegal(Illegal::NoSuchPlace { places: self.places }));
        }
        let below = self.heaps.range(..=mv.place).next_back();
        let (first, Seated { game, heap }) =
            below.map(|(&first, &seated)| (first, seated)).ok_or(illegal(Illegal::Taken))?;
        let rules = self.games[game].as_ref();
        let take = Take { offset: mv.place - first, count: mv.take };
        if take.offset >= rules.span(heap) {
            return Err(illegal(Illegal::Taken));
        }
        let followers = rules.follow(heap, take).map_err(illegal)?;
        self.lift(first, Seated { game, heap });
        for (at, heap) in followers {
            self.lay(first + at, Seated { game, heap });
        }
        Ok(())
    }

    fn lay(&mut self, place: u64, seated: Seated) {
        self.heaps.insert(place, seated);
        self.kinds.entry(seated).or_default().places.insert(place);
    }

    fn lift(&mut self, place: u64, seated: Seated) {
        self.heaps.remove(&place);
        if let Entry::Occupied(mut kind) = self.kinds.entry(seated) {
            kind.get_mut().places.remove(&place);
            if kind.get().places.is_empty() {
                kind.remove();
            }
        }
    }

    /// How many legal moves there are.
    ///
    /// Rows of 10^18 cards have fewer than 10^36 moves each, and the places bound how many such rows there
    /// are, so the sum fits.
    pub fn move_count(&self) -> u128 {
        self.kinds.iter().map(|(&seated, kind)| kind.places.len() as u128 * self.moves_of(seated, kind)).sum()
    }

    /// The legal move of that number, counted heap by heap; `None` from [`move_count`](Self::move_count) on.
    pub fn nth_move(&self, mut n: u128) -> Option<Move> {
        for seat in self.heaps() {
            let seated = Seated { game: seat.game, heap: seat.heap };
            let count = self.kinds.get(&seated).map_or(0, |kind| self.moves_of(seated, kind));
            if n < count {
                return seat.rules.nth_move(seat.heap, n).map(|take| seat.at(take));
            }
            n -= count;
        }
        None
    }

    /// How many legal moves each heap of a kind has.
    fn moves_of(&self, Seated { game, heap }: Seated, kind: &Copies) -> u128 {
        *kind.moves.get_or_init(|| self.games[game].move_count(heap))
    }

    /// Every legal move.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.heaps().flat_map(|seat| seat.rules.moves(seat.heap).map(move |take| seat.at(take)))
    }
}

impl fmt::Display for Table {
    /// The heaps, grouped by their rules: `segment 3 5: 7 12 | nim: 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.games.iter().enumerate().map(|(index, game)| {
            let heaps = self.heaps().filter(move |seat| seat.game == index).map(|seat| seat.heap);
            format!("{}: {}", game.rules(), heaps.format(" "))
        });
        write!(f, "{}", groups.collect_vec().iter().format(" | "))
    }
}
