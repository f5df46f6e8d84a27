//! The beginning and the end of a bot's stderr, which usually contain the cause of a crash.

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::escape::printable;
use crate::event::{Bytes, Event};
use crate::limits::STDERR_SHOWN;

/// The first line of Python's report of an uncaught exception.
pub const TRACEBACK: &str = "Traceback (most recent call last)";

/// The first and the last bytes of a text, each up to a limit, and the amount omitted between them.
#[derive(Clone, Debug)]
pub struct StderrExcerpt {
    head_limit: usize,
    tail_limit: usize,
    pub head: Vec<u8>,
    pub tail: Vec<u8>,
    pub omitted: Omitted,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Omitted {
    pub bytes: u64,
    /// Number of line ends among the omitted bytes.
    pub lines: u64,
}

impl Omitted {
    pub fn add(&mut self, text: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', text).count() as u64;
        self.add_all(Self { bytes: text.len() as u64, lines });
    }

    fn add_all(&mut self, more: Self) {
        self.bytes = self.bytes.saturating_add(more.bytes);
        self.lines = self.lines.saturating_add(more.lines);
    }
}

impl Default for StderrExcerpt {
    /// Makes an excerpt that keeps what a result shows.
    fn default() -> Self {
        Self::new(STDERR_SHOWN, STDERR_SHOWN)
    }
}

impl StderrExcerpt {
    pub fn new(head_limit: usize, tail_limit: usize) -> Self {
        let (head, tail) = Default::default();
        Self { head_limit, tail_limit, head, tail, omitted: Omitted::default() }
    }

    pub fn extend(&mut self, text: &[u8]) {
        let room = self.head_limit.saturating_sub(self.head.len()).min(text.len());
        let (first, rest) = text.split_at(room);
        self.head.extend(first);
        self.tail.extend(rest);
        self.omit_from_tail(self.tail.len().saturating_sub(self.tail_limit));
    }

    /// Adds omitted bytes whose content is unknown. The tail before them is omitted as well.
    pub fn omit(&mut self, omitted: Omitted) {
        self.omit_from_tail(self.tail.len());
        self.omitted.add_all(omitted);
    }

    fn omit_from_tail(&mut self, bytes: usize) {
        self.omitted.add(&self.tail[..bytes]);
        self.tail.drain(..bytes);
    }

    pub fn beginning_has(&self, words: &str) -> bool {
        String::from_utf8_lossy(&self.head).contains(words)
    }

    /// Checks whether the beginning or the end has the report of an uncaught exception in Python, Java or Rust.
    pub fn shows_exception(&self) -> bool {
        self.has_one_of(&[TRACEBACK, "SyntaxError: ", "panicked at", "Exception in thread"])
    }

    /// Checks whether the beginning or the end has the report of an uncaught exception of a language whose writers do
    /// not write their buffers then: those of the Java machine, .NET and Go.
    pub fn shows_lost_output(&self) -> bool {
        self.has_one_of(&["Exception in thread", "Unhandled exception", "Unhandled Exception", "goroutine "])
    }

    fn has_one_of(&self, signs: &[&str]) -> bool {
        let texts = [&self.head, &self.tail].map(|text| String::from_utf8_lossy(text));
        signs.iter().any(|sign| texts.iter().any(|text| text.contains(sign)))
    }

    /// Returns the whole text if nothing is omitted.
    pub fn whole(&self) -> Option<Vec<u8>> {
        (self.omitted.bytes == 0).then(|| [&self.head[..], &self.tail].concat())
    }

    /// Returns the beginning, the amount omitted, and the end as events.
    pub fn into_events(self) -> impl Iterator<Item = Event> {
        let text = |text: Vec<u8>| (!text.is_empty()).then_some(Event::Stderr(Bytes(text)));
        let omitted = (self.omitted.bytes > 0).then_some(Event::StderrOmitted(self.omitted));
        [text(self.head), omitted, text(self.tail)].into_iter().flatten()
    }
}

/// Checks whether a text begins with the report of an uncaught exception of Rust or Ruby, which write their buffers only
/// after that. Python writes them before its report.
pub fn begins_with_exception(stderr: &[u8]) -> bool {
    let text = String::from_utf8_lossy(stderr);
    let first = text.trim_start().lines().next().unwrap_or_default();
    ["panicked at", "Error)"].iter().any(|sign| first.contains(sign))
}

/// Maximum number of lines that are shown from the beginning, and from the end, and of bytes of each line.
const SHOWN_LINES: usize = 50;
const SHOWN_WIDTH: usize = 500;

/// Returns the lines to show, with control characters escaped. A line in brackets says how much is left out there.
pub fn shown_lines(stderr: &StderrExcerpt) -> Vec<String> {
    let whole = stderr.whole();
    let lines = |text| <[u8]>::split(text, |&byte| byte == b'\n').collect_vec();
    let (mut first, mut last) = match &whole {
        Some(text) if text.is_empty() => return Vec::new(),
        Some(text) => (lines(text.trim_ascii_end()), Vec::new()),
        None => (lines(&stderr.head), lines(stderr.tail.trim_ascii_end())),
    };
    let mut left_out = first.split_off(first.len().min(SHOWN_LINES));
    if whole.is_some() {
        last = std::mem::take(&mut left_out);
    }
    left_out.extend(last.drain(..last.len().saturating_sub(SHOWN_LINES)));
    let mut omitted = stderr.omitted;
    left_out.iter().flat_map(|&line| [line, b"\n"]).for_each(|text| omitted.add(text));
    let Omitted { bytes, lines } = omitted;
    let note = format!(
        "[{bytes} bytes with {lines} line ends omitted; in games, judge run --stderr DIR keeps more]"
    );
    let note = Some(note).filter(|_| bytes > 0);
    first.into_iter().map(shown).chain(note).chain(last.into_iter().map(shown)).collect()
}

fn shown(line: &[u8]) -> String {
    let cut = if line.len() > SHOWN_WIDTH { "..." } else { "" };
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN_WIDTH)]).into_owned();
    format!("{}{cut}", printable(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_left_out() {
        let mut excerpt = StderrExcerpt::new(4, 3);
        excerpt.extend(b"ab");
        excerpt.extend(b"cdefg");
        assert_eq!(excerpt.whole().as_deref(), Some(b"abcdefg".as_slice()));
        excerpt.extend(b"\nh");
        excerpt.extend(b"\nij");
        assert_eq!((&excerpt.head[..], &excerpt.tail[..]), (&b"abcd"[..], &b"\nij"[..]));
        assert_eq!(excerpt.omitted, Omitted { bytes: 5, lines: 1 });
        assert_eq!(excerpt.whole(), None);
        excerpt.omit(Omitted { bytes: 10, lines: 2 });
        assert_eq!(excerpt.omitted, Omitted { bytes: 18, lines: 4 });
        // Such files keep everything only for one bot that plays one game at a time.
        let hint = "in games, judge run --stderr DIR keeps more";
        let note = format!("[18 bytes with 4 line ends omitted; {hint}]");
        assert_eq!(shown_lines(&excerpt), ["abcd", &note, ""]);
    }
}
