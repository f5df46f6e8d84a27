//! The plan of a run: the list of its games.

use std::sync::OnceLock;

use anyhow::ensure;
use clap::ValueEnum;
use hmac_sha256::Hash;
use itertools::Itertools;
use zeroxor::GameSpec;

use crate::arena::entrant::{Entrant, missing_ability};
use crate::arena::starts::Starts;
use crate::config::MatchConfig;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tournament {
    /// Each bot against each other
    RoundRobin,
    /// The first bot against all others
    Gauntlet,
}

impl Tournament {
    fn meetings(self, bots: usize) -> Vec<(usize, usize)> {
        match self {
            Self::RoundRobin => (0..bots).tuple_combinations().collect(),
            Self::Gauntlet => (1..bots).map(|other| (0, other)).collect(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlannedGame {
    /// The bot that moves first and its opponent, as indexes of entrants.
    pub(crate) seats: [usize; 2],
    pub(crate) start: GameSpec,
    pub(crate) seed: u64,
}

/// The games of a run, numbered from 0. Games 2k and 2k+1 are a pair: the same start and seed, with the seats swapped.
/// Game k depends only on k and on the settings of the run, so the games are the same with any number of jobs, and a
/// run with more pairs begins with the games of a run with fewer pairs.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) configs: Vec<MatchConfig>,
    meetings: Vec<(usize, usize)>,
    starts: Starts,
    seed: u64,
    /// The start of each pair of a meeting, once computed. All meetings have the same starts.
    pair_starts: Vec<OnceLock<GameSpec>>,
    /// The name of the run in its records, a hash. Runs that differ only in the number of pairs have the same name.
    pub(crate) run: String,
}

impl Plan {
    pub(crate) fn new(
        entrants: Vec<Entrant>,
        configs: Vec<MatchConfig>,
        (format, pairs): (Tournament, u32),
        starts: Starts,
        seed: u64,
    ) -> Self {
        // Everything that decides which games the run has and how they are played.
        let options: Vec<_> = configs.iter().map(MatchConfig::options).collect();
        let settings = format!("{:?}", (&entrants, options, format, &starts, seed));
        let run = format!("{:02x}", Hash::hash(settings.as_bytes()).iter().take(8).format(""));
        let meetings = format.meetings(entrants.len());
        let pair_starts = (0..pairs).map(|_| OnceLock::new()).collect();
        Self { entrants, configs, meetings, starts, seed, pair_starts, run }
    }

    /// Checks that each bot knows assigned seats, and sessions if its configuration asks for them.
    pub(crate) fn check_entrants(&self) -> anyhow::Result<()> {
        let start = self.game(0)?.start;
        let entrants = self.entrants.iter().zip(&self.configs);
        let missing = entrants.map(|(entrant, config)| missing_ability(entrant, config, &start));
        let missing = missing.flatten_ok().collect::<anyhow::Result<Vec<_>>>()?;
        ensure!(missing.is_empty(), "{}", missing.join("; "));
        Ok(())
    }

    pub(crate) fn games(&self) -> u64 {
        2 * (self.pair_starts.len() * self.meetings.len()) as u64
    }

    /// Returns the game with a number below [`Self::games`]. Fails if no start of the wanted kind is found.
    pub(crate) fn game(&self, index: u64) -> anyhow::Result<PlannedGame> {
        let (pair, count) = (usize::try_from(index / 2)?, self.meetings.len());
        let ((a, b), number) = (self.meetings[pair % count], pair / count);
        let (stored, seed) = (&self.pair_starts[number], self.seed.wrapping_add(number as u64));
        let start = if let Some(start) = stored.get() {
            start.clone()
        } else {
            let start = self.starts.start(number, seed)?;
            stored.get_or_init(|| start).clone()
        };
        let seats = if index.is_multiple_of(2) { [a, b] } else { [b, a] };
        Ok(PlannedGame { seats, start, seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::starts::StartKind;
    use zeroxor::GameKind;

    use crate::trials::family::GameFamily;

    fn plan(bots: usize, format: Tournament, seed: u64, pairs: u32) -> Plan {
        let bot = |number| Entrant::parse(format!("bot{number}=./bot {number}").into()).unwrap();
        let starts = Starts::Random {
            families: vec![GameFamily::Kind(GameKind::Nim)],
            max_n: 50,
            kind: StartKind::Balanced,
        };
        let configs = vec![MatchConfig::default(); bots];
        Plan::new((0..bots).map(bot).collect(), configs, (format, pairs), starts, seed)
    }

    /// In each pair the seats are swapped, and the start and the seed are equal. Two bots that meet play one pair with
    /// each seed.
    #[test]
    fn pairs_have_swapped_seats_and_equal_seeds() {
        use Tournament::{Gauntlet, RoundRobin};
        for (bots, format, meetings) in
            [(2, RoundRobin, 1), (6, RoundRobin, 15), (2, Gauntlet, 1), (6, Gauntlet, 5)]
        {
            let plan = plan(bots, format, u64::MAX, 3);
            assert_eq!(plan.games(), 2 * 3 * meetings);
            let games = (0..plan.games()).map(|index| plan.game(index).unwrap()).collect_vec();
            for (one, other) in games.iter().tuples() {
                assert_eq!((&one.start, one.seed), (&other.start, other.seed));
                assert_eq!([one.seats[1], one.seats[0]], other.seats);
                assert!(one.seats[0] != one.seats[1] && (format == RoundRobin || one.seats[0] == 0));
            }
            assert!(games.iter().map(|game| (game.seats, game.seed)).all_unique());
        }
    }

    #[test]
    fn the_name_of_a_run_depends_on_its_settings() {
        let run = |bots, format, seed, pairs| plan(bots, format, seed, pairs).run;
        let id = run(3, Tournament::RoundRobin, 1, 5);
        assert_eq!(id.len(), 16);
        assert_eq!(id, run(3, Tournament::RoundRobin, 1, 50), "more pairs are the same run");
        assert_ne!(id, run(4, Tournament::RoundRobin, 1, 5));
        assert_ne!(id, run(3, Tournament::Gauntlet, 1, 5));
        assert_ne!(id, run(3, Tournament::RoundRobin, 2, 5));
    }
}
