//! Input that is split into lines, and output that never waits for its reader.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

use super::bot::TimedEvent;
use crate::event::{Bytes, Event};
use crate::limits::LINE_LIMIT;

/// Splits the output of a bot into lines.
#[derive(Default)]
pub(super) struct Lines {
    fragment: Vec<u8>,
}

impl Lines {
    /// Reads from a pipe until the pipe is empty or `enough` bytes are read, and adds the complete lines to the
    /// events. At the end of the pipe, also adds a last line without a line end, and [`Event::Closed`].
    pub(super) fn read(
        &mut self,
        pipe: &mut Option<impl Read>,
        enough: usize,
        events: &mut Vec<TimedEvent>,
    ) -> io::Result<()> {
        if pipe.is_none() {
            return Ok(());
        }
        let known = self.fragment.len();
        read(pipe, enough, &mut self.fragment)?;
        let at = Instant::now();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &self.fragment[known..]).map(|end| known + end + 1) {
            let line = Bytes(self.fragment[start..end].to_vec());
            events.push(TimedEvent { at, event: Event::Received(line) });
            start = end;
        }
        self.fragment.drain(..start);
        if pipe.is_none() {
            self.end(at, events);
            events.push(TimedEvent { at, event: Event::Closed });
        }
        Ok(())
    }

    /// Adds the unfinished line, if there is one, to the events: no more bytes will come.
    pub(super) fn end(&mut self, at: Instant, events: &mut Vec<TimedEvent>) {
        if !self.fragment.is_empty() {
            events.push(TimedEvent { at, event: Event::Received(Bytes(std::mem::take(&mut self.fragment))) });
        }
    }

    /// Returns the received part of an unfinished line; it may be empty.
    pub(super) fn unfinished(&self) -> &[u8] {
        &self.fragment
    }

    /// Checks whether the unfinished line exceeds the line limit. The rest of the line stays in the pipe.
    pub(super) fn is_too_long(&self) -> bool {
        self.fragment.len() > LINE_LIMIT
    }

    pub(super) fn shorten(&mut self) {
        self.fragment.truncate(LINE_LIMIT);
    }
}

/// Maximum size of one read, in bytes.
pub(super) const BUFFER_SIZE: usize = 16 << 10;

thread_local! {
    /// The buffer of all reads of a thread: clearing a buffer for each read takes longer than the read of a line.
    static BUFFER: RefCell<[u8; BUFFER_SIZE]> = const { RefCell::new([0; BUFFER_SIZE]) };
}

/// Reads from a pipe until the pipe is empty or `enough` bytes are read, and closes the pipe at its end.
pub(super) fn read(pipe: &mut Option<impl Read>, enough: usize, into: &mut Vec<u8>) -> io::Result<()> {
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

/// Writes at most `chunk` bytes of `outgoing` at a time, as long as `is_ready` says that the pipe has room. Closes a
/// pipe that nobody reads any more. A closed pipe is not an error here: a bot that no longer reads may still have won.
pub(super) fn write<W: Write>(
    pipe: &mut Option<W>,
    outgoing: &mut VecDeque<u8>,
    chunk: usize,
    is_ready: impl Fn(&W) -> bool,
) {
    while let Some(open) = pipe.as_mut().filter(|open| !outgoing.is_empty() && is_ready(open)) {
        let next = outgoing.as_slices().0;
        match open.write(&next[..next.len().min(chunk)]) {
            Ok(written) => drop(outgoing.drain(..written)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return,
            Err(_) => *pipe = None,
        }
    }
}
