//! The judge's own rules, written down a second time on purpose.
//!
//! The library's rules decide what the bot and the opponents play. If the referee used them too, a mistake in
//! them would pass unseen: so it goes by these, which share no code with those, and the tests play both
//! against each other. They remember what was taken, not what is left.

use std::collections::{BTreeMap, BTreeSet};

use zeroxor::GameSpec;
use zeroxor::Move;
use zeroxor::rules::Violation;

/// All games of a header, and what has been taken from them.
#[derive(Debug)]
pub(crate) struct Rules {
    games: Vec<Placed>,
    places: u64,
}

/// A game and its first place.
#[derive(Debug)]
struct Placed {
    first: u64,
    places: u64,
    game: Game,
}

#[derive(Debug)]
enum Game {
    /// Runs of cards that have been taken, by their first card from 0: the first card behind each.
    Row {
        n: u64,
        l: u64,
        r: u64,
        taken: BTreeMap<u64, u64>,
    },
    Piles {
        sizes: Vec<u64>,
        kind: Kind,
        listed: BTreeSet<u64>,
    },
    Pair {
        numbers: [u64; 2],
    },
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Square,
    Divisor,
    Subtract,
    Nim,
}

impl Rules {
    /// The rules of a header that sets up a game; of no use for any other.
    pub(crate) fn new(game: &GameSpec) -> Option<Self> {
        let mut first = 1;
        let mut games = Vec::new();
        for component in game.components() {
            let game = Game::new(component)?;
            let places = game.places();
            games.push(Placed { first, places, game });
            first += places;
        }
        Some(Self { games, places: first - 1 })
    }

    /// Makes a move; one that breaks a rule changes nothing.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), Violation> {
        let places = self.places;
        let placed = self
            .games
            .iter_mut()
            .find(|placed| (placed.first..placed.first + placed.places).contains(&mv.place));
        let placed = placed.ok_or(Violation::NoSuchPlace { places })?;
        placed.game.play(mv.place - placed.first, mv.take)
    }
}

impl Game {
    fn new(game: &GameSpec) -> Option<Self> {
        let piles = |sizes: &[u64], kind, listed: &[u64]| Self::Piles {
            sizes: sizes.to_vec(),
            kind,
            listed: listed.iter().copied().collect(),
        };
        Some(match game {
            &GameSpec::Segment { n, l, r } => Self::Row { n, l, r, taken: BTreeMap::new() },
            &GameSpec::Euclid { a, b } => Self::Pair { numbers: [a, b] },
            GameSpec::Square { piles: sizes, banned } => piles(sizes, Kind::Square, banned),
            GameSpec::Divisor { piles: sizes, banned } => piles(sizes, Kind::Divisor, banned),
            GameSpec::Subtract { piles: sizes, takes } => piles(sizes, Kind::Subtract, takes),
            GameSpec::Nim { piles: sizes } => piles(sizes, Kind::Nim, &[]),
            _ => return None,
        })
    }

    fn places(&self) -> u64 {
        match self {
            Self::Row { n, .. } => *n,
            Self::Piles { sizes, .. } => sizes.len() as u64,
            Self::Pair { .. } => 2,
        }
    }

    /// `place` is from 0.
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
            Self::Piles { sizes, kind, listed } => {
                let places = sizes.len() as u64;
                let size = usize::try_from(place).ok().and_then(|place| sizes.get_mut(place));
                let size = size.ok_or(Violation::NoSuchPlace { places })?;
                if take > *size {
                    return Err(Violation::LargerThanPile { size: *size });
                }
                kind.allows(*size, take, listed.contains(&take))?;
                *size -= take;
            }
            Self::Pair { numbers } => {
                let [shrinks, other] = if place == 0 { *numbers } else { [numbers[1], numbers[0]] };
                if shrinks == other {
                    return Err(Violation::Equal);
                }
                if shrinks < other {
                    return Err(Violation::SmallerOfPair);
                }
                if !take.is_multiple_of(other) {
                    return Err(Violation::NotAMultiple { of: other });
                }
                if take >= shrinks {
                    return Err(Violation::WouldReachZero { size: shrinks });
                }
                numbers[usize::from(place > 0)] -= take;
            }
        }
        Ok(())
    }
}

impl Kind {
    fn allows(self, size: u64, take: u64, is_listed: bool) -> Result<(), Violation> {
        match self {
            Self::Square if take.isqrt() * take.isqrt() != take => Err(Violation::NotASquare),
            Self::Divisor if !size.is_multiple_of(take) => Err(Violation::NotADivisor { size }),
            Self::Square | Self::Divisor if is_listed => Err(Violation::Banned),
            Self::Subtract if !is_listed => Err(Violation::NotListed),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use zeroxor::Position;
    use zeroxor::wire::protocol;

    use super::*;

    fn game() -> impl Strategy<Value = String> {
        let list = || prop::collection::vec(1_u64..30, 1..4);
        let words = |numbers: Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        prop_oneof![
            (1_u64..25, 1_u64..6, 0_u64..4).prop_map(|(n, l, more)| {
                let l = l.min(n);
                format!("segment {n} {l} {}", (l + more).min(n))
            }),
            (list(), list()).prop_map(move |(sizes, bans)| format!(
                "square {} ban {}",
                words(sizes),
                words(bans)
            )),
            (list(), list()).prop_map(move |(sizes, bans)| format!(
                "divisor {} ban {}",
                words(sizes),
                words(bans)
            )),
            (list(), list()).prop_map(move |(sizes, set)| format!(
                "subtract {} take {}",
                words(sizes),
                words(set)
            )),
            list().prop_map(move |sizes| format!("nim {}", words(sizes))),
            (1_u64..30, 1_u64..30).prop_map(|(a, b)| format!("euclid {a} {b}")),
        ]
    }

    proptest! {
        /// In random games of all kinds and their sums, every move is judged alike, for the same reason.
        #[test]
        fn the_library_has_the_same_rules(
            games in prop::collection::vec(game(), 1..4),
            picks in prop::collection::vec(any::<u64>(), 1..40),
        ) {
            let header = protocol::parse_header(games.join(" + ").as_bytes()).unwrap();
            let mut table = Position::new(&header.game).unwrap();
            let mut rules = Rules::new(&header.game).unwrap();
            for pick in picks {
                for (place, take) in (0..=table.places() + 1).flat_map(|place| (1..=31).map(move |take| (place, take))) {
                    let mv = Move { place, take };
                    let mut after = table.clone();
                    let allowed = after.play(mv).map_err(|illegal| illegal.rule);
                    // A legal one is tried on the judge's side only when it is played below.
                    if allowed.is_err() {
                        prop_assert_eq!(rules.play(mv), allowed, "{} on {}", mv, table);
                    }
                }
                let Some(count) = std::num::NonZeroU128::new(table.move_count()) else { break };
                let mv = table.nth_move(u128::from(pick) % count).unwrap();
                prop_assert_eq!(rules.play(mv), Ok(()), "{} on {}", mv, table);
                table.play(mv).unwrap();
            }
        }
    }
}
