//! A socket between the judge and a host. It carries the judge's requests and the host's answers as lines of JSON,
//! together with descriptors.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::{Context, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bot_tree::ProcSnapshot;
use crate::cgroup::GroupMeterState;

/// Maximum length of a message, in bytes.
const MESSAGE_LIMIT: usize = 1 << 20;

/// Number of bytes read at once.
const READ_CHUNK: usize = 4 << 10;

/// Maximum number of descriptors sent with a message.
const FDS_LIMIT: usize = 8;

/// The flags for received descriptors: a program that another thread starts must not inherit them.
#[cfg(target_os = "linux")]
const RECV_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const RECV_FLAGS: RecvFlags = RecvFlags::empty();

pub(super) struct Link {
    stream: UnixStream,
    /// Received bytes of messages that have not been returned yet.
    buffer: Vec<u8>,
    fds: Vec<OwnedFd>,
}

impl Link {
    pub(super) fn new(stream: UnixStream) -> Self {
        Self { stream, buffer: Vec::new(), fds: Vec::new() }
    }

    /// Sends a message together with descriptors.
    ///
    /// # Errors
    ///
    /// If the other process has ended, or there are too many descriptors.
    pub(super) fn send(&mut self, message: &impl Serialize, fds: &[BorrowedFd<'_>]) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut sent = 0;
        if !fds.is_empty() {
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS_LIMIT))];
            let mut control = SendAncillaryBuffer::new(&mut space);
            ensure!(control.push(SendAncillaryMessage::ScmRights(fds)), "too many descriptors for a message");
            let result = sendmsg(&self.stream, &[IoSlice::new(&line)], &mut control, SendFlags::empty());
            sent = result.context("the other process has ended")?;
        }
        self.stream.write_all(&line[sent..]).context("the other process has ended")
    }

    /// Waits at most `timeout` for input. Returns whether there is input.
    pub(super) fn await_input(&self, timeout: Duration) -> anyhow::Result<bool> {
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&self.stream, PollFlags::IN)], Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error).context("the other process cannot be waited for"),
        }
    }

    /// Waits for the next message. Returns `None` if the other process has ended.
    ///
    /// # Errors
    ///
    /// If the message is too long, or is not a `T`.
    pub(super) fn receive<T: DeserializeOwned>(&mut self) -> anyhow::Result<Option<T>> {
        loop {
            if let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
                let message =
                    serde_json::from_slice(&self.buffer[..end]).context("the message cannot be read")?;
                self.buffer.drain(..=end);
                return Ok(Some(message));
            }
            ensure!(self.buffer.len() <= MESSAGE_LIMIT, "a message of more than {MESSAGE_LIMIT} bytes");
            if self.read()? == 0 {
                return Ok(None);
            }
        }
    }

    /// Takes the descriptors that came with the messages.
    pub(super) fn take_fds(&mut self) -> Vec<OwnedFd> {
        std::mem::take(&mut self.fds)
    }

    /// Closes the socket, so that the other process reads the end of the stream.
    pub(super) fn close(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Reads a part of a message. Returns the number of bytes, or 0 at the end.
    fn read(&mut self) -> anyhow::Result<usize> {
        let mut chunk = [0; READ_CHUNK];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS_LIMIT))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received =
            recvmsg(self.stream.as_fd(), &mut [IoSliceMut::new(&mut chunk)], &mut control, RECV_FLAGS);
        let read = match received {
            Ok(received) => received.bytes,
            Err(Errno::INTR) => return self.read(),
            Err(Errno::CONNRESET) => 0,
            Err(error) => return Err(error).context("the message cannot be read"),
        };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(fds) = message {
                self.fds.extend(fds);
            }
        }
        self.buffer.extend(&chunk[..read]);
        Ok(read)
    }
}

/// The command of one of the two programs of a relay.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartyCommand {
    pub(super) command: Vec<OsString>,
    /// The folders in which the program may write files in the sandbox.
    pub(super) writable: Vec<OsString>,
}

/// A request of the judge to a host. See the methods of [`crate::bot_tree::BotTree`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    /// Start the bot, or a program of a relay in its place. The pipes of the started program come with the answer.
    Start {
        party: Option<PartyCommand>,
    },
    Exit,
    Snapshot {
        is_complete: bool,
    },
    Threads(ProcSnapshot),
    /// End the bot.
    End,
}

/// The answer to [`Request::Start`]. The descriptors of the bot's stdin, stdout and stderr come with it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Started {
    /// The state for the meter of the bot's control group. The files of the meter come after all other descriptors.
    pub(super) group: Option<GroupMeterState>,
    /// Whether a descriptor for the bot's end comes directly after the pipes.
    pub(super) has_exit_fd: bool,
}

/// The answer to a request for a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) snapshot: ProcSnapshot,
    /// Whether a process has left the control group.
    pub(super) has_left_group: bool,
}

/// The answer to a request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reply<T> {
    /// The answer, or the reason why there is none.
    pub(super) answer: Result<T, String>,
    /// The CPU time that the host needed.
    pub(super) cpu: Duration,
}
