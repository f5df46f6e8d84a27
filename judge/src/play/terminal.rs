//! The terminal: lines that a person types, and lines that are shown.

use std::fmt::Display;
use std::io::{BufRead, Read, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use zeroxor::wire::protocol::SyntaxError;
use zeroxor::wire::quoted;

/// The longest line a person may type, in bytes, without its end.
const LINE_LIMIT: usize = 4096;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const REFUSAL: Style = AnsiColor::Yellow.on_default();
pub(crate) const VICTORY: Style = AnsiColor::Green.on_default().bold();

/// The terminal of a person. It may be a pipe.
pub(crate) struct Terminal<R, W> {
    input: R,
    out: W,
}

/// The result of reading a line.
pub(crate) enum TypedLine {
    Line(Vec<u8>),
    /// A line that is too long. It was skipped.
    TooLong,
    /// The end of the input.
    End,
}

impl<R: BufRead, W: Write> Terminal<R, W> {
    pub(crate) fn new(input: R, out: W) -> Self {
        Self { input, out }
    }

    /// Prints a text and flushes.
    pub(crate) fn say(&mut self, style: Style, text: impl Display) -> anyhow::Result<()> {
        writeln!(self.out, "{style}{text}{style:#}")?;
        self.out.flush()?;
        Ok(())
    }

    /// Prints that something else was expected.
    pub(crate) fn refuse(&mut self, expected: &str, got: String) -> anyhow::Result<()> {
        self.say(REFUSAL, SyntaxError { expected: expected.to_owned(), got })
    }

    /// Prints a farewell.
    pub(crate) fn goodbye(&mut self) -> anyhow::Result<()> {
        self.say(PLAIN, "Goodbye.")
    }

    /// Asks until `read` accepts a line; `None` at the end of the input.
    pub(crate) fn ask<T>(
        &mut self,
        prompt: &str,
        expected: &str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        loop {
            write!(self.out, "{prompt}")?;
            self.out.flush()?;
            match self.read_line().context("the input cannot be read")? {
                TypedLine::Line(line) => match read(&line) {
                    Some(answer) => return Ok(Some(answer)),
                    None => self.refuse(expected, quoted(&line))?,
                },
                TypedLine::TooLong => {
                    self.refuse(expected, format!("a line of more than {LINE_LIMIT} bytes"))?;
                }
                TypedLine::End => {
                    // The prompt is still on this line.
                    self.say(PLAIN, "\nThe input has ended, so the game ends too.")?;
                    return Ok(None);
                }
            }
        }
    }

    /// Reads the next line and returns it without its LF. The last line may have none.
    fn read_line(&mut self) -> std::io::Result<TypedLine> {
        let mut line = Vec::new();
        let length = (&mut self.input).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line)?;
        if line.pop_if(|last| *last == b'\n').is_some() || (1..=LINE_LIMIT).contains(&length) {
            return Ok(TypedLine::Line(line));
        }
        if length == 0 {
            return Ok(TypedLine::End);
        }
        self.input.skip_until(b'\n')?;
        Ok(TypedLine::TooLong)
    }
}
