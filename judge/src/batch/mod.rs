//! `judge batch`: jobs of another program, judged by several workers. Each result is written as soon as there is one.
//!
//! A thread reads the lines. It reads the next one only when a worker has taken the last one, so that the jobs in memory
//! are those that the workers judge, and one more.

pub(crate) mod answer;
pub(crate) mod job;
pub(crate) mod lines;
mod problems;
pub(crate) mod worker;

use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, anyhow};
use runner::interrupt::{interrupt, interrupted};
use runner::threads;

use crate::batch::answer::{Answer, Answers, LineError};
use crate::batch::job::{Job, NoJob};
use crate::batch::lines::{Line, Lines, MAX_LINE};
use crate::batch::worker::Judging;

pub(crate) use crate::batch::problems::Problems;

/// How the lines of an input were answered.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Number of jobs whose results were there already.
    pub(crate) skipped: u64,
    /// Number of lines that were answered by an error.
    pub(crate) refused: u64,
}

/// A job with the number of its line.
type NumberedJob = (u64, Job);

/// Judges the jobs of `input` in `workers` threads, except those whose ids are in `judged`, and writes the answers.
/// Ends after Ctrl-C without results of the jobs that are being judged.
///
/// # Errors
///
/// If the input cannot be read, an answer cannot be written, or a thread cannot be started.
pub(crate) fn run(
    input: impl Read + Send,
    judged: HashSet<String>,
    workers: u16,
    judging: &Judging<'_>,
    answers: &mut Answers,
) -> anyhow::Result<Summary> {
    let mut summary = Summary::default();
    let answered = thread::scope(|scope| {
        let (to_workers, jobs) = mpsc::sync_channel(0);
        let (sender, results) = mpsc::sync_channel(workers.into());
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..workers {
            let (jobs, sender) = (Arc::clone(&jobs), sender.clone());
            threads::start_scoped(scope, move || work(judging, &jobs, &sender))
                .inspect_err(|_| interrupt())?;
        }
        // The reader learns by it when no worker is left.
        drop(jobs);
        let mut reader = Reader { judged, lines: HashMap::new(), skipped: 0 };
        let (skipped, to_skipped) = (&mut summary.skipped, sender);
        let read = move || {
            reader.read(input, &to_workers, &to_skipped);
            *skipped = reader.skipped;
        };
        threads::start_scoped(scope, read).inspect_err(|_| interrupt())?;
        let write = |answer: io::Result<Answer>| {
            let answer = answer.context("the jobs cannot be read")?;
            summary.refused += u64::from(matches!(answer, Answer::Refused(_)));
            answers.write(&answer)
        };
        // An interrupt ends the other threads, too.
        results.into_iter().try_for_each(write).inspect_err(|_| interrupt())
    });
    answered.map(|()| summary)
}

/// Judges jobs until there are no more.
fn work(
    judging: &Judging<'_>,
    jobs: &Mutex<Receiver<NumberedJob>>,
    answers: &SyncSender<io::Result<Answer>>,
) {
    let mut programs = None;
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok((line, job)) = next() {
        let answer = match judging.judge(&mut programs, &job) {
            _ if interrupted() => break,
            Ok(result) => Answer::Judged(result),
            Err(error) => Answer::Refused(LineError::new(Some(job.id), line, &error)),
        };
        if answers.send(Ok(answer)).is_err() {
            break;
        }
    }
}

/// The reader of the jobs.
struct Reader {
    /// The ids of the jobs that were judged before.
    judged: HashSet<String>,
    /// The line of each id.
    lines: HashMap<String, u64>,
    skipped: u64,
}

impl Reader {
    /// Passes on the jobs to the workers, and answers the other lines.
    fn read(
        &mut self,
        input: impl Read,
        workers: &SyncSender<NumberedJob>,
        answers: &SyncSender<io::Result<Answer>>,
    ) {
        for line in Lines::new(input) {
            // The last line may be cut off by an interrupt.
            if interrupted() {
                break;
            }
            let passed_on = match line.map(|(number, line)| (number, self.job(number, line))) {
                Ok((number, Ok(Some(job)))) => workers.send((number, job)).is_ok(),
                Ok((_, Ok(None))) => true,
                Ok((number, Err(NoJob { id, error }))) => {
                    answers.send(Ok(Answer::Refused(LineError::new(id, number, &error)))).is_ok()
                }
                Err(error) => {
                    let _ = answers.send(Err(error));
                    false
                }
            };
            if !passed_on {
                break;
            }
        }
    }

    /// Returns the job of a line; `None` if it was judged before.
    fn job(&mut self, number: u64, line: Line) -> Result<Option<Job>, NoJob> {
        let Line::Text(line) = line else {
            let error = anyhow!("expected a line of at most {} MiB, got more", MAX_LINE >> 20);
            return Err(NoJob { id: None, error });
        };
        let job = Job::read(&line)?;
        if self.judged.contains(&job.id) {
            self.skipped += 1;
            return Ok(None);
        }
        if let Some(other) = self.lines.insert(job.id.clone(), number) {
            let error = anyhow!("expected another id than that of line {other}, got {:?}", job.id);
            return Err(NoJob { id: Some(job.id), error });
        }
        Ok(Some(job))
    }
}
