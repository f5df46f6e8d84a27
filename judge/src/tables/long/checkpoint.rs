//! Checkpoints: what it takes to go on with a long table.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::format::Format;
use super::super::totals::Totals;
use super::ensure_file;

/// The first word of the file.
const MAGIC: &str = "zeroxor-checkpoint";

/// The version of the file, and of the states in it.
const VERSION: u32 = 1;

/// The length of the hash at the end, in bytes.
const HASH: usize = 32;

/// What a run wants, as far as the same is needed to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    /// How the values are written, and up to which; a summary may go further than it was meant to.
    pub(crate) listing: Option<(Format, u64)>,
    pub(crate) has_history: bool,
    /// How many bytes of the listing have been written.
    pub(crate) written: u64,
}

/// What it takes to go on: a line with the version, a line of JSON, the state, and the hash of all of them.
pub(crate) struct Checkpoint {
    /// The rules in the header's words, sizes left out.
    pub(super) game: String,
    pub(crate) run: Run,
    pub(super) totals: Totals,
    /// The pre-period and the period, once they are known.
    pub(super) repeat: Option<(u64, u64)>,
    pub(super) state: Vec<u8>,
}

/// The line of JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    game: String,
    run: Run,
    totals: Totals,
    repeat: Option<(u64, u64)>,
}

impl Checkpoint {
    /// How many values had been given out.
    pub(crate) fn len(&self) -> u64 {
        self.totals.values
    }

    /// Reads a checkpoint of a game; `None` if there is no file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is damaged, or is of another game or version.
    pub(crate) fn read(path: &Path, game: &str) -> anyhow::Result<Option<Self>> {
        let name = path.display();
        let bytes = match read_file(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("the checkpoint {name} cannot be read")),
        };
        Self::parse(&bytes, game).map(Some).with_context(|| {
            format!("cannot go on from {name}; to begin anew, remove it or name another file")
        })
    }

    fn parse(bytes: &[u8], game: &str) -> anyhow::Result<Self> {
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).and_then(|rest| rest.strip_prefix(b" "));
        let rest = rest.context("it is no checkpoint")?;
        let (version, rest) = split_line(rest).context("it is damaged: it is too short")?;
        let version = str::from_utf8(version).unwrap_or("?");
        ensure!(version == VERSION.to_string(), "it has version {version:?}, expected {VERSION}");
        let body = bytes.len().checked_sub(HASH).context("it is damaged: it is too short")?;
        let (body, hash) = bytes.split_at(body);
        ensure!(Sha256::digest(body).as_slice() == hash, "it is damaged: its hash is wrong");
        let rest = &rest[..rest.len() - HASH];
        let (head, state) = split_line(rest).context("it is damaged: it is too short")?;
        let Head { game: other, run, totals, repeat } =
            serde_json::from_slice(head).context("it is damaged")?;
        if other != game {
            bail!("it is of \"{other}\", not of \"{game}\"");
        }
        Ok(Self { game: other, run, totals, repeat, state: state.to_vec() })
    }

    /// Finds out whether the file can be written, before anything is computed that would be lost. What is there stays, and
    /// nothing is left behind.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn ensure_writable(path: &Path) -> anyhow::Result<()> {
        let new = Self::new_path(path);
        let written = File::create(&new).and_then(|_| fs::remove_file(&new));
        written.with_context(|| write_error(path))
    }

    /// Writes the file: all of it, or the one before stays.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let mut bytes = format!("{MAGIC} {VERSION}\n").into_bytes();
        let Self { game, run, totals, repeat, state } = self;
        let head = Head { game: game.clone(), run: run.clone(), totals: totals.clone(), repeat: *repeat };
        serde_json::to_writer(&mut bytes, &head)?;
        bytes.push(b'\n');
        bytes.extend(state);
        let hash = Sha256::digest(&bytes);
        bytes.extend(hash.as_slice());
        let write = || {
            // One name for all, so that a run that is killed here leaves one such file at most.
            let new = Self::new_path(path);
            let mut file = File::create(&new)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(new, path)
        };
        write().with_context(|| write_error(path))
    }

    /// Removes the file, where the run is at its end.
    pub(crate) fn remove(path: &Path) {
        for path in [path, &Self::new_path(path)] {
            // There may be none.
            let _ = fs::remove_file(path);
        }
    }

    /// The name of a file that is not complete yet.
    fn new_path(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".new");
        name.into()
    }
}

/// The content of a file.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    ensure_file(&fs::metadata(path)?)?;
    fs::read(path)
}

fn write_error(path: &Path) -> String {
    format!("the checkpoint {} cannot be written", path.display())
}

/// A line, and what follows it.
fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}
