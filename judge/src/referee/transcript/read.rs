//! Reading a transcript. What is damaged is refused with its line.

use std::io::BufRead;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use zeroxor::wire::quoted;

use super::weight::bound_values;
use super::{ResultLine, SetupLine, VERSION};
use crate::referee::event::{Event, RecordedEvent};

/// What is expected in a transcript, and how large it may be: larger than any that is written.
struct LineLimits {
    what: &'static str,
    /// The longest line, in bytes.
    bytes: u64,
    /// The most values in it.
    values: u64,
}

/// It holds the bot's command, of which Linux takes 6 MiB, and JSON makes six bytes of a control byte.
const SETUP: LineLimits = LineLimits { what: "the set-up of a game", bytes: 40 << 20, values: 1 << 20 };

/// An event holds what a pipe does, some 2 MiB in hex digits.
const EVENT: LineLimits =
    LineLimits { what: "an event or the result of the game", bytes: 4 << 20, values: 64 };

/// What tells the kinds of lines apart.
#[derive(Deserialize)]
struct LineKind {
    transcript: Option<u64>,
    verdict: Option<IgnoredAny>,
}

/// The games of a transcript, one after the other, each read event by event.
pub(crate) struct Reader<R> {
    input: R,
    /// The line that was read last, and its number.
    text: Vec<u8>,
    line: u64,
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, text: Vec::new(), line: 0 }
    }

    /// The set-up of the next game, `None` at the end of the transcript.
    ///
    /// # Errors
    ///
    /// If something else is there, or the line cannot be read.
    pub(crate) fn setup(&mut self) -> anyhow::Result<Option<SetupLine>> {
        let Some(kind) = self.next(&SETUP)? else { return Ok(None) };
        ensure!(
            kind.transcript == Some(VERSION.into()),
            "line {}: expected the set-up of a game, {{\"transcript\":{VERSION},...}}, got {}",
            self.line,
            self.shown()
        );
        self.parse("the set-up of a game").map(Some)
    }

    /// Hands on the events of the game that was opened, and reads its result.
    ///
    /// # Errors
    ///
    /// If a line is not what is expected there, the transcript ends within the game, or `apply` refuses an event.
    pub(crate) fn events(
        &mut self,
        mut apply: impl FnMut(&RecordedEvent) -> anyhow::Result<()>,
    ) -> anyhow::Result<ResultLine> {
        let mut now = Duration::ZERO;
        loop {
            let Some(kind) = self.next(&EVENT)? else {
                bail!("line {}: expected {}, got the end of the file", self.line + 1, EVENT.what)
            };
            if kind.verdict.is_some() {
                return self.parse("the result of a game");
            }
            let entry: RecordedEvent = self.parse("an event")?;
            // What was held back of stderr comes last.
            if !matches!(entry.event, Event::Stderr(_)) {
                let at = entry.at;
                ensure!(
                    at >= now,
                    "line {}: expected a time of at least {} ns, got {} ns",
                    self.line,
                    now.as_nanos(),
                    at.as_nanos()
                );
                now = at;
            }
            apply(&entry).with_context(|| format!("line {}", self.line))?;
        }
    }

    /// Reads a line; which kind it is, `None` at the end of the transcript.
    fn next(&mut self, expected: &LineLimits) -> anyhow::Result<Option<LineKind>> {
        let (line, what, most) = (self.line + 1, expected.what, expected.bytes);
        self.text.clear();
        let mut limited = std::io::Read::take(&mut self.input, most);
        limited.read_until(b'\n', &mut self.text).with_context(|| format!("line {line} cannot be read"))?;
        if self.text.is_empty() {
            return Ok(None);
        }
        self.line = line;
        ensure!(
            self.text.ends_with(b"\n"),
            "line {line}: expected a whole line of at most {most} bytes, got {} bytes without a line end",
            self.text.len()
        );
        ensure!(
            self.text.trim_ascii_start().starts_with(b"{"),
            "line {line}: expected a JSON object, got {}",
            self.shown()
        );
        let kind =
            bound_values(&self.text, expected.values).and_then(|()| serde_json::from_slice(&self.text));
        kind.with_context(|| format!("line {line}: expected {what}, got {}", self.shown())).map(Some)
    }

    fn parse<T: DeserializeOwned>(&self, what: &str) -> anyhow::Result<T> {
        serde_json::from_slice(&self.text)
            .with_context(|| format!("line {}: expected {what}, got {}", self.line, self.shown()))
    }

    /// The line in a message.
    fn shown(&self) -> String {
        quoted(self.text.trim_ascii_end())
    }
}
