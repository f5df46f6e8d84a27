//! Reading a transcript. What is damaged is refused with its line.

use std::io::BufRead;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Closing, Opening, VERSION};
use crate::event::{Entry, Event};

/// The longest line that is read, in bytes: longer than any that is written. An event holds what a pipe does,
/// some 2 MiB in hex digits; an opening holds the bot's command, of which Linux takes 6 MiB and JSON makes
/// six bytes of a control byte.
const LONGEST: u64 = 40 << 20;

/// The games of a transcript, one after the other, each read event by event.
pub(crate) struct Reader<R> {
    input: R,
    line: u64,
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, line: 0 }
    }

    /// The opening of the next game, `None` at the end of the transcript.
    ///
    /// # Errors
    ///
    /// If something else is due there, or the line cannot be read.
    pub(crate) fn opening(&mut self) -> anyhow::Result<Option<Opening>> {
        let Some(first) = self.value()? else { return Ok(None) };
        let version = first.get("transcript").and_then(Value::as_u64);
        ensure!(
            version == Some(VERSION.into()),
            "line {}: expected the opening of a game, {{\"transcript\":{VERSION},...}}, got {}",
            self.line,
            shown(&first)
        );
        self.parse(first, "the opening of a game").map(Some)
    }

    /// Hands on the events of the game that was opened, and reads its closing.
    ///
    /// # Errors
    ///
    /// If a line is not what is due there, or the transcript ends within the game.
    pub(crate) fn events(&mut self, mut hear: impl FnMut(&Entry)) -> anyhow::Result<Closing> {
        let mut now = Duration::ZERO;
        loop {
            let Some(value) = self.value()? else {
                bail!(
                    "line {}: expected an event or the closing of the game, got the end of the file",
                    self.line + 1
                )
            };
            if value.get("verdict").is_some() {
                return self.parse(value, "the closing of a game");
            }
            let entry: Entry = self.parse(value, "an event")?;
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
            hear(&entry);
        }
    }

    fn value(&mut self) -> anyhow::Result<Option<Value>> {
        let mut text = Vec::new();
        let mut limited = std::io::Read::take(&mut self.input, LONGEST);
        let line = self.line + 1;
        limited.read_until(b'\n', &mut text).with_context(|| format!("line {line} cannot be read"))?;
        if text.is_empty() {
            return Ok(None);
        }
        self.line = line;
        ensure!(
            text.ends_with(b"\n"),
            "line {line}: expected a whole line of at most {LONGEST} bytes, got {} bytes without a line end",
            text.len()
        );
        let value: Value =
            serde_json::from_slice(&text).with_context(|| format!("line {line}: expected a JSON object"))?;
        ensure!(value.is_object(), "line {line}: expected a JSON object, got {}", shown(&value));
        Ok(Some(value))
    }

    fn parse<T: DeserializeOwned>(&self, value: Value, what: &str) -> anyhow::Result<T> {
        let got = shown(&value);
        serde_json::from_value(value)
            .with_context(|| format!("line {}: expected {what}, got {got}", self.line))
    }
}

fn shown(value: &Value) -> String {
    zeroxor::quote(value.to_string().as_bytes())
}
