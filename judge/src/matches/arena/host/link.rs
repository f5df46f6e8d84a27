//! A pair of pipes between the arena and a host, with a line of JSON for each message.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::time::Duration;

use anyhow::{Context, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest message, in bytes: a header of 1 MiB, and as much again.
const MESSAGE_LIMIT: usize = 8 << 20;

/// How many bytes are read at once.
const READ_CHUNK: usize = 16 << 10;

pub(super) struct Link {
    input: File,
    output: File,
    /// What was read of messages that have not been taken.
    buffer: Vec<u8>,
    /// Whether the other process has ended.
    is_closed: bool,
}

impl Link {
    pub(super) fn new(input: OwnedFd, output: OwnedFd) -> Self {
        Self { input: File::from(input), output: File::from(output), buffer: Vec::new(), is_closed: false }
    }

    pub(super) fn send(&mut self, message: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let sent = self.output.write_all(&line);
        self.is_closed |= sent.is_err();
        sent.context("the other process has ended")
    }

    /// Whether the other process has ended, as far as that was noticed.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The next message that has been read, if there is one.
    ///
    /// # Errors
    ///
    /// If the other process has ended, or sent something else.
    pub(super) fn take<T: DeserializeOwned>(&mut self) -> anyhow::Result<Option<T>> {
        let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') else {
            ensure!(!self.is_closed, "the other process has ended");
            ensure!(self.buffer.len() <= MESSAGE_LIMIT, "a message of more than {MESSAGE_LIMIT} bytes");
            return Ok(None);
        };
        let message = serde_json::from_slice(&self.buffer[..end]).context("the message cannot be read");
        self.buffer.drain(..=end);
        message.map(Some)
    }

    /// Waits for the next message, `timeout` at most.
    pub(super) fn receive<T: DeserializeOwned>(&mut self, timeout: Duration) -> anyhow::Result<Option<T>> {
        if let Some(message) = self.take()? {
            return Ok(Some(message));
        }
        await_input(&mut [self], timeout)?;
        self.take()
    }
}

/// Waits until one of the links has something to read, `timeout` at most, and reads it.
pub(super) fn await_input(links: &mut [&mut Link], timeout: Duration) -> anyhow::Result<()> {
    let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
    let mut fds: Vec<PollFd<'_>> = links.iter().map(|link| PollFd::new(&link.input, PollFlags::IN)).collect();
    match poll(&mut fds, Some(&timeout)) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Ok(()),
        Err(error) => return Err(error).context("the hosts cannot be waited for"),
    }
    let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
    drop(fds);
    for (link, _) in links.iter_mut().zip(ready).filter(|(_, is_ready)| *is_ready) {
        let mut chunk = [0; READ_CHUNK];
        let read = link.input.read(&mut chunk).context("the message cannot be read")?;
        link.is_closed |= read == 0;
        link.buffer.extend(&chunk[..read]);
    }
    Ok(())
}
