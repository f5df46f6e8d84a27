//! The families of games from which commands take small, extreme and random starts.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use itertools::{Itertools, chain};
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use zeroxor::rules::Random;
use zeroxor::{GameKind, GameSpec, Outcome, Position, Solver};

/// Maximum size of an extreme start that Second wins, except in misère play: the contest's limit.
const MAX_WON_BY_SECOND: u64 = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum GameFamily {
    Kind(GameKind),
    Sum,
    Misere,
}

/// Maximum size in misère play of random starts, and of extreme starts that Second wins. Most larger starts cannot be
/// solved.
const MAX_MISERE: u64 = 8;

static FAMILIES: LazyLock<Vec<GameFamily>> = LazyLock::new(|| {
    GameKind::all().map(GameFamily::Kind).chain([GameFamily::Sum, GameFamily::Misere]).collect()
});

fn in_misere_play(game: GameSpec) -> GameSpec {
    GameSpec::Misere(Box::new(game))
}

impl ValueEnum for GameFamily {
    fn value_variants<'a>() -> &'a [Self] {
        &FAMILIES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            Self::Kind(kind) => kind.help(),
            Self::Sum => "two or three games of any kind at once",
            Self::Misere => "one or two games of any kind, in which the player who makes the last move loses",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}

impl GameFamily {
    pub(crate) const SEGMENT: Self = Self::Kind(GameKind::Segment);

    pub(crate) fn of(game: &GameSpec) -> Self {
        match game.kind() {
            Some(kind) => Self::Kind(kind),
            None if game.is_misere() => Self::Misere,
            None => Self::Sum,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Kind(kind) => kind.name(),
            Self::Sum => "sum",
            Self::Misere => "misere",
        }
    }

    /// Returns the extreme starts with sizes of at most `max_n`: for each extreme kind the start of size `max_n`, then
    /// one start of size 1, then for each extreme kind the largest start that Second wins. The starts that Second wins
    /// have sizes of at most `MAX_WON_BY_SECOND`, or of at most `MAX_MISERE` in misère play.
    pub(crate) fn extremes(self, max_n: u64) -> Vec<GameSpec> {
        let largest = self.extreme_starts(max_n);
        let max_second = if self == Self::Misere { MAX_MISERE } else { MAX_WON_BY_SECOND };
        let second = (0..largest.len()).map(|kind| self.largest_won_by_second(kind, max_n.min(max_second)));
        let second = second.collect_vec();
        let smallest = self.extreme_starts(1).into_iter().flatten().next();
        chain!(largest, [smallest], second).flatten().unique().collect()
    }

    /// Returns one start of each extreme kind with sizes of `n`, or `None` in its place if that is not valid.
    fn extreme_starts(self, n: u64) -> Vec<Option<GameSpec>> {
        let headers = match self {
            Self::Kind(kind) => return kind.extremes(n),
            Self::Sum => [
                "segment N 3 3 + nim N",
                "square N ban 1 + divisor N",
                "subtract N take 2 3 + euclid N 1",
                "segment N 1 2 + segment N 1 2",
            ],
            // The winners of these games are known by the theorem of nim, or by a quotient with a proven period.
            Self::Misere => [
                "misere nim N N N",
                "misere segment N 1 1",
                "misere segment N 1 TWO",
                "misere segment N 1 TWO + subtract N take 1 3",
            ],
        };
        let [n, two] = [n, n.min(2)].map(|number| number.to_string());
        headers.map(|header| header.replace("TWO", &two).replace('N', &n).parse().ok()).to_vec()
    }

    /// Returns the largest start of extreme kind number `kind` that Second wins, with a size of at most `max_n`.
    fn largest_won_by_second(self, kind: usize, max_n: u64) -> Option<GameSpec> {
        // One table for all sizes under the same rules.
        let mut solver = Solver::for_several_games();
        let mut is_won_by_second = |game: &GameSpec| {
            let Ok(start) = Position::new(game) else { return false };
            let outcome = solver.outcome(&start).or_else(|_| {
                // The tables under other rules have used up the limit.
                solver = Solver::for_several_games();
                solver.outcome(&start)
            });
            outcome == Ok(Outcome::P)
        };
        let mut starts = (1..=max_n).rev().filter_map(|n| self.extreme_starts(n).into_iter().nth(kind)?);
        starts.find(|game| is_won_by_second(game))
    }

    /// Returns the small starts with sizes of at most `max_n`, roughly in ascending order. For sums, ignores `max_n`
    /// and returns all pairs of small components. For misère play, ignores `max_n` and returns the single small
    /// components and the pairs.
    pub(crate) fn small(self, max_n: u64) -> Vec<GameSpec> {
        match self {
            Self::Kind(kind) => kind.small(max_n),
            Self::Sum => {
                let components = GameKind::all().flat_map(GameKind::components);
                components.combinations_with_replacement(2).map(GameSpec::Sum).collect()
            }
            Self::Misere => {
                let single = GameKind::all().flat_map(GameKind::components);
                single.chain(Self::Sum.small(max_n)).map(in_misere_play).collect()
            }
        }
    }

    pub(crate) fn random(self, max_n: u64, rng: &mut StartRng) -> GameSpec {
        let kinds = GameKind::all().collect_vec();
        let any_kind = |rng: &mut StartRng| rng.choose(&kinds).unwrap_or(GameKind::Segment);
        match self {
            Self::Kind(kind) => kind.random(max_n, rng),
            Self::Sum => {
                let count = rng.count(2..=3);
                GameSpec::Sum((0..count).map(|_| any_kind(rng).random(max_n, rng)).collect())
            }
            Self::Misere => {
                let first = any_kind(rng).random(max_n.min(MAX_MISERE), rng);
                in_misere_play(match rng.count(1..=2) {
                    1 => first,
                    _ => GameSpec::Sum(vec![first, any_kind(rng).random(max_n.min(MAX_MISERE / 2), rng)]),
                })
            }
        }
    }
}

pub(crate) struct StartRng(ChaCha8Rng);

impl StartRng {
    /// Creates the generator of a seed. The opponent uses another stream of the same seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(1);
        Self(rng)
    }

    pub(crate) fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.choose(&mut self.0).copied()
    }
}

impl Random for StartRng {
    fn number(&mut self, range: RangeInclusive<u64>) -> u64 {
        self.0.random_range(range)
    }

    fn count(&mut self, range: RangeInclusive<u32>) -> u32 {
        self.0.random_range(range)
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;
    use crate::referee::game::setup::GameHeader;

    #[test]
    fn starts_are_valid_and_small_ones_are_unique() {
        for &family in GameFamily::value_variants() {
            for max_n in [1, 2, 7, 300] {
                let small = family.small(max_n);
                assert!(family == GameFamily::Sum || !small.is_empty(), "{} {max_n}", family.name());
                assert!(small.iter().map(GameSpec::to_string).all_unique(), "{} {max_n}", family.name());
                let random = (0..100).map(|seed| family.random(max_n, &mut StartRng::new(seed)));
                for game in chain!(family.extremes(max_n), small, random) {
                    assert!(game.validate().is_ok() && Position::new(&game).is_ok(), "{game}");
                    assert_eq!(game.to_string().parse(), Ok(game));
                }
            }
        }
    }

    fn headers(games: Vec<GameSpec>) -> Vec<String> {
        games.into_iter().map(|game| GameHeader::new(game, None).to_string()).collect()
    }

    /// The small starts are all windows on rows of up to ten cards, the smallest first.
    #[test]
    fn small_rows() {
        let rows = headers(GameFamily::SEGMENT.small(2000));
        assert_eq!((rows.len(), rows[0].as_str(), rows[219].as_str()), (220, "1 1 1", "10 10 10"));
        assert_eq!(
            headers(GameFamily::SEGMENT.small(3)),
            ["1 1 1", "2 1 1", "2 1 2", "2 2 2", "3 1 1", "3 1 2", "3 1 3", "3 2 2", "3 2 3", "3 3 3"]
        );
    }

    #[test]
    fn extreme_codes_and_rows() {
        let extremes = |family: GameFamily, max_n| headers(family.extremes(max_n));
        let largest = [
            "octal 0.77 50",
            "octal 0.137 50",
            "octal 0.6 50",
            "octal 0.07 50 50 50 50",
            "octal 4.[3] 50",
            "octal 0.77 1",
        ];
        assert_eq!(extremes(GameFamily::Kind(GameKind::Octal), 50)[..6], largest);
        assert_eq!(extremes(GameFamily::SEGMENT, 2), ["2 1 1", "2 1 2", "2 2 2", "1 1 1"]);
        assert_eq!(extremes(GameFamily::SEGMENT, 1), ["1 1 1"]);
    }
}
