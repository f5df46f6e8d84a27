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

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const REFUSAL: Style = Style::new().yellow();
pub(crate) const VICTORY: Style = Style::new().green().bold();
pub(crate) const DEFEAT: Style = Style::new().red().bold();

pub(crate) fn say(text: impl Display) -> anyhow::Result<()> {
    say_in(&Style::new(), text)
}

pub(crate) fn say_in(style: &Style, text: impl Display) -> anyhow::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{}", style.apply_to(text))?;
    Ok(out.flush()?)
}

pub(crate) fn goodbye() -> anyhow::Result<()> {
    say("Goodbye.")
}

/// Stdin and stdout of a game with a person. They may be pipes.
pub(crate) struct Terminal {
    /// The editor of typed lines, with a history of earlier lines; `None` unless stdin and stdout are terminals.
    editor: Option<Editor<(), MemHistory>>,
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
        Ok(Self { editor })
    }

    pub(crate) fn is_interactive(&self) -> bool {
        self.editor.is_some()
    }

    /// Asks until `read` accepts a line; returns `None` at the end of the input or after Ctrl-C.
    pub(crate) fn ask<T>(
        &mut self,
        prompt: &str,
        expected: &str,
        read: impl Fn(&[u8]) -> Option<T>,
    ) -> anyhow::Result<Option<T>> {
        loop {
            let got = match self.read_line(prompt) {
                Ok(line) if line.len() > LINE_LIMIT => format!("a line of more than {LINE_LIMIT} bytes"),
                Ok(line) => match read(&line) {
                    Some(answer) => return Ok(Some(answer)),
                    None => quoted(&line),
                },
                Err(ReadlineError::Eof) => {
                    say("The input has ended, so the game ends too.")?;
                    return Ok(None);
                }
                Err(ReadlineError::Interrupted) => return goodbye().map(|()| None),
                Err(ReadlineError::Io(error)) => return Err(error).context("the input cannot be read"),
                Err(error) => return Err(error).context("the input cannot be read"),
            };
            say_in(&REFUSAL, SpecError::new(expected, got))?;
        }
    }

    /// Reads a line, without its LF. Of a line of more than [`LINE_LIMIT`] bytes in a pipe, skips the rest.
    fn read_line(&mut self, prompt: &str) -> Result<Vec<u8>, ReadlineError> {
        if let Some(editor) = &mut self.editor {
            return editor.readline(prompt).map(String::into_bytes);
        }
        let (mut input, mut out, mut line) = (io::stdin().lock(), io::stdout(), Vec::new());
        write!(out, "{prompt}")?;
        out.flush()?;
        if (&mut input).take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line)? == 0 {
            writeln!(out)?;
            return Err(ReadlineError::Eof);
        }
        if line.pop_if(|last| *last == b'\n').is_none() && line.len() > LINE_LIMIT {
            input.skip_until(b'\n')?;
        }
        Ok(line)
    }
}
