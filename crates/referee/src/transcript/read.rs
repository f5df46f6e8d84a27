//! Reads a transcript. The error for a damaged transcript begins with the number of the line.

use std::io::{self, BufRead};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use zeroxor::wire::quoted;

use super::{ResultLine, SetupLine, VERSION};
use common::json::bound_values;
use runner::event::{Event, RecordedEvent};

use crate::verdict::Verdict;
use common::text::without_mark;

/// The name and the size limits of one kind of line. The judge writes no longer lines.
struct LineLimits {
    what: &'static str,
    /// Maximum length of the line, in bytes.
    bytes: u64,
    /// Maximum number of values in the line.
    values: u64,
}

/// The limits of a set-up. A set-up contains the bot's command, which has at most 6 MiB on Linux. A control byte needs
/// six bytes in JSON.
const SETUP: LineLimits = LineLimits { what: "the set-up of a game", bytes: 40 << 20, values: 1 << 20 };

/// The limits of an event. An event contains at most the content of a pipe, about 2 MiB in hex digits.
const EVENT: LineLimits =
    LineLimits { what: "an event or the result of the game", bytes: 4 << 20, values: 64 };

/// The fields that distinguish the kinds of lines.
#[derive(Deserialize)]
struct LineKind {
    transcript: Option<u64>,
    verdict: Option<IgnoredAny>,
}

/// Reads the games of a transcript, one after the other, event by event.
pub struct TranscriptReader<R> {
    input: R,
    /// The last line that was read.
    text: Vec<u8>,
    /// The number of the last line, from 1.
    line: u64,
}

impl<R: BufRead> TranscriptReader<R> {
    pub fn new(input: R) -> Self {
        Self { input, text: Vec::new(), line: 0 }
    }

    /// Reads the set-up of the next game. Returns `None` at the end of the transcript.
    ///
    /// # Errors
    ///
    /// If the line is not a set-up, has another version of the format, or cannot be read.
    pub fn setup(&mut self) -> anyhow::Result<Option<SetupLine>> {
        let Some(kind) = self.next(&SETUP)? else { return Ok(None) };
        let Some(version) = kind.transcript else {
            bail!(
                "line {}: expected the set-up of a game, {{\"transcript\":{VERSION},...}}, got {}",
                self.line,
                self.quoted_line()
            )
        };
        ensure!(
            version == u64::from(VERSION),
            "line {}: expected a transcript of version {VERSION}, got version {version}: another version of the judge \
             wrote it, and can read it",
            self.line
        );
        self.parse("the set-up of a game").map(Some)
    }

    /// Reads the events of the game whose set-up was read, passes each to `apply`, and reads the result.
    ///
    /// # Errors
    ///
    /// If a line is not an event or a result, the transcript ends within the game, or `apply` refuses an event.
    pub fn events(
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
            if let Event::Forfeited(forfeit) = &entry.event {
                Verdict::from_name(&forfeit.verdict)
                    .with_context(|| format!("line {}: expected an event", self.line))?;
            }
            // The last part of stderr is written after later events.
            if !matches!(entry.event, Event::Stderr(_) | Event::StderrOmitted(_)) {
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

    /// Checks whether the transcript ends after the last line that was read.
    ///
    /// # Errors
    ///
    /// If the transcript cannot be read.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.input.fill_buf()?.is_empty())
    }

    /// Reads a line and returns its kind; `None` at the end of the transcript.
    fn next(&mut self, expected: &LineLimits) -> anyhow::Result<Option<LineKind>> {
        let (line, what, max_bytes) = (self.line + 1, expected.what, expected.bytes);
        self.text.clear();
        let mut limited = io::Read::take(&mut self.input, max_bytes);
        limited.read_until(b'\n', &mut self.text).with_context(|| format!("line {line} cannot be read"))?;
        if self.text.is_empty() {
            return Ok(None);
        }
        self.line = line;
        if line == 1 {
            let bom = self.text.len() - without_mark(&self.text).len();
            self.text.drain(..bom);
        }
        let (length, is_whole) = (self.text.len(), self.text.ends_with(b"\n"));
        ensure!(
            is_whole || (length as u64) < max_bytes,
            "line {line}: expected a line of at most {max_bytes} bytes, got more"
        );
        ensure!(
            is_whole,
            "line {line}: expected a whole line, got {length} bytes without a line end: the file may have been cut off"
        );
        ensure!(
            self.text.trim_ascii_start().starts_with(b"{"),
            "line {line}: expected a JSON object, got {}",
            self.quoted_line()
        );
        let kind =
            bound_values(&self.text, expected.values).and_then(|()| serde_json::from_slice(&self.text));
        kind.with_context(|| format!("line {line}: expected {what}, got {}", self.quoted_line())).map(Some)
    }

    fn parse<T: DeserializeOwned>(&self, what: &str) -> anyhow::Result<T> {
        serde_json::from_slice(&self.text)
            .with_context(|| format!("line {}: expected {what}, got {}", self.line, self.quoted_line()))
    }

    /// Returns the line, quoted for a message.
    fn quoted_line(&self) -> String {
        quoted(self.text.trim_ascii_end())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;
    use proptest::test_runner::TestRunner;

    use super::*;

    /// Makes a transcript of two interrupted games, of the bundled bot and of `./bot`.
    fn transcript() -> String {
        let limits = r#"{"cpu_ns":2000000000,"wall_ns":2000000000,"idle_ns":2000000000,"memory_bytes":1073741824,"processes":64,"grace_ns":1000000000}"#;
        let setup = |bot: &str| {
            format!(
                r#"{{"transcript":{VERSION},"judge":"0.1.0","game":"6 1 2","opponent":"slow","seed":1,"line":[[1,1]],"profile":"contest","limits":{limits},"limits_by":"auto","session":false,"sandbox":false,"bot":[{bot}],"held_by":"proc"}}"#
            )
        };
        let events = [
            r#"{"ns":0,"event":"sent","text":"6 1 2\n"}"#,
            r#"{"ns":5,"event":"received","hex":"4669727374ff0a"}"#,
            r#"{"ns":9,"event":"interrupted"}"#,
            r#"{"verdict":"INTERRUPTED","reason":"the judge was interrupted","side":null,"moves":0,"wall_ns":9,"waited_ns":5,"cpu_ns":1,"memory_bytes":null,"processes":null}"#,
        ];
        let game = |bot| format!("{}\n{}\n", setup(bot), events.join("\n"));
        game("") + &game(r#""./bot""#)
    }

    /// Reads a transcript up to its end or its first error. Returns the number of games.
    fn games(text: &[u8]) -> anyhow::Result<usize> {
        let mut reader = TranscriptReader::new(text);
        let mut games = 0;
        while reader.setup()?.is_some() {
            reader.events(|_| Ok(()))?;
            games += 1;
        }
        Ok(games)
    }

    /// Generates a transcript in which some bytes are replaced, removed or repeated, or random bytes.
    fn damaged() -> impl Strategy<Value = Vec<u8>> {
        let bytes = prop::collection::vec((any::<Index>(), any::<u8>()), 1..4).prop_map(|changes| {
            let mut text = transcript().into_bytes();
            for (at, byte) in changes {
                let at = at.index(text.len());
                text[at] = byte;
            }
            text
        });
        let cut = (any::<Index>(), any::<Index>()).prop_map(|(from, to)| {
            let text = transcript().into_bytes();
            let (from, to) = (from.index(text.len()), to.index(text.len()));
            [&text[..from], &text[to..]].concat()
        });
        prop_oneof![bytes, cut, prop::collection::vec(any::<u8>(), 0..200)]
    }

    fn read_damaged(cases: u32) {
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let read = |text: Vec<u8>| {
            if let Err(error) = games(&text) {
                prop_assert!(error.to_string().starts_with("line "), "{:#}", error);
            }
            Ok(())
        };
        TestRunner::new(config).run(&damaged(), read).unwrap();
    }

    #[test]
    fn whole_and_damaged_transcripts() {
        assert_eq!(games(transcript().as_bytes()).unwrap(), 2);
        read_damaged(2000);
    }

    #[test]
    #[ignore = "takes a minute"]
    fn many_damaged_transcripts() {
        read_damaged(300_000);
    }
}
