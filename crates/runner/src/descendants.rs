//! The descendants of a warden: its program and all processes that the program has started. Kills them one by one, for
//! kernels that cannot kill them all at once.
//!
//! A warden is a subreaper: a process of the program that has lost its parent becomes a child of the warden. So no
//! process that the program has started can leave the tree below the warden.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nix::unistd::{getpgid, getpgrp, getpid, getsid};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::proc;

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
        let (mut found, mut has_new) = (Vec::new(), false);
        walk(spared, |process| {
            found.push(process);
            if stopped.insert(process) {
                has_new = true;
                send(process, Signal::STOP);
            }
        });
        if !has_new || Instant::now() > deadline {
            for process in found {
                send(process, Signal::KILL);
            }
            return;
        }
    }
}

/// Visits all descendants of this process, except the children in `spared` and their descendants, each as soon as it is
/// found. If processes start and end all the time, the walk may miss some of them.
fn walk(spared: &BTreeSet<i32>, mut visit: impl FnMut(i32)) {
    let mut found = proc::children("self").unwrap_or_default();
    found.retain(|child| !spared.contains(child));
    found.iter().copied().for_each(&mut visit);
    while let Some(process) = found.pop() {
        let children = proc::children(process).unwrap_or_default();
        children.iter().copied().for_each(&mut visit);
        found.extend(children);
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
