//! `judge batch`: judges jobs that another program writes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use runner::interrupt;
use runner::message::print_error;
use runner::sandbox::Sandbox;

use crate::batch::answer::AnswerWriter;
use crate::batch::problems::Problems;
use crate::batch::worker::Judging;
use crate::batch::{self, Interruptible};
use crate::cli::options::jobs_or_processors;
use crate::guards::{self, MachineGuards};
use crate::output;
use crate::settings::Settings;
use crate::text::{counted, open_input};
use crate::trials::parallel::ExclusiveRerun;
use crate::units::number_in;

/// Judge jobs of another program: a JSON object on each line in, and one on each line out
#[derive(Debug, Args)]
#[command(after_help = "\
A job is a bot and what it is judged by, a problem or a game; docs/json.md has all keys:
  {\"id\": \"a1\", \"problem\": \"guess/\", \"source\": {\"language\": \"cpp\", \"code\": \"...\"}}
  {\"id\": \"a2\", \"problem\": {\"interactor\": \"i.cpp\", \"inputs\": \"tests/\"}, \"source\": {\"path\": \"bot.py\"}}
  {\"id\": \"a3\", \"game\": \"20 3 5\", \"source\": {\"command\": [\"python3\", \"bot.py\"]}}
The result of a job is written when it is judged, and a line that is no job is answered with an error.

Examples:
  judge batch jobs.jsonl --output results.jsonl   started again, it judges only what is missing
  generate_jobs | judge batch -j 4 | analyse

Exit codes:
  0    each job was judged, whatever its verdict
  1    some lines were answered with an error
  2    wrong usage, a guard of --sandbox is missing, or the judge could not continue
  130  the judge was interrupted")]
pub(crate) struct BatchArgs {
    /// The file with the jobs; "-" is stdin
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,

    /// How many jobs to judge at the same time [default: the number of processors]
    #[arg(short, long, value_name = "J", value_parser = number_in(1_u16..=1024))]
    jobs: Option<u16>,

    /// Append the results to FILE, and skip the jobs whose results it has
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Which guards each bot has: those that this machine has, all, or none. Without =GUARDS, all are needed
    #[arg(long, value_enum, value_name = "GUARDS", num_args = 0..=1, require_equals = true,
        default_value = "best", default_missing_value = "all")]
    sandbox: Sandbox,

    /// Put interactors and checkers into the sandbox too: they can write files only in their own folder
    #[arg(long, value_enum, value_name = "GUARDS", num_args = 0..=1, require_equals = true,
        default_value = "none", default_missing_value = "all", hide_default_value = true)]
    interactor_sandbox: Sandbox,

    /// Give each program in the sandbox new process numbers in each run, by a process namespace
    #[arg(long)]
    fresh: bool,
}

impl BatchArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let output = self.output.as_deref().filter(|path| *path != Path::new("-"));
        output::ensure_different_files([("FILE", Some(&*self.file)), ("--output", output)])?;
        let guards = MachineGuards::find()?;
        let sandboxes = [self.sandbox, self.interactor_sandbox];
        if sandboxes.contains(&Sandbox::All) {
            guards.ensure_complete()?;
        } else if sandboxes.contains(&Sandbox::Best) {
            guards.report_missing();
        }
        if self.fresh {
            guards::ensure_fresh()?;
        }
        let input = interrupt::run_interruptibly(|| open_input(&self.file));
        let input = input.with_context(|| format!("{} cannot be opened", self.file.display()))?;
        let (mut answers, judged) = AnswerWriter::open(output)?;
        let jobs = jobs_or_processors(self.jobs);
        let judging = Judging {
            // What judge.toml names is not what a job names.
            settings: &settings.without_subject(),
            sandbox: self.sandbox,
            interactor_sandbox: self.interactor_sandbox,
            fresh: self.fresh,
            guards: guards.names(self.sandbox, settings.limits.limits),
            problems: Problems::default(),
            rerun: ExclusiveRerun::default(),
        };
        let (skipped, refused) = batch::run(Interruptible(input), judged, jobs, &judging, &mut answers)?;
        if interrupt::interrupted() {
            print_error(format_args!("interrupted, so not all jobs were judged"));
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        if let Some(path) = output.filter(|_| skipped > 0) {
            print_error(format_args!("skipped {}, which {} has", counted(skipped, "result"), path.display()));
        }
        Ok(ExitCode::from(u8::from(refused > 0)))
    }
}
