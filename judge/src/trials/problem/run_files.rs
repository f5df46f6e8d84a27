//! The files that `judge run --interactor` writes besides its report.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::conversation::verdict::Verdict;
use crate::output;
use crate::output::ensure_different_files;
use crate::referee::interactor::trial::TrialResult;
use crate::report::page::PageRows;
use crate::report::run::RunReport;
use crate::report::transcript::writer::TranscriptWriter;
use crate::report::transcript::{MAX_RECORDED, RunSetup};

/// The prefix and the suffix of the file names of the pages in a folder.
pub(crate) const PAGE_NAMES: (&str, &str) = ("run-", ".html");

/// The options for these files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunFileOptions<'a> {
    /// The file for the lines of both programs. It can hold only one run.
    pub(crate) interaction: Option<&'a Path>,
    pub(crate) transcript: Option<&'a Path>,
    /// The folder of the pages.
    pub(crate) html: Option<&'a Path>,
    /// Whether runs that were accepted get pages too.
    pub(crate) html_all: bool,
}

/// The files of some runs.
pub(crate) struct RunFiles {
    interaction: Option<PathBuf>,
    transcript: Option<TranscriptWriter>,
    pages: Option<PageFolder>,
    /// The number of runs so far.
    runs: u64,
}

struct PageFolder {
    path: PathBuf,
    with_accepted: bool,
}

impl RunFileOptions<'_> {
    /// Opens the files.
    ///
    /// # Errors
    ///
    /// If a file is named twice or cannot be written, or the folder of the pages cannot be created.
    pub(crate) fn open(self) -> anyhow::Result<RunFiles> {
        let Self { interaction, transcript, html, html_all } = self;
        interaction.map_or(Ok(()), output::check_writable)?;
        ensure_different_files([("--interaction", interaction), ("--transcript", transcript)])?;
        Ok(RunFiles {
            interaction: interaction.map(Path::to_owned),
            transcript: transcript.map(TranscriptWriter::new),
            pages: html.map(|folder| PageFolder::open(folder, html_all)).transpose()?,
            runs: 0,
        })
    }
}

impl PageFolder {
    fn open(folder: &Path, with_accepted: bool) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for pages cannot be created", folder.display()))?;
        Ok(Self { path: folder.to_owned(), with_accepted })
    }
}

impl RunFiles {
    /// Returns whether no file is written.
    pub(crate) fn is_empty(&self) -> bool {
        self.interaction.is_none() && self.transcript.is_none() && self.pages.is_none()
    }

    /// Checks whether `count` runs can be written to the files.
    ///
    /// # Errors
    ///
    /// If there are several runs, but `--interaction` has room for one.
    pub(crate) fn ensure_fits(&self, count: usize) -> anyhow::Result<()> {
        ensure!(
            self.interaction.is_none() || count == 1,
            "--interaction: expected one run, got {count}: choose one input with --input, and leave out --games"
        );
        Ok(())
    }

    /// Writes a run.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, or the run is too large for `--interaction`.
    pub(crate) fn add(
        &mut self,
        setup: &RunSetup,
        result: &TrialResult,
        line: &RunReport,
    ) -> anyhow::Result<()> {
        self.runs += 1;
        if let Some(path) = self.interaction.take() {
            ensure!(
                result.is_recorded(),
                "--interaction: expected a run whose record has at most {} MiB, got a larger one",
                MAX_RECORDED >> 20
            );
            output::write(&path, &result.sample())?;
        }
        if let Some(file) = &mut self.transcript {
            file.add_run(setup, &result.interactions, line)?;
        }
        if let Some(folder) = &self.pages
            && (folder.with_accepted || line.verdict != Verdict::Accepted)
        {
            let (begin, end) = PAGE_NAMES;
            let path = folder.path.join(format!("{begin}{}{end}", self.runs));
            let page = PageRows::of(&result.interactions).page(setup, line);
            output::write(&path, page.as_bytes())?;
        }
        Ok(())
    }
}
