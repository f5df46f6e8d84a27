//! What a conversation knows about each of its programs.

use std::collections::BTreeSet;

use itertools::Itertools;
use runner::event::{Event, Exit, LimitReport, Usage};
use runner::limits::{LINE_LIMIT, STDERR_SHOWN};
use runner::stderr_excerpt::StderrExcerpt;

use crate::conversation::facts::OutputLimit;
use crate::conversation::last_lines::LastLines;
use crate::referee::interactor::style::SCORE;

/// The output of one program so far, and its resource usage.
#[derive(Debug)]
pub(crate) struct Record {
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
    /// Whether stdout has the text of a line with a score, by which a tester gives scores.
    pub(crate) names_score: bool,
}

impl Record {
    pub(crate) fn new() -> Self {
        Self {
            lines: 0,
            bytes: 0,
            stderr_bytes: 0,
            tail: Vec::new(),
            stderr: StderrExcerpt::new(STDERR_SHOWN, STDERR_SHOWN),
            used: Usage::default(),
            is_closed: false,
            exit: None,
            names_score: false,
        }
    }

    /// Records an event. `looks_for_score` is whether a line of a bot may pretend to be a tester's line with a score.
    pub(crate) fn note(&mut self, event: &Event, looks_for_score: bool) {
        match event {
            Event::Received(bytes) => {
                self.bytes += bytes.0.len() as u64;
                self.lines += memchr::memchr_iter(b'\n', &bytes.0).count() as u64;
                self.tail.extend(&bytes.0);
                // Remove bytes only now and then, because each removal moves the bytes that remain.
                if self.tail.len() > 8 * LINE_LIMIT {
                    self.tail.drain(..self.tail.len() - 2 * LINE_LIMIT);
                }
                if looks_for_score {
                    // The bytes may continue the text.
                    let length = bytes.0.len() + SCORE.len();
                    let tail = &self.tail[self.tail.len().saturating_sub(length)..];
                    self.names_score |= memchr::memmem::find(tail, SCORE.as_bytes()).is_some();
                }
            }
            Event::Stderr(text) => {
                self.stderr_bytes += text.0.len() as u64;
                self.stderr.extend(&text.0);
            }
            Event::Used(used) => self.used = *used,
            Event::Closed => self.is_closed = true,
            Event::Exited(exit) => self.exit = Some(*exit),
            _ => {}
        }
    }

    pub(crate) fn exceeds(&self, limit: OutputLimit) -> bool {
        let stderr = if limit.with_stderr { self.stderr_bytes } else { 0 };
        self.bytes.saturating_add(stderr) > limit.bytes
    }

    /// Returns the lines of a tester, without those that it may have from the bot: copies of the bot's last lines, and
    /// scores if the bot has named one.
    pub(crate) fn lines_without_those_of(&self, bot: &Self) -> String {
        let of_bot = String::from_utf8_lossy(&bot.tail);
        let of_bot: BTreeSet<&str> = of_bot.lines().collect();
        let is_of_bot = |line: &str| of_bot.contains(line) || bot.names_score && line.contains(SCORE);
        self.stderr_text().lines().filter(|line| !is_of_bot(line)).join("\n")
    }

    /// Returns stderr as text, or only its last part if stderr is too long to be kept.
    pub(crate) fn stderr_text(&self) -> String {
        let tail: Vec<u8> = self.stderr.tail.iter().copied().collect();
        let bytes = self.stderr.whole().unwrap_or(tail);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// What is known about one process of the bot.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) record: Record,
    pub(crate) last_lines: LastLines,
    /// Number of bytes that the interactor wrote to it.
    pub(crate) sent: u64,
    /// Whether the interactor has closed its output to it.
    pub(crate) is_done: bool,
    /// Its state when it was found idle last.
    pub(crate) idle: Option<LimitReport>,
}

impl Seat {
    pub(crate) fn new() -> Self {
        let last_lines = LastLines::default();
        Self { record: Record::new(), last_lines, sent: 0, is_done: false, idle: None }
    }
}
