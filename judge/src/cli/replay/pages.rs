//! Where the pages of `judge replay --html` are written.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::report::page::PAGE;
use crate::report::replay_page::{FILE_NAMES, Replay};
use common::output::Output;

/// The pages of the games of a transcript.
pub(super) enum Pages {
    /// One game, in this file. It is written when it is known that there is no other.
    File { output: Option<Output>, replay: Option<Box<Replay>> },
    /// Each game in a file of this directory.
    Directory { path: PathBuf, force: bool },
}

impl Pages {
    /// The pages at a path: a directory that exists, or a file.
    ///
    /// # Errors
    ///
    /// If the path cannot be written to, or has other files.
    pub(super) fn open(path: &Path, force: bool) -> anyhow::Result<Self> {
        if path.is_dir() {
            PAGE.ensure_all_replaceable(FILE_NAMES, path, force)?;
            return Ok(Self::Directory { path: path.to_owned(), force });
        }
        Ok(Self::File { output: Some(Output::open(Some(path), PAGE, force)?), replay: None })
    }

    /// Adds the game with this number. One that was played again replaces the first time in a single file.
    ///
    /// # Errors
    ///
    /// If its page cannot be written, or there is place for one game only.
    pub(super) fn add(&mut self, number: u64, is_repeat: bool, new: Replay) -> anyhow::Result<()> {
        match self {
            Self::File { replay, .. } => {
                ensure!(
                    replay.is_none() || is_repeat,
                    "expected one game for the file of --html, got more: choose one with --game K, or give a \
                     directory for a page of each"
                );
                *replay = Some(Box::new(new));
                Ok(())
            }
            Self::Directory { path, force } => {
                let path = path.join(format!("game-{number}.html"));
                write(Output::open(Some(&path), PAGE, *force)?, &new)
            }
        }
    }

    /// Writes the page that is not written yet.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        let Self::File { output, replay } = self else { return Ok(()) };
        match (output.take(), replay.take()) {
            (Some(output), Some(replay)) => write(output, &replay),
            _ => Ok(()),
        }
    }
}

fn write(output: Output, replay: &Replay) -> anyhow::Result<()> {
    let page = replay.page()?;
    output.write(|out| out.write_all(page.as_bytes()))
}
