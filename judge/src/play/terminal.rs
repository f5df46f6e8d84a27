//! The person's end: lines in, lines out.

use std::fmt::Display;
use std::io::{BufRead, Read, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use zeroxor::wire::protocol::SyntaxError;
use zeroxor::wire::quoted;

/// The longest line a person may type, in bytes, its end not counted.
const LINE_LIMIT: usize = 4096;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const REFUSAL: Style = AnsiColor::Yellow.on_default();
pub(crate) const VICTORY: Style = AnsiColor::Green.on_default().bold();

/// Where a person reads and types. A pipe will do.
pub(crate) struct Terminal<R, W> {
    input: R,
    out: W,
}

/// What came when something was to be typed.
pub(crate) enum Typed {
    Line(Vec<u8>),
    /// A line beyond the limit. It has been skipped, not kept.
    TooLong,
    End,
}

impl<R: BufRead, W: Write> Terminal<R, W> {
    pub(crate) fn new(input: R, out: W) -> Self {
        Self { input, out }
    }

    pub(crate) fn say(&mut self, style: Style, text: impl Display) -> anyhow::Result<()> {
        writeln!(self.out, "{style}{text}{style:#}")?;
        self.out.flush()?;
        Ok(())
    }

    /// Says that something else was due.
    pub(crate) fn refuse(&mut self, expected: &str, got: String) -> anyhow::Result<()> {
        self.say(REFUSAL, SyntaxError { expected: expected.to_owned(), got })
    }

    pub(crate) fn goodbye(&mut self) -> anyhow::Result<()> {
        self.say(PLAIN, "Goodbye.")
    }

    /// Asks until `read` makes sense of a line; `None` at the end of the input.
    pub(crate) fn ask<T>(
        &mut self,
        prompt: &str,
        expected: &str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        loop {
            write!(self.out, "{prompt}")?;
            self.out.flush()?;
            match self.line().context("cannot read what is typed")? {
                Typed::Line(line) => match read(&line) {
                    Some(answer) => return Ok(Some(answer)),
                    None => self.refuse(expected, quoted(&line))?,
                },
                Typed::TooLong => {
                    self.refuse(expected, format!("a line of more than {LINE_LIMIT} bytes"))?;
                }
                Typed::End => {
                    // The prompt still waits for an answer on its line.
                    self.say(PLAIN, "\nThe input has ended, and the game with it.")?;
                    return Ok(None);
                }
            }
        }
    }

    /// The next line without its LF; a last line needs none.
    fn line(&mut self) -> std::io::Result<Typed> {
        let mut line = Vec::new();
        let length = (&mut self.input).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line)?;
        if line.pop_if(|last| *last == b'\n').is_some() || (1..=LINE_LIMIT).contains(&length) {
            return Ok(Typed::Line(line));
        }
        if length == 0 {
            return Ok(Typed::End);
        }
        self.input.skip_until(b'\n')?;
        Ok(Typed::TooLong)
    }
}
