//! `judge replay` of runs with an interactor: shows recorded runs in two columns, or as pages.

use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};

use crate::output;
use crate::report::rows::Columns;
use crate::report::run_page::PageRows;
use crate::report::run_transcript::{Part, RunReader, RunSetup};
use crate::report::runs::{Form, Report};
use crate::report::transcript_file::LineReader;
use crate::trials::problem::run_files::PAGE_NAMES;

/// How recorded runs are shown.
pub(crate) struct RunReplay<'a> {
    /// The number of the run to show, from 1; `None` to show all runs.
    pub(crate) number: Option<u64>,
    /// The file or the folder for pages.
    pub(crate) html: Option<&'a Path>,
    pub(crate) is_json: bool,
}

/// The destination of the pages.
enum Pages {
    None,
    /// The page of the only run is written after the last run has been read, because a second run is an error.
    File(PathBuf, Option<String>),
    /// A page for each run in this folder.
    Folder(PathBuf),
}

impl RunReplay<'_> {
    /// Shows the runs of the transcript `name`. If the page goes to stdout, all other output goes to stderr.
    ///
    /// # Errors
    ///
    /// If the transcript is damaged, has no run with the number that was asked for, or a page cannot be written.
    pub(crate) fn show(&self, name: &str, lines: LineReader<impl BufRead>) -> anyhow::Result<ExitCode> {
        let mut pages = Pages::new(self.html);
        let mut runs = RunReader::new(lines);
        let mut count = 0;
        while let Some(setup) = runs.setup().with_context(|| name.to_owned())? {
            count += 1;
            let numbered = || format!("{name}, run {count}");
            if self.number.is_some_and(|number| number != count) {
                runs.parts(|_| Ok(())).with_context(numbered)?;
            } else {
                self.show_run(count, &setup, &mut runs, &mut pages).with_context(numbered)?;
            }
        }
        ensure!(count > 0, "{name} is empty: expected the set-up of a game or a run");
        if let Some(number) = self.number {
            ensure!(number <= count, "expected --game 1 to {count}, the runs of {name}, got {number}");
        }
        pages.end()?;
        Ok(ExitCode::SUCCESS)
    }

    fn show_run(
        &self,
        number: u64,
        setup: &RunSetup,
        runs: &mut RunReader<impl BufRead>,
        pages: &mut Pages,
    ) -> anyhow::Result<()> {
        let to_stderr = self.html == Some(Path::new("-"));
        let plain: Box<dyn Write> = if to_stderr { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        let styled: Box<dyn Write> =
            if to_stderr { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) };
        let mut page = self.html.map(|_| PageRows::default());
        let has_columns = !self.is_json && page.is_none();
        let mut columns = has_columns.then(|| Columns::new(BufWriter::new(plain)));
        if let Some(columns) = &mut columns {
            columns.heading(setup)?;
        }
        let line = runs.parts(|part| {
            match (part, &mut columns, &mut page) {
                (Part::Pass(pass), Some(columns), _) => columns.begin_pass(pass)?,
                (Part::Step(step), Some(columns), _) => columns.add(&step)?,
                (Part::Pass(pass), None, Some(page)) => page.begin_pass(pass),
                (Part::Step(step), None, Some(page)) => page.add(&step),
                (_, None, None) => {}
            }
            Ok(())
        })?;
        if let Some(mut columns) = columns {
            columns.end()?;
        }
        if let Some(page) = page {
            pages.add(number, page.page(setup, &line))?;
        }
        let form = if self.is_json {
            Form::Json
        } else {
            Form::Console { quiet: false, show_stderr: true, show_lines: false }
        };
        Report::new(styled, form).add(&line)
    }
}

impl Pages {
    fn new(path: Option<&Path>) -> Self {
        match path {
            None => Self::None,
            Some(folder) if folder.is_dir() => Self::Folder(folder.to_owned()),
            Some(path) => Self::File(path.to_owned(), None),
        }
    }

    fn add(&mut self, number: u64, page: String) -> anyhow::Result<()> {
        match self {
            Self::None => Ok(()),
            Self::File(_, first) => {
                ensure!(
                    first.is_none(),
                    "expected one run, because --html names a file, got more: choose one with --game K, or name a \
                     directory to get a page for each run"
                );
                *first = Some(page);
                Ok(())
            }
            Self::Folder(folder) => {
                let (begin, end) = PAGE_NAMES;
                let path = folder.join(format!("{begin}{number}{end}"));
                output::write(&path, page.as_bytes())
            }
        }
    }

    /// Writes the page, if the destination is a file.
    fn end(self) -> anyhow::Result<()> {
        match self {
            Self::File(path, Some(page)) => output::write(&path, page.as_bytes()),
            _ => Ok(()),
        }
    }
}
