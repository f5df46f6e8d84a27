//! The terminal: prints text, and reads the lines that a person types, from a pipe or with a line editor.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use anyhow::Context;
use console::Style;
use runner::limits::LINE_LIMIT;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use zeroxor::SpecError;
use zeroxor::wire::quoted;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const REFUSAL: Style = Style::new().yellow();
pub(crate) const VICTORY: Style = Style::new().green().bold();
pub(crate) const DEFEAT: Style = Style::new().red().bold();

/// Stdin and stdout of a game with a person. They may be pipes.
pub(crate) struct Terminal {
    /// The editor of typed lines, with a history of earlier lines; `None` unless stdin and stdout are terminals.
    editor: Option<Editor<(), MemHistory>>,
    out: Box<dyn Write>,
}

impl Terminal {
    pub(crate) fn of_stdio() -> anyhow::Result<Self> {
        let editor = || {
            let config = Config::builder().auto_add_history(true).build();
            let history = MemHistory::with_config(&config);
            Editor::with_history(config, history)
        };
        let is_interactive = io::stdin().is_terminal() && io::stdout().is_terminal();
        let editor = is_interactive.then(editor).transpose().context("the terminal cannot be used")?;
        Ok(Self { editor, out: Box::new(io::stdout()) })
    }

    pub(crate) fn is_interactive(&self) -> bool {
        self.editor.is_some()
    }

    pub(crate) fn say(&mut self, style: &Style, text: impl Display) -> anyhow::Result<()> {
        writeln!(self.out, "{}", style.apply_to(text))?;
        self.out.flush()?;
        Ok(())
    }

    fn refuse(&mut self, expected: &str, got: String) -> anyhow::Result<()> {
        self.say(&REFUSAL, SpecError::new(expected, got))
    }

    pub(crate) fn goodbye(&mut self) -> anyhow::Result<()> {
        self.say(&PLAIN, "Goodbye.")
    }

    /// Asks until `read` accepts a line; returns `None` at the end of the input or after Ctrl-C.
    pub(crate) fn ask<T>(
        &mut self,
        prompt: &str,
        expected: &str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        loop {
            match self.read_line(prompt).context("the input cannot be read")? {
                TypedLine::Line(line) => match read(&line) {
                    Some(answer) => return Ok(Some(answer)),
                    None => self.refuse(expected, quoted(&line))?,
                },
                TypedLine::TooLong => {
                    self.refuse(expected, format!("a line of more than {LINE_LIMIT} bytes"))?;
                }
                TypedLine::End => {
                    self.say(&PLAIN, "The input has ended, so the game ends too.")?;
                    return Ok(None);
                }
                TypedLine::Interrupted => {
                    self.goodbye()?;
                    return Ok(None);
                }
            }
        }
    }

    fn read_line(&mut self, prompt: &str) -> io::Result<TypedLine> {
        if let Some(editor) = &mut self.editor {
            return match editor.readline(prompt) {
                Ok(line) if line.len() > LINE_LIMIT => Ok(TypedLine::TooLong),
                Ok(line) => Ok(TypedLine::Line(line.into_bytes())),
                Err(ReadlineError::Eof) => Ok(TypedLine::End),
                Err(ReadlineError::Interrupted) => Ok(TypedLine::Interrupted),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            };
        }
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let (mut input, mut line) = (io::stdin().lock(), Vec::new());
        let length = (&mut input).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line)?;
        // The last line needs no LF.
        if line.pop_if(|last| *last == b'\n').is_some() || (1..=LINE_LIMIT).contains(&length) {
            return Ok(TypedLine::Line(line));
        }
        if length == 0 {
            writeln!(self.out)?;
            return Ok(TypedLine::End);
        }
        input.skip_until(b'\n')?;
        Ok(TypedLine::TooLong)
    }
}

enum TypedLine {
    /// A line without its LF.
    Line(Vec<u8>),
    /// A line of more than `LINE_LIMIT` bytes. It was skipped.
    TooLong,
    /// The end of the input. The cursor is at the beginning of a line.
    End,
    Interrupted,
}
