//! The pipes of a program. None of the pipes ever blocks the judge.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Write};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::relay::Fifos;

/// Maximum number of bytes read from a pipe at once: the default capacity of a pipe.
pub(super) const READ_CHUNK: usize = 64 << 10;

/// Number of bytes that a pipe ready for output accepts without blocking on every system: `_POSIX_PIPE_BUF` of POSIX.
const BLOCKING_CHUNK: usize = 512;

/// Maximum capacity, in bytes, that a process without privileges can give a pipe.
pub(super) const MAX_CAPACITY: usize = 1 << 20;

/// The judge's ends of the pipes between a program and one partner, the bytes that have not been written yet, and the
/// beginning of a line that has no end yet.
#[derive(Default)]
pub(super) struct Pipes {
    pub(super) stdin: Option<PipeWriter>,
    pub(super) stdout: Option<PipeReader>,
    /// Whether a read or a write may block, and so comes only after [`poll`] has found the pipe ready.
    pub(super) is_blocking: bool,
    /// The bytes that wait for room, or that nobody reads any more if stdin is closed.
    pub(super) outgoing: VecDeque<u8>,
    /// Whether stdin is closed once all bytes are written.
    pub(super) input_ends: bool,
    /// The output since the last line end, up to [`LINE_LIMIT`] bytes.
    pub(super) unfinished: Vec<u8>,
    /// The named pipes in place of stdin and stdout if their directions are not known yet, and the process ID of the
    /// program's warden. Until then nothing is written.
    pub(super) undecided: Option<(Fifos, u32)>,
    /// When a relay noticed the end of stdout.
    pub(super) closed_at: Option<Instant>,
}

/// What can be ready at a program: its exit, its stdout, its stderr and its stdin.
pub(super) type Watched<'a> = [Option<PollFd<'a>>; 4];

impl Pipes {
    /// Writes the waiting bytes, and closes a pipe that nobody reads any more. Returns whether the pipe took some of the
    /// bytes, or is closed. A closed pipe is not an error here: a bot that no longer reads may still have won.
    pub(super) fn write(&mut self) -> bool {
        let Self { stdin, outgoing, undecided: None, is_blocking, .. } = self else { return false };
        let before = outgoing.len();
        let chunk = if *is_blocking { BLOCKING_CHUNK } else { usize::MAX };
        let has_room = |open: &PipeWriter| {
            !*is_blocking || is_ready(open, PollFlags::OUT, Duration::ZERO).unwrap_or(false)
        };
        while let Some(open) = stdin.as_mut().filter(|open| !outgoing.is_empty() && has_room(open)) {
            let next = outgoing.as_slices().0;
            match open.write(&next[..next.len().min(chunk)]) {
                Ok(written) => drop(outgoing.drain(..written)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => *stdin = None,
            }
        }
        let is_news = outgoing.len() < before || stdin.is_none();
        if self.input_ends && outgoing.is_empty() {
            *stdin = None;
        }
        is_news
    }

    pub(super) fn end_input(&mut self) {
        self.input_ends = true;
        self.write();
    }

    /// Returns the number of bytes that the program has not read: those that wait for room in its pipe, or can no longer be
    /// read, and on Linux those in a pipe that the judge has made.
    pub(super) fn unread(&self) -> usize {
        // A stdin that blocks is not the judge's own, and not always a pipe.
        let own = self.stdin.as_ref().filter(|_| cfg!(target_os = "linux") && !self.is_blocking);
        let in_pipe = own.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok());
        self.outgoing.len() + in_pipe.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0)
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

/// Watches both outputs of a program, which are empty, until one is read.
#[cfg(target_os = "linux")]
pub(super) fn watch_outputs(stdout: Option<&PipeReader>, stderr: Option<&PipeReader>) -> Option<OwnedFd> {
    let watch = epoll::create(CreateFlags::CLOEXEC).ok()?;
    for (output, is_stderr) in [(stdout, 0), (stderr, 1)] {
        epoll::add(&watch, output?, EventData::new_u64(is_stderr), EventFlags::IN).ok()?;
    }
    Some(watch)
}

/// Returns whether the first write was to stderr, if none of the outputs has been read yet.
///
/// A write to an empty pipe adds the pipe to the end of epoll's list of ready pipes before write(2) returns. Therefore the
/// list has the order of the writes, however late it is read; poll(2) would say only that both pipes are ready.
#[cfg(target_os = "linux")]
pub(super) fn is_stderr_first(watch: &OwnedFd) -> bool {
    let mut first = [epoll::Event { flags: EventFlags::empty(), data: EventData::new_u64(0) }];
    let count = epoll::wait(watch, &mut first, Some(&Timespec::default()));
    count == Ok(1) && first[0].data.u64() == 1
}

/// Waits at most `timeout`, and returns which of the descriptors are ready.
pub(super) fn poll_all<const N: usize>(
    watched: &[[Option<PollFd<'_>>; N]],
    timeout: Duration,
) -> io::Result<Vec<[bool; N]>> {
    let mut fds: Vec<PollFd<'_>> = watched.iter().flatten().flatten().cloned().collect();
    let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
    match poll(&mut fds, Some(&timeout)) {
        // An interrupted call leaves the result empty.
        Ok(_) | Err(Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
    let mut is_ready = |fd: &Option<PollFd<'_>>| fd.is_some() && ready.next() == Some(true);
    Ok(watched.iter().map(|fds| fds.each_ref().map(&mut is_ready)).collect())
}

/// Waits at most `timeout`, and returns whether a read or write, as `flags` say, would not block.
pub(super) fn is_ready(fd: &impl AsFd, flags: PollFlags, timeout: Duration) -> io::Result<bool> {
    Ok(poll_all(&[[Some(PollFd::new(fd, flags))]], timeout)?[0][0])
}

pub(super) const BUFFER_SIZE: usize = 16 << 10;

/// Reads from a pipe until the pipe is empty or `enough` bytes are read, and closes the pipe at its end.
pub(super) fn read(pipe: &mut Option<PipeReader>, enough: usize) -> io::Result<Vec<u8>> {
    // Clearing the buffer would take longer than the read of a line.
    let mut buffer = [MaybeUninit::uninit(); BUFFER_SIZE];
    let mut bytes = Vec::new();
    while let Some(open) = pipe.as_ref().filter(|_| bytes.len() < enough) {
        let room = BUFFER_SIZE.min(enough - bytes.len());
        match rustix::io::read(open, &mut buffer[..room]) {
            Ok(([], _)) => *pipe = None,
            Ok((new, rest)) => {
                bytes.extend_from_slice(new);
                if !rest.is_empty() {
                    break;
                }
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the order of the first writes counts, not the order of the pipes or of later writes.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_order_of_the_first_writes() {
        for writes in ["e", "o", "eo", "oe", "eeoo", "oeee", ""] {
            let (stdout, mut to_stdout) = io::pipe().unwrap();
            let (stderr, mut to_stderr) = io::pipe().unwrap();
            // A pipe that was read is as good as new.
            to_stderr.write_all(b"x").unwrap();
            assert_eq!(rustix::io::read(&stderr, &mut [0]), Ok(1));
            let first = watch_outputs(Some(&stdout), Some(&stderr)).unwrap();
            for pipe in writes.bytes() {
                if pipe == b'e' { to_stderr.write_all(b"x") } else { to_stdout.write_all(b"x") }.unwrap();
            }
            drop((to_stdout, to_stderr));
            assert_eq!(is_stderr_first(&first), writes.starts_with('e'), "{writes:?}");
        }
    }
}
