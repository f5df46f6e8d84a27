//! A temporary folder for the files of an interactor.

use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use runner::janitor::OwnFolders;

const NO_FOLDER: &str = "a folder for the interactor's files cannot be made";

/// A temporary folder for all runs of a pair of programs. It is removed even if the judge is killed.
pub(crate) struct WorkFolder {
    pub(crate) path: PathBuf,
    _own_folder: OwnFolders,
}

impl WorkFolder {
    pub(crate) fn new() -> anyhow::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let name = format!("judge-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let path = env::temp_dir().join(name);
            match OwnFolders::make([&*path]) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return Ok(Self { path, _own_folder: made.context(NO_FOLDER)? }),
            }
        }
    }

    pub(crate) fn make(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.path.join(name);
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
