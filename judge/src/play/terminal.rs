//! The terminal: prints text, and reads the lines that a person types, from a pipe or with a line editor.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use zeroxor::wire::protocol::SyntaxError;
use zeroxor::wire::quoted;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const REFUSAL: Style = AnsiColor::Yellow.on_default();
pub(crate) const VICTORY: Style = AnsiColor::Green.on_default().bold();
pub(crate) const DEFEAT: Style = AnsiColor::Red.on_default().bold();

/// Stdin and stdout of a game with a person. They may be pipes.
pub(crate) struct Terminal {
    lines: Box<dyn LineSource>,
    out: Box<dyn Write>,
    is_interactive: bool,
}

impl Terminal {
    /// Returns the terminal of stdin and stdout. Lines can be edited if both are terminals.
    pub(crate) fn of_stdio() -> anyhow::Result<Self> {
        let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
        let lines: Box<dyn LineSource> = if is_interactive {
            Box::new(EditedLines::new().context("the terminal cannot be used")?)
        } else {
            Box::new(PlainLines { input: io::stdin().lock(), out: anstream::stdout() })
        };
        Ok(Self { lines, out: Box::new(anstream::stdout()), is_interactive })
    }

    /// Returns whether both stdin and stdout are terminals.
    pub(crate) fn is_interactive(&self) -> bool {
        self.is_interactive
    }

    /// Prints a text and flushes.
    pub(crate) fn say(&mut self, style: Style, text: impl Display) -> anyhow::Result<()> {
        writeln!(self.out, "{style}{text}{style:#}")?;
        self.out.flush()?;
        Ok(())
    }

    /// Prints what was expected and what was typed instead.
    fn refuse(&mut self, expected: &str, got: String) -> anyhow::Result<()> {
        self.say(REFUSAL, SyntaxError { expected: expected.to_owned(), got })
    }

    /// Prints a farewell.
    pub(crate) fn goodbye(&mut self) -> anyhow::Result<()> {
        self.say(PLAIN, "Goodbye.")
    }

    /// Asks until `read` accepts a line; returns `None` at the end of the input or after Ctrl-C.
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

/// Maximum length of a typed line, in bytes, without its end.
pub(crate) const LINE_LIMIT: usize = 4096;

/// The result of reading a line.
pub(crate) enum TypedLine {
    /// A line without its LF.
    Line(Vec<u8>),
    /// A line that is too long. It was skipped.
    TooLong,
    /// The end of the input. The cursor is at the beginning of a line.
    End,
    /// Ctrl-C at a prompt.
    Interrupted,
}

/// A source of lines.
pub(crate) trait LineSource {
    /// Shows the prompt and reads the next line.
    fn read_line(&mut self, prompt: &str) -> io::Result<TypedLine>;
}

/// The lines of a pipe or a file. Prompts are written to `out`. The last line needs no LF.
pub(crate) struct PlainLines<R, W> {
    pub(crate) input: R,
    pub(crate) out: W,
}

impl<R: BufRead, W: Write> LineSource for PlainLines<R, W> {
    fn read_line(&mut self, prompt: &str) -> io::Result<TypedLine> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let mut line = Vec::new();
        let length = (&mut self.input).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line)?;
        if line.pop_if(|last| *last == b'\n').is_some() || (1..=LINE_LIMIT).contains(&length) {
            return Ok(TypedLine::Line(line));
        }
        if length == 0 {
            writeln!(self.out)?;
            return Ok(TypedLine::End);
        }
        self.input.skip_until(b'\n')?;
        Ok(TypedLine::TooLong)
    }
}

/// The lines that a person types and edits at a terminal, with a history of earlier lines.
pub(crate) struct EditedLines(Editor<(), MemHistory>);

impl EditedLines {
    pub(crate) fn new() -> io::Result<Self> {
        let config = Config::builder().auto_add_history(true).build();
        let history = MemHistory::with_config(&config);
        Editor::with_history(config, history).map(Self).map_err(io::Error::other)
    }
}

impl LineSource for EditedLines {
    fn read_line(&mut self, prompt: &str) -> io::Result<TypedLine> {
        match self.0.readline(prompt) {
            Ok(line) if line.len() > LINE_LIMIT => Ok(TypedLine::TooLong),
            Ok(line) => Ok(TypedLine::Line(line.into_bytes())),
            Err(ReadlineError::Eof) => Ok(TypedLine::End),
            Err(ReadlineError::Interrupted) => Ok(TypedLine::Interrupted),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}
