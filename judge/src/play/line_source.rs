//! Where the lines of a person come from: a pipe, or a terminal with an editor.

use std::io::{self, BufRead, Read, Write};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

/// The longest line a person may type, in bytes, without its end.
pub(crate) const LINE_LIMIT: usize = 4096;

/// The result of reading a line.
pub(crate) enum TypedLine {
    /// A line without its LF.
    Line(Vec<u8>),
    /// A line that is too long. It was skipped.
    TooLong,
    /// The end of the input; the cursor is on a line of its own.
    End,
    /// Ctrl-C at a prompt.
    Interrupted,
}

/// A source of lines.
pub(crate) trait LineSource {
    /// Shows the prompt and reads the next line.
    fn read_line(&mut self, prompt: &str) -> io::Result<TypedLine>;
}

/// The lines of a pipe or a file, whose prompts are written to `out`. The last line needs no LF.
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

/// The lines that a person types and edits at a terminal. The lines typed before are kept while the program runs.
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
