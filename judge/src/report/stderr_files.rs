//! What a bot wrote to stderr, in a file for each game.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use referee::transcript::{GameLog, SetupLine};
use runner::event::{Event, RecordedEvent};

/// A log that writes stderr to `seed-S.txt` in a folder, S being the seed of the game. A bot with a name has
/// `NAME-seed-S.txt`. The second game with the same seed has `seed-S-2.txt`, and so on.
pub(crate) struct StderrFiles {
    folder: PathBuf,
    /// What the names of the files begin with.
    prefix: &'static str,
    /// How many games have had a file of this name.
    games: BTreeMap<String, u64>,
    file: Option<File>,
}

impl StderrFiles {
    /// # Errors
    ///
    /// If there is no such folder and it cannot be made.
    pub(crate) fn new(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for stderr cannot be made", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), prefix: "", games: BTreeMap::new(), file: None })
    }

    /// Lets the names of the files begin with this.
    pub(crate) fn with_prefix(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }
}

impl GameLog for StderrFiles {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        let bot = setup.config.name.as_ref().map_or_else(String::new, |name| format!("{name}-"));
        let mut name = format!("{}{bot}seed-{}", self.prefix, setup.game.seed);
        let games = self.games.entry(name.clone()).or_default();
        // A game that is played again replaces the one before.
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

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        match &entry.event {
            Event::Stderr(text) => file.write_all(&text.0),
            Event::StderrOmitted(omitted) => {
                writeln!(file, "\n[{} bytes are left out here]", omitted.bytes)
            }
            _ => Ok(()),
        }
    }
}
