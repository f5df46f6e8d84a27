//! The guards of a warden on systems other than Linux, which have none.

use std::io;
use std::os::fd::RawFd;
use std::process::{Child, Command};

use rustix::process::Pid;

use super::Confinement;
use super::link::Isolation;
use crate::sandbox::{Guard, MissingGuards, Sandbox};

pub(super) struct Guards {
    pub(super) isolation: Isolation,
}

#[expect(clippy::unused_self, reason = "there are guards on Linux")]
impl Guards {
    pub(super) fn set_up(confinement: &Confinement, _own: RawFd) -> anyhow::Result<Self> {
        let all =
            || MissingGuards { guards: Guard::ALL.to_vec(), reason: "its guards need Linux".to_owned() };
        let is_wanted = confinement.sandbox != Sandbox::None;
        let missing = is_wanted.then(all).into_iter().collect();
        Ok(Self { isolation: Isolation { refuses_signals: false, missing } })
    }

    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<(Child, Option<Pid>)> {
        Ok((command.spawn()?, None))
    }

    /// Kills nothing: only the process group of the program is known, which the warden has killed.
    pub(super) fn kill_all(&self) {}
}
