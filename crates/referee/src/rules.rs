//! The rules of the games, deliberately written a second time for the referee.
//!
//! The bundled bot and the opponents play by the library's rules. If the referee used the same rules, nobody would
//! notice a mistake in them. So the referee's rules share no code with the library's, and the tests compare the two.
//! For rows, the referee stores the taken cards, where the library stores the remaining heaps.

use std::collections::{BTreeMap, BTreeSet};

use zeroxor::rules::{PileGame, Violation};
use zeroxor::{GameSpec, Move};

use super::divisors::{has_allowed_divisor, is_prime};

/// The state of all games of a header.
#[derive(Clone, Debug)]
pub(crate) struct RefereeRules {
    games: Vec<PlacedGame>,
    places: u64,
}

/// A game with its first place and its number of places.
#[derive(Clone, Debug)]
struct PlacedGame {
    first: u64,
    places: u64,
    game: ComponentState,
}

/// The state of one game of a header.
#[derive(Clone, Debug)]
enum ComponentState {
    Row {
        n: u64,
        l: u64,
        r: u64,
        /// The cards that have been taken, counted from 0. The map goes from the first card of each move to the card
        /// after its last card.
        taken: BTreeMap<u64, u64>,
    },
    /// Adjacent rows that are played by an octal code.
    Octal {
        /// The digit for each number of cards taken.
        digits: Vec<u8>,
        /// The first card of each row, counted from 0, and the end of the last row.
        borders: Vec<u64>,
        /// The cards that have been taken from all rows, as in `Row`.
        taken: BTreeMap<u64, u64>,
    },
    Piles {
        sizes: Vec<u64>,
        game: PileGame,
        /// The numbers after `ban` or `take`.
        listed: BTreeSet<u64>,
    },
    Pair {
        numbers: [u64; 2],
    },
}

impl RefereeRules {
    /// Makes the start of a valid game; `None` if the judge cannot play it, such as a code that splits without taking.
    pub(crate) fn new(game: &GameSpec) -> Option<Self> {
        let mut first = 1;
        let mut games = Vec::new();
        for component in game.components() {
            let game = ComponentState::new(component)?;
            let places = game.places();
            games.push(PlacedGame { first, places, game });
            first += places;
        }
        Some(Self { games, places: first - 1 })
    }

    /// Plays a move. A move that breaks a rule changes nothing.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), Violation> {
        let places = self.places;
        let placed = self
            .games
            .iter_mut()
            .find(|placed| (placed.first..placed.first + placed.places).contains(&mv.place));
        let placed = placed.ok_or(Violation::NoSuchPlace { places })?;
        placed.game.play(mv.place - placed.first, mv.take)
    }

    /// Checks whether the player to move has a move.
    pub(crate) fn has_move(&self) -> bool {
        self.games.iter().any(|placed| placed.game.has_move())
    }
}

impl ComponentState {
    fn new(game: &GameSpec) -> Option<Self> {
        Some(match game {
            &GameSpec::Segment { n, l, r } => Self::Row { n, l, r, taken: BTreeMap::new() },
            &GameSpec::Euclid { a, b } => Self::Pair { numbers: [a, b] },
            GameSpec::Piles { game, piles, list } => {
                Self::Piles { sizes: piles.clone(), game: *game, listed: list.iter().copied().collect() }
            }
            GameSpec::Octal { code, heaps } if code.is_playable() => {
                let mut end = 0;
                let ends = heaps.iter().map(|&heap| {
                    end += heap;
                    end
                });
                let borders = std::iter::once(0).chain(ends).collect();
                Self::Octal { digits: code.digits().to_vec(), borders, taken: BTreeMap::new() }
            }
            GameSpec::Octal { .. } | GameSpec::Grundy { .. } | GameSpec::Sum(_) => return None,
        })
    }

    fn places(&self) -> u64 {
        match self {
            Self::Row { n, .. } => *n,
            Self::Octal { borders, .. } => borders.last().copied().unwrap_or(0),
            Self::Piles { sizes, .. } => sizes.len() as u64,
            Self::Pair { .. } => 2,
        }
    }

    /// Plays a move at a place of this game, counted from 0.
    fn play(&mut self, place: u64, take: u64) -> Result<(), Violation> {
        match self {
            Self::Row { n, l, r, taken } => {
                let before = taken.range(..=place).next_back().map_or(0, |(_, &end)| end);
                if place < before {
                    return Err(Violation::Taken);
                }
                if take < *l || take > *r {
                    return Err(Violation::OutsideWindow { l: *l, r: *r });
                }
                let free = taken.range(place..).next().map_or(*n, |(&start, _)| start) - place;
                if take > free {
                    return Err(Violation::RunTooShort { free });
                }
                taken.insert(place, place + take);
            }
            Self::Octal { digits, borders, taken } => {
                let row = borders.partition_point(|&border| border <= place);
                let taken_before = taken.range(..=place).next_back().map_or(0, |(_, &end)| end);
                if place < taken_before {
                    return Err(Violation::Taken);
                }
                let digit =
                    usize::try_from(take).ok().and_then(|take| digits.get(take)).copied().unwrap_or(0);
                if digit == 0 {
                    return Err(Violation::NotInCode);
                }
                // The free cards are those from `first` to before `end`, within the row.
                let first = taken_before.max(borders[row - 1]);
                let taken_after = taken.range(place..).next().map(|(&start, _)| start);
                let end = taken_after.map_or(borders[row], |start| start.min(borders[row]));
                let free = end - place;
                if take > free {
                    return Err(Violation::RunTooShort { free });
                }
                let heaps = [place > first, take < free].into_iter().filter(|&is_left| is_left).count();
                let (bit, heaps) = match heaps {
                    0 => (1, 0),
                    1 => (2, 1),
                    _ => (4, 2),
                };
                if digit & bit == 0 {
                    return Err(Violation::DigitForbids { digit, heaps });
                }
                taken.insert(place, place + take);
            }
            Self::Piles { sizes, game, listed } => {
                let places = sizes.len() as u64;
                let size = usize::try_from(place).ok().and_then(|place| sizes.get_mut(place));
                let size = size.ok_or(Violation::NoSuchPlace { places })?;
                if take > *size {
                    return Err(Violation::LargerThanPile { size: *size });
                }
                allows(*game, *size, take, listed)?;
                *size -= take;
            }
            Self::Pair { numbers } => {
                let [number, other] = if place == 0 { *numbers } else { [numbers[1], numbers[0]] };
                if number == other {
                    return Err(Violation::Equal);
                }
                if number < other {
                    return Err(Violation::SmallerOfPair);
                }
                if !take.is_multiple_of(other) {
                    return Err(Violation::NotAMultiple { of: other });
                }
                if take >= number {
                    return Err(Violation::WouldReachZero { size: number });
                }
                numbers[usize::from(place > 0)] -= take;
            }
        }
        Ok(())
    }

    fn has_move(&self) -> bool {
        match self {
            Self::Row { n, l, taken, .. } => free_runs(taken, 0, *n).any(|free| free >= *l),
            Self::Octal { digits, borders, taken } => borders.windows(2).any(|row| {
                free_runs(taken, row[0], row[1]).any(|free| {
                    (1..=free).zip(&digits[1..]).any(|(take, digit)| {
                        match free - take {
                            0 => digit & 1 > 0,
                            // A single card can only be left on one side.
                            1 => digit & 2 > 0,
                            _ => digit & 6 > 0,
                        }
                    })
                })
            }),
            Self::Piles { sizes, game, listed } => sizes.iter().any(|&size| allows_any(*game, size, listed)),
            Self::Pair { numbers: [a, b] } => a != b,
        }
    }
}

/// Returns the lengths of the runs of free cards among the cards from `first` to before `end`.
fn free_runs(taken: &BTreeMap<u64, u64>, first: u64, end: u64) -> impl Iterator<Item = u64> {
    let moves = taken.range(first..end).map(|(&start, &after)| (start, after)).chain([(end, end)]);
    moves.scan(first, |free_from, (start, after)| {
        let free = start - *free_from;
        *free_from = after;
        Some(free)
    })
}

/// Checks whether a pile has a move.
fn allows_any(game: PileGame, size: u64, listed: &BTreeSet<u64>) -> bool {
    match game {
        PileGame::Square => {
            (1..=size.isqrt()).map(|root| root * root).any(|square| !listed.contains(&square))
        }
        PileGame::Divisor => has_allowed_divisor(size, listed),
        PileGame::Subtract => listed.first().is_some_and(|&least| least <= size),
        PileGame::Nim => size > 0,
        PileGame::Prime => (2..=size).any(|number| !listed.contains(&number) && is_prime(number)),
    }
}

/// Checks whether `take` may be taken from a pile. `take` is at least 1 and at most `size`.
fn allows(game: PileGame, size: u64, take: u64, listed: &BTreeSet<u64>) -> Result<(), Violation> {
    let (is_allowed, bans) = match game {
        PileGame::Square => (take.isqrt() * take.isqrt() == take, true),
        PileGame::Divisor => (size.is_multiple_of(take), true),
        PileGame::Prime => (is_prime(take), true),
        PileGame::Subtract if !listed.contains(&take) => return Err(Violation::NotListed),
        PileGame::Subtract | PileGame::Nim => (true, false),
    };
    match is_allowed {
        false => Err(Violation::NotAllowed { game, size }),
        true if bans && listed.contains(&take) => Err(Violation::Banned),
        true => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use zeroxor::Position;
    use zeroxor::rules::ListUse;
    use zeroxor::wire::protocol;

    use super::*;

    /// Returns the header of a game of piles, with the list if the game has one.
    fn piles(game: PileGame, piles: &[u64], list: &[u64]) -> String {
        let list = match game.list() {
            ListUse::None => &[],
            ListUse::Bans | ListUse::Takes => list,
        };
        GameSpec::Piles { game, piles: piles.to_vec(), list: list.to_vec() }.to_string()
    }

    fn game() -> impl Strategy<Value = String> {
        let list = || prop::collection::vec(1_u64..30, 1..4);
        let words = |numbers: Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        prop_oneof![
            1 => (1_u64..25, 1_u64..6, 0_u64..4).prop_map(|(n, l, more)| {
                let l = l.min(n);
                format!("segment {n} {l} {}", (l + more).min(n))
            }),
            4 => (prop::sample::select(PileGame::ALL), list(), list())
                .prop_map(|(game, sizes, numbers)| piles(game, &sizes, &numbers)),
            1 => (1_u64..30, 1_u64..30).prop_map(|(a, b)| format!("euclid {a} {b}")),
            1 => (prop::collection::vec(0_u8..8, 1..5), prop::collection::vec(1_u64..12, 1..4)).prop_map(
                move |(digits, sizes)| {
                    // A code without a legal move is invalid.
                    let digits: String = digits.iter().map(u8::to_string).collect();
                    let digits = if digits.bytes().all(|digit| digit == b'0') { "77" } else { &digits };
                    format!("octal 0.{digits} {}", words(sizes))
                }
            ),
        ]
    }

    proptest! {
        /// Checks that both sets of rules allow the same moves and refuse others for the same reason, in random games
        /// and sums.
        #[test]
        fn the_library_has_the_same_rules(
            games in prop::collection::vec(game(), 1..4),
            picks in prop::collection::vec(any::<u64>(), 1..40),
        ) {
            let header = protocol::parse_header(games.join(" + ").as_bytes()).unwrap();
            let mut position = Position::new(&header.game).unwrap();
            let mut rules = RefereeRules::new(&header.game).unwrap();
            for pick in picks {
                prop_assert_eq!(rules.has_move(), !position.is_over(), "{}", position);
                for (place, take) in (0..=position.places() + 1).flat_map(|place| (1..=31).map(move |take| (place, take))) {
                    let mv = Move { place, take };
                    let mut after = position.clone();
                    let allowed = after.play(mv).map_err(|illegal| illegal.rule);
                    // `play` would change `rules`, so only one legal move is played with them, below.
                    if allowed.is_err() {
                        prop_assert_eq!(rules.play(mv), allowed, "{} on {}", mv, position);
                    }
                }
                let Some(count) = std::num::NonZeroU128::new(position.move_count()) else { break };
                let mv = position.nth_move(u128::from(pick) % count).unwrap();
                prop_assert_eq!(rules.play(mv), Ok(()), "{} on {}", mv, position);
                position.play(mv).unwrap();
            }
        }
    }

    /// Checks that both sets of rules agree on whether a move is left, in every position of small games.
    #[test]
    fn the_library_ends_small_games_in_the_same_positions() {
        const BANS: [&[u64]; 6] = [&[], &[1], &[4], &[1, 4, 9], &[2, 3], &[1, 2, 3, 4, 6, 12]];
        const SETS: [&[u64]; 5] = [&[1], &[2], &[5], &[3, 4], &[2, 7]];
        let rows =
            (1..=7).flat_map(|n| (1..=n).flat_map(move |l| (l..=n).map(move |r| format!("{n} {l} {r}"))));
        let piles = (1..=14).flat_map(|n| {
            PileGame::ALL.iter().flat_map(move |&game| match game.list() {
                ListUse::None => vec![piles(game, &[n, 2], &[]), piles(game, &[n], &[])],
                ListUse::Bans => BANS.map(|bans| piles(game, &[n], bans)).to_vec(),
                ListUse::Takes => SETS.map(|set| piles(game, &[n, 3], set)).to_vec(),
            })
        });
        let pairs = (1..=14).flat_map(|a| (1..=14).map(move |b| format!("euclid {a} {b}")));
        let codes = (1..64).flat_map(|digits| {
            let (one, two) = (digits / 8, digits % 8);
            [
                format!("octal 0.{one}{two} 6"),
                format!("octal 0.0{one}0{two} 3 4"),
                format!("octal 0.{one}{two} 2 1"),
            ]
        });
        let sums =
            ["2 2 2 + square 3 ban 1 + octal 0.1 2", "divisor 6 ban 6 1 + euclid 3 2 + subtract 3 take 3"];
        let games = rows.chain(piles).chain(pairs).chain(codes).chain(sums.map(str::to_owned));
        let (mut over, mut compared) = (0, 0);
        for game in games {
            let spec = game.parse().unwrap();
            let mut seen = HashSet::new();
            let mut todo = vec![(Position::new(&spec).unwrap(), RefereeRules::new(&spec).unwrap())];
            while let Some((position, rules)) = todo.pop() {
                assert_eq!(rules.has_move(), !position.is_over(), "{game}: {position}");
                compared += 1;
                over += usize::from(position.is_over());
                for mv in position.moves() {
                    let (mut position, mut rules) = (position.clone(), rules.clone());
                    position.play(mv).unwrap();
                    assert_eq!(rules.play(mv), Ok(()), "{game}: {mv}");
                    let heaps: Vec<_> = position.heaps().map(|placed| (placed.place, placed.heap)).collect();
                    if seen.insert(heaps) {
                        todo.push((position, rules));
                    }
                }
            }
        }
        assert!(over > 500 && compared > 5000, "{over} of {compared}");
    }
}
