//! Where the processes of one bot get their control groups.

use std::cell::RefCell;
use std::io;

use super::{ControlGroup, Place};
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
    pub fn new(place: Place, limits: Limits) -> Self {
        Self { place, limits, spare: RefCell::default() }
    }

    /// A group without processes, with the limits.
    pub fn take(&self) -> io::Result<ControlGroup> {
        let spare = self.spare.take();
        spare.map_or_else(|| ControlGroup::new(&self.place, &self.limits), Ok)
    }

    /// Keeps a group whose processes have ended for the next process, or removes it.
    pub(crate) fn give_back(&self, group: ControlGroup) {
        self.spare.replace(group.reset(&self.limits));
    }
}
