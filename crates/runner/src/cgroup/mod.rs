//! Control groups: the kernel itself counts and limits the usage of all processes of a bot.
//!
//! A group is about a dozen small files in kernel folders. This module reads and writes these files itself, because
//! the existing crates depend on D-Bus and on a whole container runtime.
//!
//! Both versions of the interface work, even side by side: version 2 keeps all resources in one folder, version 1 has
//! a tree of folders for each resource. The process that the judge forks joins the group before it becomes the bot.

#[cfg(target_os = "linux")]
mod folder;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod meter;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod removal;
#[cfg(not(target_os = "linux"))]
mod unsupported;

#[cfg(target_os = "linux")]
pub use group::{ControlGroup, end_all};
#[cfg(target_os = "linux")]
pub(crate) use meter::{GroupMeter, GroupMeterState};
#[cfg(target_os = "linux")]
pub use place::Place;
#[cfg(not(target_os = "linux"))]
pub use unsupported::{ControlGroup, Place, end_all};
#[cfg(not(target_os = "linux"))]
pub(crate) use unsupported::{GroupMeter, GroupMeterState};

use std::cell::RefCell;
use std::io;

use crate::limits::Limits;

/// A source of control groups with the same limits, one at a time. The next process gets the group of the last process
/// if that group can be reused.
#[derive(Debug)]
pub struct GroupSource {
    place: Place,
    limits: Limits,
    spare: RefCell<Option<ControlGroup>>,
}

impl GroupSource {
    pub(crate) fn new(place: Place, limits: Limits) -> Self {
        Self { place, limits, spare: RefCell::default() }
    }

    /// Returns a group with the limits and without processes.
    pub(crate) fn take(&self) -> io::Result<ControlGroup> {
        let spare = self.spare.take();
        spare.map_or_else(|| ControlGroup::new(&self.place, &self.limits), Ok)
    }

    /// Keeps the group for the next process, or removes it. The processes of the group must have ended.
    pub(crate) fn give_back(&self, group: ControlGroup) {
        self.spare.replace(group.reset(&self.limits));
    }
}
