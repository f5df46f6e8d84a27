//! The pages of the games of a run, in a directory.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::ReplayRecorder;
use crate::referee::event::RecordedEvent;
use crate::referee::transcript::{GameLog, ResultLine, SetupLine};
use crate::referee::verdict::Verdict;
use crate::report::output::Output;

/// A log that writes a page for each game that was not won, or for each.
pub(crate) struct ReplayPageLog {
    directory: PathBuf,
    with_won: bool,
    game: Option<(PathBuf, ReplayRecorder)>,
}

impl ReplayPageLog {
    /// Pages in this directory, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub(crate) fn new(directory: &Path, with_won: bool) -> anyhow::Result<Self> {
        fs::create_dir_all(directory)
            .with_context(|| format!("the directory {} cannot be made", directory.display()))?;
        Ok(Self { directory: directory.to_owned(), with_won, game: None })
    }
}

impl GameLog for ReplayPageLog {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        let path = self.directory.join(format!("game-{}.html", setup.game.seed));
        self.game = Some((path, ReplayRecorder::new(setup.clone())?));
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        if let Some((_, game)) = &mut self.game {
            game.add(entry);
        }
        Ok(())
    }

    fn end(&mut self, result: &ResultLine) -> anyhow::Result<()> {
        let Some((path, game)) = self.game.take() else { return Ok(()) };
        if result.verdict == Verdict::Won && !self.with_won {
            return Ok(());
        }
        write_page(&path, game, result)
    }
}

fn write_page(path: &Path, game: ReplayRecorder, result: &ResultLine) -> anyhow::Result<()> {
    let page = game.finish(result.wall).page()?;
    Output::open(Some(path))?.write(|out| out.write_all(page.as_bytes()))
}
