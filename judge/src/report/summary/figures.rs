//! The figures of several games: their verdicts and times.

use std::time::Duration;

use serde::Serialize;

use crate::report::verdict_counts::VerdictCounts;
use common::json::ms;
use referee::answer_times::AnswerTimes;
use referee::result::GameResult;
use referee::verdict::Verdict;

/// The verdicts and times of some games.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) verdicts: VerdictCounts,
    /// The verdicts under the strict profile of games that were won only under the contest profile.
    pub(crate) excused: VerdictCounts,
    answers: AnswerTimes,
    slowest_answer: Option<Duration>,
    /// The time of each game, from the header to the end of the process.
    games: Vec<Duration>,
}

impl Figures {
    pub(crate) fn add(&mut self, result: &GameResult) {
        self.verdicts.extend([result.verdict]);
        self.excused.extend(result.excused);
        self.answers.add_all(&result.answer_times);
        self.slowest_answer = self.slowest_answer.max(result.timing.slowest.map(|(_, wait)| wait));
        self.games.push(result.wall);
    }

    pub(crate) fn games(&self) -> u64 {
        self.games.len() as u64
    }

    pub(crate) fn won(&self) -> u64 {
        self.verdicts.count(Verdict::Won)
    }

    /// The times of all answers; `None` if there were none. The percentiles are up to an eighth too long.
    pub(crate) fn answer_times(&self) -> Option<TimeSpread> {
        let max = self.slowest_answer?;
        let time = |per_cent| self.answers.percentile(per_cent).map(|time| time.min(max));
        Some(TimeSpread { p50: time(50)?, p95: time(95)?, p99: time(99)?, max })
    }

    /// The times of the games; `None` if there are none.
    pub(crate) fn game_times(&self) -> Option<TimeSpread> {
        let mut times = self.games.clone();
        times.sort_unstable();
        // The least time that so many per cent do not exceed.
        let time =
            |per_cent: usize| times.get((times.len() * per_cent).div_ceil(100).checked_sub(1)?).copied();
        Some(TimeSpread { p50: time(50)?, p95: time(95)?, p99: time(99)?, max: time(100)? })
    }
}

/// The median of some times, what 95 and 99 per cent of them do not exceed, and the longest, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TimeSpread {
    #[serde(serialize_with = "in_ms")]
    pub(crate) p50: Duration,
    #[serde(serialize_with = "in_ms")]
    pub(crate) p95: Duration,
    #[serde(serialize_with = "in_ms")]
    pub(crate) p99: Duration,
    #[serde(serialize_with = "in_ms")]
    pub(crate) max: Duration,
}

pub(super) fn in_ms<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(ms(*time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_games() {
        let spread = |ms: &[u64]| {
            let games = ms.iter().map(|&ms| Duration::from_millis(ms)).collect();
            let times = Figures { games, ..Figures::default() }.game_times()?;
            Some([times.p50, times.p95, times.p99, times.max].map(|time| time.as_millis()))
        };
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[7]), Some([7, 7, 7, 7]));
        assert_eq!(spread(&[4, 1, 3, 2]), Some([2, 4, 4, 4]));
        let hundred: Vec<u64> = (1..=100).rev().collect();
        assert_eq!(spread(&hundred), Some([50, 95, 99, 100]));
    }
}
