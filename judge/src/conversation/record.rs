//! What a program did in a conversation.

use std::time::Duration;

use runner::event::{Event, Exit, Usage};
use runner::limits::LINE_LIMIT;
use runner::stderr_excerpt::StderrExcerpt;

#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramRecord {
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    pub(crate) stderr_bytes: u64,
    /// The last part of stdout.
    pub(crate) tail: Vec<u8>,
    pub(crate) stderr: StderrExcerpt,
    pub(crate) used: Usage,
    pub(crate) is_closed: bool,
    /// How the program ended by itself; `None` if it runs, or if the judge has ended it.
    pub(crate) exit: Option<Exit>,
    /// The time from the start of the conversation until the program ended or was ready for the next one; 0 before.
    pub(crate) wall: Duration,
}

impl ProgramRecord {
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::Received(bytes) => {
                self.bytes += bytes.0.len() as u64;
                self.lines += memchr::memchr_iter(b'\n', &bytes.0).count() as u64;
                self.tail.extend(&bytes.0);
                // Remove bytes only now and then, because each removal moves the bytes that remain.
                if self.tail.len() > 8 * LINE_LIMIT {
                    self.tail.drain(..self.tail.len() - 2 * LINE_LIMIT);
                }
            }
            Event::Stderr(text) => {
                self.stderr_bytes += text.0.len() as u64;
                self.stderr.extend(&text.0);
            }
            Event::StderrOmitted(omitted) => self.stderr.omit(*omitted),
            Event::Used(used) => self.used = self.used.max(*used),
            Event::Closed => self.is_closed = true,
            Event::Exited(exit) => self.exit = Some(*exit),
            _ => {}
        }
    }

    /// Returns stderr as text, or only its last part if stderr is too long to be kept.
    pub(crate) fn stderr_text(&self) -> String {
        let tail: Vec<u8> = self.stderr.tail.iter().copied().collect();
        let bytes = self.stderr.whole().unwrap_or(tail);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
