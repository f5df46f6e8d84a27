//! The control group of one bot.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use super::files::with_path;
use super::folder::GroupFolders;
use super::group_meter::GroupMeter;
use super::place::{self, Place};
use super::usage::UsageFiles;
use super::{join, limit, removal, reuse, stale};
use crate::limits::Limits;

/// The folders of all groups that this judge has made and not yet removed.
static GROUPS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A group that is ended and removed when it is dropped.
#[derive(Debug)]
pub struct ControlGroup {
    folders: Folders,
    meter: GroupMeter,
}

/// Folders that are removed when they are dropped.
#[derive(Debug)]
struct Folders(GroupFolders);

impl ControlGroup {
    /// An empty group with the limits on memory and on processes.
    pub fn new(place: &Place, limits: &Limits) -> io::Result<Self> {
        let folders = Folders(place.folders().below(&stale::name()?));
        for folder in folders.0.paths() {
            // Listed before it is made, so that none is forgotten when the judge is ended in between.
            groups().push(folder.to_owned());
            fs::create_dir(folder).map_err(|error| with_path(folder, &error))?;
        }
        limit::write_limits(&folders.0, limits)?;
        let meter = GroupMeter::new(UsageFiles::open(&folders.0)?);
        Ok(Self { folders, meter })
    }

    /// The group for another bot with the same limits, once all processes of the last one have ended; `None` if
    /// that has left anything in it.
    pub fn reset(self, limits: &Limits) -> Option<Self> {
        reuse::clear(&self.folders.0).ok().filter(|&is_clear| is_clear)?;
        limit::write_limits(&self.folders.0, limits).ok()?;
        Some(Self { meter: self.meter.reset()?, ..self })
    }

    /// Lets the process of this command join the group before it becomes the program.
    ///
    /// # Errors
    ///
    /// If the group's name has a NUL.
    pub(crate) fn attach(&self, command: &mut Command) -> io::Result<()> {
        join::before_exec(command, self.folders.0.paths())
    }

    /// What reads what its processes have used.
    pub(crate) fn meter(&self) -> &GroupMeter {
        &self.meter
    }

    /// The processes that are in all of its folders.
    pub(crate) fn members(&self) -> io::Result<HashSet<i32>> {
        self.folders.0.members()
    }

    /// Ends all its processes; none is left that could start others.
    pub(crate) fn kill(&self) {
        removal::kill(&self.folders.0.pids.path);
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in self.0.paths() {
            removal::end(folder);
            groups().retain(|group| group != folder);
        }
    }
}

fn groups() -> MutexGuard<'static, Vec<PathBuf>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends and removes all groups of this judge, which is about to exit, and of its hosts and workers, which it has
/// killed.
pub fn end_all() {
    let folders = std::mem::take(&mut *groups());
    for folder in folders {
        removal::end(&folder);
    }
    place::remove_stale();
}
