//! The transcript of a run, as JSON lines: the set-up, what both programs did, and the result.

use std::io::{self, BufRead};

use anyhow::{Context, bail, ensure};
use runner::limits::OUTPUT_LIMIT;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::conversation::interaction::Step;
use crate::referee::interactor::trial::TrialResult;
use crate::report::run_line::RunLine;
use crate::report::transcript_file::TranscriptFile;
use crate::report::transcript_file::VERSION;
use crate::report::transcript_file::{LineLimits, LineReader};

/// The first line of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunSetup {
    /// The version of the format.
    transcript: u32,
    /// The interactor as it was typed. In the set-up of a game, there is no such field.
    pub(crate) interactor: String,
    pub(crate) bot: Vec<String>,
    judge: String,
}

/// Maximum size of the record of a run, in bytes: what both programs together may write by default.
pub(crate) const MAX_RECORDED: usize = 2 * OUTPUT_LIMIT;

/// The line before the steps of a pass after the first one.
#[derive(Serialize, Deserialize)]
struct PassLine {
    pass: u32,
}

/// The limits of the line with the set-up of a run.
const LONG: LineLimits =
    LineLimits { what: "the set-up of a run with an interactor", bytes: 40 << 20, values: 1 << 20 };

/// The limits of all other lines of a run.
const STEP: LineLimits =
    LineLimits { what: "a step, a pass or the result of a run", bytes: 40 << 20, values: 1 << 20 };

/// The fields that distinguish the kinds of lines.
#[derive(Deserialize)]
struct LineKind {
    transcript: Option<u64>,
    interactor: Option<IgnoredAny>,
    verdict: Option<IgnoredAny>,
    pass: Option<IgnoredAny>,
}

/// A part of a run between its set-up and its result.
pub(crate) enum Part {
    Pass(u32),
    Step(Step),
}

impl RunSetup {
    pub(crate) fn new(interactor: String, bot: Vec<String>) -> Self {
        Self { transcript: VERSION, interactor, bot, judge: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// Writes a run.
///
/// # Errors
///
/// If the file cannot be written.
pub(crate) fn write(
    file: &mut TranscriptFile,
    setup: &RunSetup,
    result: &TrialResult,
    line: &RunLine,
) -> anyhow::Result<()> {
    file.begin()?;
    write_lines(file, setup, result, line).context("the transcript cannot be written")
}

fn write_lines(
    file: &mut TranscriptFile,
    setup: &RunSetup,
    result: &TrialResult,
    line: &RunLine,
) -> io::Result<()> {
    file.write_line(setup)?;
    for (pass, interaction) in (1..).zip(&result.interactions) {
        if pass > 1 {
            file.write_line(&PassLine { pass })?;
        }
        for step in interaction.steps() {
            file.write_line(step)?;
        }
    }
    file.write_line(line)
}

/// Checks whether the first line is the set-up of a run, and not of a game.
///
/// # Errors
///
/// If the line is no JSON object, or cannot be read.
pub(crate) fn is_run(lines: &mut LineReader<impl BufRead>) -> anyhow::Result<bool> {
    let kind = lines.peek::<LineKind>(&LineLimits { what: "the set-up of a game or a run", ..LONG })?;
    Ok(kind.is_some_and(|kind| kind.transcript.is_some() && kind.interactor.is_some()))
}

/// Reads the runs of a transcript, one after the other.
pub(crate) struct RunReader<R> {
    lines: LineReader<R>,
}

impl<R: BufRead> RunReader<R> {
    pub(crate) fn new(lines: LineReader<R>) -> Self {
        Self { lines }
    }

    /// Reads the set-up of the next run. Returns `None` at the end of the transcript.
    ///
    /// # Errors
    ///
    /// If the line is not a set-up of a run, has another version of the format, or cannot be read.
    pub(crate) fn setup(&mut self) -> anyhow::Result<Option<RunSetup>> {
        let Some(kind) = self.lines.next::<LineKind>(&LONG)? else { return Ok(None) };
        let Some(version) = kind.transcript.filter(|_| kind.interactor.is_some()) else {
            return Err(self.lines.unexpected(LONG.what));
        };
        ensure!(
            version == u64::from(VERSION),
            "line {}: expected a transcript of version {VERSION}, got version {version}: another version of the judge \
             wrote it, and can read it",
            self.lines.number()
        );
        self.lines.parse(LONG.what).map(Some)
    }

    /// Reads the run whose set-up was read, passes each part to `apply`, and returns the result.
    ///
    /// # Errors
    ///
    /// If a line is malformed, the transcript ends within the run, or `apply` fails.
    pub(crate) fn parts(
        &mut self,
        mut apply: impl FnMut(Part) -> anyhow::Result<()>,
    ) -> anyhow::Result<RunLine> {
        loop {
            let Some(kind) = self.lines.next::<LineKind>(&STEP)? else {
                bail!("line {}: expected {}, got the end of the file", self.lines.number() + 1, STEP.what)
            };
            if kind.verdict.is_some() {
                return self.lines.parse("the result of a run");
            }
            apply(if kind.pass.is_some() {
                Part::Pass(self.lines.parse::<PassLine>("a pass")?.pass)
            } else {
                Part::Step(self.lines.parse("a step")?)
            })?;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::conversation::last_lines::quoted;

    const TRANSCRIPT: &str = include_str!("../../tests/pages/replay.in/run.jsonl");

    /// Reads a transcript up to its end or its first error. Returns the numbers of runs and of parts.
    fn read(text: &[u8]) -> anyhow::Result<(usize, usize)> {
        let mut reader = RunReader::new(LineReader::new(text, quoted));
        let (mut runs, mut parts) = (0, 0);
        while reader.setup()?.is_some() {
            reader.parts(|_| {
                parts += 1;
                Ok(())
            })?;
            runs += 1;
        }
        Ok((runs, parts))
    }

    #[test]
    fn a_whole_transcript_is_read() {
        assert_eq!(read(TRANSCRIPT.as_bytes()).unwrap(), (2, 13));
        assert!(is_run(&mut LineReader::new(TRANSCRIPT.as_bytes(), quoted)).unwrap());
        assert!(!is_run(&mut LineReader::new(&b"{\"transcript\":4}\n"[..], quoted)).unwrap());
        assert!(!is_run(&mut LineReader::new(&b""[..], quoted)).unwrap());
    }

    proptest! {
        #[test]
        fn a_damaged_transcript_is_refused_with_its_line(
            changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4),
            cut in any::<Index>(),
        ) {
            let mut text = TRANSCRIPT.as_bytes().to_vec();
            for (at, byte) in changes {
                let at = at.index(text.len());
                text[at] = byte;
            }
            text.truncate(cut.index(text.len()) + 1);
            if let Err(error) = read(&text) {
                prop_assert!(error.to_string().starts_with("line "), "{:#}", error);
            }
        }
    }
}
