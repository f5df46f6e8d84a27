//! The pages of the games of a run, in a folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::ReplayRecorder;
use crate::report::page::PAGE;
use common::output::Output;
use referee::transcript::{GameLog, ResultLine, SetupLine};
use referee::verdict::Verdict;
use runner::event::RecordedEvent;

/// How the names of the pages of a folder begin and end.
pub(crate) const FILE_NAMES: (&str, &str) = ("game-", ".html");

/// A log that writes a page for each game that was not won, or for each.
pub(crate) struct ReplayPageLog {
    folder: PathBuf,
    with_won: bool,
    force: bool,
    /// The number of the game, from 1. A game that is played again keeps it.
    number: u64,
    game: Option<ReplayRecorder>,
}

impl ReplayPageLog {
    /// Pages in this folder, which is made if it is not there. Pages in it are replaced, and if it is forced other files of
    /// their names, too.
    ///
    /// # Errors
    ///
    /// If it cannot be made, or has another file with the name of a page.
    pub(crate) fn new(folder: &Path, with_won: bool, force: bool) -> anyhow::Result<Self> {
        PAGE.ensure_all_replaceable(FILE_NAMES, folder, force)?;
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for pages cannot be made", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), with_won, force, number: 0, game: None })
    }
}

impl GameLog for ReplayPageLog {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        self.number += u64::from(!setup.game.repeat);
        self.game = Some(ReplayRecorder::new(setup.clone())?);
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        if let Some(game) = &mut self.game {
            game.add(entry);
        }
        Ok(())
    }

    fn end(&mut self, result: &ResultLine) -> anyhow::Result<()> {
        let Some(game) = self.game.take() else { return Ok(()) };
        let path = self.folder.join(format!("game-{}.html", self.number));
        if result.verdict != Verdict::Won || self.with_won {
            let page = game.finish(result.wall).page()?;
            return Output::open(Some(&path), PAGE, self.force)?.write(|out| out.write_all(page.as_bytes()));
        }
        if game.is_repeat() {
            // The game was won now: the page of the first time, whose time was in doubt, is not wanted.
            let removed = fs::remove_file(&path);
            return removed.with_context(|| format!("{} cannot be removed", path.display()));
        }
        Ok(())
    }
}
