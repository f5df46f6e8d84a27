//! A shard: one slice of a run. The number of the shard comes from the user, or from the Slurm or HyperQueue task in
//! which this program runs.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use anyhow::{Context, bail, ensure};

use crate::units::parse_number;

/// Maximum number of shards of a run.
pub(crate) const MAX_SHARDS: u64 = 1_000_000;

/// One slice of a run whose units are numbered from 0. A unit is a part that is not divided further: a game, a pair of
/// games, or a table.
///
/// Each unit is in exactly one shard. The units form groups of `count` consecutive units. Each group has one unit in
/// each shard. From one group to the next the shards rotate by one. Without the rotation, if every third unit of a run
/// were slow, one of three shards would get all slow units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from 1.
    index: u64,
    /// Number of shards of the run.
    count: u64,
}

impl Shard {
    /// The whole run as a single shard.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Makes the shard `index` of `count`.
    ///
    /// # Errors
    ///
    /// If there is no such shard.
    pub fn new(index: u64, count: u64) -> Result<Self, String> {
        if !(1..=MAX_SHARDS).contains(&count) {
            return Err(format!("expected 1 to {MAX_SHARDS} shards, got {count}"));
        }
        if !(1..=count).contains(&index) {
            return Err(format!("shards are numbered from 1 to {count}, got {index}"));
        }
        Ok(Self { index, count })
    }

    /// Checks whether a unit is in this shard.
    pub fn has(self, unit: u64) -> bool {
        let (group, in_group) = (unit / self.count, unit % self.count);
        (in_group + group % self.count) % self.count == self.index - 1
    }

    /// Returns the number of units in this shard among the first `total` units. Time: O(1).
    pub fn units_of(self, total: u64) -> u64 {
        let groups = total / self.count;
        // In the last, incomplete group, the units go to consecutive shards, starting at the shard of the group's
        // first unit. `offset` is the distance from that shard to this one.
        let offset = (self.index - 1 + self.count - groups % self.count) % self.count;
        groups + u64::from(offset < total % self.count)
    }
}

/// Writes a shard as the user types it: `3/7`.
impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(index, count)| Some((parse_number(index)?, parse_number(count)?)));
        let (index, count) = numbers.ok_or_else(|| "expected I/N, such as 3/7, or auto".to_owned())?;
        Self::new(index, count)
    }
}

/// Returns the shard of the HyperQueue task or Slurm array task in which this program runs. Tasks are numbered from 1.
///
/// `shards` is the number of shards of the run. Slurm reports the number of submitted tasks, which is smaller if only
/// some tasks were submitted. HyperQueue does not report the number. `variable` reads the environment.
///
/// # Errors
///
/// If the program runs in no such task, or the tasks do not match the shards.
pub(crate) fn shard_of_task(
    shards: Option<u64>,
    variable: impl Fn(&str) -> Option<String>,
) -> anyhow::Result<Shard> {
    let number = |name: &str| -> anyhow::Result<Option<u64>> {
        let Some(text) = variable(name) else { return Ok(None) };
        text.parse().map(Some).with_context(|| format!("expected a number in {name}, got {text:?}"))
    };
    // Check HyperQueue first: it also runs within Slurm jobs.
    if let Some(task) = number("HQ_TASK_ID")? {
        let count = shards.context(
            "HyperQueue does not tell a task the number of tasks: add --shards N, as in hq submit --array \
             1-N",
        )?;
        return shard(task, count, "HQ_TASK_ID", "hq submit --array");
    }
    let Some(task) = number("SLURM_ARRAY_TASK_ID")? else {
        bail!(
            "--shard auto takes the number of the shard from Slurm or HyperQueue, but neither \
             SLURM_ARRAY_TASK_ID nor HQ_TASK_ID is set: run this as a task of one of them, or name the \
             shard, as in --shard 3/7"
        )
    };
    let count = match (shards, number("SLURM_ARRAY_TASK_COUNT")?) {
        (Some(shards), _) => shards,
        (None, Some(count)) => {
            let ends = [number("SLURM_ARRAY_TASK_MIN")?, number("SLURM_ARRAY_TASK_MAX")?];
            let expected = [1, count];
            ensure!(
                ends.into_iter().zip(expected).all(|(end, expected)| end.is_none_or(|end| end == expected)),
                "the tasks of this array are not numbered from 1 to {count}: use sbatch --array=1-N, or add --shards N \
                 if only some of the tasks were submitted"
            );
            count
        }
        (None, None) => bail!("SLURM_ARRAY_TASK_COUNT is not set: add --shards N, as in sbatch --array=1-N"),
    };
    shard(task, count, "SLURM_ARRAY_TASK_ID", "sbatch --array")
}

/// Returns the shard of the task with this number. `variable` and `submit` are for the error message: the variable that
/// has the number, and the command that submits the tasks.
fn shard(task: u64, count: u64, variable: &str, submit: &str) -> anyhow::Result<Shard> {
    Shard::new(task, count)
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("{variable} is {task}: number the tasks from 1, as in {submit} 1-{count}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(count: u64) -> impl Iterator<Item = Shard> {
        (1..=count).map(move |index| Shard::new(index, count).unwrap())
    }

    /// Checks that each unit is in exactly one shard, and that the sizes of two shards differ by at most 1.
    #[test]
    fn each_unit_is_in_exactly_one_shard() {
        for count in [1, 2, 3, 7, 64, 1000] {
            for total in [0, 1, 2, 63, 64, 65, 1000, 4099] {
                let units = |shard: Shard| (0..total).filter(|&unit| shard.has(unit)).count() as u64;
                let sizes: Vec<_> = all(count).map(units).collect();
                assert_eq!(sizes.iter().sum::<u64>(), total, "{total} in {count}");
                assert_eq!(sizes, all(count).map(|shard| shard.units_of(total)).collect::<Vec<_>>());
                assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            }
            for unit in (0..2000).chain([u64::MAX - 1, u64::MAX]) {
                assert_eq!(all(count).filter(|shard| shard.has(unit)).count(), 1, "{unit} in {count}");
            }
        }
        assert!((0..100).all(|unit| Shard::WHOLE.has(unit)));
        assert_eq!(Shard::WHOLE.units_of(u64::MAX), u64::MAX);
    }

    /// Checks that units at equal distances are spread evenly over all shards.
    #[test]
    fn periodic_units_are_spread_evenly() {
        for (count, distance) in [(2, 2), (3, 3), (7, 7), (6, 3), (64, 2)] {
            let units = count * count * distance;
            let slow =
                |shard: Shard| (0..units).filter(|&unit| unit % distance == 0 && shard.has(unit)).count();
            assert!(all(count).map(slow).all(|units| units as u64 == count), "{count} {distance}");
        }
    }

    #[test]
    fn shards_as_text() {
        let shard: Shard = "3/7".parse().unwrap();
        assert_eq!((shard, shard.to_string()), (Shard { index: 3, count: 7 }, "3/7".to_owned()));
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        for (text, expected) in [
            ("", "expected I/N"),
            ("3", "expected I/N"),
            ("3/", "expected I/N"),
            ("3/7/8", "expected I/N"),
            ("-1/7", "expected I/N"),
            ("0/7", "numbered from 1 to 7, got 0"),
            ("8/7", "numbered from 1 to 7, got 8"),
            ("1/0", "expected 1 to 1000000 shards, got 0"),
            ("1/1000001", "expected 1 to 1000000 shards"),
            ("1/99999999999999999999", "expected I/N"),
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    fn found(shards: Option<u64>, variables: &[(&str, &str)]) -> Result<String, String> {
        let variable = |name: &str| {
            let value = variables.iter().find(|&&(known, _)| known == name);
            value.map(|&(_, value)| value.to_owned())
        };
        let shard = shard_of_task(shards, variable);
        shard.map(|shard| shard.to_string()).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn tasks_of_slurm() {
        const ID: &str = "SLURM_ARRAY_TASK_ID";
        let array = |id, count, min, max| {
            [
                (ID, id),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_MAX", max),
            ]
        };
        assert_eq!(found(None, &array("3", "7", "1", "7")).unwrap(), "3/7");
        assert_eq!(found(None, &[(ID, "3"), ("SLURM_ARRAY_TASK_COUNT", "7")]).unwrap(), "3/7");
        // Only task 3 was submitted again.
        assert_eq!(found(Some(7), &array("3", "1", "3", "3")).unwrap(), "3/7");
        for (shards, variables, expected) in [
            (None, &array("3", "1", "3", "3")[..], "not numbered from 1 to 1: use sbatch --array=1-N"),
            (None, &array("0", "7", "0", "6"), "not numbered from 1 to 7"),
            (None, &array("1", "4", "1", "7"), "not numbered from 1 to 4"),
            (Some(7), &array("0", "7", "0", "6"), "SLURM_ARRAY_TASK_ID is 0: number the tasks from 1"),
            (Some(7), &array("8", "1", "8", "8"), "shards are numbered from 1 to 7, got 8"),
            (None, &[(ID, "x")], "expected a number in SLURM_ARRAY_TASK_ID, got \"x\""),
            (None, &[(ID, "1")], "SLURM_ARRAY_TASK_COUNT is not set"),
            (None, &[], "neither SLURM_ARRAY_TASK_ID nor HQ_TASK_ID is set"),
        ] {
            let error = found(shards, variables).unwrap_err();
            assert!(error.contains(expected), "{variables:?}: {error}");
        }
    }

    #[test]
    fn tasks_of_hyperqueue() {
        assert_eq!(found(Some(7), &[("HQ_TASK_ID", "3")]).unwrap(), "3/7");
        // A HyperQueue worker that runs inside a Slurm job.
        let within = [("HQ_TASK_ID", "3"), ("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "2")];
        assert_eq!(found(Some(7), &within).unwrap(), "3/7");
        assert!(found(None, &within).unwrap_err().contains("add --shards N, as in hq submit --array 1-N"));
        assert!(found(Some(2), &within).unwrap_err().contains("HQ_TASK_ID is 3"));
    }
}
