//! The log that writes the bot's stderr to files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::report::transcript::{GameLog, SetupLine};
use runner::event::{Event, RecordedEvent};

/// A log that writes stderr to files in a folder. A game with the seed S has the file `seed-S.txt`, with `NAME-` before
/// it if the bot has a name. The second game with the same file name gets `-2` after the seed, and so on.
pub(crate) struct StderrFiles {
    folder: PathBuf,
    /// For each file name without `-2` and `.txt`, the number of games so far.
    games: BTreeMap<String, u64>,
    file: Option<File>,
}

impl StderrFiles {
    pub(crate) fn new(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for stderr cannot be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), games: BTreeMap::new(), file: None })
    }
}

impl GameLog for StderrFiles {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        let bot = setup.config.name.as_ref().map_or_else(String::new, |name| format!("{name}-"));
        let mut name = format!("{bot}seed-{}", setup.game.seed);
        let games = self.games.entry(name.clone()).or_default();
        // A repeated game replaces the file of the first try.
        *games += u64::from(!setup.game.repeat || *games == 0);
        if *games > 1 {
            name += &format!("-{games}");
        }
        let path = self.folder.join(name + ".txt");
        let file = File::create(&path)
            .with_context(|| format!("the file {} for stderr cannot be created", path.display()))?;
        self.file = Some(file);
        Ok(())
    }

    fn write(&mut self, entry: &RecordedEvent) -> anyhow::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let written = match &entry.event {
            Event::Stderr(text) => file.write_all(&text.0),
            Event::StderrOmitted(omitted) => writeln!(file, "\n[{} bytes omitted]", omitted.bytes),
            _ => Ok(()),
        };
        written.context("the file for stderr cannot be written")
    }
}
