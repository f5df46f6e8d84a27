//! A socket between the judge and another process in one of its roles. It carries messages as JSON, each after its length,
//! together with descriptors: requests to a warden and its answers, or the pipes of a stand-in.

use std::ffi::OsString;
use std::io::{IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::event::{Exit, Usage};
use crate::nanos;
use crate::sandbox::MissingGuards;

const FDS_LIMIT: usize = 3;

/// Maximum length of a message. A tester may give the socket of a stand-in to any program.
const MAX_LENGTH: u32 = 32 << 20;

const HAS_ENDED: &str = "the other process has ended";

/// The flags for received descriptors: a program that another thread starts must not inherit them.
#[cfg(target_os = "linux")]
const RECV_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;
#[cfg(not(target_os = "linux"))]
const RECV_FLAGS: RecvFlags = RecvFlags::empty();

pub(crate) fn send(
    mut socket: &UnixStream,
    message: &impl Serialize,
    fds: &[BorrowedFd<'_>],
) -> anyhow::Result<()> {
    let json = serde_json::to_vec(message)?;
    let bytes = [&u32::try_from(json.len())?.to_ne_bytes(), &json[..]].concat();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS_LIMIT))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(fds));
    }
    let sent = retry_on_intr(|| sendmsg(socket, &[IoSlice::new(&bytes)], &mut control, SendFlags::empty()));
    let sent = sent.map_err(Into::into).and_then(|sent| socket.write_all(&bytes[sent..]));
    // The error has no cause: a broken pipe would be taken for that of stdout.
    sent.map_err(|_| anyhow!(HAS_ENDED))
}

/// Waits for the next message, and the descriptors that come with it.
pub(crate) fn receive<T: DeserializeOwned>(socket: &UnixStream) -> anyhow::Result<(T, Vec<OwnedFd>)> {
    // Nearly all messages are shorter, and then take one read.
    let (mut length, mut json, mut fds) = ([0; size_of::<u32>()], Vec::with_capacity(1024), Vec::new());
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FDS_LIMIT))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received =
        retry_on_intr(|| recvmsg(socket, &mut [IoSliceMut::new(&mut length)], &mut control, RECV_FLAGS));
    let received = received.map_err(|_| anyhow!(HAS_ENDED))?;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            fds.extend(received);
        }
    }
    ensure!(received.bytes == length.len(), HAS_ENDED);
    let length = u32::from_ne_bytes(length);
    ensure!(length <= MAX_LENGTH, "expected a message of at most {MAX_LENGTH} bytes, got {length}");
    socket.take(length.into()).read_to_end(&mut json)?;
    Ok((serde_json::from_slice(&json).context("the message cannot be read")?, fds))
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

/// A message to a warden, after the first, which says how to isolate the programs. The warden answers with a [`Snapshot`],
/// or with an error; that of a start has nothing but what the start itself has used. Once for each program, at any time
/// after its start, comes a snapshot of its end, in place of the answer to the requests that the warden gets later.
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
    /// Whether the program has ended, and all processes that it had started.
    pub(crate) ended: bool,
    /// How the first process has ended; `None` if it runs, or could not be ended.
    pub(crate) exit: Option<Exit>,
}
