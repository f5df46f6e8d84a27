//! Verdicts, counted for a summary.

use std::collections::BTreeMap;
use std::fmt;

use itertools::Itertools;
use runner::escape::printable;
use serde::Serialize;

use crate::conversation::verdict::Verdict;
use crate::text::{counted, shortened};

/// The number of runs with each verdict, written as `3 EXTRA_OUTPUT, 16 NO_EXIT`.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct VerdictCounts(BTreeMap<Verdict, u64>);

/// The noun of what is counted, and the word for its success.
type Counted = (&'static str, &'static str);

pub(crate) const GAMES: Counted = ("game", "won");
pub(crate) const RUNS: Counted = ("run", "accepted");

impl VerdictCounts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn count(&self, verdict: Verdict) -> u64 {
        self.0.get(&verdict).copied().unwrap_or(0)
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub(crate) fn successes(&self) -> u64 {
        let successes = self.0.iter().filter(|(verdict, _)| verdict.is_success());
        successes.map(|(_, count)| count).sum()
    }

    pub(crate) fn all_succeeded(&self) -> bool {
        self.successes() == self.total()
    }

    /// Returns how many of a bot's games or runs succeeded, and with `has_others` the other verdicts of several.
    pub(crate) fn summary(&self, bot: &str, (noun, success): Counted, has_others: bool) -> String {
        let (bot, total) = (printable(&shortened(bot)), self.total());
        let mut summary = format!("{bot}: {} of {} {success}", self.successes(), counted(total, noun));
        if has_others && total > 1 && !self.all_succeeded() {
            let others = self.0.iter().filter(|(verdict, _)| !verdict.is_success());
            let others = Self(others.map(|(&verdict, &count)| (verdict, count)).collect());
            summary += &format!("; not {success}: {others}");
        }
        summary
    }
}

impl Extend<Verdict> for VerdictCounts {
    fn extend<I: IntoIterator<Item = Verdict>>(&mut self, verdicts: I) {
        for verdict in verdicts {
            *self.0.entry(verdict).or_default() += 1;
        }
    }
}

impl FromIterator<Verdict> for VerdictCounts {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut counts = Self::default();
        counts.extend(verdicts);
        counts
    }
}

impl fmt::Display for VerdictCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.iter().map(|(verdict, count)| format!("{count} {verdict}"));
        write!(f, "{}", counts.format(", "))
    }
}
