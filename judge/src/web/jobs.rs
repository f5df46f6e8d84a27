//! Computes answers, each in its own process, a few at a time. A process is killed if it takes too long, or if nobody
//! waits for its answer any more.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;
use hyper::body::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::answers::COMMAND;
use super::{JOB_TIME, MAX_ANSWER, MAX_JOBS, MAX_WAITING};

/// Maximum number of bytes that are read from the stderr of a process.
const MAX_MESSAGE: u64 = 4096;

/// The exit code with which the judge refuses a request.
const REFUSED: i32 = 2;

/// An answer to compute.
pub(super) struct Job {
    /// The name of the request, or a command of `grundy` with its arguments.
    pub(super) args: Vec<String>,
    pub(super) input: Bytes,
    /// The content type of the output.
    pub(super) kind: &'static str,
}

/// The result of a job.
pub(super) enum JobResult {
    Done(Vec<u8>),
    /// The process refused the request, for this reason.
    Refused(String),
    /// The process took too much time or memory, or its output is too large.
    OverLimit,
    /// Too many other requests wait, or the request has waited too long.
    Busy,
    /// The process could not be run, or it failed, for this reason.
    Failed(String),
}

/// The processes that compute answers.
pub(super) struct Jobs {
    judge: PathBuf,
    free: Semaphore,
    waiting: AtomicUsize,
}

impl Jobs {
    pub(super) fn new() -> anyhow::Result<Self> {
        let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
        Ok(Self { judge, free: Semaphore::new(MAX_JOBS), waiting: AtomicUsize::new(0) })
    }

    /// Computes an answer as soon as fewer than `MAX_JOBS` other processes run.
    pub(super) async fn run(&self, job: Job) -> JobResult {
        let Some(_permit) = self.acquire().await else { return JobResult::Busy };
        let computed = async {
            let (child, output, message) = self.output(job).await?;
            Ok::<_, io::Error>((child.await?, output, message))
        };
        let (status, output, message) = match timeout(JOB_TIME, computed).await {
            Ok(Ok(computed)) => computed,
            Ok(Err(error)) => return JobResult::Failed(format!("the answer could not be computed: {error}")),
            Err(_) => return JobResult::OverLimit,
        };
        match status.code() {
            Some(0) if output.len() as u64 <= MAX_ANSWER => JobResult::Done(output),
            // The output is too large, or a signal ended the process at the limit of its CPU time or memory.
            Some(0) | None => JobResult::OverLimit,
            Some(REFUSED) => JobResult::Refused(reason(&message)),
            Some(code) => JobResult::Failed(format!("exit code {code}: {}", reason(&message))),
        }
    }

    /// Waits until a process may be started; returns `None` if too many requests wait, or if the wait takes too long.
    async fn acquire(&self) -> Option<SemaphorePermit<'_>> {
        if let Ok(permit) = self.free.try_acquire() {
            return Some(permit);
        }
        let _waiting = Waiting::new(&self.waiting)?;
        timeout(JOB_TIME, self.free.acquire()).await.ok()?.ok()
    }

    /// Runs the judge until its stdout and stderr end. Returns a future for the exit status, and the contents of stdout
    /// and stderr. Dropping the future of this function, or the returned future, kills the process.
    async fn output(
        &self,
        job: Job,
    ) -> io::Result<(impl Future<Output = io::Result<std::process::ExitStatus>>, Vec<u8>, Vec<u8>)> {
        let mut command = Command::new(&self.judge);
        command.arg(COMMAND).arg(std::process::id().to_string()).args(&job.args);
        command.kill_on_drop(true).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        limit(&child);
        let pipe = || io::Error::other("the process has no pipes");
        let mut stdin = child.stdin.take().ok_or_else(pipe)?;
        let stdout = child.stdout.take().ok_or_else(pipe)?;
        let stderr = child.stderr.take().ok_or_else(pipe)?;
        let (mut output, mut message) = (Vec::new(), Vec::new());
        let write = async {
            // A process that refuses its input may not read all of it.
            let _ = stdin.write_all(&job.input).await;
            drop(stdin);
        };
        let (mut stdout, mut stderr) = (stdout.take(MAX_ANSWER + 1), stderr.take(MAX_MESSAGE));
        let ((), stdout_read, stderr_read) =
            tokio::join!(write, stdout.read_to_end(&mut output), stderr.read_to_end(&mut message));
        stdout_read.and(stderr_read)?;
        drop((stdout, stderr));
        Ok((async move { child.wait().await }, output, message))
    }
}

/// A request that waits until its process may start. The count of waiting requests includes it until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Option<Self> {
        let waiting = Self(count);
        (count.fetch_add(1, Ordering::Relaxed) < MAX_WAITING).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Limits the memory, the CPU time and the size of the files of a process. Errors are ignored, because `JOB_TIME`
/// limits the process in any case.
#[cfg(target_os = "linux")]
fn limit(child: &Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    use super::JOB_MEMORY;

    let Some(pid) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else { return };
    // Several threads may share the work, so their CPU time may exceed the wall time.
    let cpu = 4 * JOB_TIME.as_secs();
    for (resource, value) in [(Resource::As, JOB_MEMORY), (Resource::Cpu, cpu), (Resource::Fsize, 0)] {
        let _ = prlimit(Some(pid), resource, Rlimit { current: Some(value), maximum: Some(value) });
    }
}

#[cfg(not(target_os = "linux"))]
fn limit(_child: &Child) {}

/// Returns the first paragraph of a process's stderr, without the prefix `judge: `, `grundy: ` or `error: `.
fn reason(message: &[u8]) -> String {
    let text = String::from_utf8_lossy(message);
    let first = text.split("\n\n").next().unwrap_or_default().trim();
    let stripped = ["judge: ", "grundy: ", "error: "].iter().find_map(|prefix| first.strip_prefix(prefix));
    stripped.unwrap_or(first).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_no_prefix_and_no_usage() {
        assert_eq!(reason(b"judge: the header is malformed: x\n"), "the header is malformed: x");
        assert_eq!(reason(b"error: no\n\nFor more information, try '--help'.\n"), "no");
    }
}
