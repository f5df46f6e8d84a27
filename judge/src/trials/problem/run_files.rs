//! The files that `judge run` writes besides its report about runs against an interactor.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};

use crate::conversation::verdict::Verdict;
use crate::output::{self, ensure_different_files};
use crate::report::page::PageRows;
use crate::report::run::RunReport;
use crate::report::transcript::{MAX_RECORDED, RunSetup, TranscriptWriter, parts};
use crate::trials::problem::trial::TrialResult;

pub(crate) struct RunFiles<'a> {
    /// The file for the lines of both programs. It can hold only one run.
    interaction: Option<&'a Path>,
    transcript: Option<TranscriptWriter>,
    /// The folder of the pages, and whether runs that were accepted get pages too.
    html: Option<(&'a Path, bool)>,
    runs: u64,
}

impl<'a> RunFiles<'a> {
    /// Prepares the files for `count` runs. It is an error if a file is named twice, or cannot have so many runs.
    pub(crate) fn new(
        interaction: Option<&'a Path>,
        transcript: Option<&Path>,
        html: Option<(&'a Path, bool)>,
        count: usize,
    ) -> anyhow::Result<Self> {
        interaction.map_or(Ok(()), output::check_writable)?;
        ensure_different_files([("--interaction", interaction), ("--transcript", transcript)])?;
        if let Some((folder, _)) = html {
            fs::create_dir_all(folder)
                .with_context(|| format!("the folder {} for pages cannot be created", folder.display()))?;
        }
        ensure!(
            interaction.is_none() || count == 1,
            "--interaction: expected one run, got {count}: choose one input with --input, and leave out --games"
        );
        Ok(Self { interaction, transcript: transcript.map(TranscriptWriter::new), html, runs: 0 })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.interaction.is_none() && self.transcript.is_none() && self.html.is_none()
    }

    /// Writes a run. It is an error if the run is too large for `--interaction`.
    pub(crate) fn add(
        &mut self,
        setup: &RunSetup,
        result: &TrialResult,
        line: &RunReport,
    ) -> anyhow::Result<()> {
        self.runs += 1;
        if let Some(path) = self.interaction {
            ensure!(
                result.is_recorded(),
                "--interaction: expected a run whose record has at most {} MiB, got a larger one",
                MAX_RECORDED >> 20
            );
            output::write(path, &result.sample())?;
        }
        if let Some(file) = &mut self.transcript {
            file.add_run(setup, &result.interactions, line)?;
        }
        if let Some((folder, is_for_all)) = self.html
            && (is_for_all || line.ruling.verdict != Verdict::Accepted)
        {
            let path = folder.join(format!("run-{}.html", self.runs));
            let mut page = PageRows::of_run();
            parts(&result.interactions).for_each(|part| page.add(part));
            output::write(&path, page.page(setup, line).as_bytes())?;
        }
        Ok(())
    }
}
