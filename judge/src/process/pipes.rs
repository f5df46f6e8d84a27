//! The three pipes of a bot's process, watched together; none of them ever blocks the judge.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::TimedEvent;
use super::lines::{self, Lines, read};
use crate::referee::event::{Bytes, Event};
use crate::referee::limits::LINE_LIMIT;

/// The most that is taken from a pipe at once: what it holds by default.
pub(super) const SIP: usize = 64 << 10;

/// The most that a pipe can hold without privileges, and so the most that can be left behind in it.
pub(super) const DREGS: usize = 1 << 20;

pub(super) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What the bot has yet to read.
    outgoing: VecDeque<u8>,
    lines: Lines,
}

impl Pipes {
    /// Those of a process that has just been started.
    pub(super) fn of(child: &mut Child) -> io::Result<Self> {
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let pipes = [
            stdin.as_ref().map(AsFd::as_fd),
            stdout.as_ref().map(AsFd::as_fd),
            stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Self { stdin, stdout, stderr, outgoing: VecDeque::new(), lines: Lines::default() })
    }

    /// Waits until a pipe moves or `exit` is ready, `wait_limits` at most, and moves what can be moved; whether
    /// `exit` is.
    pub(super) fn pump(
        &mut self,
        exit: Option<&OwnedFd>,
        wait_limits: Duration,
        heard: &mut Vec<TimedEvent>,
    ) -> io::Result<bool> {
        let [exit, stdout, stderr, stdin] = self.poll(exit, wait_limits)?;
        if stdin {
            self.write();
        }
        if stdout {
            self.read_stdout(SIP, heard)?;
        }
        if stderr {
            self.read_stderr(SIP, heard)?;
        }
        Ok(exit)
    }

    /// Which of exit, stdout, stderr and stdin are ready, within that time.
    fn poll(&self, exit: Option<&OwnedFd>, wait_limits: Duration) -> io::Result<[bool; 4]> {
        let stdin = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty());
        let watched = [
            exit.map(|exit| PollFd::new(exit, PollFlags::IN)),
            self.stdout.as_ref().map(|stdout| PollFd::new(stdout, PollFlags::IN)),
            self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)),
            stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)),
        ];
        let open = watched.each_ref().map(Option::is_some);
        let mut fds: Vec<PollFd<'_>> = watched.into_iter().flatten().collect();
        let timeout = Timespec::try_from(wait_limits).map_err(io::Error::other)?;
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok([false; 4]),
            Err(error) => return Err(error.into()),
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(open.map(|open| open && ready.next() == Some(true)))
    }

    /// Takes bytes to be written.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.outgoing.extend(bytes);
        self.write();
    }

    /// How many bytes wait to be read by the bot.
    pub(super) fn unread(&self) -> usize {
        self.outgoing.len()
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

    /// What has come without a line end.
    pub(super) fn fragment(&self) -> &[u8] {
        self.lines.unfinished()
    }

    /// Forgets what a line has beyond the longest that is looked at.
    pub(super) fn shorten_fragment(&mut self) {
        self.lines.truncate(LINE_LIMIT);
    }

    /// Reads what there is and cuts it into lines.
    pub(super) fn read_stdout(&mut self, most: usize, heard: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.lines.read(&mut self.stdout, most, heard)
    }

    /// Takes the last that the process has said, which has ended. Whoever else holds the pipe is not the bot.
    pub(super) fn drain_stdout(&mut self, heard: &mut Vec<TimedEvent>) -> io::Result<()> {
        self.read_stdout(DREGS, heard)?;
        self.lines.end(Instant::now(), heard);
        self.stdout = None;
        Ok(())
    }

    /// Whether the bot's output has come to its end.
    pub(super) fn is_closed(&self) -> bool {
        self.stdout.is_none()
    }

    pub(super) fn read_stderr(&mut self, most: usize, heard: &mut Vec<TimedEvent>) -> io::Result<()> {
        let mut text = Vec::new();
        read(&mut self.stderr, most, &mut text)?;
        if !text.is_empty() {
            heard.push(TimedEvent::now(Event::Stderr(Bytes(text))));
        }
        Ok(())
    }
}
