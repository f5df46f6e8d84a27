//! A socket between the judge and another process in one of its roles. It carries messages as lines of JSON, together with
//! descriptors: requests to a warden and its replies, or the pipes of a stand-in.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Confinement;
use crate::event::{Exit, Usage};
use crate::nanos;
use crate::pipes::is_ready;
use crate::sandbox::MissingGuards;

/// Maximum length of a message, in bytes. A command has at most 6 MiB on Linux, and JSON has up to four bytes for each.
const MESSAGE_LIMIT: u64 = 32 << 20;

const READ_CHUNK: usize = 4 << 10;

const FDS_LIMIT: usize = 3;

/// The flags for received descriptors: a program that another thread starts must not inherit them.
#[cfg(target_os = "linux")]
const RECV_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const RECV_FLAGS: RecvFlags = RecvFlags::empty();

pub(crate) struct Link(BufReader<Socket>);

/// Keeps the descriptors that come with the bytes.
struct Socket {
    stream: UnixStream,
    fds: Vec<OwnedFd>,
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS_LIMIT))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = recvmsg(&self.stream, &mut [IoSliceMut::new(buffer)], &mut control, RECV_FLAGS);
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(fds) = message {
                self.fds.extend(fds);
            }
        }
        match received {
            Ok(received) => Ok(received.bytes),
            Err(Errno::CONNRESET) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }
}

impl Link {
    pub(crate) fn new(stream: UnixStream) -> Self {
        Self(BufReader::with_capacity(READ_CHUNK, Socket { stream, fds: Vec::new() }))
    }

    pub(crate) fn send(&mut self, message: &impl Serialize, fds: &[BorrowedFd<'_>]) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut sent = 0;
        if !fds.is_empty() {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS_LIMIT))];
            let mut control = SendAncillaryBuffer::new(&mut space);
            ensure!(control.push(SendAncillaryMessage::ScmRights(fds)), "too many descriptors for a message");
            let result = sendmsg(self.stream(), &[IoSlice::new(&line)], &mut control, SendFlags::empty());
            sent = result.map_err(|_| has_ended())?;
        }
        self.stream().write_all(&line[sent..]).map_err(|_| has_ended())
    }

    /// Returns whether a message, or a part of one, can be received without waiting.
    pub(super) fn has_input(&self) -> io::Result<bool> {
        Ok(!self.0.buffer().is_empty() || is_ready(self.stream(), PollFlags::IN, Duration::ZERO)?)
    }

    pub(super) fn stream(&self) -> &UnixStream {
        &self.0.get_ref().stream
    }

    /// Returns whether the buffer holds a whole message.
    pub(super) fn has_message(&self) -> bool {
        self.0.buffer().contains(&b'\n')
    }

    /// Waits for the next message. Returns `None` if the other process has ended.
    pub(crate) fn receive<T: DeserializeOwned>(&mut self) -> anyhow::Result<Option<T>> {
        const CONTEXT: &str = "the message cannot be read";
        let mut line = Vec::new();
        let read = self.0.by_ref().take(MESSAGE_LIMIT).read_until(b'\n', &mut line).context(CONTEXT)?;
        ensure!((read as u64) < MESSAGE_LIMIT, "a message of more than {MESSAGE_LIMIT} bytes");
        line.ends_with(b"\n").then(|| serde_json::from_slice(&line)).transpose().context(CONTEXT)
    }

    pub(crate) fn take_fds(&mut self) -> Vec<OwnedFd> {
        std::mem::take(&mut self.0.get_mut().fds)
    }
}

/// Makes the error of a message that nobody receives. It has no cause: a broken pipe would be taken for that of stdout.
fn has_ended() -> anyhow::Error {
    anyhow!("the other process has ended")
}

/// The first message to a warden, how to isolate its programs. The reply is an [`Isolation`], or an error.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Isolate {
    pub(super) confinement: Confinement,
    /// Maximum number of files that a program may have open; `None` to keep the limit of the warden.
    pub(super) open_files: Option<u64>,
}

/// What the guards of a warden refuse to its programs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Isolation {
    /// Whether signals to other programs are refused, so that `kill(-1)` reaches every process of a program at once, and
    /// nothing else.
    pub(super) refuses_signals: bool,
    /// The guards of the sandbox that are missing.
    pub(super) missing: Vec<MissingGuards>,
}

/// A later message to a warden.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Start a command. Its stdin, stdout and stderr come with the request.
    Start {
        command: Vec<OsString>,
        /// The processor on which it runs; `None` if it may run on any.
        processor: Option<usize>,
    },
    Measure(Detail),
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Detail {
    Usage,
    /// The usage, and what the threads wait for.
    Threads,
}

/// A later message of a warden.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The reply to each request except [`Request::End`]. That to [`Request::Start`] has nothing but what the start itself
    /// has used.
    Measured(Result<Snapshot, String>),
    /// Comes once for each program, at any time after its start, when all processes that it had started have ended, too.
    Ended(Snapshot),
}

/// The state of all processes of a program at one moment. The default means that nothing is known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) used: Usage,
    /// Whether all processes sleep or are stopped.
    pub(crate) sleeping: bool,
    pub(crate) stopped: bool,
    /// The kernel function in which a thread sleeps, if it is known. For several threads: the most informative one.
    pub(crate) channel: Option<String>,
    /// How often the first process has called write(2), if this or an earlier snapshot shows what the threads wait for.
    pub(crate) writes: Option<u64>,
    #[serde(with = "nanos")]
    pub(crate) warden_cpu: Duration,
    /// How the first process has ended; `None` if it runs, or could not be ended.
    pub(crate) exit: Option<Exit>,
}
