//! Control groups on systems other than Linux, which have none.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::event::Usage;
use crate::limits::Limits;

/// A place for control groups. The type has no value, because this system has no control groups.
#[derive(Clone, Debug)]
pub enum Place {}

impl Place {
    pub(crate) fn find() -> anyhow::Result<Self> {
        anyhow::bail!("control groups need Linux")
    }
}

/// A control group. The type has no value, because this system has no control groups.
#[derive(Debug)]
pub enum ControlGroup {}

impl ControlGroup {
    pub(crate) fn new(place: &Place, _limits: &Limits) -> io::Result<Self> {
        match *place {}
    }

    pub(crate) fn attach(&self, _command: &mut Command) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn try_join(&self) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn reset(self, _limits: &Limits) -> Option<Self> {
        match self {}
    }

    pub(crate) fn meter(&self) -> &GroupMeter {
        match *self {}
    }

    pub(crate) fn kill(&self) {
        match *self {}
    }
}

/// A meter of a control group. The type has no value, because this system has no control groups.
#[derive(Debug)]
pub(crate) enum GroupMeter {}

/// The data from which another process makes an equal meter. The type has no value either.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum GroupMeterState {}

impl GroupMeter {
    pub(crate) fn used(&self, _limits: &Limits) -> anyhow::Result<Usage> {
        match *self {}
    }

    pub(crate) fn parts(&self) -> (GroupMeterState, Vec<BorrowedFd<'_>>) {
        match *self {}
    }

    pub(crate) fn from_parts(state: GroupMeterState, _fds: impl Iterator<Item = OwnedFd>) -> Option<Self> {
        match state {}
    }
}

/// Does nothing: there are no groups to end.
pub fn end_all() {}
