//! The end of everything that descends from the judge, however fast that starts new processes.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use nix::unistd::{getpgid, getpgrp, getpid, getsid};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::tree;

/// How long to try to end all descendants.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait for killed processes before the descendants are listed again.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Ends and reaps all processes that descend from this one; whether none is left.
///
/// They are stopped first, until no new one is found, and then killed: a stopped process starts no other, takes
/// no processor from the judge, and leaves no room under a limit on processes for another. A process that starts
/// its successor and ends can be missed in the list of processes. That none is left is therefore not taken from
/// the list: every descendant is a child of this process or of another descendant, so none is left once the
/// kernel says that there is no child.
pub fn end_all() -> bool {
    let deadline = Instant::now() + KILL_TIMEOUT;
    let mut stopped = HashSet::new();
    while reap() {
        let (mut found, mut has_new) = (Vec::new(), false);
        tree::walk(|process| {
            found.push(process);
            if stopped.insert(process) {
                has_new = true;
                let _ = send(process, Signal::STOP);
            }
        });
        if found.is_empty() && tree::has_foreign_children() {
            return true;
        }
        let is_late = Instant::now() > deadline;
        if has_new && !is_late {
            continue;
        }
        // A process of another user, such as a setuid program, cannot be ended.
        let refused = found.iter().filter(|process| send(**process, Signal::KILL) == Err(Errno::PERM));
        let are_all_refused = refused.count() == found.len() && !found.is_empty();
        if are_all_refused || is_late {
            return false;
        }
        thread::sleep(POLL_INTERVAL);
    }
    true
}

/// Stops all processes that descend from this one except that child, and returns those that were not stopped
/// already, each after its ancestors.
pub fn stop_all(except: Pid) -> Vec<Pid> {
    let deadline = Instant::now() + KILL_TIMEOUT;
    let mut seen = HashSet::from([except.as_raw_pid()]);
    let mut stopped = Vec::new();
    loop {
        let before = seen.len();
        tree::walk(|process| {
            let is_new = seen.insert(process) && is_running(process);
            let process = Pid::from_raw(process).filter(|_| is_new);
            stopped.extend(process.filter(|&process| kill_process(process, Signal::STOP).is_ok()));
        });
        // A process that has the signal may run for a moment, and what it has started is found in the next round.
        let is_complete =
            seen.len() == before && stopped.iter().all(|process| !is_running(process.as_raw_pid()));
        if is_complete || Instant::now() > deadline {
            return stopped;
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Whether a process has neither ended nor been stopped.
fn is_running(process: i32) -> bool {
    !matches!(tree::state(process), None | Some('T' | 't' | 'Z'))
}

/// Reaps the children that have ended; whether there are others.
fn reap() -> bool {
    loop {
        match waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(_)) => {}
            Err(Errno::CHILD) => return false,
            _ => return true,
        }
    }
}

/// Signals a process, and its process group if that is the bot's for certain: the kernel signals all members of a
/// group at once, so if a process has ended by now its successors in the group get the signal.
fn send(process: i32, signal: Signal) -> rustix::io::Result<()> {
    let Some(process) = Pid::from_raw(process) else { return Ok(()) };
    if let Some(group) = own_group(process) {
        let _ = kill_process_group(group, signal);
    }
    kill_process(process, signal)
}

/// The group of a descendant of this process, if all of its members are descendants: a group of a session that
/// others share may have other members.
///
/// nix reads the numbers because rustix takes no group or session 0, which those have that come from outside of
/// the process namespace.
fn own_group(process: Pid) -> Option<Pid> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_pid());
    let (group, own_session) = (getpgid(Some(process)).ok()?, getsid(None).ok()?);
    let is_apart = own_session == getpid() || getsid(Some(process)).ok()? != own_session;
    Pid::from_raw(group.as_raw()).filter(|_| is_apart && group != getpgrp())
}
