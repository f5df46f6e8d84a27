//! The games of a search, and how they are played.

use std::path::PathBuf;

use clap::ValueEnum;
use itertools::{Itertools, iproduct};
use zeroxor::GameSpec;

use crate::config::MatchConfig;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::report::transcript::{GameLog, StderrFiles};
use crate::search::CandidateSource;
use crate::search::shrinker::Runner;
use crate::trials::family::{GameFamily, StartRng};
use crate::trials::parallel::ExclusiveRerun;
use crate::trials::session::BotSession;

pub(crate) struct GameSearch {
    pub(crate) plan: SearchPlan,
    pub(crate) config: MatchConfig,
    /// The folder for the bot's stderr.
    pub(crate) stderr: Option<PathBuf>,
    pub(crate) rerun: ExclusiveRerun,
}

impl CandidateSource for GameSearch {
    type Candidate = GameSetup;
    type Run = FinishedGame;

    fn candidate(&self, number: u64) -> anyhow::Result<GameSetup> {
        Ok(self.plan.game(number))
    }

    fn runner(&self, is_shrinking: bool) -> anyhow::Result<Runner<'_, GameSetup, FinishedGame>> {
        let mut log: Vec<Box<dyn GameLog>> = Vec::new();
        if let Some(folder) = self.stderr.as_ref().filter(|_| !is_shrinking) {
            log.push(Box::new(StderrFiles::new(folder)?));
        }
        let mut session = BotSession::new("the bot", self.config.clone(), u64::MAX)?;
        Ok(Box::new(move |setup| {
            let play = |repeat| session.play(GameSetup { repeat, ..setup.clone() }, &mut log);
            self.rerun.play(play, |game| game.result.doubtful).map(Some)
        }))
    }
}

/// The games of a search, numbered from 0: first the extreme starts, then groups of three games, two with small starts
/// and one with a larger start. Every extreme start and every small start is played against every opponent.
///
/// Game k depends only on k and on the arguments of `SearchPlan::new`, so the games are the same with any number of jobs.
pub(crate) struct SearchPlan {
    families: Vec<GameFamily>,
    max_n: u64,
    seed: u64,
    /// Every extreme start once, then every start against its next opponent, and so on.
    extremes: Vec<Pairing>,
    /// The first small start against every opponent, then the second, and so on.
    small: Vec<Pairing>,
}

type Pairing = (GameSpec, OpponentKind);

impl SearchPlan {
    /// Plans games of these families with sizes of at most `max_n`. Game k has the seed `seed` + k.
    pub(crate) fn new(families: &[GameFamily], max_n: u64, seed: u64) -> Self {
        let families = families.iter().copied().unique().collect_vec();
        let extremes = families.iter().flat_map(|family| family.extremes(max_n)).unique().collect_vec();
        // The first small start of each family, then the second one of each, and so on.
        let small = families.iter().flat_map(|family| family.small(max_n).into_iter().enumerate());
        let small = small.sorted_by_key(|&(at, _)| at).map(|(_, start)| start);
        let small = small.filter(|start| !extremes.contains(start));
        let opponents = OpponentKind::value_variants();
        let small = iproduct!(small, opponents.iter().copied()).collect();
        let rounds = iproduct!(0..opponents.len(), extremes.iter().enumerate());
        let extremes = rounds
            .map(|(round, (at, start))| (start.clone(), opponents[(round + at) % opponents.len()]))
            .collect();
        Self { families, max_n, seed, extremes, small }
    }

    pub(crate) fn game(&self, index: u64) -> GameSetup {
        let seed = self.seed.wrapping_add(index);
        let (start, opponent) = self.listed(index).unwrap_or_else(|| self.random(index, seed));
        GameSetup::new(GameHeader::new(start, None), opponent, seed)
    }

    /// Returns the extreme or small start of a game, and its opponent; `None` if the start is random.
    fn listed(&self, index: u64) -> Option<Pairing> {
        let count = (self.extremes.len() / OpponentKind::value_variants().len()) as u64;
        let (pairings, number) = match index.checked_sub(count).map(|index| (index / 3, index % 3)) {
            None => (&self.extremes, index),
            Some((round, 2)) if round % 2 == 0 => (&self.extremes, count.saturating_add(round / 2)),
            Some((_, 2)) => return None,
            Some((round, turn)) => (&self.small, round * 2 + turn),
        };
        pairings.get(usize::try_from(number).ok()?).cloned()
    }

    fn random(&self, index: u64, seed: u64) -> Pairing {
        let mut rng = StartRng::new(seed);
        // Until all small starts have been played, only one game in six has a random start. So the family changes after
        // six games.
        let turn = index / 6 % self.families.len().max(1) as u64;
        let family = usize::try_from(turn).ok().and_then(|turn| self.families.get(turn));
        let start = family.unwrap_or(&GameFamily::SEGMENT).random(self.max_n, &mut rng);
        let opponents = OpponentKind::value_variants();
        (start, rng.choose(opponents).unwrap_or(OpponentKind::Perfect))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use zeroxor::GameKind;

    use super::*;

    /// The extreme starts come first, with changing opponents. Then every two small starts are followed by a larger
    /// one.
    #[test]
    fn sizes_are_interleaved() {
        let plan = SearchPlan::new(&[GameFamily::SEGMENT], 2000, 7);
        let games = (0..13).map(|index| plan.game(index));
        let games = games.map(|game| format!("{} {}", game.header, game.opponent.name()));
        let expected = [
            "2000 1 1 perfect",
            "2000 1 2000 random",
            "2000 2 2 greedy",
            "2000 3 3 slow",
            "2000 2000 2000 mirror",
            "1 1 1 stubborn",
            "1997 2 2 perfect",
            "1048 3 3 random",
            "2 1 1 perfect",
            "2 1 1 random",
            "2000 1 1 random",
            "2 1 1 greedy",
            "2 1 1 slow",
        ];
        assert_eq!(games.collect_vec(), expected);
        let random = GameFamily::SEGMENT.random(2000, &mut StartRng::new(7 + 13));
        assert_eq!(plan.game(13).header.game(), &random);
        assert_eq!(plan.game(u64::MAX).seed, 6);
    }

    /// Several families take turns among the small and the random starts.
    #[test]
    fn several_families() {
        let families = [GameFamily::Kind(GameKind::Nim), GameFamily::SEGMENT];
        let plan = SearchPlan::new(&families, 2000, 7);
        let extremes = families.iter().flat_map(|family| family.extremes(2000)).collect_vec();
        let starts = |indices: std::ops::Range<u64>| {
            indices.map(|index| plan.game(index).header.game().clone()).collect_vec()
        };
        let count = extremes.len() as u64;
        assert_eq!(starts(0..count), extremes);
        let small: HashSet<_> = starts(count..count + 60).iter().map(GameSpec::to_string).collect();
        assert!(small.contains("nim 2") && small.contains("segment 2 1 1"), "{small:?}");
        let random = starts(100_000..100_012);
        assert_eq!(random.iter().filter(|start| start.name() == "nim").count(), 6, "{random:?}");
    }

    /// With one family, 3000 games include every extreme and every small start against every opponent. The tables that
    /// find the extreme starts need most of the time, so the test takes these starts from the plan and ends at size
    /// 100.
    #[test]
    fn every_start_meets_every_opponent() {
        for &family in GameFamily::value_variants() {
            for max_n in [1, 2, 7, 100] {
                let plan = SearchPlan::new(&[family], max_n, 1);
                let games = (0..3000).map(|index| plan.game(index));
                let played: HashSet<_> =
                    games.map(|game| (game.header.game().clone(), game.opponent)).collect();
                for start in plan.extremes.iter().map(|(start, _)| start).chain(&family.small(max_n)) {
                    for &opponent in OpponentKind::value_variants() {
                        assert!(played.contains(&(start.clone(), opponent)), "{start} {opponent:?}");
                    }
                }
            }
        }
    }
}
