//! The three pipes of a bot's process, watched together; none of them ever blocks the judge.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Heard;
use crate::event::{Bytes, Event};
use crate::limits::LINE_LIMIT;

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
    /// What it has said without a line end.
    fragment: Vec<u8>,
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
        Ok(Self { stdin, stdout, stderr, outgoing: VecDeque::new(), fragment: Vec::new() })
    }

    /// Waits until a pipe moves or `exit` is ready, `patience` at most, and moves what can be moved; whether `exit` is.
    pub(super) fn pump(
        &mut self,
        exit: Option<&OwnedFd>,
        patience: Duration,
        heard: &mut Vec<Heard>,
    ) -> io::Result<bool> {
        let [exit, stdout, stderr, stdin] = self.poll(exit, patience)?;
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
    fn poll(&self, exit: Option<&OwnedFd>, patience: Duration) -> io::Result<[bool; 4]> {
        let stdin = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty());
        let watched = [
            exit.map(|exit| PollFd::new(exit, PollFlags::IN)),
            self.stdout.as_ref().map(|stdout| PollFd::new(stdout, PollFlags::IN)),
            self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)),
            stdin.map(|stdin| PollFd::new(stdin, PollFlags::OUT)),
        ];
        let open = watched.each_ref().map(Option::is_some);
        let mut fds: Vec<PollFd<'_>> = watched.into_iter().flatten().collect();
        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok([false; 4]),
            Err(error) => return Err(error.into()),
        }
        let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(open.map(|open| open && ready.next() == Some(true)))
    }

    /// Takes bytes to be written. A bot that no longer reads may still have won: no error here.
    pub(super) fn say(&mut self, bytes: &[u8]) {
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
        while let (Some(stdin), false) = (&mut self.stdin, self.outgoing.is_empty()) {
            match stdin.write(self.outgoing.as_slices().0) {
                Ok(written) => drop(self.outgoing.drain(..written)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.stdin = None,
            }
        }
    }

    /// What has come without a line end.
    pub(super) fn fragment(&self) -> &[u8] {
        &self.fragment
    }

    /// Forgets what a line has beyond the longest that is looked at.
    pub(super) fn shorten_fragment(&mut self) {
        self.fragment.truncate(LINE_LIMIT);
    }

    /// Reads what there is and cuts it into lines.
    pub(super) fn read_stdout(&mut self, most: usize, heard: &mut Vec<Heard>) -> io::Result<()> {
        if self.stdout.is_none() {
            return Ok(());
        }
        let known = self.fragment.len();
        read(&mut self.stdout, most, &mut self.fragment)?;
        let at = Instant::now();
        let mut start = 0;
        while let Some(end) = self.fragment[start.max(known)..].iter().position(|&byte| byte == b'\n') {
            let end = start.max(known) + end + 1;
            heard.push(Heard { at, event: Event::Said(Bytes(self.fragment[start..end].to_vec())) });
            start = end;
        }
        self.fragment.drain(..start);
        if self.stdout.is_none() {
            self.last_fragment(at, heard);
            heard.push(Heard { at, event: Event::Closed });
        }
        Ok(())
    }

    /// Takes the last that the process has said, which has ended. Whoever else holds the pipe is not the bot.
    pub(super) fn drain_stdout(&mut self, heard: &mut Vec<Heard>) -> io::Result<()> {
        self.read_stdout(DREGS, heard)?;
        self.last_fragment(Instant::now(), heard);
        self.stdout = None;
        Ok(())
    }

    /// Whether the bot's output has come to its end.
    pub(super) fn is_closed(&self) -> bool {
        self.stdout.is_none()
    }

    /// Nothing will end the line any more.
    fn last_fragment(&mut self, at: Instant, heard: &mut Vec<Heard>) {
        if !self.fragment.is_empty() {
            heard.push(Heard { at, event: Event::Said(Bytes(std::mem::take(&mut self.fragment))) });
        }
    }

    pub(super) fn read_stderr(&mut self, most: usize, heard: &mut Vec<Heard>) -> io::Result<()> {
        let mut text = Vec::new();
        read(&mut self.stderr, most, &mut text)?;
        if !text.is_empty() {
            heard.push(Heard::now(Event::Stderr(Bytes(text))));
        }
        Ok(())
    }
}

/// Reads what a pipe holds, `most` bytes or a little more, and closes it at its end.
fn read(pipe: &mut Option<impl Read>, most: usize, into: &mut Vec<u8>) -> io::Result<()> {
    let mut buffer = [0; 16 << 10];
    let mut total = 0;
    while let Some(open) = pipe.as_mut().filter(|_| total < most) {
        match open.read(&mut buffer) {
            Ok(0) => *pipe = None,
            Ok(count) => {
                into.extend(&buffer[..count]);
                total += count;
                if count < buffer.len() {
                    break;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
