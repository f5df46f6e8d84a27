//! The terminal: lines that a person types, and lines that are shown.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use zeroxor::wire::protocol::SyntaxError;
use zeroxor::wire::quoted;

use super::line_source::{EditedLines, LINE_LIMIT, LineSource, PlainLines, TypedLine};

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const REFUSAL: Style = AnsiColor::Yellow.on_default();
pub(crate) const VICTORY: Style = AnsiColor::Green.on_default().bold();
pub(crate) const DEFEAT: Style = AnsiColor::Red.on_default().bold();

/// The terminal of a person. It may be a pipe.
pub(crate) struct Terminal {
    lines: Box<dyn LineSource>,
    out: Box<dyn Write>,
    is_interactive: bool,
}

impl Terminal {
    /// The terminal of stdin and stdout. Lines are edited if both are terminals.
    pub(crate) fn of_stdio() -> anyhow::Result<Self> {
        let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
        let lines: Box<dyn LineSource> = if is_interactive {
            Box::new(EditedLines::new().context("the terminal cannot be used")?)
        } else {
            Box::new(PlainLines { input: io::stdin().lock(), out: anstream::stdout() })
        };
        Ok(Self { lines, out: Box::new(anstream::stdout()), is_interactive })
    }

    /// Whether a person sits at it.
    pub(crate) fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    /// Prints a text and flushes.
    pub(crate) fn say(&mut self, style: Style, text: impl Display) -> anyhow::Result<()> {
        writeln!(self.out, "{style}{text}{style:#}")?;
        self.out.flush()?;
        Ok(())
    }

    /// Prints that something else was expected.
    fn refuse(&mut self, expected: &str, got: String) -> anyhow::Result<()> {
        self.say(REFUSAL, SyntaxError { expected: expected.to_owned(), got })
    }

    /// Prints a farewell.
    pub(crate) fn goodbye(&mut self) -> anyhow::Result<()> {
        self.say(PLAIN, "Goodbye.")
    }

    /// Asks until `read` accepts a line; `None` at the end of the input or after Ctrl-C.
    pub(crate) fn ask<T>(
        &mut self,
        prompt: &str,
        expected: &str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        loop {
            match self.lines.read_line(prompt).context("the input cannot be read")? {
                TypedLine::Line(line) => match read(&line) {
                    Some(answer) => return Ok(Some(answer)),
                    None => self.refuse(expected, quoted(&line))?,
                },
                TypedLine::TooLong => {
                    self.refuse(expected, format!("a line of more than {LINE_LIMIT} bytes"))?;
                }
                TypedLine::End => {
                    self.say(PLAIN, "The input has ended, so the game ends too.")?;
                    return Ok(None);
                }
                TypedLine::Interrupted => {
                    self.goodbye()?;
                    return Ok(None);
                }
            }
        }
    }
}
