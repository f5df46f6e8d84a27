//! The three pipes of a bot's process, watched together. None of them ever blocks the judge.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::bot::TimedEvent;
use super::lines::{self, Lines, read};
use crate::event::{Bytes, Event};
use crate::first_output::FirstOutput;

/// Maximum number of bytes read from a pipe at once: the default capacity of a pipe.
pub(super) const READ_CHUNK: usize = 64 << 10;

/// Maximum capacity, in bytes, that a process without privileges can give a pipe. Reading this number of bytes empties
/// the pipe.
pub(super) const MAX_CAPACITY: usize = 1 << 20;

/// The judge's ends of the pipes, before the judge uses them.
pub(super) struct PipeEnds {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

/// The judge's ends of the pipes, and the bytes that have not been written yet.
pub(super) struct OpenPipes {
    pub(super) stdin: Option<ChildStdin>,
    pub(super) stdout: Option<ChildStdout>,
    pub(super) stderr: Option<ChildStderr>,
    pub(super) outgoing: VecDeque<u8>,
    first_output: FirstOutput,
}

/// What can be ready at a program: its exit, its stdout, its stderr and its stdin.
pub(super) type Watched<'a> = [Option<PollFd<'a>>; 4];

impl OpenPipes {
    /// Makes the pipes non-blocking.
    pub(super) fn new(PipeEnds { stdin, stdout, stderr }: PipeEnds) -> io::Result<Self> {
        [&stdin, &stdout, &stderr].into_iter().try_for_each(|pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        Ok(Self {
            stdin: Some(stdin.into()),
            stdout: Some(stdout.into()),
            stderr: Some(stderr.into()),
            outgoing: VecDeque::new(),
            first_output: FirstOutput::default(),
        })
    }

    /// Takes named pipes, which never block, in place of stdin and stdout.
    pub(super) fn of_fifos(stdin: OwnedFd, stdout: OwnedFd) -> Self {
        Self {
            stdin: Some(stdin.into()),
            stdout: Some(stdout.into()),
            stderr: None,
            outgoing: VecDeque::new(),
            first_output: FirstOutput::default(),
        }
    }

    pub(super) fn write(&mut self) {
        lines::write(&mut self.stdin, &mut self.outgoing, usize::MAX, |_| true);
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

    /// Checks whether the program is known to have written to stderr first since
    /// [`watch_first_output`](Self::watch_first_output).
    pub(super) fn is_stderr_first(&self) -> bool {
        self.first_output.is_stderr()
    }

    /// Reads at most `enough` bytes of stdout.
    pub(super) fn read_stdout(&mut self, enough: usize) -> io::Result<Vec<u8>> {
        self.first_output.look();
        let mut bytes = Vec::new();
        read(&mut self.stdout, enough, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads at most `enough` bytes of stderr.
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

/// Does the same for one program.
pub(super) fn poll_one(watched: Watched<'_>, timeout: Duration) -> io::Result<[bool; 4]> {
    let ready = poll_all(vec![watched], timeout)?;
    Ok(ready.first().copied().unwrap_or_default())
}

/// The pipes of a bot whose output is split into lines.
pub(super) struct Pipes {
    open: OpenPipes,
    lines: Lines,
}

impl Pipes {
    /// Makes the pipes non-blocking.
    pub(super) fn new(pipes: PipeEnds) -> io::Result<Self> {
        Ok(Self { open: OpenPipes::new(pipes)?, lines: Lines::default() })
    }

    /// Waits at most `timeout` until a pipe or `exit` is ready, and reads and writes without blocking. Returns whether
    /// `exit` is ready.
    pub(super) fn pump(
        &mut self,
        exit: Option<BorrowedFd<'_>>,
        timeout: Duration,
        events: &mut Vec<TimedEvent>,
    ) -> io::Result<bool> {
        let [exit, stdout, stderr, stdin] = poll_one(self.open.watched(exit, true), timeout)?;
        if stdin {
            self.open.write();
        }
        if stdout {
            self.read_stdout(events)?;
        }
        if stderr {
            self.read_stderr(READ_CHUNK, events)?;
        }
        Ok(exit)
    }

    /// Writes bytes, or keeps them until the pipe has room.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.open.outgoing.extend(bytes);
        self.open.write();
    }

    /// Returns the number of bytes that the bot has not read.
    pub(super) fn unread(&self) -> usize {
        self.open.unread()
    }

    /// Closes the bot's stdin once all bytes are written.
    pub(super) fn finish_input(&mut self) {
        if self.open.outgoing.is_empty() {
            self.open.stdin = None;
        }
    }

    /// Returns the received part of an unfinished line; it may be empty.
    pub(super) fn fragment(&self) -> &[u8] {
        self.lines.unfinished()
    }

    /// Checks whether the unfinished line exceeds the line limit.
    pub(super) fn is_line_too_long(&self) -> bool {
        self.lines.is_too_long()
    }

    /// Cuts the unfinished line to the line limit.
    pub(super) fn shorten_fragment(&mut self) {
        self.lines.shorten();
    }

    /// Reads a chunk of the bot's output and splits it into lines.
    pub(super) fn read_stdout(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.lines.read(&mut self.open.stdout, READ_CHUNK, events)
    }

    /// Reads the last output of the bot's process, which has ended, and closes the pipe. If another process holds the
    /// pipe open, its later output is not the bot's.
    pub(super) fn drain_stdout(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.lines.read(&mut self.open.stdout, MAX_CAPACITY, events)?;
        self.lines.end(Instant::now(), events);
        self.open.stdout = None;
        Ok(())
    }

    /// Checks whether the bot's output has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.open.stdout.is_none()
    }

    /// Reads all remaining bytes of the bot's stderr.
    pub(super) fn drain_stderr(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.read_stderr(MAX_CAPACITY, events)
    }

    fn read_stderr(&mut self, enough: usize, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let text = self.open.read_stderr(enough)?;
        if !text.is_empty() {
            events.push(TimedEvent::now(Event::Stderr(Bytes(text))));
        }
        Ok(())
    }
}
