//! The guards of a warden on systems other than Linux, which have none.

use std::io;
use std::mem;
use std::os::fd::RawFd;
use std::process::{Child, Command};

use super::link::Isolation;
use crate::inherited;
use crate::sandbox::{Guard, MissingGuards, Sandbox};

pub(super) struct Guards {
    missing: Vec<MissingGuards>,
}

impl Guards {
    pub(super) fn set_up(isolation: &Isolation, _own: &[RawFd]) -> anyhow::Result<Self> {
        isolation.open_files.map_or(Ok(()), inherited::limit_open_files)?;
        let all = || MissingGuards { guards: Guard::ALL.to_vec(), reason: "they need Linux".to_owned() };
        let is_wanted = isolation.sandbox != Sandbox::None;
        Ok(Self { missing: is_wanted.then(all).into_iter().collect() })
    }

    /// Returns the guards of the sandbox that are missing, once.
    pub(super) fn take_missing(&mut self) -> Vec<MissingGuards> {
        mem::take(&mut self.missing)
    }

    #[expect(clippy::unused_self, reason = "there are guards on Linux")]
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }

    #[expect(clippy::unused_self, reason = "there are guards on Linux")]
    pub(super) fn kills_all(&self) -> bool {
        false
    }

    /// Kills nothing: only the process group of the program is known, which the warden has killed.
    #[expect(clippy::unused_self, reason = "there are guards on Linux")]
    pub(super) fn kill_all(&self) {}
}
