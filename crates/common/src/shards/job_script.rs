//! Scripts with which a scheduler does a run in shards.

use clap::ValueEnum;

use crate::escape::shell_word;
use crate::shards::{RunLabel, with_option};

/// A program that starts tasks on one or more machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scheduler {
    /// Slurm: an array of tasks, for sbatch
    Slurm,
    /// HyperQueue: an array of tasks, for hq submit
    Hq,
    /// GNU parallel: a program that runs it
    Parallel,
}

/// A run as a script for a scheduler.
#[derive(Clone, Debug)]
pub(crate) struct JobScript<'a> {
    pub(crate) scheduler: Scheduler,
    /// The path of the judge's program.
    pub(crate) judge: &'a str,
    pub(crate) label: &'a RunLabel,
    /// The command of the run without the shards.
    pub(crate) command: &'a str,
    pub(crate) shards: u64,
    /// How many games a task plays at the same time.
    pub(crate) jobs: u16,
}

/// What follows the start of the judge in the background: a signal to the script is one to the judge.
const WAIT: &str = r#"judge_id=$!
# A signal ends "wait" early.
while signalled=; wait "$judge_id"; code=$?; [ "$signalled" ]; do :; done
"#;

impl JobScript<'_> {
    /// The script, for bash.
    pub(crate) fn text(&self) -> String {
        match self.scheduler {
            Scheduler::Slurm => self.slurm(),
            Scheduler::Hq => self.hq(),
            Scheduler::Parallel => self.parallel(),
        }
    }

    /// What all scripts begin with.
    fn head(&self, how: &str) -> String {
        let (run, shards) = (&self.label.run, self.shards);
        // A line of the script, whatever is in the command.
        let command = self.command.replace('\n', " ");
        format!(
            "#!/bin/bash\n\
             # The run {run} in {shards} shards:\n\
             #   {command}\n\
             # {how}\n\
             # A task that is complete does nothing when it is started again. When all are:\n\
             #   judge merge judge-{run}/*.jsonl --output judge-{run}.jsonl\n"
        )
    }

    /// The variables of a script: the path of the judge, and the folder of the results, which it creates.
    fn set_up(&self) -> String {
        let judge = shell_word(self.judge).unwrap_or_default();
        format!("\njudge={judge}\nresults=judge-{}\nmkdir -p \"$results\"\n", self.label.run)
    }

    fn task(&self, shard: &str, name: &str) -> String {
        let options = format!("--shard {shard} --checkpoint \"$results/{name}.jsonl\" --jobs {}", self.jobs);
        let command = with_option(self.command, &options);
        format!("\"$judge\" {}", command.strip_prefix("judge ").unwrap_or(&command))
    }

    fn slurm(&self) -> String {
        let Self { shards, jobs, label: RunLabel { run, .. }, .. } = self;
        let head = self.head(
            "Submit it:            sbatch FILE\n\
             # Some tasks again:     sbatch --array=3,5 FILE",
        );
        let task = self.task(&format!("auto --shards {shards}"), "$SLURM_ARRAY_TASK_ID");
        let set_up = self.set_up();
        format!(
            r#"{head}#SBATCH --job-name=judge-{run}
#SBATCH --array=1-{shards}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={jobs}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@60
{set_up}
# USR1 comes a minute before the time limit, TERM when the task has to leave its node. Both let the judge end, which has
# its results in the checkpoint. After USR1 the task is put into the queue again, and continues from there.
trap 'signalled=1 requeue=1; kill -TERM "$judge_id"' USR1
trap 'signalled=1; kill -TERM "$judge_id"' TERM INT
{task} &
{WAIT}case $code in
    0 | 1) exit 0 ;; # done; what was found is in the results
    75) [ -z "$requeue" ] || scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID" ;;
esac
exit "$code"
"#
        )
    }

    fn hq(&self) -> String {
        let Self { shards, jobs, label: RunLabel { run, .. }, .. } = self;
        let head = self.head(
            "Submit it:            chmod +x FILE.sh; hq submit FILE.sh\n\
             # Some tasks again:     hq submit --array=3,5 FILE.sh",
        );
        let task = self.task(&format!("auto --shards {shards}"), "$HQ_TASK_ID");
        let set_up = self.set_up();
        format!(
            r#"{head}#HQ --name judge-{run}
#HQ --array 1-{shards}
#HQ --cpus {jobs}
#HQ --crash-limit 100
{set_up}
# A task whose worker is lost is started again on another one, and continues from its checkpoint.
trap 'signalled=1; kill -TERM "$judge_id"' TERM INT
{task} &
{WAIT}# 0 and 1: done; what was found is in the results.
[ "$code" != 1 ] || code=0
exit "$code"
"#
        )
    }

    fn parallel(&self) -> String {
        let shards = self.shards;
        let head = self.head(
            "Run it, again after any end:   bash FILE\n\
             # On more machines with these files:   bash FILE --sshlogin node1,node2",
        );
        let task = self.task(&format!("\"$1/{shards}\""), "$1");
        let set_up = self.set_up();
        let jobs = 100 / self.jobs.clamp(1, 100);
        format!(
            r#"{head}{set_up}
task() {{
    {task} >"$results/$1.log"
    local code=$?
    # 0 and 1: done; what was found is in the results.
    [ "$code" != 1 ] || code=0
    return "$code"
}}
export judge results
export -f task
# What is in the joblog and has not failed is not started again.
exec parallel --joblog "$results/joblog" --resume --resume-failed --jobs {jobs}% --termseq TERM,10000,KILL,25 \
    --env judge --env results --env task --workdir . "$@" task ::: {{1..{shards}}}
"#
        )
    }
}
