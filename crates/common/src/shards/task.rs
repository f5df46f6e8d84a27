//! The task as which an engine has started this judge: the engine tells it by environment variables.

use anyhow::{Context, bail, ensure};

use super::shard::Shard;

/// The shard of the task as which this judge was started, by HyperQueue or as a task of an array by Slurm. Tasks are
/// numbered from 1.
///
/// `shards` is how many shards the run has. Slurm tells how many tasks were submitted, which is the same unless only
/// some of them were; HyperQueue does not tell. `variable` is the environment.
///
/// # Errors
///
/// If no engine has started this judge, or its tasks are no shards.
pub(crate) fn shard_of_task(
    shards: Option<u64>,
    variable: impl Fn(&str) -> Option<String>,
) -> anyhow::Result<Shard> {
    let number = |name: &str| -> anyhow::Result<Option<u64>> {
        let Some(text) = variable(name) else { return Ok(None) };
        text.parse().map(Some).with_context(|| format!("expected a number in {name}, got {text:?}"))
    };
    // HyperQueue first: it also runs within jobs of Slurm.
    if let Some(task) = number("HQ_TASK_ID")? {
        let count = shards.context(
            "HyperQueue does not tell a task how many there are: add --shards N, as in hq submit --array 1-N",
        )?;
        return shard(task, count, "HQ_TASK_ID", "hq submit --array");
    }
    let Some(task) = number("SLURM_ARRAY_TASK_ID")? else {
        bail!(
            "--shard auto takes the number of the shard from Slurm or HyperQueue, and neither SLURM_ARRAY_TASK_ID nor \
             HQ_TASK_ID is set: start the judge by one of them, or name the shard, as in --shard 3/7"
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

/// The shard of a task with this number.
fn shard(task: u64, count: u64, variable: &str, submit: &str) -> anyhow::Result<Shard> {
    Shard::new(task, count)
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("{variable} is {task}: number the tasks from 1, as in {submit} 1-{count}"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Task 3 alone was submitted again.
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
        // A worker inside a job of Slurm.
        let within = [("HQ_TASK_ID", "3"), ("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "2")];
        assert_eq!(found(Some(7), &within).unwrap(), "3/7");
        assert!(found(None, &within).unwrap_err().contains("add --shards N, as in hq submit --array 1-N"));
        assert!(found(Some(2), &within).unwrap_err().contains("HQ_TASK_ID is 3"));
    }
}
