//! The children of the judge, and what a killed warden has left among them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, io, thread};

use anyhow::Context;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::{descendants, proc};

static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// A child that the judge has started. While this value lives, the child is not an orphan of a killed warden.
#[derive(Debug)]
pub struct Started(i32);

pub fn spawn(command: &mut Command) -> io::Result<(Child, Started)> {
    let mut started = started();
    let child = command.spawn()?;
    let pid = child.id().cast_signed();
    started.insert(pid);
    Ok((child, Started(pid)))
}

/// Returns the path of the judge's own program, which it starts in other roles.
pub fn own_program() -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        proc::check_access()?;
    }
    let program = env::current_exe().context("the judge does not know its own path")?;
    // After an update the path no longer leads to the program that runs.
    let same = Path::new("/proc/self/exe");
    Ok(if !program.exists() && same.exists() { same.to_owned() } else { program })
}

impl Drop for Started {
    fn drop(&mut self) {
        started().remove(&self.0);
    }
}

fn started() -> MutexGuard<'static, BTreeSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the orphans of a warden that is killed children of the judge. On systems other than Linux, they become children
/// of the first process.
pub(crate) fn adopt_orphans() -> rustix::io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// Kills and reaps all descendants of the judge, except the children that it has started and their descendants.
pub(crate) fn kill_orphans() {
    // While the lock is held, nothing is started that could be taken for an orphan.
    let started = started();
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        let mut orphans = proc::children("self").unwrap_or_default();
        orphans.retain(|child| !started.contains(child));
        if orphans.is_empty() {
            return;
        }
        descendants::kill_all(&started);
        for orphan in orphans.into_iter().filter_map(Pid::from_raw) {
            let _ = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        thread::sleep(Duration::from_micros(200));
    }
}
