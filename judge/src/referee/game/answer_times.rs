//! The times of a bot's answers, as a histogram that stays small.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Number of buckets for each doubling of the time. The longest time of a bucket exceeds the shortest time of the same
/// bucket by at most an eighth.
const PER_DOUBLING: u32 = 8;

/// A histogram of times: a map from the number of a bucket to the number of times in it, which is at least 1. Each of
/// the times from 0 to 7 microseconds has its own bucket; from 8 microseconds on, each doubling has eight buckets. In
/// JSON the histogram is a list of pairs `[bucket, count]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u32, u64)>", into = "Vec<(u32, u64)>")]
pub(crate) struct AnswerTimes(BTreeMap<u32, u64>);

/// Number of the last bucket, which contains the times from 15 * 2^60 microseconds on.
const LAST_BUCKET: u32 = 495;

impl TryFrom<Vec<(u32, u64)>> for AnswerTimes {
    type Error = String;

    fn try_from(buckets: Vec<(u32, u64)>) -> Result<Self, String> {
        let mut least = 0;
        for &(bucket, count) in &buckets {
            if !(least..=LAST_BUCKET).contains(&bucket) {
                return Err(format!(
                    "expected buckets of times between {least} and {LAST_BUCKET}, got {bucket}"
                ));
            } else if count == 0 {
                return Err(format!(
                    "expected at least one time in each bucket, got none in bucket {bucket}"
                ));
            }
            least = bucket + 1;
        }
        Ok(Self(buckets.into_iter().collect()))
    }
}

impl From<AnswerTimes> for Vec<(u32, u64)> {
    fn from(times: AnswerTimes) -> Self {
        times.0.into_iter().collect()
    }
}

impl AnswerTimes {
    pub(crate) fn add(&mut self, time: Duration) {
        let count = self.0.entry(bucket(time)).or_default();
        *count = count.saturating_add(1);
    }

    pub(crate) fn add_all(&mut self, others: &Self) {
        for (&bucket, count) in &others.0 {
            let sum = self.0.entry(bucket).or_default();
            *sum = sum.saturating_add(*count);
        }
    }

    pub(crate) fn count(&self) -> u128 {
        self.0.values().map(|&count| u128::from(count)).sum()
    }

    /// Returns the percentile `per_cent` of the times, rounded up to the longest time of its bucket; `None` if
    /// there are no times.
    pub(crate) fn percentile(&self, per_cent: u64) -> Option<Duration> {
        let total = self.count();
        let mut below = 0;
        self.0.iter().find_map(|(&bucket, &count)| {
            below += u128::from(count);
            (below * 100 >= total * u128::from(per_cent)).then(|| upper_end(bucket))
        })
    }
}

fn bucket(time: Duration) -> u32 {
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let doublings = micros.max(1).ilog2().saturating_sub(PER_DOUBLING.ilog2());
    // The four leading bits of `micros`, a number from 8 to 15, or the whole of `micros` if it is below 8.
    let leading = u32::try_from(micros >> doublings).unwrap_or(0);
    doublings * PER_DOUBLING + leading
}

fn upper_end(bucket: u32) -> Duration {
    let doublings = (bucket / PER_DOUBLING).saturating_sub(1).min(60);
    let leading = u64::from(bucket - doublings * PER_DOUBLING);
    Duration::from_micros(((u128::from(leading + 1) << doublings) - 1).try_into().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_at_most_an_eighth_wide() {
        let mut last = 0;
        for micros in (0..3000).chain((12..64).map(|power| 1 << power)) {
            let time = Duration::from_micros(micros);
            let end = upper_end(bucket(time));
            assert!(bucket(time) >= last && end >= time, "{micros}");
            assert!(end.as_micros() - time.as_micros() <= time.as_micros() / 8, "{micros}: {end:?}");
            last = bucket(time);
        }
    }

    #[test]
    fn percentiles_sums_and_json() {
        let mut times = AnswerTimes::default();
        assert_eq!(times.percentile(50), None);
        (1..=7).for_each(|micros| times.add(Duration::from_micros(micros)));
        assert_eq!(times.percentile(50), Some(Duration::from_micros(4)));
        assert_eq!(times.percentile(100), Some(Duration::from_micros(7)));
        let mut sum = times.clone();
        sum.add_all(&times);
        assert_eq!(sum.percentile(50), times.percentile(50));
        let text = serde_json::to_string(&times).unwrap();
        assert_eq!(text, "[[1,1],[2,1],[3,1],[4,1],[5,1],[6,1],[7,1]]");
        assert_eq!(serde_json::from_str::<AnswerTimes>(&text).unwrap(), times);
        assert_eq!((times.count(), bucket(Duration::MAX)), (7, LAST_BUCKET));
        for wrong in ["[[2,1],[1,1]]", "[[1,1],[1,1]]", "[[1,0]]", "[[496,1]]", "[[1,18446744073709551616]]"]
        {
            assert!(serde_json::from_str::<AnswerTimes>(wrong).is_err(), "{wrong}");
        }
    }
}
