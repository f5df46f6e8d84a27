//! The guards of a warden on systems other than Linux, which have none.

use std::io;
use std::os::fd::RawFd;
use std::process::{Child, Command};

use super::Confinement;
use crate::sandbox::{Guard, MissingGuards, Sandbox};

pub(super) struct Guards {
    pub(super) kills_all: bool,
}

#[expect(clippy::unused_self, reason = "there are guards on Linux")]
impl Guards {
    pub(super) fn set_up(
        confinement: &Confinement,
        _own: &[RawFd],
    ) -> anyhow::Result<(Self, Vec<MissingGuards>)> {
        let all = || MissingGuards { guards: Guard::ALL.to_vec(), reason: "they need Linux".to_owned() };
        let is_wanted = confinement.sandbox != Sandbox::None;
        Ok((Self { kills_all: false }, is_wanted.then(all).into_iter().collect()))
    }

    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        command.spawn()
    }

    /// Kills nothing: only the process group of the program is known, which the warden has killed.
    pub(super) fn kill_all(&self) {}
}
