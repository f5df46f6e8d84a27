//! The end of all that descends from this process, however fast it starts new processes.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use nix::unistd::{getpgid, getpgrp, getpid, getsid};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::tree;

/// How long the judge tries.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// How long it waits for those that it has killed before it looks again.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Ends and reaps all processes that descend from this one; whether none is left.
///
/// They are stopped first, until no new one is found, and then killed: a stopped process starts no other, takes
/// no processor from the judge, and leaves no room under a limit on processes for another. A process that
/// starts its successor and ends can be missed by each look, but only with luck every time.
pub(crate) fn end_all() -> bool {
    let deadline = Instant::now() + KILL_TIMEOUT;
    let mut stopped = HashSet::new();
    loop {
        reap();
        let (mut found, mut fresh) = (Vec::new(), false);
        tree::walk(|process| {
            found.push(process);
            if stopped.insert(process) {
                fresh = true;
                let _ = send(process, Signal::STOP);
            }
        });
        if found.is_empty() {
            return true;
        }
        let is_late = Instant::now() > deadline;
        if fresh && !is_late {
            continue;
        }
        // One of another user's, as a setuid program is, cannot be ended.
        let is_refused = |process: &i32| send(*process, Signal::KILL) == Err(Errno::PERM);
        if found.iter().filter(|process| is_refused(process)).count() == found.len() || is_late {
            return false;
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Reaps the children that have ended.
fn reap() {
    while let Ok(Some(_)) = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {}
}

/// Signals a process, and its process group where that is surely the bot's: the system does that for all
/// members at once, so a process that has ended by now has its successors in the group found.
fn send(process: i32, signal: Signal) -> rustix::io::Result<()> {
    let Some(process) = Pid::from_raw(process) else { return Ok(()) };
    if let Some(group) = group(process) {
        let _ = kill_process_group(group, signal);
    }
    kill_process(process, signal)
}

/// The group of a descendant of this process, if all of its members are: a group of a session that others
/// share may have other members.
///
/// rustix takes no group or session 0, which those have that come from outside of the process namespace.
fn group(process: Pid) -> Option<Pid> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_pid());
    let (group, own_session) = (getpgid(Some(process)).ok()?, getsid(None).ok()?);
    let is_apart = own_session == getpid() || getsid(Some(process)).ok()? != own_session;
    Pid::from_raw(group.as_raw()).filter(|_| is_apart && group != getpgrp())
}
