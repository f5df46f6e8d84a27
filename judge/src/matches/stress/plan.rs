//! The plan of a search: which games are played, by their numbers.

use clap::ValueEnum;
use zeroxor::GameSpec;

use super::family::{self, GameFamily};
use crate::referee::setup::{GameHeader, GameSetup, OpponentKind};

/// The games of a search, numbered from 0: every small start against every opponent, then random larger ones.
///
/// Game k depends only on the seed and on k, so the games are the same with any number of jobs.
pub(crate) struct Plan {
    family: GameFamily,
    max_n: u64,
    seed: u64,
    small: Vec<GameSpec>,
}

impl Plan {
    pub(crate) fn new(family: GameFamily, max_n: u64, seed: u64) -> Self {
        Self { family, max_n, seed, small: family.small(max_n) }
    }

    pub(crate) fn game(&self, index: u64) -> GameSetup {
        let seed = self.seed.wrapping_add(index);
        let opponents = OpponentKind::value_variants();
        let count = opponents.len() as u64;
        #[expect(clippy::cast_possible_truncation, reason = "less than the number of opponents")]
        let opponent = opponents[(index % count) as usize];
        let small = usize::try_from(index / count).ok().and_then(|start| self.small.get(start));
        let game =
            small.cloned().unwrap_or_else(|| self.family.random(self.max_n, &mut family::start_rng(seed)));
        GameSetup::new(GameHeader::new(game, None), opponent, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_starts_are_played_against_every_opponent_first() {
        let plan = Plan::new(GameFamily::Segment, 2000, 7);
        for (index, &opponent) in OpponentKind::value_variants().iter().enumerate() {
            let GameSetup { header, opponent: against, seed, .. } = plan.game(index as u64);
            assert_eq!((header.text(), against, seed), ("1 1 1", opponent, 7 + index as u64));
        }
        assert_eq!(plan.game(1319).header.text(), "10 10 10");
        assert_eq!(
            plan.game(1320).header.game(),
            &GameFamily::Segment.random(2000, &mut family::start_rng(1327))
        );
        assert_eq!(plan.game(5000), Plan::new(GameFamily::Segment, 2000, 7).game(5000));
        assert_ne!(plan.game(5000).header, Plan::new(GameFamily::Segment, 2000, 8).game(5000).header);
    }
}
