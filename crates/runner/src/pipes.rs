//! The three pipes of a bot's process, watched together; none of them ever blocks the judge.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::bot::TimedEvent;
use super::lines::{self, Lines, read};
use crate::event::{Bytes, Event};

/// The maximum number of bytes that is read from a pipe at once: its default capacity.
const READ_CHUNK: usize = 64 << 10;

/// The maximum capacity of a pipe without privileges, in bytes, and so the most that can be left in it.
const MAX_CAPACITY: usize = 1 << 20;

/// The judge's ends of the pipes, before they are used.
pub(super) struct PipeEnds {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

impl PipeEnds {
    /// The pipes of a process that has just been started with all three.
    pub(super) fn of(child: &mut Child) -> Option<Self> {
        Some(Self {
            stdin: child.stdin.take()?.into(),
            stdout: child.stdout.take()?.into(),
            stderr: child.stderr.take()?.into(),
        })
    }
}

/// The judge's ends of the pipes.
pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Bytes that have not been written yet.
    outgoing: VecDeque<u8>,
    lines: Lines,
}

impl Pipes {
    /// Makes the pipes non-blocking.
    pub(super) fn new(PipeEnds { stdin, stdout, stderr }: PipeEnds) -> io::Result<Self> {
        [&stdin, &stdout, &stderr].into_iter().try_for_each(|pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        Ok(Self {
            stdin: Some(stdin.into()),
            stdout: Some(stdout.into()),
            stderr: Some(stderr.into()),
            outgoing: VecDeque::new(),
            lines: Lines::default(),
        })
    }

    /// Waits until a pipe or `exit` is ready, `timeout` at most, and reads and writes what it can; whether `exit` is
    /// ready.
    pub(super) fn pump(
        &mut self,
        exit: Option<&OwnedFd>,
        timeout: Duration,
        events: &mut Vec<TimedEvent>,
    ) -> io::Result<bool> {
        let [exit, stdout, stderr, stdin] = self.poll(exit, timeout)?;
        if stdin {
            self.write();
        }
        if stdout {
            self.read_stdout(events)?;
        }
        if stderr {
            self.read_stderr(READ_CHUNK, events)?;
        }
        Ok(exit)
    }

    /// Which of exit, stdout, stderr and stdin are ready, within that time.
    fn poll(&self, exit: Option<&OwnedFd>, timeout: Duration) -> io::Result<[bool; 4]> {
        let stdin = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty());
        let watched = [
            exit.map(|exit| PollFd::new(exit, PollFlags::IN)),
            self.stdout.as_ref().map(|stdout| PollFd::new(stdout, PollFlags::IN)),
            self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)),
            stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)),
        ];
        let open = watched.each_ref().map(Option::is_some);
        let mut fds: Vec<PollFd<'_>> = watched.into_iter().flatten().collect();
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok([false; 4]),
            Err(error) => return Err(error.into()),
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(open.map(|open| open && ready.next() == Some(true)))
    }

    /// Writes bytes, or keeps them until the pipe takes them.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.outgoing.extend(bytes);
        self.write();
    }

    /// How many bytes the bot has yet to read: those that wait for room in its pipe, and on Linux those in the pipe.
    pub(super) fn unread(&self) -> usize {
        let stdin = self.stdin.as_ref().filter(|_| cfg!(target_os = "linux"));
        let in_pipe = stdin.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok());
        self.outgoing.len() + in_pipe.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0)
    }

    /// Ends the bot's input once all has been written.
    pub(super) fn finish_input(&mut self) {
        if self.outgoing.is_empty() {
            self.stdin = None;
        }
    }

    fn write(&mut self) {
        lines::write(&mut self.stdin, &mut self.outgoing, usize::MAX, |_| true);
    }

    /// The line that has been received without its end so far; it may be empty.
    pub(super) fn fragment(&self) -> &[u8] {
        self.lines.unfinished()
    }

    /// Whether that line exceeds the line limit.
    pub(super) fn is_line_too_long(&self) -> bool {
        self.lines.is_too_long()
    }

    /// Cuts that line to the line limit.
    pub(super) fn shorten_fragment(&mut self) {
        self.lines.shorten();
    }

    /// Reads a chunk of what the bot has printed and cuts it into lines.
    pub(super) fn read_stdout(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.lines.read(&mut self.stdout, READ_CHUNK, events)
    }

    /// Reads the last output of the process, which has ended, and closes the pipe. Another process that holds the pipe
    /// open is not the bot.
    pub(super) fn drain_stdout(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.lines.read(&mut self.stdout, MAX_CAPACITY, events)?;
        self.lines.end(Instant::now(), events);
        self.stdout = None;
        Ok(())
    }

    /// Whether the bot's output has come to its end.
    pub(super) fn is_closed(&self) -> bool {
        self.stdout.is_none()
    }

    /// Reads all that is left of what the bot wrote to stderr.
    pub(super) fn drain_stderr(&mut self, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.read_stderr(MAX_CAPACITY, events)
    }

    fn read_stderr(&mut self, enough: usize, events: &mut Vec<TimedEvent>) -> io::Result<()> {
        let mut text = Vec::new();
        read(&mut self.stderr, enough, &mut text)?;
        if !text.is_empty() {
            events.push(TimedEvent::now(Event::Stderr(Bytes(text))));
        }
        Ok(())
    }
}
