//! `judge batch`: jobs of another program, judged by several workers. Each result is written as soon as there is one.
//!
//! A worker reads a line when it has judged its last job, so that only the jobs that are being judged are in memory.

pub(crate) mod answer;
pub(crate) mod job;
mod output;
pub(crate) mod problems;
pub(crate) mod worker;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use runner::interrupt::{interrupt, interrupted};
use runner::threads;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::batch::answer::{AnswerWriter, LineAnswer, LineError};
use crate::batch::job::Job;
use crate::batch::worker::Judging;
use crate::text::without_byte_order_mark;

/// Judges the jobs of `input` in `workers` threads, except those whose ids are in `judged`, and writes the answers.
/// Returns how many of them were skipped, and how many lines were answered by an error. Ends after Ctrl-C without results
/// of the jobs that are being judged. Fails if the input cannot be read, an answer cannot be written, or a thread cannot be
/// started.
pub(crate) fn run(
    input: impl Read + Send,
    judged: HashSet<String>,
    workers: u16,
    judging: &Judging<'_>,
    answers: &mut AnswerWriter,
) -> anyhow::Result<(u64, u64)> {
    let mut refused = 0;
    let input = BufReader::with_capacity(1 << 16, input);
    let jobs = Mutex::new(Jobs { input, line: 0, judged, ids: HashMap::new(), skipped: 0 });
    thread::scope(|scope| {
        let (to_writer, results) = mpsc::sync_channel(workers.into());
        for _ in 0..workers {
            let (jobs, to_writer) = (&jobs, to_writer.clone());
            threads::start_scoped(scope, move || work(judging, jobs, &to_writer))?;
        }
        // The writer ends when no worker is left.
        drop(to_writer);
        let write = |answer: io::Result<LineAnswer>| {
            let answer = answer.context("the jobs cannot be read")?;
            refused += u64::from(answer.is_err());
            answers.write(&answer)
        };
        // The interrupt ends the workers.
        results.into_iter().try_for_each(write).inspect_err(|_| interrupt())
    })?;
    let Jobs { skipped, .. } = jobs.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((skipped, refused))
}

fn work(judging: &Judging<'_>, jobs: &Mutex<Jobs<impl Read>>, answers: &SyncSender<io::Result<LineAnswer>>) {
    let mut programs = None;
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next_job();
    while let Some(job) = next().transpose() {
        let judge = |job: Job| {
            let result = judging.judge(&mut programs, &job);
            result.map_err(|error| LineError::new(Some(job.id), job.line, &error))
        };
        let answer = job.map(|job| job.and_then(judge));
        if interrupted() || answers.send(answer).is_err() {
            break;
        }
    }
}

/// The lines that are to be answered, each with a job or with an error.
struct Jobs<R> {
    input: BufReader<R>,
    /// The number of the last line that was read.
    line: u64,
    judged: HashSet<String>,
    /// The line of each id.
    ids: HashMap<String, u64>,
    skipped: u64,
}

impl<R: Read> Jobs<R> {
    fn next_job(&mut self) -> io::Result<Option<Result<Job, LineError>>> {
        // An interrupt may have cut off the last line.
        while let Some(line) = read_line(&mut self.input, MAX_LINE)?.filter(|_| !interrupted()) {
            self.line += 1;
            let line = if self.line == 1 { without_byte_order_mark(&line) } else { &line };
            if let Some(job) = self.job(line).transpose() {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    /// Returns the job of a line; `None` if the line is blank or the job was judged before.
    fn job(&mut self, line: &[u8]) -> Result<Option<Job>, LineError> {
        let number = self.line;
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        if line.len() as u64 > MAX_LINE {
            let error = anyhow!("expected a line of at most {} MiB, got more", MAX_LINE >> 20);
            return Err(LineError::new(None, number, &error));
        }
        let job = Job::read(number, line)?;
        if self.judged.contains(&job.id) {
            self.skipped += 1;
            return Ok(None);
        }
        if let Some(other) = self.ids.insert(job.id.clone(), number) {
            let error = anyhow!("expected another id than that of line {other}, got {:?}", job.id);
            return Err(LineError::new(Some(job.id), number, &error));
        }
        Ok(Some(job))
    }
}

/// Maximum length of a line, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// How often an interrupt is looked for while there is no input.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A file, a pipe or a terminal that ends at an interrupt.
pub(crate) struct Interruptible(pub(crate) File);

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let timeout = Timespec::try_from(POLL_INTERVAL).map_err(io::Error::other)?;
        while !interrupted() {
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return self.0.read(buffer),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(0)
    }
}

/// Reads a line. Of a line with more than `max` bytes, returns one byte more than that, and leaves out the rest.
fn read_line(input: &mut impl BufRead, max: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let size = input.take(max + 1).read_until(b'\n', &mut line)?;
    if line.ends_with(b"\n") {
        line.pop();
    } else if size as u64 > max {
        input.skip_until(b'\n')?;
    }
    Ok((size > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some editors put a byte order mark at the beginning of a file.
    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_job() {
        let job = r#"{"id": "a", "game": "6 1 2", "source": {"command": ["./bot"]}}"#;
        let text = format!("\u{feff}{job}\n\u{feff}{job}\n");
        let (input, judged, ids) = (BufReader::new(text.as_bytes()), HashSet::new(), HashMap::new());
        let mut jobs = Jobs { input, line: 0, judged, ids, skipped: 0 };
        assert_eq!(jobs.next_job().unwrap().unwrap().unwrap().id, "a");
        assert!(jobs.next_job().unwrap().unwrap().unwrap_err().error.contains("to be a JSON object"));
    }

    #[test]
    fn long_lines_are_left_out() {
        for (input, expected) in [
            ("", &[][..]),
            ("12345\n\n \nab", &["12345", "", " ", "ab"]),
            ("1234567\n1\n123456789012\n2\n", &["123456", "1", "123456", "2"]),
            ("12345", &["12345"]),
            ("1234567", &["123456"]),
        ] {
            let mut bytes = input.as_bytes();
            let lines = std::iter::from_fn(|| read_line(&mut bytes, 5).unwrap());
            let lines: Vec<String> = lines.map(|line| String::from_utf8(line).unwrap()).collect();
            assert_eq!(lines, expected, "{input:?}");
        }
    }
}
