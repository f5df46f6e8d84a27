//! The bot's stderr: its first and last lines for reports, and the log that writes it to files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use common::escape::printable;
use referee::transcript::{GameLog, SetupLine};
use runner::event::{Event, RecordedEvent};
use runner::stderr_excerpt::{Omitted, StderrExcerpt};

/// Maximum number of lines that are shown from the beginning, and from the end.
const SHOWN_LINES: usize = 50;

/// Maximum number of bytes of a line that are shown.
const SHOWN_WIDTH: usize = 500;

/// Returns the lines to show, with control characters escaped. A line in brackets says how much is left out there.
pub(crate) fn shown_lines(stderr: &StderrExcerpt) -> Vec<String> {
    let (head, tail) = match stderr.whole() {
        Some(text) if text.is_empty() => return Vec::new(),
        Some(text) => {
            let mut lines = lines(text.trim_ascii_end());
            let tail = lines.split_off(lines.len().min(SHOWN_LINES));
            (lines, tail)
        }
        None => {
            let tail: Vec<u8> = stderr.tail.iter().copied().collect();
            (lines(&stderr.head), lines(tail.trim_ascii_end()))
        }
    };
    let (first, after_first) = head.split_at(head.len().min(SHOWN_LINES));
    let (before_last, last) = tail.split_at(tail.len().saturating_sub(SHOWN_LINES));
    let mut omitted = stderr.omitted;
    for line in after_first.iter().chain(before_last) {
        omitted.lines = omitted.lines.saturating_add(1);
        omitted.bytes = omitted.bytes.saturating_add(line.len() as u64 + 1);
    }
    let note = (omitted.bytes > 0).then(|| note(omitted));
    first.iter().map(|line| shown(line)).chain(note).chain(last.iter().map(|line| shown(line))).collect()
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn shown(line: &[u8]) -> String {
    let cut = if line.len() > SHOWN_WIDTH { "..." } else { "" };
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN_WIDTH)]).into_owned();
    format!("{}{cut}", printable(&text))
}

fn note(Omitted { bytes, lines }: Omitted) -> String {
    format!("[{bytes} bytes with {lines} line ends omitted; judge run --stderr DIR keeps them]")
}

/// A log that writes stderr to files in a folder. A game with the seed S has the file `seed-S.txt`, with `NAME-` before
/// it if the bot has a name. The second game with the same file name gets `-2` after the seed, and so on.
pub(crate) struct StderrFiles {
    folder: PathBuf,
    /// The beginning of each file name, before the bot's name.
    prefix: &'static str,
    /// The number of games so far with each file name before its number.
    games: BTreeMap<String, u64>,
    file: Option<File>,
}

impl StderrFiles {
    pub(crate) fn new(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} for stderr cannot be created", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), prefix: "", games: BTreeMap::new(), file: None })
    }

    /// Sets the beginning of the file names.
    pub(crate) fn with_prefix(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }
}

impl GameLog for StderrFiles {
    fn begin(&mut self, setup: &SetupLine) -> anyhow::Result<()> {
        let bot = setup.config.name.as_ref().map_or_else(String::new, |name| format!("{name}-"));
        let mut name = format!("{}{bot}seed-{}", self.prefix, setup.game.seed);
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

    fn write(&mut self, entry: &RecordedEvent) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        match &entry.event {
            Event::Stderr(text) => file.write_all(&text.0),
            Event::StderrOmitted(omitted) => {
                writeln!(file, "\n[{} bytes omitted]", omitted.bytes)
            }
            _ => Ok(()),
        }
    }
}
