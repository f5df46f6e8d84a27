//! The children of the judge, and what a killed warden has left among them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{env, io};

use anyhow::Context;

/// The process numbers of the children that the judge has started.
static STARTED: Mutex<Option<HashSet<i32>>> = Mutex::new(None);

/// A child that the judge has started. While this value lives, the child is not an orphan of a killed warden.
#[derive(Debug)]
pub struct Started(i32);

/// Starts a child of the judge.
///
/// # Errors
///
/// If the process cannot be started.
pub fn spawn(command: &mut Command) -> io::Result<(Child, Started)> {
    let mut started = started();
    let child = command.spawn()?;
    let pid = child.id().cast_signed();
    started.get_or_insert_default().insert(pid);
    Ok((child, Started(pid)))
}

/// Returns the path of the judge's own program, which it starts in other roles.
///
/// # Errors
///
/// If the system does not show the path.
pub fn own_program() -> anyhow::Result<PathBuf> {
    #[cfg(target_os = "linux")]
    crate::descendants::tree::check_access()?;
    let program = env::current_exe().context("the judge does not know its own path")?;
    // After an update the path no longer leads to the program that runs.
    let same = Path::new("/proc/self/exe");
    Ok(if !program.exists() && same.exists() { same.to_owned() } else { program })
}

impl Drop for Started {
    fn drop(&mut self) {
        started().get_or_insert_default().remove(&self.0);
    }
}

fn started() -> MutexGuard<'static, Option<HashSet<i32>>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(not(target_os = "linux"))]
pub(crate) use unsupported::{adopt_orphans, kill_orphans};

/// Makes the orphans of a warden that is killed children of the judge.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() -> rustix::io::Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
}

/// Kills and reaps all descendants of the judge, except the children that it has started and their descendants.
#[cfg(target_os = "linux")]
pub(crate) fn kill_orphans() {
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    use crate::descendants::{kill_all, tree};

    // While the lock is held, nothing is started that could be taken for an orphan.
    let mut started = started();
    let started = started.get_or_insert_default();
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        let mut orphans = tree::own_children().unwrap_or_default();
        orphans.retain(|child| !started.contains(child));
        if orphans.is_empty() {
            return;
        }
        kill_all(started);
        for orphan in orphans.into_iter().filter_map(Pid::from_raw) {
            let _ = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// On systems other than Linux, orphans become children of the first process.
#[cfg(not(target_os = "linux"))]
mod unsupported {
    #[expect(clippy::unnecessary_wraps, reason = "it can fail on Linux")]
    pub(crate) fn adopt_orphans() -> std::io::Result<()> {
        Ok(())
    }

    pub(crate) fn kill_orphans() {}
}
