//! Control groups: the kernel itself counts and limits what all processes of a bot use.
//!
//! A group is about a dozen small files in folders of the kernel's. The crates for it bring D-Bus and the whole
//! of a container runtime with them, so these files are written and read here.
//!
//! Both versions of the interface work, also side by side: version 2 keeps all resources in one folder, version
//! 1 has a tree for each. The process that the judge forks joins the group before it becomes the bot.

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

/// Control groups with the same limits, one at a time: the next process gets the group of the last one if that is as good
/// as new.
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

    /// A group without processes, with the limits.
    pub(crate) fn take(&self) -> io::Result<ControlGroup> {
        let spare = self.spare.take();
        spare.map_or_else(|| ControlGroup::new(&self.place, &self.limits), Ok)
    }

    /// Keeps a group whose processes have ended for the next process, or removes it.
    pub(crate) fn give_back(&self, group: ControlGroup) {
        self.spare.replace(group.reset(&self.limits));
    }
}
