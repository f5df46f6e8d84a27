//! The plan of several games: which bot plays which start against whom, by the number of the game.

use std::sync::Arc;

use anyhow::Context;

use super::stress::family::{GameFamily, start_rng};
use crate::referee::setup::{GameHeader, GameSetup, MoveLine, OpponentKind};

/// The largest size of a random start: the contest's limit.
const MAX_N: u64 = 2000;

/// Starts, each of which every bot plays against every opponent.
pub(crate) struct MatchPlan {
    /// The start of all games; `None` if each seed has a random start of its own.
    pub(crate) header: Option<GameHeader>,
    /// The families of the random starts, in turn.
    pub(crate) families: Vec<GameFamily>,
    /// How many starts or seeds there are.
    pub(crate) starts: u64,
    /// The seed of the first.
    pub(crate) seed: u64,
    pub(crate) opponents: Vec<OpponentKind>,
    /// The opponent's first moves.
    pub(crate) line: Arc<MoveLine>,
    /// How many bots there are.
    pub(crate) bots: usize,
}

/// A game to be played.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fixture {
    /// The number of the bot.
    pub(crate) bot: usize,
    pub(crate) setup: GameSetup,
}

impl MatchPlan {
    /// How many games there are.
    ///
    /// # Errors
    ///
    /// If they or their seeds are more than can be numbered.
    pub(crate) fn games(&self) -> anyhow::Result<u64> {
        let max = u64::MAX;
        self.seed.checked_add(self.starts - 1).with_context(|| {
            format!("expected seeds of at most {max}, but the seed of the last game would be larger")
        })?;
        let games = self.starts.checked_mul(self.opponents.len() as u64);
        let games = games.and_then(|games| games.checked_mul(self.bots as u64));
        games.with_context(|| {
            format!("expected at most {max} games, but against all opponents there would be more")
        })
    }

    /// Game `index`: first come all games of the first start, those of all bots against the first opponent before
    /// those against the next one.
    pub(crate) fn game(&self, index: u64) -> Fixture {
        let (index, bot) = split(index, self.bots);
        let (start, opponent) = split(index, self.opponents.len());
        let (_, family) = split(start, self.families.len());
        let seed = self.seed.wrapping_add(start);
        let header = self.header.clone().unwrap_or_else(|| {
            GameHeader::new(self.families[family].random(MAX_N, &mut start_rng(seed)), None)
        });
        let line = self.line.to_vec();
        Fixture { bot, setup: GameSetup { line, ..GameSetup::new(header, self.opponents[opponent], seed) } }
    }
}

/// The quotient and the remainder of a number and a count that is not 0.
fn split(number: u64, count: usize) -> (u64, usize) {
    let count = count as u64;
    // The remainder is less than the count.
    (number / count, usize::try_from(number % count).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(header: Option<&str>, starts: u64, seed: u64) -> MatchPlan {
        MatchPlan {
            header: header.map(|header| header.parse().unwrap()),
            families: vec![GameFamily::Nim, GameFamily::Euclid],
            starts,
            seed,
            opponents: vec![OpponentKind::Slow, OpponentKind::Greedy],
            line: Arc::default(),
            bots: 2,
        }
    }

    #[test]
    fn every_bot_meets_every_opponent_at_every_start() {
        let plan = plan(Some("6 1 2"), 2, 5);
        let games: Vec<_> = (0..plan.games().unwrap())
            .map(|index| plan.game(index))
            .map(|Fixture { bot, setup }| (setup.seed, setup.opponent.name(), bot))
            .collect();
        assert_eq!(
            games,
            [
                (5, "slow", 0),
                (5, "slow", 1),
                (5, "greedy", 0),
                (5, "greedy", 1),
                (6, "slow", 0),
                (6, "slow", 1),
                (6, "greedy", 0),
                (6, "greedy", 1)
            ]
        );
    }

    #[test]
    fn random_starts_of_each_family_in_turn() {
        let plan = plan(None, 4, 1);
        let starts: Vec<_> = (0..16).map(|index| plan.game(index).setup.header).collect();
        assert!(starts.chunks(4).all(|games| games.iter().all(|start| *start == games[0])), "{starts:?}");
        let families: Vec<_> = starts.iter().step_by(4).map(|start| start.game().name()).collect();
        assert_eq!(families, ["nim", "euclid", "nim", "euclid"]);
    }

    #[test]
    fn too_many_games() {
        assert_eq!(plan(None, 4, u64::MAX - 3).games().unwrap(), 16);
        assert!(plan(None, 4, u64::MAX - 2).games().is_err());
        assert!(plan(None, u64::MAX / 2, 1).games().is_err());
    }
}
