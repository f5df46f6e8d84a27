//! Reads transcripts. The error for a damaged transcript begins with the number of the line.

use std::io::{self, BufRead};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use runner::event::Event;
use runner::relay::Side;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use zeroxor::wire::quoted;

use crate::conversation::interaction::Step;
use crate::conversation::verdict::Verdict;
use crate::json::bound_values;
use crate::record_file::whole_line;
use crate::report::run::RunReport;
use crate::report::transcript::{Part, Setup, VERSION};
use crate::text::without_byte_order_mark;

/// Maximum length of a line, in bytes. A set-up and a result have the bot's command, which has at most 6 MiB on Linux.
/// JSON needs up to six bytes for each byte of the command. The judge writes no longer line.
const MAX_BYTES: u64 = 80 << 20;

const MAX_VALUES: u64 = 1 << 20;

#[derive(Deserialize)]
struct LineKind {
    transcript: Option<u64>,
    /// Only in the set-up of a run with an interactor.
    interactor: Option<IgnoredAny>,
    pass: Option<u32>,
    ns: Option<IgnoredAny>,
    verdict: Option<IgnoredAny>,
}

/// Reads the games and runs of a transcript, one after the other, event by event.
pub(crate) struct TranscriptReader<R> {
    input: R,
    text: Vec<u8>,
    /// The number of the last line, from 1; 0 before the first line.
    number: u64,
}

impl<R: BufRead> TranscriptReader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, text: Vec::new(), number: 0 }
    }

    /// Reads the set-up of the next game or run. Returns `None` at the end of the transcript.
    pub(crate) fn setup(&mut self) -> anyhow::Result<Option<Setup>> {
        const WHAT: &str = "the set-up of a game or a run";
        let Some(kind) = self.next(WHAT)? else { return Ok(None) };
        let line = self.number;
        let Some(version) = kind.transcript else {
            bail!("line {line}: expected {WHAT}, {{\"transcript\":{VERSION},...}}, got {}", self.quoted())
        };
        ensure!(
            version == u64::from(VERSION),
            "line {line}: expected a transcript of version {VERSION}, got version {version}: another version of the judge \
             wrote it, and can read it"
        );
        Ok(Some(match kind.interactor {
            None => Setup::Game(self.parse("the set-up of a game")?),
            Some(_) => Setup::Run(self.parse("the set-up of a run with an interactor")?),
        }))
    }

    /// Reads the game or run whose set-up was read last, passes each part to `apply`, and returns the result.
    pub(crate) fn parts(
        &mut self,
        mut apply: impl FnMut(Part<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<RunReport> {
        const WHAT: &str = "an event, a pass or the result";
        loop {
            let Some(kind) = self.next(WHAT)? else {
                bail!("line {}: expected {WHAT}, got the end of the file", self.number + 1)
            };
            let step;
            let part = if kind.ns.is_some() {
                step = self.parse("an event")?;
                Part::Step(&step)
            } else if kind.verdict.is_some() {
                return self.parse("the result");
            } else if let Some(pass) = kind.pass {
                Part::Pass { pass }
            } else {
                bail!("line {}: expected {WHAT}, got {}", self.number, self.quoted())
            };
            apply(part).with_context(|| format!("line {}", self.number))?;
        }
    }

    /// Reads the game whose set-up was read last, passes each event to `apply`, and returns the result.
    pub(crate) fn events(
        &mut self,
        mut apply: impl FnMut(&Step) -> anyhow::Result<()>,
    ) -> anyhow::Result<RunReport> {
        let mut now = Duration::ZERO;
        self.parts(|part| {
            let Part::Step(step @ &Step { at, side: Side::Bot, process: None, ref event }) = part else {
                bail!("expected an event of the bot of a game");
            };
            if let Event::Forfeited { verdict } = event {
                Verdict::from_name(verdict).context("expected an event")?;
            }
            // The end of stderr is written at the end of the game, with the earlier time at which it was received.
            if !matches!(event, Event::Stderr(_) | Event::StderrOmitted(_)) {
                let (now_ns, at_ns) = (now.as_nanos(), at.as_nanos());
                ensure!(at >= now, "expected a time of at least {now_ns} ns, got {at_ns} ns");
                now = at;
            }
            apply(step)
        })
    }

    pub(crate) fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.input.fill_buf()?.is_empty())
    }

    /// Reads a line, which must be an object, and returns its kind; `None` at the end of the input. `what` is the expected
    /// kind, for the error.
    fn next(&mut self, what: &str) -> anyhow::Result<Option<LineKind>> {
        let number = self.number + 1;
        let line = whole_line(&mut self.input, &mut self.text, MAX_BYTES);
        let is_whole = line.with_context(|| format!("line {number}"))?.is_some();
        let length = self.text.len();
        ensure!(
            is_whole || length == 0,
            "line {number}: expected a whole line, got {length} bytes without a line end: the file may have been cut off"
        );
        if !is_whole {
            return Ok(None);
        }
        self.number = number;
        if number == 1 {
            self.text.drain(..length - without_byte_order_mark(&self.text).len());
        }
        let is_object = self.text.trim_ascii_start().starts_with(b"{");
        ensure!(is_object, "line {number}: expected a JSON object, got {}", self.quoted());
        let bounded = bound_values(&self.text, MAX_VALUES);
        let kind = bounded.and_then(|()| serde_json::from_slice(&self.text));
        kind.with_context(|| format!("line {number}: expected {what}, got {}", self.quoted())).map(Some)
    }

    /// Parses the last line. `what` is the expected kind of line, for the error.
    fn parse<T: DeserializeOwned>(&self, what: &str) -> anyhow::Result<T> {
        serde_json::from_slice(&self.text)
            .with_context(|| format!("line {}: expected {what}, got {}", self.number, self.quoted()))
    }

    fn quoted(&self) -> String {
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
        let lines = [
            r#"{"transcript":5,"judge":"0.1.0","game":"6 1 2","opponent":"slow","seed":1,"line":[[1,1]],"profile":"contest","limits":{"cpu_ns":2000000000,"wall_ns":2000000000,"idle_ns":2000000000,"memory_bytes":1073741824,"processes":64,"grace_ns":1000000000},"limits_by":"auto","session":false,"sandbox":"none","bot":[BOT],"held_by":"proc"}"#,
            r#"{"ns":0,"seat":"bot","event":"sent","text":"6 1 2\n"}"#,
            r#"{"ns":5,"seat":"bot","event":"received","hex":"4669727374ff0a"}"#,
            r#"{"ns":9,"seat":"bot","event":"interrupted"}"#,
            r#"{"schema":2,"game":"6 1 2","opponent":"slow","seed":1,"verdict":"INTERRUPTED","class":"interrupted","pass":1,"reason":"the judge was interrupted","why":[],"advice":[],"score":null,"notes":[],"flaky":false,"passes":[{"seats":[{"exit":null,"cpu_ms":0.1,"wall_ms":0.9,"memory_kib":null,"processes":null,"lines":1,"stderr":[]}]}],"referee":null,"limits":null,"command":null,"review":null}"#,
        ];
        let game = lines.join("\n") + "\n";
        game.replace("BOT", "") + &game.replace("BOT", r#""./bot""#)
    }

    const RUNS: &str = include_str!("../../../tests/pages/replay.in/run.jsonl");

    /// Reads a transcript up to its end or its first error. Returns the numbers of games and runs, and of their parts.
    fn counts(text: &[u8]) -> anyhow::Result<(usize, usize)> {
        let mut reader = TranscriptReader::new(text);
        let (mut games, mut parts) = (0, 0);
        while let Some(setup) = reader.setup()? {
            let mut count = || -> anyhow::Result<()> {
                parts += 1;
                Ok(())
            };
            match setup {
                Setup::Game(_) => reader.events(|_| count()).map(drop)?,
                Setup::Run(_) => reader.parts(|_| count()).map(drop)?,
            }
            games += 1;
        }
        Ok((games, parts))
    }

    /// Generates either a transcript with some bytes replaced, removed or repeated, or random bytes.
    fn damaged() -> impl Strategy<Value = Vec<u8>> {
        let whole = || (transcript() + RUNS).into_bytes();
        let bytes = prop::collection::vec((any::<Index>(), any::<u8>()), 1..4).prop_map(move |changes| {
            let mut text = whole();
            for (at, byte) in changes {
                let at = at.index(text.len());
                text[at] = byte;
            }
            text
        });
        let cut = (any::<Index>(), any::<Index>()).prop_map(move |(from, to)| {
            let text = whole();
            let (from, to) = (from.index(text.len()), to.index(text.len()));
            [&text[..from], &text[to..]].concat()
        });
        prop_oneof![bytes, cut, prop::collection::vec(any::<u8>(), 0..200)]
    }

    #[test]
    fn whole_and_damaged_transcripts() {
        assert_eq!(counts(transcript().as_bytes()).unwrap(), (2, 6));
        assert_eq!(counts(RUNS.as_bytes()).unwrap(), (2, 13));
        let config = ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() };
        let read = |text: Vec<u8>| {
            if let Err(error) = counts(&text) {
                prop_assert!(error.to_string().starts_with("line "), "{:#}", error);
            }
            Ok(())
        };
        TestRunner::new(config).run(&damaged(), read).unwrap();
    }
}
