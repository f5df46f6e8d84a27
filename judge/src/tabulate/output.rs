//! Where a table goes: stdout or a file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;

/// A buffered writer. A file is created before anything is computed, so that a bad path costs no time.
pub(crate) struct Output(BufWriter<Box<dyn Write>>);

impl Output {
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let out: Box<dyn Write> = match path {
            None => Box::new(io::stdout()),
            Some(path) => {
                let file = File::create(path);
                Box::new(file.with_context(|| format!("{} could not be written", path.display()))?)
            }
        };
        Ok(Self(BufWriter::with_capacity(1 << 16, out)))
    }

    /// Writes all of a table.
    pub(crate) fn write(
        mut self,
        table: impl FnOnce(&mut BufWriter<Box<dyn Write>>) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let written = table(&mut self.0).and_then(|()| self.0.flush());
        if written.is_err() {
            // What is left of it is not to be tried once more on drop.
            let _ = self.0.into_parts();
        }
        written.context("the table could not be written")
    }
}
