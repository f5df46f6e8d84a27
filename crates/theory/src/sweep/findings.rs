//! The findings about one game, such as its period and its rare values, and the bounds of the search.

use std::num::NonZeroU64;

use anyhow::{bail, ensure};
use serde::{Deserialize, Serialize};
use zeroxor::grundy::segment::{Period, SparseSpace};
use zeroxor::grundy::{Budget, TooLarge};

use crate::period_status::ProvenPeriod;

/// The part of the cost of a value, in steps, for each rare heap. The sum of the three parts is about the number of
/// nanoseconds that the games in docs/performance.md need for a value.
const STEPS_FOR_A_RARE: u64 = 4;
/// The part of the cost of a value for each nimber up to the largest.
const STEPS_FOR_A_NIMBER: u64 = 4;
/// The constant part of the cost of a value.
const STEPS_FOR_A_VALUE: u64 = 200;

/// Returns the cost, in steps, of `values` values of a game with `rares` rare heaps and the largest nimber `largest`.
pub(super) fn stream_cost(values: u64, rares: u64, largest: u64) -> u64 {
    values.saturating_mul(rares * STEPS_FOR_A_RARE + largest * STEPS_FOR_A_NIMBER + STEPS_FOR_A_VALUE)
}

/// Number of rare values below which a game may be searched farther than other games.
pub(super) const FEW_RARES: u64 = 100;

/// The bounds of the search for one game.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The largest heap.
    pub to: u64,
    /// The largest heap of a game without a sparse space, if it is less than `to`.
    pub dense_to: Option<u64>,
    /// The largest heap of a game with fewer than 100 rare values, if it is more than `to`.
    pub few_rares_to: Option<u64>,
    /// Maximum number of steps. A step takes about a nanosecond: see [`Budget`].
    pub steps: u64,
    /// Maximum number of bytes of memory.
    pub memory: u64,
}

impl Bounds {
    pub(super) fn budget(&self) -> Budget {
        Budget::new(self.steps.into(), self.memory.into())
    }
}

/// The result of the search for one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The period of the game is proven.
    Solved,
    /// The values up to the largest heap that the bounds allow for a game of this kind show no period.
    Open,
    /// The computed values show no period, and the search ended before the largest heap, mostly because of the bounds
    /// on the cost. The field `stopped_by` of [`Findings`] says why.
    Stopped,
}

/// The findings about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    pub status: Status,
    /// The largest heap whose value is known. For a solved game: the last heap that the proof of its period needs.
    pub n: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pre_period: Option<u64>,
    /// The increase of each value after one period; absent if the values repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) saltus: Option<NonZeroU64>,
    /// The hash of the values that prove the period, as in a certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Number of rare values up to n.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rares: Option<u64>,
    /// The last heap with a rare value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_rare: Option<u64>,
    /// A value is rare if the number of its bits under this mask is even.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mask: Option<u64>,
    /// Whether the rule for rare values alternates: an even number of bits at every second heap, and an odd number at
    /// the other heaps.
    #[serde(default, rename = "by_place", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_by_place: bool,
    /// The largest value, and the first heap with this value.
    pub largest: u64,
    pub(crate) largest_at: u64,
    /// The least number that is not excluded as a period, for a game without a period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) least_period_not_excluded: Option<u64>,
    /// Why the search stopped: the cost of the next values, or the reason why the stream of values has stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stopped_by: Option<String>,
}

impl Status {
    /// Returns the status of a game whose values up to the heap `n` are known, with the search limited to `to`.
    pub(super) fn of(is_solved: bool, n: u64, to: u64) -> Self {
        match is_solved {
            true => Self::Solved,
            false if n < to => Self::Stopped,
            false => Self::Open,
        }
    }
}

impl Findings {
    /// Returns the sort key of a game without a period. Games that are likely to have a period come first: games
    /// with a sparse space before others, then games without a new rare value or a new largest value in the last nine
    /// tenths of the heaps, then games with fewer rare values.
    pub(crate) fn obstacles(&self) -> (bool, bool, u64) {
        let is_late = |at: u64| at > self.n / 10;
        (
            self.rares.is_none(),
            self.last_rare.is_some_and(is_late) || is_late(self.largest_at),
            self.rares.unwrap_or(0),
        )
    }

    /// Estimates the steps to compute the values up to the heap `n`. Without a sparse space, the value of heap m needs
    /// m/2 pairs of heaps, with 0.6 steps for a pair.
    pub(crate) fn steps_to(&self, n: u64) -> u64 {
        match self.rares {
            Some(rares) => stream_cost(n, rares, self.largest),
            None => u64::try_from(u128::from(n).pow(2) * 3 / 20).unwrap_or(u64::MAX),
        }
    }

    /// Makes findings from the values up to the heap `n`, without a period and the other optional facts.
    pub(super) fn of_values(status: Status, n: u64, largest: u64, largest_at: u64) -> Self {
        Self {
            status,
            n,
            period: None,
            pre_period: None,
            saltus: None,
            sha256: None,
            rares: None,
            last_rare: None,
            mask: None,
            is_by_place: false,
            largest,
            largest_at,
            least_period_not_excluded: None,
            stopped_by: None,
        }
    }

    /// Sets the period.
    pub(super) fn with_period(self, proven: Option<ProvenPeriod>) -> Self {
        Self {
            period: proven.map(|proven| proven.period.length),
            pre_period: proven.map(|proven| proven.period.start),
            saltus: proven.and_then(|proven| proven.saltus),
            ..self
        }
    }

    /// Sets the rare values, from the sparse space of the values up to the heap `n`.
    pub(super) fn with_space(self, space: Option<SparseSpace>) -> Self {
        Self {
            rares: space.map(|space| space.rares),
            last_rare: space.map(|space| space.last),
            mask: space.map(|space| space.mask),
            is_by_place: space.is_some_and(|space| space.exchanged.is_some()),
            ..self
        }
    }

    /// Makes the findings of a game whose first values exceed the bounds. Only the value of heap 0 is known, which is
    /// always 0.
    pub(super) fn none(error: &TooLarge) -> Self {
        Self { stopped_by: Some(error.to_string()), ..Self::of_values(Status::Stopped, 0, 0, 0) }
    }

    /// Refuses findings that contradict their status.
    ///
    /// # Errors
    ///
    /// If a solved game has no period or a period that ends after `n`, or an unsolved game has a period.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if self.status == Status::Solved {
            let Some(ProvenPeriod { period: Period { start, length }, .. }) = self.proven() else {
                bail!("expected the keys \"period\" and \"pre_period\", because the status is \"solved\"");
            };
            let end = start.checked_add(length);
            ensure!(
                length > 0 && end.is_some_and(|end| end - 1 <= self.n),
                "expected a period of 1 or more that ends by n = {}, got {length} from n = {start} on",
                self.n
            );
        } else {
            ensure!(
                self.period.is_none(),
                "expected no key \"period\", because the status is not \"solved\""
            );
        }
        Ok(())
    }

    /// Returns the proven period, arithmetic or not.
    pub fn proven(&self) -> Option<ProvenPeriod> {
        let period = Period { start: self.pre_period?, length: self.period? };
        Some(ProvenPeriod { period, saltus: self.saltus })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the order of open games with made-up findings, up to n = 1000.
    #[test]
    fn order_of_open_games() {
        let made_up = |rares: Option<u64>, last_rare: u64, largest_at: u64| Findings {
            rares,
            last_rare: rares.map(|_| last_rare),
            ..Findings::of_values(Status::Open, 1000, 9, largest_at)
        };
        let in_order = [
            made_up(Some(0), 0, 100),
            made_up(Some(7), 100, 100),
            made_up(Some(8), 3, 3),
            made_up(Some(5), 101, 100),
            made_up(Some(6), 100, 101),
            made_up(Some(9), 1000, 1000),
            made_up(None, 0, 100),
            made_up(None, 0, 101),
        ];
        assert!(in_order.is_sorted_by(|a, b| a.obstacles() < b.obstacles()));
    }
}
