//! The starts of a run: listed starts, or random starts of families.

use std::path::Path;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use zeroxor::{GameKind, GameSpec, Outcome, Position, Solver};

use crate::referee::game::setup::{GameHeader, GameSetup, MoveLine, OpponentKind};
use crate::trials::family::{GameFamily, StartRng};
use crate::trials::start_files;

/// Maximum number of random starts that are tried to find a start that the wanted side wins.
const MAX_ATTEMPTS: u32 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StartKind {
    /// Alternately a start that First wins with perfect play and one that Second wins
    Balanced,
    /// Starts regardless of who wins with perfect play
    Random,
    /// Starts that First wins with perfect play
    WonByFirst,
    /// Starts that Second wins with perfect play
    WonBySecond,
}

impl StartKind {
    /// Returns the wanted outcome of the start of a pair of games; `None` if any outcome is allowed.
    fn outcome(self, pair: usize) -> Option<Outcome> {
        match self {
            Self::Balanced => Some(if pair.is_multiple_of(2) { Outcome::N } else { Outcome::P }),
            Self::Random => None,
            Self::WonByFirst => Some(Outcome::N),
            Self::WonBySecond => Some(Outcome::P),
        }
    }
}

/// The starts, or the families from which they are drawn: at least one.
#[derive(Clone, Debug)]
pub(crate) enum Starts {
    Listed(Vec<GameSpec>),
    Random { families: Vec<GameFamily>, max_n: u64, kind: StartKind },
}

impl Starts {
    /// Returns the start of a header. Checks that the game is valid and that the header has no seat.
    pub(crate) fn of_header(header: &GameHeader) -> anyhow::Result<Self> {
        Ok(Self::Listed(vec![start(header)?]))
    }

    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let starts = start_files::read_all(&[path.into()])?.into_iter().map(|line| {
            let setup = line.setup(OpponentKind::Bot, 0, &MoveLine::new());
            let is_header = setup == GameSetup::new(setup.header.clone(), OpponentKind::Bot, 0);
            ensure!(is_header, "{}: expected a header without options, got {setup}", path.display());
            start(&setup.header).with_context(|| format!("{}: {}", path.display(), setup.header))
        });
        starts.collect::<anyhow::Result<_>>().map(Self::Listed)
    }

    /// The start depends only on `self`, `pair` and `seed`. Fails if the wanted side wins no start that is tried.
    pub(crate) fn start(&self, pair: usize, seed: u64) -> anyhow::Result<GameSpec> {
        let (families, max_n, kind) = match self {
            Self::Listed(starts) => return Ok(starts[pair % starts.len()].clone()),
            Self::Random { families, max_n, kind } => (families, *max_n, *kind),
        };
        // Each family gets two consecutive pairs: with balanced starts, First wins the start of one pair and Second wins
        // the start of the other.
        let family = families[pair / 2 % families.len()];
        let mut rng = StartRng::new(seed);
        let Some(wanted) = kind.outcome(pair) else { return Ok(family.random(max_n, &mut rng)) };
        let mut solver = Solver::new();
        // If a start is too large for the solver, its winner is unknown, so the start is skipped.
        let is_wanted =
            |game: &GameSpec| Position::new(game).is_ok_and(|start| solver.outcome(&start) == Ok(wanted));
        let mut found = (0..MAX_ATTEMPTS).map(|_| family.random(max_n, &mut rng)).find(is_wanted);
        if found.is_none() && wanted == Outcome::P {
            // Second wins only about one in 2n random starts of nim with piles of size n, so make such a start.
            found = (0..MAX_ATTEMPTS).find_map(|_| nim_after_winning_move(&family.random(max_n, &mut rng)));
        }
        let side = if wanted == Outcome::N { "First" } else { "Second" };
        found.with_context(|| {
            format!(
                "{side} is known to win none of {MAX_ATTEMPTS} random starts of {} with --max-n {max_n}: use \
                 --starts-kind random, another --max-n, or a list of starts",
                family.name()
            )
        })
    }
}

fn start(header: &GameHeader) -> anyhow::Result<GameSpec> {
    ensure!(
        header.side().is_none(),
        "expected a header without a seat: each start is played from both seats"
    );
    Position::new(header.game())?;
    Ok(header.game().clone())
}

/// Returns the piles of nim that are left after a winning move, if there are any: a start that Second wins.
fn nim_after_winning_move(game: &GameSpec) -> Option<GameSpec> {
    let GameSpec::Single { kind: GameKind::Nim, mut heaps, clauses } = game.clone() else { return None };
    let mv = Solver::new().winning_move(&Position::new(game).ok()?).ok()??;
    *heaps.get_mut(usize::try_from(mv.place).ok()?.checked_sub(1)?)? -= mv.take;
    heaps.retain(|&pile| pile > 0);
    (!heaps.is_empty()).then_some(GameSpec::Single { kind: GameKind::Nim, heaps, clauses })
}

/// Returns the class of a start: its game, "sum" for a sum, and the range of the sizes with as many digits.
pub(crate) fn class(start: &GameSpec) -> String {
    let low = 10_u64.pow(start.size().checked_ilog10().unwrap_or(0));
    let misere = if start.is_misere() { "misere " } else { "" };
    format!("{misere}{}, {low} to {}", start.in_normal_play().name(), low.saturating_mul(10) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NIM: GameFamily = GameFamily::Kind(GameKind::Nim);

    fn random(family: GameFamily, max_n: u64, kind: StartKind) -> Starts {
        Starts::Random { families: vec![family], max_n, kind }
    }

    #[test]
    fn families_take_turns() {
        let families = vec![NIM, GameFamily::SEGMENT];
        let starts = Starts::Random { families, max_n: 60, kind: StartKind::Balanced };
        let start = |pair| starts.start(pair, 7).unwrap();
        let names: Vec<_> = (0..8).map(|pair| start(pair).to_string()).collect();
        let is_nim: Vec<_> = names.iter().map(|name| name.starts_with("nim ")).collect();
        assert_eq!(is_nim, [true, true, false, false, true, true, false, false], "{names:?}");
    }

    #[test]
    fn each_kind_has_its_outcomes() {
        let outcome = |game: &GameSpec| Solver::new().outcome(&Position::new(game).unwrap()).unwrap();
        for family in GameFamily::value_variants() {
            for pair in 0..6 {
                let seed = 70 + pair as u64;
                let start = |kind| random(*family, 60, kind).start(pair, seed).unwrap();
                assert_eq!(outcome(&start(StartKind::WonByFirst)), Outcome::N);
                assert_eq!(outcome(&start(StartKind::WonBySecond)), Outcome::P);
                let balanced = if pair % 2 == 0 { Outcome::N } else { Outcome::P };
                assert_eq!(outcome(&start(StartKind::Balanced)), balanced);
                assert_eq!(start(StartKind::Random), family.random(60, &mut StartRng::new(seed)));
            }
        }
    }

    #[test]
    fn a_family_without_the_wanted_start() {
        let start = |family| random(family, 1, StartKind::WonBySecond).start(0, 1);
        assert!(start(NIM).is_ok());
        // The only start is a row of one card, which First takes.
        let error = start(GameFamily::SEGMENT).unwrap_err().to_string();
        assert!(
            error.contains("Second is known to win none") && error.contains("--starts-kind random"),
            "{error}"
        );
    }

    #[test]
    fn a_class_is_the_game_and_the_digits_of_the_largest_number() {
        let class = |text: &str| super::class(&text.parse().unwrap());
        assert_eq!(class("9 3 5"), "segment, 1 to 9");
        assert_eq!(class("10 3 5"), "segment, 10 to 99");
        assert_eq!(class("euclid 5 12"), "euclid, 10 to 99");
        assert_eq!(class("nim 3 + square 2000 ban 1"), "sum, 1000 to 9999");
        assert_eq!(class("misere nim 7 12"), "misere nim, 10 to 99");
        assert_eq!(class("misere nim 3 + square 20"), "misere sum, 10 to 99");
        assert_eq!(class("nim 1000000000000000000"), "nim, 1000000000000000000 to 9999999999999999999");
    }
}
