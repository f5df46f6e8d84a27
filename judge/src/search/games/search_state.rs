//! The state of a search: what its summary needs of the games that have been played.

use std::collections::BTreeMap;

use crate::conversation::verdict::Verdict;
use crate::referee::game::setup::GameSetup;
use crate::report::run::RunReport;
use crate::search::games::size::PlayedGame;

/// The games that a search has played.
#[derive(Default)]
pub(crate) struct SearchState {
    pub(crate) played: BTreeMap<u64, PlayedGame>,
    /// The games that were not won, with their verdicts.
    pub(crate) failures: BTreeMap<u64, Verdict>,
    /// The games that were won only under the contest profile, with their verdicts under the strict profile.
    pub(crate) excused: BTreeMap<u64, Verdict>,
    /// The first game that was not won.
    pub(crate) first: Option<(u64, RunReport)>,
    /// The slowest answer, in milliseconds.
    pub(crate) slowest_ms: Option<f64>,
    /// The size of the largest start.
    pub(crate) largest: u64,
}

impl SearchState {
    /// Adds a game of the plan that has been played.
    pub(crate) fn add(&mut self, index: u64, game: &GameSetup, report: &RunReport) {
        let slowest_ms = report.review.as_ref().and_then(|review| review.slowest_ms);
        let played = PlayedGame { size: game.header.game().size(), slowest_ms };
        self.played.insert(index, played);
        self.largest = self.largest.max(played.size);
        self.slowest_ms = self.slowest_ms.into_iter().chain(played.slowest_ms).reduce(f64::max);
        self.excused.extend(report.excused().map(|verdict| (index, verdict)));
        if report.verdict != Verdict::Won {
            self.failures.insert(index, report.verdict);
            if self.first.as_ref().is_none_or(|&(first, _)| index < first) {
                self.first = Some((index, report.clone()));
            }
        }
    }

    /// Removes the games after the first game that was not won. Other jobs may have played such games at the same time,
    /// but the result must be the same with any number of jobs.
    pub(crate) fn end_at_first_failure(&mut self) {
        if let Some((first, _)) = self.first {
            self.played.retain(|&index, _| index <= first);
            self.failures.retain(|&index, _| index <= first);
            self.excused.retain(|&index, _| index <= first);
        }
    }
}
