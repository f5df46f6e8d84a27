//! The plan of a run: the list of its games.

use std::sync::OnceLock;

use anyhow::Context;
use zeroxor::{GameSpec, Side};

use super::entrant::Entrant;
use super::game::SeatGame;
use super::pairing::{PairedGame, Pairing};
use super::record::GameRecord;
use super::round::Round;
use super::starts::Starts;
use common::shards::RunLabel;
use referee::setup::{GameHeader, GameSetup, OpponentKind};
use runner::config::MatchConfig;

/// A game of the plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedGame {
    /// The bot that moves first and its opponent, as indexes of entrants.
    pub(crate) seats: [usize; 2],
    pub(crate) start: GameSpec,
    pub(crate) seed: u64,
    pub(crate) round: Option<Round>,
}

/// The games of a run, numbered from 0. Games 2k and 2k+1 are a pair: the same start and seed, with the seats swapped.
/// Game k depends only on k, on the settings of the run and, in a format with rounds, on the results of earlier
/// rounds. So the games are the same with any number of jobs.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) entrants: Vec<Entrant>,
    /// The configuration of each entrant.
    pub(crate) configs: Vec<MatchConfig>,
    pairing: Box<dyn Pairing>,
    starts: Starts,
    seed: u64,
    /// The start of each pair, once computed.
    pair_starts: Vec<OnceLock<GameSpec>>,
    /// The label of the run in its records.
    pub(crate) label: RunLabel,
}

impl Plan {
    /// Creates the plan of a run. `seed` is the seed of the first pair.
    ///
    /// # Errors
    ///
    /// If the label of the run cannot be computed.
    pub(crate) fn new(
        entrants: Vec<Entrant>,
        configs: Vec<MatchConfig>,
        pairing: Box<dyn Pairing>,
        starts: Starts,
        seed: u64,
    ) -> serde_json::Result<Self> {
        let label = run_label(&entrants, &configs, pairing.as_ref(), &starts, seed)?;
        let pair_starts = (0..pairing.starts()).map(|_| OnceLock::new()).collect();
        Ok(Self { entrants, configs, pairing, starts, seed, pair_starts, label })
    }

    /// Returns the name of the run. Without rounds, runs that differ only in the number of pairs have the same name.
    pub(crate) fn run(&self) -> &str {
        &self.label.run
    }

    /// Returns the number of games.
    pub(crate) fn games(&self) -> u64 {
        self.pairing.games()
    }

    /// Returns the number of the first game whose players are not known yet.
    pub(crate) fn ready(&self) -> u64 {
        self.pairing.ready()
    }

    /// Adds the result of a game, which may decide who plays later games.
    ///
    /// # Errors
    ///
    /// If a bot of the record does not take part, or the plan has other bots for this game.
    pub(crate) fn add(&self, record: &GameRecord) -> anyhow::Result<()> {
        let number = |name: &str| {
            let number = self.entrants.iter().position(|entrant| entrant.name == name);
            number.with_context(|| format!("game {} has a bot {name} that does not take part", record.index))
        };
        self.pairing.add(record, [number(&record.first.bot)?, number(&record.second.bot)?])
    }

    /// Returns the game with the number `index`.
    ///
    /// # Errors
    ///
    /// If no start of the wanted kind is found, or the players of the game are not known yet.
    pub(crate) fn game(&self, index: u64) -> anyhow::Result<PlannedGame> {
        let paired = self.pairing.game(index);
        let PairedGame { seats, start: pair, round } =
            paired.with_context(|| format!("the players of game {index} are not known yet"))?;
        let seed = self.seed.wrapping_add(pair);
        let stored = usize::try_from(pair).ok().and_then(|pair| self.pair_starts.get(pair));
        let start = match stored.and_then(OnceLock::get) {
            Some(start) => start.clone(),
            None => self.starts.start(pair, seed)?,
        };
        if let Some(stored) = stored {
            stored.get_or_init(|| start.clone());
        }
        Ok(PlannedGame { seats, start, seed, round })
    }
}

impl PlannedGame {
    /// Returns the two sides of the game.
    pub(crate) fn seat_games(&self) -> [SeatGame; 2] {
        [Side::First, Side::Second].map(|side| {
            let header = GameHeader::new(self.start.clone(), Some(side));
            let setup = GameSetup::new(header, OpponentKind::Bot, self.seed);
            SeatGame { setup, transcript: None, keeps_clean: false }
        })
    }
}

/// Returns the label of a run, computed from everything that decides which games it has and how they are played.
fn run_label(
    entrants: &[Entrant],
    configs: &[MatchConfig],
    pairing: &dyn Pairing,
    starts: &Starts,
    seed: u64,
) -> serde_json::Result<RunLabel> {
    let bots: Vec<_> = entrants.iter().map(Entrant::id).collect();
    let options: Vec<_> = configs.iter().map(MatchConfig::options).collect();
    RunLabel::new(&(bots, options, pairing.id(), starts.id(), seed))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::matches::arena::pairing::{Format, pairing};
    use crate::matches::arena::starts::StartKind;
    use zeroxor::GameKind;
    use zeroxor::rules::PileGame;

    use crate::matches::family::GameFamily;

    fn plan(bots: usize, format: Format, seed: u64, pairs: u32) -> Plan {
        let bot = |number| format!("bot{number}=./bot {number}").parse().unwrap();
        let starts = Starts::Random {
            families: vec![GameFamily::Kind(GameKind::Piles(PileGame::Nim))],
            max_n: 50,
            kind: StartKind::Balanced,
        };
        let configs = vec![MatchConfig::default(); bots];
        let pairing = pairing(format, bots, pairs, seed, None).unwrap();
        Plan::new((0..bots).map(bot).collect(), configs, pairing, starts, seed).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// In each pair the seats are swapped, and the start and the seed are equal. Two bots that meet play one pair
        /// with each seed.
        #[test]
        fn pairs_have_swapped_seats_and_equal_seeds(
            bots in 2_usize..7, gauntlet: bool, seed: u64, pairs in 1_u32..4,
        ) {
            let format = if gauntlet { Format::Gauntlet } else { Format::RoundRobin };
            let plan = plan(bots, format, seed, pairs);
            let meetings = if gauntlet { bots - 1 } else { bots * (bots - 1) / 2 };
            prop_assert_eq!(plan.games(), 2 * u64::from(pairs) * meetings as u64);
            let mut played = std::collections::BTreeMap::new();
            for index in (0..plan.games()).step_by(2) {
                let (one, other) = (plan.game(index).unwrap(), plan.game(index + 1).unwrap());
                prop_assert_eq!(&one.start, &other.start);
                prop_assert_eq!(one.seed, other.seed);
                prop_assert_eq!([one.seats[1], one.seats[0]], other.seats);
                prop_assert_ne!(one.seats[0], one.seats[1]);
                prop_assert!(!gauntlet || one.seats[0] == 0);
                played.entry((one.seats, one.seed)).and_modify(|count| *count += 1).or_insert(1);
                for (game, side) in one.seat_games().iter().zip([Side::First, Side::Second]) {
                    prop_assert_eq!(game.setup.header.side(), Some(side));
                    prop_assert_eq!(game.setup.seed, one.seed);
                }
            }
            prop_assert_eq!(played.len(), pairs as usize * meetings);
            prop_assert!(played.values().all(|&count| count == 1));
        }
    }

    #[test]
    fn the_name_of_a_run_depends_on_its_settings() {
        let run = |bots, format, seed, pairs| plan(bots, format, seed, pairs).run().to_owned();
        let id = run(3, Format::RoundRobin, 1, 5);
        assert_eq!(id.len(), 16);
        assert_eq!(id, run(3, Format::RoundRobin, 1, 50), "more pairs are the same run");
        assert_ne!(id, run(4, Format::RoundRobin, 1, 5));
        assert_ne!(id, run(3, Format::Gauntlet, 1, 5));
        assert_ne!(id, run(3, Format::RoundRobin, 2, 5));
    }
}
