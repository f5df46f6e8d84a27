//! Checkpoints: the state of a table, from which a later run continues.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use rustix::fs::{Access, access};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::format::Format;
use super::super::totals::Totals;
use super::{Written, ensure_file};
use common::safe_file::LockWait;
use common::safe_file::directory;

/// The first word of the file.
const MAGIC: &str = "zeroxor-checkpoint";

/// The version of the file and of the states in it.
const VERSION: u32 = 2;

/// Maximum length of a file, in bytes. A state has some dozens of megabytes.
const MAX_BYTES: u64 = 1 << 30;

/// The length of the hash at the end, in bytes.
const HASH_LEN: usize = 32;

/// The options that a run must share with the run that it continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The format of the values and the largest heap; `None` for a summary, which a later run may extend to a larger
    /// heap.
    pub(crate) listing: Option<(Format, u64)>,
    pub(crate) has_history: bool,
    /// Whether the heaps with each nimber are counted.
    #[serde(default)]
    pub(crate) has_counts: bool,
    /// The part of the listing that has been written.
    pub written: Written,
}

/// The state of a run. The file contains a line with the version, a line of JSON, the state, and the hash of all these
/// parts.
pub struct Checkpoint {
    /// The rules without sizes, such as `octal 0.77`.
    pub(super) game: String,
    pub run: Run,
    pub(super) totals: Totals,
    /// The pre-period and the period, once they are known.
    pub(super) repeat: Option<(u64, u64)>,
    pub(super) state: Vec<u8>,
}

/// The line of JSON in a checkpoint file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    game: String,
    run: Run,
    totals: Totals,
    repeat: Option<(u64, u64)>,
}

impl Checkpoint {
    /// Returns the number of values that the run had computed and processed.
    pub fn values(&self) -> u64 {
        self.totals.values
    }

    fn parse(bytes: &[u8], game: &str) -> anyhow::Result<Self> {
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).and_then(|rest| rest.strip_prefix(b" "));
        let rest = rest.context("it is not a checkpoint")?;
        let (version, rest) = split_line(rest).context("it is damaged: it is too short")?;
        let version = str::from_utf8(version).unwrap_or("?");
        ensure!(
            version == VERSION.to_string(),
            "expected a checkpoint of version {VERSION}, got version {version}: another version of grundy wrote it"
        );
        let body = bytes.len().checked_sub(HASH_LEN).context("it is damaged: it is too short")?;
        let (body, hash) = bytes.split_at(body);
        ensure!(Sha256::digest(body).as_slice() == hash, "it is damaged: its hash is wrong");
        let rest = &rest[..rest.len() - HASH_LEN];
        let (head, state) = split_line(rest).context("it is damaged: it is too short")?;
        let Head { game: other, run, totals, repeat } =
            serde_json::from_slice(head).context("it is damaged")?;
        if other != game {
            bail!("expected a checkpoint of \"{game}\", got one of \"{other}\"");
        }
        Ok(Self { game: other, run, totals, repeat, state: state.to_vec() })
    }

    fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = format!("{MAGIC} {VERSION}\n").into_bytes();
        let Self { game, run, totals, repeat, state } = self;
        let head = Head { game: game.clone(), run: run.clone(), totals: totals.clone(), repeat: *repeat };
        serde_json::to_writer(&mut bytes, &head)?;
        bytes.push(b'\n');
        bytes.extend(state);
        let hash = Sha256::digest(&bytes);
        bytes.extend(hash.as_slice());
        Ok(bytes)
    }
}

/// The checkpoint file of a run, locked so that no other process writes to it.
pub struct CheckpointFile {
    path: PathBuf,
    /// The current file, locked. Each checkpoint is a new file.
    current: Option<File>,
}

impl CheckpointFile {
    /// Opens and locks the file if it exists, and tests whether it can be written, so that no result is lost later.
    /// Waits for another process that writes to the file. Creates and changes no file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, another process keeps writing to it, or the file at [`new_path`] is not a
    /// checkpoint.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let current = locked(path)?;
        let new = new_path(path);
        let begin = match File::open(&new).and_then(|file| read_begin(&file)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Only a directory has an entry ".", so this also checks that the directory exists.
                let found = access(directory(path).join("."), Access::WRITE_OK | Access::EXEC_OK);
                found.map(|()| Vec::new()).map_err(io::Error::from)
            }
            begin => begin,
        };
        let begin = begin.with_context(|| write_error(path))?;
        ensure!(
            MAGIC.as_bytes().starts_with(&begin),
            "{} is not a checkpoint, and --checkpoint {} would overwrite it: use another name",
            new.display(),
            path.display()
        );
        Ok(Self { path: path.to_owned(), current })
    }

    /// Reads the checkpoint of a game; `None` if there is no checkpoint.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be read, is damaged, or belongs to another game or version.
    pub fn read(&mut self, game: &str) -> anyhow::Result<Option<Checkpoint>> {
        let name = self.path.display();
        let Some(file) = &mut self.current else { return Ok(None) };
        let checkpoint = read_whole(file)
            .with_context(|| format!("the checkpoint {name} cannot be read"))?
            .and_then(|bytes| Checkpoint::parse(&bytes, game));
        checkpoint.map(Some).with_context(|| {
            format!("cannot continue from {name}; to start again, remove it or name another file")
        })
    }

    /// Replaces the checkpoint atomically.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be written.
    pub fn write(&mut self, checkpoint: &Checkpoint) -> anyhow::Result<()> {
        let written = self.replace(&checkpoint.to_bytes()?);
        self.current = Some(written.with_context(|| write_error(&self.path))?);
        Ok(())
    }

    /// Writes the bytes to a new file that replaces the current one.
    fn replace(&self, bytes: &[u8]) -> io::Result<File> {
        // Always use the same name, so that killed runs leave at most one incomplete file.
        let new = new_path(&self.path);
        let mut file = File::create(&new)?;
        // No other process has a reason to lock the new file, so do not wait.
        LockWait::none().lock(&file, &new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(new, &self.path)?;
        Ok(file)
    }

    /// Removes the file at the end of the run.
    pub fn remove(self) {
        for path in [&self.path, &new_path(&self.path)] {
            // The file may be missing.
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns the path to which a new checkpoint is written before it replaces the checkpoint at `path`.
pub fn new_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// Opens and locks the file at a path; `None` if there is no file.
fn locked(path: &Path) -> anyhow::Result<Option<File>> {
    let read_error = || format!("the checkpoint {} cannot be read", path.display());
    let mut wait = LockWait::up_to_30_seconds();
    loop {
        let file =
            match fs::metadata(path).and_then(|found| ensure_file(&found)).and_then(|()| File::open(path)) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error).with_context(read_error),
            };
        if !wait.lock(&file, path).with_context(read_error)? {
            bail!("another process is writing to {}: use a checkpoint for each run", path.display());
        }
        // The other process may have replaced or removed this file.
        let place = |found: Metadata| (found.dev(), found.ino());
        if file.metadata().map(place).ok() == fs::metadata(path).map(place).ok() {
            return Ok(Some(file));
        }
    }
}

/// Reads the whole file if it starts like a checkpoint. Reads only about [`MAX_BYTES`] bytes of a longer file, so that
/// its hash is wrong.
fn read_whole(file: &mut File) -> io::Result<anyhow::Result<Vec<u8>>> {
    let mut bytes = read_begin(file)?;
    if bytes != MAGIC.as_bytes() {
        return Ok(Err(anyhow!("it is not a checkpoint")));
    }
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(Ok(bytes))
}

/// Reads the first bytes of a file, up to the length of [`MAGIC`].
fn read_begin(file: &File) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut begin)?;
    Ok(begin)
}

fn write_error(path: &Path) -> String {
    format!("the checkpoint {} cannot be written", path.display())
}

/// Splits bytes into the first line and the rest.
fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}
