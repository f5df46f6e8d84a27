//! A temporary folder for the files of an interactor.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use runner::janitor::{OwnFolder, new_name};

const NO_FOLDER: &str = "a folder for the interactor's files cannot be made";

/// A temporary folder for all runs of a pair of programs. It is removed even if the judge is killed.
pub(crate) struct WorkFolder(OwnFolder);

impl WorkFolder {
    pub(crate) fn new() -> anyhow::Result<Self> {
        OwnFolder::make(&env::temp_dir().join(new_name("judge"))).map(Self).context(NO_FOLDER)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
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
