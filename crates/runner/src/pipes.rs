//! The three pipes of a program, watched together, and its lines. None of the pipes ever blocks the judge.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::bot::TimedEvent;
use crate::event::{Bytes, Event};
use crate::first_output::FirstOutput;
use crate::limits::LINE_LIMIT;

/// Maximum number of bytes read from a pipe at once: the default capacity of a pipe.
pub(super) const READ_CHUNK: usize = 64 << 10;

/// Maximum capacity, in bytes, that a process without privileges can give a pipe.
pub(super) const MAX_CAPACITY: usize = 1 << 20;

/// The judge's ends of the pipes, and the bytes that have not been written yet.
#[derive(Default)]
pub(super) struct Pipes {
    pub(super) stdin: Option<PipeWriter>,
    pub(super) stdout: Option<PipeReader>,
    pub(super) stderr: Option<PipeReader>,
    pub(super) outgoing: VecDeque<u8>,
    pub(super) first_output: FirstOutput,
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
        let pipes = Self { stderr: Some(from_stderr), ..Self::without_stderr(to_program, from_program) };
        Ok((pipes, [stdin.into(), stdout.into(), stderr.into()]))
    }

    /// Takes the judge's ends of stdin and stdout.
    pub(super) fn without_stderr(stdin: PipeWriter, stdout: PipeReader) -> Self {
        Self { stdin: Some(stdin), stdout: Some(stdout), ..Self::default() }
    }

    pub(super) fn write(&mut self) {
        self.write_in_chunks(usize::MAX, |_| true);
    }

    /// Writes at most `chunk` bytes at a time, as long as `is_ready` says that the pipe has room. Closes a pipe that
    /// nobody reads any more. A closed pipe is not an error here: a bot that no longer reads may still have won.
    pub(super) fn write_in_chunks(&mut self, chunk: usize, is_ready: impl Fn(&PipeWriter) -> bool) {
        let Self { stdin, outgoing, .. } = self;
        while let Some(open) = stdin.as_mut().filter(|open| !outgoing.is_empty() && is_ready(open)) {
            let next = outgoing.as_slices().0;
            match open.write(&next[..next.len().min(chunk)]) {
                Ok(written) => drop(outgoing.drain(..written)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => *stdin = None,
            }
        }
    }

    /// Returns the number of bytes that wait for room in the program's pipe, and on Linux of those in the pipe.
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

/// Waits at most `timeout`, and returns which of the descriptors are ready.
pub(super) fn poll_all<const N: usize>(
    watched: Vec<[Option<PollFd<'_>>; N]>,
    timeout: Duration,
) -> io::Result<Vec<[bool; N]>> {
    let open: Vec<[bool; N]> = watched.iter().map(|fds| fds.each_ref().map(Option::is_some)).collect();
    let mut fds: Vec<PollFd<'_>> = watched.into_iter().flatten().flatten().collect();
    let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
    match poll(&mut fds, Some(&timeout)) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Ok(vec![[false; N]; open.len()]),
        Err(error) => return Err(error.into()),
    }
    let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
    Ok(open.into_iter().map(|open| open.map(|open| open && ready.next() == Some(true))).collect())
}

pub(super) fn poll_one<const N: usize>(
    watched: [Option<PollFd<'_>>; N],
    timeout: Duration,
) -> io::Result<[bool; N]> {
    let ready = poll_all(vec![watched], timeout)?;
    Ok(ready.first().copied().unwrap_or([false; N]))
}

/// Waits at most `timeout`, and returns whether there is something to read.
pub(super) fn is_readable(fd: &impl AsFd, timeout: Duration) -> io::Result<bool> {
    Ok(poll_one([Some(PollFd::new(fd, PollFlags::IN))], timeout)?[0])
}

#[derive(Default)]
pub(super) struct Lines {
    /// The received part of an unfinished line; it may be empty.
    pub(super) unfinished: Vec<u8>,
}

impl Lines {
    /// Reads from a pipe until the pipe is empty or `enough` bytes are read, and adds the complete lines to the
    /// events. At the end of the pipe, also adds a last line without a line end, and [`Event::Closed`].
    pub(super) fn read(
        &mut self,
        pipe: &mut Option<PipeReader>,
        enough: usize,
        events: &mut Vec<TimedEvent>,
    ) -> io::Result<()> {
        if pipe.is_none() {
            return Ok(());
        }
        let known = self.unfinished.len();
        read(pipe, enough, &mut self.unfinished)?;
        let at = Instant::now();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &self.unfinished[known..]).map(|end| known + end + 1) {
            let line = Bytes(self.unfinished[start..end].to_vec());
            events.push(TimedEvent { at, event: Event::Received(line) });
            start = end;
        }
        self.unfinished.drain(..start);
        if pipe.is_none() {
            self.end(at, events);
            events.push(TimedEvent { at, event: Event::Closed });
        }
        Ok(())
    }

    /// Adds the unfinished line, if there is one, to the events: no more bytes will come.
    pub(super) fn end(&mut self, at: Instant, events: &mut Vec<TimedEvent>) {
        if !self.unfinished.is_empty() {
            events
                .push(TimedEvent { at, event: Event::Received(Bytes(std::mem::take(&mut self.unfinished))) });
        }
    }

    /// Checks whether the unfinished line exceeds the line limit. The rest of the line stays in the pipe.
    pub(super) fn is_too_long(&self) -> bool {
        self.unfinished.len() > LINE_LIMIT
    }

    pub(super) fn shorten(&mut self) {
        self.unfinished.truncate(LINE_LIMIT);
    }
}

pub(super) const BUFFER_SIZE: usize = 16 << 10;

thread_local! {
    /// The buffer of all reads of a thread: clearing a buffer for each read takes longer than the read of a line.
    static BUFFER: RefCell<[u8; BUFFER_SIZE]> = const { RefCell::new([0; BUFFER_SIZE]) };
}

/// Reads from a pipe until the pipe is empty or `enough` bytes are read, and closes the pipe at its end.
fn read(pipe: &mut Option<PipeReader>, enough: usize, into: &mut Vec<u8>) -> io::Result<()> {
    BUFFER.with_borrow_mut(|buffer| {
        let mut left = enough;
        while let Some(open) = pipe.as_mut().filter(|_| left > 0) {
            let room = left.min(buffer.len());
            match open.read(&mut buffer[..room]) {
                Ok(0) => *pipe = None,
                Ok(count) => {
                    into.extend(&buffer[..count]);
                    left = if count < room { 0 } else { left - count };
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    })
}
