//! What comes through a pipe is cut into lines, and what goes out never waits for its reader.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

use super::TimedEvent;
use crate::referee::event::{Bytes, Event};

/// Cuts what a bot says into lines.
#[derive(Default)]
pub(super) struct Lines {
    /// What has come without a line end.
    fragment: Vec<u8>,
}

impl Lines {
    /// Reads what there is, `most` bytes or a little more, and hears the lines that it ends; at the pipe's
    /// end also what no line end will end any more.
    pub(super) fn read(
        &mut self,
        pipe: &mut Option<impl Read>,
        most: usize,
        heard: &mut Vec<TimedEvent>,
    ) -> io::Result<()> {
        if pipe.is_none() {
            return Ok(());
        }
        let known = self.fragment.len();
        read(pipe, most, &mut self.fragment)?;
        let at = Instant::now();
        let mut say = |line: Vec<u8>| heard.push(TimedEvent { at, event: Event::Received(Bytes(line)) });
        let mut start = 0;
        while let Some(end) = self.fragment[start.max(known)..].iter().position(|&byte| byte == b'\n') {
            let end = start.max(known) + end + 1;
            say(self.fragment[start..end].to_vec());
            start = end;
        }
        self.fragment.drain(..start);
        if pipe.is_none() {
            self.end(at, heard);
            heard.push(TimedEvent { at, event: Event::Closed });
        }
        Ok(())
    }

    /// Nothing will end the line any more.
    pub(super) fn end(&mut self, at: Instant, heard: &mut Vec<TimedEvent>) {
        if !self.fragment.is_empty() {
            heard.push(TimedEvent { at, event: Event::Received(Bytes(std::mem::take(&mut self.fragment))) });
        }
    }

    /// What has come without a line end.
    pub(super) fn unfinished(&self) -> &[u8] {
        &self.fragment
    }

    /// Forgets what is beyond so many bytes of it.
    pub(super) fn truncate(&mut self, most: usize) {
        self.fragment.truncate(most);
    }
}

/// Reads what a pipe holds, `most` bytes or a little more, and closes it at its end.
pub(super) fn read(pipe: &mut Option<impl Read>, most: usize, into: &mut Vec<u8>) -> io::Result<()> {
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

/// Writes what the pipe takes, `most` bytes at once, as long as `ready` says that it takes some. One that
/// nobody reads any more is closed: a bot that no longer reads may still have won, so that is no error here.
pub(super) fn write<W: Write>(
    pipe: &mut Option<W>,
    outgoing: &mut VecDeque<u8>,
    most: usize,
    ready: impl Fn(&W) -> bool,
) {
    while let Some(open) = pipe.as_mut().filter(|open| !outgoing.is_empty() && ready(open)) {
        let next = outgoing.as_slices().0;
        match open.write(&next[..next.len().min(most)]) {
            Ok(written) => drop(outgoing.drain(..written)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return,
            Err(_) => *pipe = None,
        }
    }
}
