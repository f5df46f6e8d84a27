//! The rules of the games, deliberately written a second time for the referee.
//!
//! The bundled bot and the opponents play by the library's rules. If the referee used the same rules, nobody would
//! notice a mistake in them. So the referee's rules share no code with the library's, and the tests compare the two.
//! For rows, the referee stores the taken cards, where the library stores the remaining heaps.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use zeroxor::rules::{Clause, ClauseViolation, PileGame, Violation};
use zeroxor::{GameSpec, Move, OctalCode};

use super::divisors::{has_allowed_divisor, is_prime};

/// The state of all games of a header.
#[derive(Clone, Debug)]
pub(crate) struct RefereeRules {
    games: Vec<PlacedGame>,
    places: u64,
    /// Whether the player who makes the last move loses.
    is_misere: bool,
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
        /// The taken cards, counted from 0: a map from the first card of each move to the card after the move's last
        /// card.
        taken: BTreeMap<u64, u64>,
    },
    /// Adjacent rows that are played by an octal code.
    Octal {
        code: OctalCode,
        borders: Borders,
        /// The cards that have been taken from all rows, as in `Row`.
        taken: BTreeMap<u64, u64>,
    },
    /// Adjacent rows of Grundy's game.
    Grundy {
        borders: Borders,
    },
    Piles {
        sizes: Vec<u64>,
        rules: PileRules,
    },
    Pair {
        numbers: [u64; 2],
    },
}

/// The rules of a game of piles, as the header names them.
#[derive(Clone, Debug)]
struct PileRules {
    game: PileGame,
    /// Whether `proper` forbids taking a whole pile.
    keeps_pile: bool,
    /// The numbers after `ban`.
    banned: BTreeSet<u64>,
    /// The numbers after `take`, as ranges: the first and the last number of each.
    ranges: Vec<(u64, u64)>,
    /// The number K of `take 1..n/K`.
    share: Option<u64>,
}

/// The borders of the adjacent rows of a game: the first card of each row, counted from 0, and the end of the last row.
/// The end of a row is the card after its last card. A split adds a border.
#[derive(Clone, Debug)]
struct Borders(BTreeSet<u64>);

impl Borders {
    fn new(rows: &[u64]) -> Self {
        let ends = rows.iter().scan(0, |end, row| {
            *end += row;
            Some(*end)
        });
        Self(std::iter::once(0).chain(ends).collect())
    }

    /// Returns the end of the last row.
    fn end(&self) -> u64 {
        self.0.last().copied().unwrap_or(0)
    }

    /// Returns the first card of each row, and the end of the row.
    fn rows(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().copied().tuple_windows()
    }

    /// Splits, before the card at `place`, the run of free cards that begins with the card `first`.
    fn split(&mut self, first: u64, place: u64) -> Result<(), Violation> {
        if place == first {
            return Err(Violation::SplitBeforeFirst);
        }
        self.0.insert(place);
        Ok(())
    }

    /// Returns the first card of the row that has the card at `place`, and the end of the row.
    fn row_at(&self, place: u64) -> (u64, u64) {
        let first = self.0.range(..=place).next_back().copied().unwrap_or(0);
        (first, self.0.range(place + 1..).next().copied().unwrap_or(first))
    }
}

impl RefereeRules {
    /// Returns the start of a valid game; `None` if the judge cannot play the game, for example an octal code whose
    /// moves leave three heaps.
    pub(crate) fn new(game: &GameSpec) -> Option<Self> {
        let mut first = 1;
        let mut games = Vec::new();
        for component in game.components() {
            let game = ComponentState::new(component)?;
            let places = game.places();
            games.push(PlacedGame { first, places, game });
            first += places;
        }
        Some(Self { games, places: first - 1, is_misere: matches!(game, GameSpec::Misere(_)) })
    }

    /// Plays a move. A move that breaks a rule changes nothing.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), Violation> {
        let places = self.places;
        let placed = self
            .games
            .iter_mut()
            .find(|placed| (placed.first..placed.first + placed.places).contains(&mv.place));
        let placed = placed.ok_or(Violation::NoSuchPlace { places })?;
        if mv.take == 0 && !placed.game.has_splits() {
            return Err(Violation::Nothing);
        }
        placed.game.play(mv.place - placed.first, mv.take)
    }

    /// Checks whether a player who has no move wins.
    pub(crate) fn is_misere(&self) -> bool {
        self.is_misere
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
            GameSpec::Piles { game, piles, clauses } => {
                Self::Piles { sizes: piles.clone(), rules: PileRules::new(*game, clauses) }
            }
            GameSpec::Octal { code, heaps } if code.is_playable() => {
                Self::Octal { code: *code, borders: Borders::new(heaps), taken: BTreeMap::new() }
            }
            GameSpec::Grundy { heaps } => Self::Grundy { borders: Borders::new(heaps) },
            GameSpec::Octal { .. } | GameSpec::Sum(_) | GameSpec::Misere(_) => return None,
        })
    }

    fn places(&self) -> u64 {
        match self {
            Self::Row { n, .. } => *n,
            Self::Octal { borders, .. } | Self::Grundy { borders } => borders.end(),
            Self::Piles { sizes, .. } => sizes.len() as u64,
            Self::Pair { .. } => 2,
        }
    }

    /// Checks whether a move of this game may take nothing.
    fn has_splits(&self) -> bool {
        match self {
            Self::Octal { code, .. } => code.digit(0) > 0,
            Self::Grundy { .. } => true,
            Self::Row { .. } | Self::Piles { .. } | Self::Pair { .. } => false,
        }
    }

    /// Plays a move at a place of this game, counted from 0.
    fn play(&mut self, place: u64, take: u64) -> Result<(), Violation> {
        match self {
            Self::Row { n, l, r, taken } => {
                let taken_before = taken.range(..=place).next_back().map_or(0, |(_, &end)| end);
                if place < taken_before {
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
            Self::Octal { code, borders, taken } => {
                let taken_before = taken.range(..=place).next_back().map_or(0, |(_, &end)| end);
                if place < taken_before {
                    return Err(Violation::Taken);
                }
                let digit = code.digit(take);
                if digit == 0 {
                    return Err(Violation::NotInCode);
                }
                // The free cards are those from `first` to before `end`, within the row.
                let (row_first, row_end) = borders.row_at(place);
                let first = taken_before.max(row_first);
                let taken_after = taken.range(place..).next().map(|(&start, _)| start);
                let end = taken_after.map_or(row_end, |start| start.min(row_end));
                let free = end - place;
                if take > free {
                    return Err(Violation::RunTooShort { free });
                }
                if take == 0 {
                    return borders.split(first, place);
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
            Self::Grundy { borders } => {
                let (first, end) = borders.row_at(place);
                if take > 0 {
                    return Err(Violation::OnlySplits);
                }
                if place - first == end - place {
                    return Err(Violation::EqualParts { size: end - place });
                }
                borders.split(first, place)?;
            }
            Self::Piles { sizes, rules } => {
                let places = sizes.len() as u64;
                let size = usize::try_from(place).ok().and_then(|place| sizes.get_mut(place));
                let size = size.ok_or(Violation::NoSuchPlace { places })?;
                if take > *size {
                    return Err(Violation::LargerThanPile { size: *size });
                }
                rules.allow(*size, take)?;
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
            Self::Octal { code, borders, taken } => borders.rows().any(|(first, end)| {
                free_runs(taken, first, end).any(|free| {
                    let longest = code.longest_take().unwrap_or(free);
                    (0..=free.min(longest)).any(|take| {
                        let digit = code.digit(take);
                        match free - take {
                            0 => digit & 1 > 0,
                            // A single card can only be left on one side.
                            1 => digit & 2 > 0,
                            _ => digit & 6 > 0,
                        }
                    })
                })
            }),
            Self::Grundy { borders } => borders.rows().any(|(first, end)| end - first > 2),
            Self::Piles { sizes, rules } => sizes.iter().any(|&size| rules.allow_any(size)),
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

impl PileRules {
    fn new(game: PileGame, clauses: &[Clause]) -> Self {
        let mut rules =
            Self { game, keeps_pile: false, banned: BTreeSet::new(), ranges: Vec::new(), share: None };
        for clause in clauses {
            match clause {
                Clause::Proper => rules.keeps_pile = true,
                Clause::Ban(numbers) => rules.banned.extend(numbers),
                Clause::Take(windows) => {
                    rules.ranges.extend(windows.iter().map(|window| (window.l(), window.r())));
                }
                Clause::TakeShare(share) => rules.share = Some(*share),
            }
        }
        rules
    }

    /// Checks whether a pile has a move.
    fn allow_any(&self, size: u64) -> bool {
        let Self { game, keeps_pile, banned, ranges, share } = self;
        match game {
            PileGame::Square => {
                (1..=size.isqrt()).map(|root| root * root).any(|square| !banned.contains(&square))
            }
            // Add the whole pile, which `proper` forbids, to the banned numbers.
            PileGame::Divisor if *keeps_pile && banned.contains(&1) => {
                let mut banned = banned.clone();
                banned.insert(size);
                has_allowed_divisor(size, &banned)
            }
            PileGame::Divisor if *keeps_pile => size > 1,
            PileGame::Divisor => has_allowed_divisor(size, banned),
            PileGame::Subtract => {
                ranges.iter().any(|&(first, _)| first <= size) || share.is_some_and(|share| share <= size)
            }
            PileGame::Nim => size > 0,
            PileGame::Prime => (2..=size).any(|number| !banned.contains(&number) && is_prime(number)),
        }
    }

    /// Checks whether `take` may be taken from a pile. `take` is at least 1 and at most `size`.
    fn allow(&self, size: u64, take: u64) -> Result<(), Violation> {
        let Self { game, keeps_pile, banned, ranges, share } = self;
        let is_allowed = match game {
            PileGame::Square => take.isqrt() * take.isqrt() == take,
            PileGame::Divisor => size.is_multiple_of(take),
            PileGame::Prime => is_prime(take),
            PileGame::Subtract | PileGame::Nim => true,
        };
        if !is_allowed {
            return Err(Violation::NotAllowed { game: *game, size });
        }
        if banned.contains(&take) {
            return Err(ClauseViolation::Banned.into());
        }
        if *keeps_pile && take == size {
            return Err(ClauseViolation::WholePile.into());
        }
        match (game, share) {
            // `take` is at most floor(size / K) exactly if K times `take` is at most `size`.
            (PileGame::Subtract, Some(share)) => {
                let is_within = u128::from(take) * u128::from(*share) <= u128::from(size);
                if is_within {
                    Ok(())
                } else {
                    Err(ClauseViolation::AboveShare { most: size / share }.into())
                }
            }
            (PileGame::Subtract, None)
                if !ranges.iter().any(|&(first, last)| first <= take && take <= last) =>
            {
                Err(ClauseViolation::NotListed.into())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use zeroxor::Position;
    use zeroxor::rules::{Keyword, Window};
    use zeroxor::wire::protocol;

    use super::*;

    /// Returns the header of a game of piles with those of `clauses` that the game knows.
    fn piles(game: PileGame, piles: &[u64], clauses: &[Clause]) -> String {
        let known = |clause: &&Clause| game.keywords().contains(&clause.keyword());
        let clauses = clauses.iter().filter(known).cloned().collect();
        GameSpec::Piles { game, piles: piles.to_vec(), clauses }.to_string()
    }

    /// Generates a clause of each keyword; `proper` may be missing.
    fn clauses() -> impl Strategy<Value = Vec<Clause>> {
        let numbers = || prop::collection::vec(1_u64..30, 1..4);
        let windows = prop::collection::vec((1_u64..30, 0_u64..8), 1..4).prop_map(|ranges| {
            Clause::Take(ranges.into_iter().filter_map(|(l, more)| Window::new(l, l + more)).collect())
        });
        let take = prop_oneof![windows, (1_u64..9).prop_map(Clause::TakeShare)];
        (any::<bool>(), numbers(), take).prop_map(|(is_proper, numbers, take)| {
            let proper = is_proper.then_some(Clause::Proper);
            proper.into_iter().chain([Clause::Ban(numbers), take]).collect()
        })
    }

    /// Generates the text of an octal code. The digit before the point is 0 or 4, and the last digits may repeat.
    fn code() -> impl Strategy<Value = String> {
        let digits = prop::collection::vec(0_u8..8, 1..5);
        (any::<bool>(), digits, 0_usize..8).prop_map(|(can_split, digits, first)| {
            // A code without a legal move is invalid.
            let digits = if digits.iter().all(|&digit| digit == 0) { vec![7, 7] } else { digits };
            let (first, repeated) = digits.split_at(first.min(digits.len()));
            let text = |digits: &[u8]| digits.iter().map(u8::to_string).collect::<String>();
            let repeated = if repeated.is_empty() { String::new() } else { format!("[{}]", text(repeated)) };
            format!("{}.{}{repeated}", if can_split { 4 } else { 0 }, text(first))
        })
    }

    fn game() -> impl Strategy<Value = String> {
        let list = || prop::collection::vec(1_u64..30, 1..4);
        let words = |numbers: Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        prop_oneof![
            1 => (1_u64..25, 1_u64..6, 0_u64..4).prop_map(|(n, l, more)| {
                let l = l.min(n);
                format!("segment {n} {l} {}", (l + more).min(n))
            }),
            4 => (prop::sample::select(PileGame::ALL), list(), clauses())
                .prop_map(|(game, sizes, clauses)| piles(game, &sizes, &clauses)),
            1 => (1_u64..30, 1_u64..30).prop_map(|(a, b)| format!("euclid {a} {b}")),
            1 => prop::collection::vec(1_u64..16, 1..4).prop_map(move |sizes| format!("grundy {}", words(sizes))),
            2 => (code(), prop::collection::vec(1_u64..12, 1..4))
                .prop_map(move |(code, sizes)| format!("octal {code} {}", words(sizes))),
        ]
    }

    proptest! {
        /// Checks that the referee's and the library's rules allow the same moves, and refuse all other moves for the
        /// same reason, in random games and sums, in normal and in misère play.
        #[test]
        fn the_library_has_the_same_rules(
            is_misere in any::<bool>(),
            games in prop::collection::vec(game(), 1..4),
            picks in prop::collection::vec(any::<u64>(), 1..40),
        ) {
            let misere = if is_misere { "misere " } else { "" };
            let header = protocol::parse_header(format!("{misere}{}", games.join(" + ")).as_bytes()).unwrap();
            let mut position = Position::new(&header.game).unwrap();
            let mut rules = RefereeRules::new(&header.game).unwrap();
            prop_assert_eq!((rules.is_misere(), position.is_misere()), (is_misere, is_misere), "{}", position);
            for pick in picks {
                prop_assert_eq!(rules.has_move(), !position.is_over(), "{}", position);
                for (place, take) in (0..=position.places() + 1).flat_map(|place| (0..=31).map(move |take| (place, take))) {
                    let mv = Move { place, take };
                    let mut after = position.clone();
                    let allowed = after.play(mv).map_err(|illegal| illegal.rule);
                    // A legal move would change `rules`, so `rules` play only the picked legal move, below.
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

    /// Checks that the referee's and the library's rules allow the same moves, refuse all other moves for the same
    /// reason, and agree on whether a move is left, in every position of small games.
    #[test]
    fn the_library_has_the_same_rules_in_small_games() {
        const BANS: [&[u64]; 6] = [&[], &[1], &[4], &[1, 4, 9], &[2, 3], &[1, 2, 3, 4, 6, 12]];
        const TAKES: [&str; 10] =
            ["1", "2", "5", "3 4", "2 7", "3..5", "2..3 6 5..9", "1..n/1", "1..n/2", "1..n/3"];
        let rows =
            (1..=7).flat_map(|n| (1..=n).flat_map(move |l| (l..=n).map(move |r| format!("{n} {l} {r}"))));
        let piles = (1..=14).flat_map(|n| {
            PileGame::ALL.iter().flat_map(move |&game| match game.keywords() {
                [] => vec![piles(game, &[n, 2], &[]), piles(game, &[n], &[])],
                [Keyword::Take] => TAKES.map(|takes| format!("{} {n} 3 take {takes}", game.name())).to_vec(),
                _ => {
                    let proper = [vec![], vec![Clause::Proper]];
                    let bans = BANS.iter().flat_map(|bans| {
                        proper.iter().map(move |proper| [&proper[..], &Clause::banning(bans)].concat())
                    });
                    bans.map(|clauses| piles(game, &[n], &clauses)).unique().collect()
                }
            })
        });
        let pairs = (1..=14).flat_map(|a| (1..=14).map(move |b| format!("euclid {a} {b}")));
        let codes = (1..64).flat_map(|digits| {
            let (one, two) = (digits / 8, digits % 8);
            [
                format!("octal 0.{one}{two} 6"),
                format!("octal 0.0{one}0{two} 3 4"),
                format!("octal 0.{one}{two} 2 1"),
                format!("octal 4.{one}{two} 5"),
                format!("octal 4.{one}[{two}] 2 3"),
                format!("octal 0.[{one}{two}] 5"),
            ]
        });
        let splits = (1..=9).map(|n| format!("grundy {n} 3"));
        let sums =
            ["2 2 2 + square 3 ban 1 + octal 4.1 2", "divisor 6 ban 6 1 + euclid 3 2 + subtract 3 take 3"];
        let games = rows.chain(piles).chain(pairs).chain(codes).chain(splits).chain(sums.map(str::to_owned));
        let (mut over, mut compared) = (0, 0);
        for game in games {
            let spec = game.parse().unwrap();
            let mut seen = HashSet::new();
            let mut todo = vec![(Position::new(&spec).unwrap(), RefereeRules::new(&spec).unwrap())];
            while let Some((position, rules)) = todo.pop() {
                assert_eq!(rules.has_move(), !position.is_over(), "{game}: {position}");
                compared += 1;
                over += usize::from(position.is_over());
                let all = (0..=position.places() + 1)
                    .flat_map(|place| (0..=14).map(move |take| Move { place, take }));
                for mv in all {
                    let (mut position, mut rules) = (position.clone(), rules.clone());
                    let played = position.play(mv).map_err(|illegal| illegal.rule);
                    assert_eq!(rules.play(mv), played, "{game}: {mv}");
                    if played.is_err() {
                        continue;
                    }
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
