//! The children of the judge and of its wardens, and the end of all their descendants, one by one, for kernels that
//! cannot kill them all at once.
//!
//! A warden is a subreaper: a process of the program that has lost its parent becomes a child of the warden. So no
//! process that the program has started can leave the tree below the warden. Of a killed warden it becomes a child of the
//! judge.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, io, thread};

use anyhow::Context;
use nix::unistd::{getpgid, getpgrp, getpid, getsid};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use crate::proc;

static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// A child that the judge has started. While this value lives, the child is not an orphan of a killed warden.
#[derive(Debug)]
pub struct OwnChild(pub Child);

impl OwnChild {
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let mut started = started();
        let child = command.spawn()?;
        started.insert(child.id().cast_signed());
        Ok(Self(child))
    }
}

/// Returns the path of the judge's own program, which it starts in other roles.
pub fn own_program() -> anyhow::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        proc::children("self").context(
            "the judge cannot enforce the limits of a bot without /proc, which must be mounted and show the judge's own \
             processes and their children",
        )?;
    }
    let program = env::current_exe().context("the judge does not know its own path")?;
    // After an update the path no longer leads to the program that runs.
    let same = Path::new("/proc/self/exe");
    Ok(if !program.exists() && same.exists() { same.to_owned() } else { program })
}

impl Drop for OwnChild {
    fn drop(&mut self) {
        started().remove(&self.0.id().cast_signed());
    }
}

fn started() -> MutexGuard<'static, BTreeSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the orphans of a killed warden children of the judge. Elsewhere than on Linux the first process gets them.
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
        kill_all(&started);
        for orphan in orphans.into_iter().filter_map(Pid::from_raw) {
            let _ = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// Maximum time for which new descendants are looked for.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Kills the descendants of this process, except the children in `spared` and their descendants.
///
/// The function stops the descendants until it finds no new one, and then kills them. A stopped process starts no
/// other, takes no processor time from the judge, and still counts towards a limit on processes. The list of processes
/// may miss a process that starts its successor and ends, so the caller repeats this until no child is left.
pub(crate) fn kill_all(spared: &BTreeSet<i32>) {
    let deadline = Instant::now() + STOP_TIMEOUT;
    let mut stopped = BTreeSet::new();
    loop {
        let (mut found, known) = (Vec::new(), stopped.len());
        let mut waiting = vec!["self".to_owned()];
        while let Some(parent) = waiting.pop() {
            let children = proc::children(&parent).unwrap_or_default();
            for child in children.into_iter().filter(|child| !spared.contains(child)) {
                // Each as soon as it is found.
                if stopped.insert(child) {
                    send(child, Signal::STOP);
                }
                waiting.push(child.to_string());
                found.push(child);
            }
        }
        if stopped.len() == known || Instant::now() > deadline {
            return found.into_iter().for_each(|process| send(process, Signal::KILL));
        }
    }
}

/// Sends a signal to a process, and to its process group if all members certainly belong to the bot. The kernel
/// signals all members of a group at once, so the signal reaches the successors of a process that has just ended.
fn send(process: i32, signal: Signal) {
    let Some(process) = Pid::from_raw(process) else { return };
    if let Some(group) = own_group(process) {
        let _ = kill_process_group(group, signal);
    }
    let _ = kill_process(process, signal);
}

/// Returns the group of a descendant of this process if all members of the group are descendants. A group in a session
/// that other processes share may have other members.
///
/// Groups and sessions from outside the process namespace have the number 0. The function reads the numbers with nix,
/// because rustix does not accept 0.
fn own_group(process: Pid) -> Option<Pid> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_pid());
    let (group, own_session) = (getpgid(Some(process)).ok()?, getsid(None).ok()?);
    let is_apart = own_session == getpid() || getsid(Some(process)).ok()? != own_session;
    Pid::from_raw(group.as_raw()).filter(|_| is_apart && group != getpgrp())
}
