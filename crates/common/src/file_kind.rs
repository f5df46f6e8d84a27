//! Decides which files a program replaces, and defines the option `--force` to replace any file.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, ensure};
use clap::Args;

use crate::program;

/// Number of bytes of a file that are read to recognise its kind.
const START_LENGTH: u64 = 1 << 16;

/// A kind of file that a program writes. Without `--force`, only empty files and files of the same kind are replaced.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// The name of a file of this kind, such as `a transcript`.
    pub name: &'static str,
    /// The possible beginnings of such a file. If the list is empty, no file is recognised.
    pub starts: &'static [&'static str],
    /// A text that must occur after the start, within the first 64 KiB of the file; empty if none is required.
    pub later_text: &'static str,
}

impl FileKind {
    /// Makes a kind that is recognised by its first bytes.
    pub const fn new(name: &'static str, starts: &'static [&'static str]) -> Self {
        Self { name, starts, later_text: "" }
    }

    /// Refuses to replace a file of another kind, unless `force` is set. Accepts missing and empty files, and special
    /// files, which are written in place. Links are followed.
    ///
    /// # Errors
    ///
    /// If the file has another kind or cannot be read.
    pub fn ensure_replaceable(self, path: &Path, force: bool) -> anyhow::Result<()> {
        let found = path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
        if force || !found {
            return Ok(());
        }
        let (name, mut start) = (path.display(), Vec::new());
        File::open(path)
            .and_then(|file| file.take(START_LENGTH).read_to_end(&mut start))
            .with_context(|| format!("{name} exists but cannot be read to check what it contains"))?;
        let target = path.is_symlink().then(|| fs::canonicalize(path).ok()).flatten();
        let exists = target.map_or_else(
            || format!("{name} exists and"),
            |target| format!("{name} is a link to {}, which", target.display()),
        );
        ensure!(
            self.recognises(&start),
            "{exists} is not recognised as {} written by {}: choose another name, or give --force to replace \
             it",
            self.name,
            program::name()
        );
        Ok(())
    }

    /// Refuses to replace files of `folder` whose names start with `begin` and end with `end`, under the conditions of
    /// [`ensure_replaceable`](Self::ensure_replaceable). A missing folder has no files.
    ///
    /// # Errors
    ///
    /// If one of these files is refused, or the folder cannot be read.
    pub fn ensure_all_replaceable(
        self,
        (begin, end): (&str, &str),
        folder: &Path,
        force: bool,
    ) -> anyhow::Result<()> {
        if !folder.exists() {
            return Ok(());
        }
        let error = || format!("{} cannot be read", folder.display());
        for entry in folder.read_dir().with_context(error)? {
            let name = entry.with_context(error)?.file_name();
            if name.to_str().is_some_and(|name| name.starts_with(begin) && name.ends_with(end)) {
                self.ensure_replaceable(&folder.join(name), force)?;
            }
        }
        Ok(())
    }

    fn recognises(self, start: &[u8]) -> bool {
        let rest = self.starts.iter().find_map(|begin| start.strip_prefix(begin.as_bytes()));
        rest.is_some_and(|rest| {
            self.later_text.is_empty()
                || rest.windows(self.later_text.len()).any(|part| part == self.later_text.as_bytes())
        })
    }
}

/// The option to replace existing files of any kind.
#[derive(Clone, Copy, Debug, Args)]
pub struct ForceOption {
    /// Replace existing files of any kind; by default, an option replaces only empty files and files of the kind that
    /// it writes
    #[arg(long)]
    pub force: bool,
}
