//! Verdicts, counted for a summary.

use std::collections::BTreeMap;
use std::fmt;

use itertools::Itertools;
use serde::Serialize;

use crate::conversation::verdict::Verdict;

/// The number of games with each verdict, written as `3 EXTRA_OUTPUT, 16 NO_EXIT`.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct VerdictCounts(BTreeMap<Verdict, u64>);

impl VerdictCounts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of games with this verdict.
    pub(crate) fn count(&self, verdict: Verdict) -> u64 {
        self.0.get(&verdict).copied().unwrap_or(0)
    }

    /// Returns the counts without the games that were won.
    pub(crate) fn not_won(&self) -> Self {
        Self(
            self.0
                .iter()
                .map(|(&verdict, &count)| (verdict, count))
                .filter(|&(verdict, _)| verdict != Verdict::Won)
                .collect(),
        )
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
