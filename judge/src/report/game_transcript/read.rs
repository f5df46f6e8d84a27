//! Reads a transcript. The error for a damaged transcript begins with the number of the line.

use std::io::{self, BufRead};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use runner::event::{Event, RecordedEvent};
use serde::Deserialize;
use serde::de::IgnoredAny;
use zeroxor::wire::quoted;

use crate::conversation::verdict::Verdict;
use crate::report::game_transcript::{ResultLine, SetupLine};
use crate::report::transcript_file::{LineLimits, LineReader, VERSION};

/// The limits of a set-up. A set-up contains the bot's command, which has at most 6 MiB on Linux. JSON needs up to six
/// bytes for each byte of the command.
const SETUP: LineLimits = LineLimits { what: "the set-up of a game", bytes: 40 << 20, values: 1 << 20 };

/// The limits of an event. An event contains at most the content of a pipe, about 2 MiB in hex digits.
const EVENT: LineLimits =
    LineLimits { what: "an event or the result of the game", bytes: 4 << 20, values: 64 };

/// The fields that distinguish the kinds of lines.
#[derive(Deserialize)]
struct LineKind {
    transcript: Option<u64>,
    /// Only in the set-up of a run with an interactor.
    interactor: Option<IgnoredAny>,
    verdict: Option<IgnoredAny>,
}

/// Reads the games of a transcript, one after the other, event by event.
pub(crate) struct TranscriptReader<R> {
    lines: LineReader<R>,
}

impl<R: BufRead> TranscriptReader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self::of_lines(LineReader::new(input, quoted))
    }

    /// Creates a reader of the games in these lines.
    pub(crate) fn of_lines(lines: LineReader<R>) -> Self {
        Self { lines }
    }

    /// Reads the set-up of the next game. Returns `None` at the end of the transcript.
    ///
    /// # Errors
    ///
    /// If the line is not a set-up, has another version of the format, or cannot be read.
    pub(crate) fn setup(&mut self) -> anyhow::Result<Option<SetupLine>> {
        let Some(kind) = self.lines.next::<LineKind>(&SETUP)? else { return Ok(None) };
        let line = self.lines.number();
        ensure!(
            kind.interactor.is_none(),
            "line {line}: expected the set-up of a game, got that of a run with an interactor"
        );
        let Some(version) = kind.transcript else {
            let what = format!("the set-up of a game, {{\"transcript\":{VERSION},...}}");
            return Err(self.lines.unexpected(&what));
        };
        ensure!(
            version == u64::from(VERSION),
            "line {line}: expected a transcript of version {VERSION}, got version {version}: another version of the judge \
             wrote it, and can read it"
        );
        self.lines.parse("the set-up of a game").map(Some)
    }

    /// Reads the events of the game whose set-up was read last, passes each event to `apply`, and reads the result.
    ///
    /// # Errors
    ///
    /// If a line is not an event or a result, the transcript ends within the game, or `apply` refuses an event.
    pub(crate) fn events(
        &mut self,
        mut apply: impl FnMut(&RecordedEvent) -> anyhow::Result<()>,
    ) -> anyhow::Result<ResultLine> {
        let mut now = Duration::ZERO;
        loop {
            let Some(kind) = self.lines.next::<LineKind>(&EVENT)? else {
                bail!("line {}: expected {}, got the end of the file", self.lines.number() + 1, EVENT.what)
            };
            let line = self.lines.number();
            if kind.verdict.is_some() {
                return self.lines.parse("the result of a game");
            }
            let entry: RecordedEvent = self.lines.parse("an event")?;
            if let Event::Forfeited(forfeit) = &entry.event {
                Verdict::from_name(&forfeit.verdict)
                    .with_context(|| format!("line {line}: expected an event"))?;
            }
            // The end of stderr is written at the end of the game, with the earlier time at which it was received.
            if !matches!(entry.event, Event::Stderr(_) | Event::StderrOmitted(_)) {
                let at = entry.at;
                ensure!(
                    at >= now,
                    "line {line}: expected a time of at least {} ns, got {} ns",
                    now.as_nanos(),
                    at.as_nanos()
                );
                now = at;
            }
            apply(&entry).with_context(|| format!("line {line}"))?;
        }
    }

    /// Checks whether the transcript ends after the last line that was read.
    ///
    /// # Errors
    ///
    /// If the transcript cannot be read.
    pub(crate) fn is_at_end(&mut self) -> io::Result<bool> {
        self.lines.is_at_end()
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

    /// Generates either a transcript with some bytes replaced, removed or repeated, or random bytes.
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
