//! A temporary folder for the files of an interactor.

use std::env;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use runner::janitor::Registration;

const NO_FOLDER: &str = "a folder for the interactor's files cannot be made";

/// A temporary folder for all runs of a pair of programs. It is removed even if the judge is killed.
pub(crate) struct WorkFolder {
    path: PathBuf,
    _removal: Registration,
}

impl WorkFolder {
    pub(crate) fn new() -> anyhow::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let name = format!("judge-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let path = env::temp_dir().join(name);
            // Registered first, so that the folder is removed even if the judge ends in between.
            let removal = Registration::new([&*path]).context("the janitor cannot be started")?;
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    made.context(NO_FOLDER)?;
                    return Ok(Self { path, _removal: removal });
                }
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn make(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.path().join(name);
        // Making a folder takes longer than looking into the one of the last run, which is usually empty.
        if fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none()) {
            return Ok(path);
        }
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context(NO_FOLDER)?,
            _ => fs::create_dir(&path).context(NO_FOLDER)?,
        }
        Ok(path)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
