//! The three pipes of a program, watched together. None of them ever blocks the judge.

use std::collections::VecDeque;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::lines::{read, write};
use crate::first_output::FirstOutput;

/// Maximum number of bytes read from a pipe at once: the default capacity of a pipe.
pub(super) const READ_CHUNK: usize = 64 << 10;

/// Maximum capacity, in bytes, that a process without privileges can give a pipe. Reading this number of bytes empties
/// the pipe.
pub(super) const MAX_CAPACITY: usize = 1 << 20;

/// The judge's ends of the pipes, and the bytes that have not been written yet.
pub(super) struct Pipes {
    pub(super) stdin: Option<PipeWriter>,
    pub(super) stdout: Option<PipeReader>,
    pub(super) stderr: Option<PipeReader>,
    pub(super) outgoing: VecDeque<u8>,
    first_output: FirstOutput,
}

/// What can be ready at a program: its exit, its stdout, its stderr and its stdin.
pub(super) type Watched<'a> = [Option<PollFd<'a>>; 4];

impl Pipes {
    /// Makes the pipes of a program. Returns also the program's own ends: stdin, stdout and stderr.
    pub(super) fn make() -> io::Result<(Self, [OwnedFd; 3])> {
        let ((stdin, to_program), (from_program, stdout), (from_stderr, stderr)) =
            (io::pipe()?, io::pipe()?, io::pipe()?);
        limit_capacity(&stdin);
        limit_capacity(&stdout);
        for pipe in [to_program.as_fd(), from_program.as_fd(), from_stderr.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        let pipes = Self { stderr: Some(from_stderr), ..Self::of_fifos(to_program, from_program) };
        Ok((pipes, [stdin.into(), stdout.into(), stderr.into()]))
    }

    /// Takes named pipes, which never block, in place of stdin and stdout.
    pub(super) fn of_fifos(stdin: PipeWriter, stdout: PipeReader) -> Self {
        let (outgoing, first_output) = Default::default();
        Self { stdin: Some(stdin), stdout: Some(stdout), stderr: None, outgoing, first_output }
    }

    pub(super) fn write(&mut self) {
        write(&mut self.stdin, &mut self.outgoing, usize::MAX, |_| true);
    }

    /// Returns the number of bytes that the program has not read: those that wait for room in its pipe, and on Linux
    /// those in the pipe.
    pub(super) fn unread(&self) -> usize {
        let stdin = self.stdin.as_ref().filter(|_| cfg!(target_os = "linux"));
        let in_pipe = stdin.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok());
        self.outgoing.len() + in_pipe.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0)
    }

    /// Watches which output the program writes to first from now on.
    pub(super) fn watch_first_output(&mut self) {
        if let (Some(stdout), Some(stderr)) = (&self.stdout, &self.stderr) {
            self.first_output = FirstOutput::watch(stdout.as_fd(), stderr.as_fd());
        }
    }

    pub(super) fn is_stderr_first(&self) -> bool {
        self.first_output.is_stderr
    }

    pub(super) fn read_stdout(&mut self, enough: usize) -> io::Result<Vec<u8>> {
        self.first_output.look();
        let mut bytes = Vec::new();
        read(&mut self.stdout, enough, &mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn read_stderr(&mut self, enough: usize) -> io::Result<Vec<u8>> {
        self.first_output.look();
        let mut text = Vec::new();
        read(&mut self.stderr, enough, &mut text)?;
        Ok(text)
    }

    /// Returns what [`poll_all`] has to watch. `exit` is the socket of the warden while the program runs, and
    /// `reads_stdout` whether the judge has room for output.
    pub(super) fn watched<'a>(&'a self, exit: Option<BorrowedFd<'a>>, reads_stdout: bool) -> Watched<'a> {
        let stdin = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty());
        // The end of the output comes before the exit. Until then only the end of the warden counts, which poll always
        // reports.
        let news = if self.stdout.is_some() { PollFlags::empty() } else { PollFlags::IN };
        [
            exit.map(|exit| PollFd::from_borrowed_fd(exit, news)),
            self.stdout.as_ref().filter(|_| reads_stdout).map(|stdout| PollFd::new(stdout, PollFlags::IN)),
            self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)),
            stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)),
        ]
    }
}

/// Limits the bytes that wait in a pipe to a program, because between two programs those that wait in the judge count as
/// well. This is refused for anything but an empty pipe.
pub(super) fn limit_capacity(pipe: impl AsFd) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 4096);
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

/// Waits at most `timeout`, and returns for each program which of exit, stdout, stderr and stdin are ready.
pub(super) fn poll_all(watched: Vec<Watched<'_>>, timeout: Duration) -> io::Result<Vec<[bool; 4]>> {
    let open: Vec<[bool; 4]> = watched.iter().map(|fds| fds.each_ref().map(Option::is_some)).collect();
    let mut fds: Vec<PollFd<'_>> = watched.into_iter().flatten().flatten().collect();
    let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
    match poll(&mut fds, Some(&timeout)) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Ok(vec![[false; 4]; open.len()]),
        Err(error) => return Err(error.into()),
    }
    let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
    Ok(open.into_iter().map(|open| open.map(|open| open && ready.next() == Some(true))).collect())
}

pub(super) fn poll_one(watched: Watched<'_>, timeout: Duration) -> io::Result<[bool; 4]> {
    let ready = poll_all(vec![watched], timeout)?;
    Ok(ready.first().copied().unwrap_or_default())
}
