//! Ends or stops all descendants of the judge, however fast they start new processes.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use nix::unistd::{getpgid, getpgrp, getpid, getsid};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::tree;

/// Maximum time for ending all descendants.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait after killing processes before listing the descendants again.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Ends and reaps all descendants of this process. Returns whether none is left.
///
/// The function stops the descendants until it finds no new one, and then kills them. A stopped process starts no
/// other, takes no processor time from the judge, and still counts towards a limit on processes. The list of processes
/// may miss a process that starts its successor and ends. So an empty list does not prove that no descendant is left.
/// Every descendant is a child of this process or of another descendant, so none is left once the kernel reports that
/// this process has no child.
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
        // With foreign children, the kernel never reports that this process has no child.
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

/// Stops all descendants of this process except the child `except`. Returns the descendants that were not already
/// stopped, each after its ancestors.
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
        // A process that got the signal may still run for a moment. The next round finds the processes that it has
        // started.
        let is_complete =
            seen.len() == before && stopped.iter().all(|process| !is_running(process.as_raw_pid()));
        if is_complete || Instant::now() > deadline {
            return stopped;
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Checks that a process has neither ended nor been stopped.
fn is_running(process: i32) -> bool {
    !matches!(tree::state(process), None | Some('T' | 't' | 'Z'))
}

/// Reaps the children that have ended. Returns whether other children are left.
fn reap() -> bool {
    loop {
        match waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {
            Ok(Some(_)) => {}
            Err(Errno::CHILD) => return false,
            _ => return true,
        }
    }
}

/// Sends a signal to a process, and to its process group if all members certainly belong to the bot. The kernel
/// signals all members of a group at once, so the signal reaches the successors of a process that has just ended.
fn send(process: i32, signal: Signal) -> rustix::io::Result<()> {
    let Some(process) = Pid::from_raw(process) else { return Ok(()) };
    if let Some(group) = own_group(process) {
        let _ = kill_process_group(group, signal);
    }
    kill_process(process, signal)
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
